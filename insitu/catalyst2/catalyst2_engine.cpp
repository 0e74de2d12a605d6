// SPDX-License-Identifier: MIT
// Catalyst 2: whatever implements its API runs the scripts, ParaView 5.12 and later among others
// ($CATALYST_IMPLEMENTATION_NAME, $CATALYST_IMPLEMENTATION_PATHS choose it).
//
// The API tells neither what went wrong in a script nor which one it was, and it is started and
// ended once in a process: later series of frames go on in the first one.
#include <catalyst.h>
#include <fmt/format.h>

#include <memory>

#include "insitu/blueprint.hpp"
#include "insitu/engine.hpp"

namespace tessera {
namespace {

class ConduitNode : public NodeWriter {
 public:
  conduit_node* get() const { return node_.get(); }

  void text(std::string const& path, std::string const& value) override {
    conduit_node_set_path_char8_str(get(), path.c_str(), value.c_str());
  }
  void integer(std::string const& path, std::int64_t value) override {
    conduit_node_set_path_int64(get(), path.c_str(), value);
  }
  void real(std::string const& path, double value) override {
    conduit_node_set_path_float64(get(), path.c_str(), value);
  }
  void append_text(std::string const& path, std::string const& value) override {
    conduit_node_set_char8_str(conduit_node_append(conduit_node_fetch(get(), path.c_str())),
                               value.c_str());
  }
  void reals(std::string const& path, std::span<double const> values) override {
    conduit_node_set_path_float64_ptr(get(), path.c_str(), const_cast<double*>(values.data()),
                                      size_of(values));
  }
  void borrow(std::string const& path, std::span<float const> values) override {
    conduit_node_set_path_external_float32_ptr(get(), path.c_str(),
                                               const_cast<float*>(values.data()), size_of(values));
  }
  void borrow_component(std::string const& path, std::span<float const> values,
                        std::size_t component) override {
    constexpr auto size = static_cast<conduit_index_t>(sizeof(float));
    conduit_node_set_path_external_float32_ptr_detailed(
        get(), path.c_str(), const_cast<float*>(values.data()), size_of(values) / 3,
        static_cast<conduit_index_t>(component) * size, 3 * size, size,
        CONDUIT_ENDIANNESS_DEFAULT_ID);
  }
  void borrow(std::string const& path, std::span<std::int64_t const> values) override {
    conduit_node_set_path_external_int64_ptr(
        get(), path.c_str(), const_cast<std::int64_t*>(values.data()), size_of(values));
  }
  void borrow(std::string const& path, std::span<std::int32_t const> values) override {
    conduit_node_set_path_external_int32_ptr(
        get(), path.c_str(), const_cast<std::int32_t*>(values.data()), size_of(values));
  }
  void borrow(std::string const& path, std::span<std::uint8_t const> values) override {
    conduit_node_set_path_external_uint8_ptr(
        get(), path.c_str(), const_cast<std::uint8_t*>(values.data()), size_of(values));
  }

 private:
  template <class Value>
  static conduit_index_t size_of(std::span<Value const> values) {
    return static_cast<conduit_index_t>(values.size());
  }

  std::unique_ptr<conduit_node, void (*)(conduit_node*)> node_{conduit_node_create(),
                                                               conduit_node_destroy};
};

class Catalyst2Engine : public Engine {
 public:
  Catalyst2Engine() = default;
  ~Catalyst2Engine() override {
    if (started_) catalyst_finalize(ConduitNode().get());
  }
  Catalyst2Engine(Catalyst2Engine const&) = delete;
  Catalyst2Engine& operator=(Catalyst2Engine const&) = delete;

  void begin(std::vector<Script> const& scripts, std::filesystem::path const& folder) override {
    if (started_) return;
    started_ = true;
    ConduitNode node;
    describe_scripts(scripts, folder, node);
    started_well_ = catalyst_initialize(node.get()) == catalyst_status_ok;
  }

  std::vector<ScriptError> execute(Frame const& frame) override {
    if (!started_well_) return {{"Catalyst", frame.step, "catalyst_initialize() failed", true}};
    ConduitNode node;
    describe_frame(frame, node);
    auto const status = catalyst_execute(node.get());
    if (status == catalyst_status_ok) return {};
    return {{"Catalyst", frame.step,
             fmt::format("catalyst_execute() returned {}: see standard error",
                         static_cast<int>(status)),
             false}};
  }

  std::vector<ScriptError> end() override { return {}; }

  std::string description() const override { return "Catalyst 2"; }

 private:
  bool started_ = false;
  bool started_well_ = false;
};

}  // namespace
}  // namespace tessera

extern "C" tessera::Engine* tessera_make_engine() { return new tessera::Catalyst2Engine; }
