// SPDX-License-Identifier: MIT
#include "app/checkpoints.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <utility>

#include "app/next_multiple.hpp"
#include "app/report.hpp"
#include "io/case/case.hpp"
#include "io/sha256.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// What must be the same for a run to go on with.
Json identity(Geometry const& geometry, LatticeKind lattice, Precision precision) {
  return {{"shape", {geometry.shape.x, geometry.shape.y, geometry.shape.z}},
          {"lattice", name_of(lattice)},
          {"precision", name_of(precision)},
          {"pores", sha256_of(std::as_bytes(std::span(geometry.pore)))}};
}

void check_same_flow(CheckpointReader const& checkpoint, Json const& flow) {
  Json const of_file = checkpoint.text().value("flow", Json::object());
  for (auto const& [key, expected] : flow.items()) {
    Json const found = of_file.value(key, Json());
    if (found == expected) continue;
    if (key == "pores")
      throw BadInput(fmt::format("{}: of another geometry: expected the pores of this flow",
                                 checkpoint.path().string()));
    throw BadInput(fmt::format("{}: of a flow with the {} {}: expected {}",
                               checkpoint.path().string(), key, found.dump(), expected.dump()));
  }
}

}  // namespace

void add_checkpoint_options(CLI::App& command, std::optional<double>& minutes, bool& resume) {
  command.add_option(
      "--checkpoint", minutes,
      "Write all that is needed to go on later every so many minutes, and at the end");
  command.add_flag("--resume", resume,
                   "Go on from the checkpoint in the folder of --out, if there is one");
}

void check_checkpoint_minutes(std::optional<double> minutes) {
  if (minutes && !(*minutes > 0))
    throw BadInput(fmt::format("--checkpoint {}: expected a positive number of minutes", *minutes));
}

Checkpoints::Checkpoints(std::filesystem::path file, CheckpointPlan plan, Geometry const& geometry,
                         LatticeKind lattice, Precision precision)
    : file_(std::move(file)),
      plan_(plan),
      geometry_(geometry),
      lattice_(lattice),
      precision_(precision) {
  if (!plan_.resume) return;
  if (!std::filesystem::exists(file_)) {
    spdlog::info("there is no {} yet: the run begins with step 0", file_.string());
    return;
  }
  earlier_ = std::make_unique<CheckpointReader const>(file_);
  check_same_flow(*earlier_, flow());
  spdlog::info("goes on after step {} of {}", first_step(), file_.string());
}

Json const& Checkpoints::flow() {
  if (flow_.is_null()) flow_ = identity(geometry_, lattice_, precision_);
  return flow_;
}

std::int64_t Checkpoints::next_after(std::int64_t step) const {
  if (!plan_.every) return std::numeric_limits<std::int64_t>::max();
  return next_multiple(*plan_.every, step);
}

bool Checkpoints::is_due(std::int64_t step) const {
  if (step == last_step_) return false;
  if (plan_.every && step % *plan_.every == 0) return true;
  return plan_.minutes && Clock::now() - last_ > std::chrono::duration<double>(60 * *plan_.minutes);
}

void Checkpoints::write(FlowGraph& graph, AddRun const& add_run) {
  auto const start = Clock::now();
  Tiling const& tiling = graph.tiling();
  CheckpointWriter writer(file_, precision_, tiling.nodes * velocities_of(tiling.lattice).size,
                          tiling.blocks);
  graph.save([&](Tile const& tile, BlockPopulations& populations) {
    for (std::int32_t const block : tile.blocks) {
      auto const remembered = populations.remembered.find(block);
      writer.add_block(block, populations.bytes_of_block(block),
                       remembered == populations.remembered.end() ? std::span<double const>()
                                                                  : remembered->second);
    }
  });
  Json const run = add_run(writer);
  writer.commit({{"step", graph.steps()},
                 {"flow", flow()},
                 {"run", run},
                 {"software", to_json(software_result())}});
  last_ = Clock::now();
  last_step_ = graph.steps();
  ++written_;
  seconds_ += std::chrono::duration<double>(last_ - start).count();
}

CheckpointsResult Checkpoints::report() const {
  std::error_code error;
  auto const bytes = std::filesystem::file_size(file_, error);
  return {written_, seconds_, written_ == 0 || error ? 0 : static_cast<std::int64_t>(bytes)};
}

std::int64_t Checkpoints::first_step() const {
  return earlier_ ? earlier_->text().at("step").get<std::int64_t>() : 0;
}

Json Checkpoints::run() const { return earlier_ ? earlier_->text().at("run") : Json(); }

void Checkpoints::restore(FlowGraph& graph) const {
  graph.restore(first_step(), [this](Tile const& tile, BlockPopulations& populations) {
    for (std::int32_t const block : tile.blocks) {
      earlier_->read_block(block, populations.bytes_of_block(block));
      auto const remembered = earlier_->remembered(block);
      if (!remembered.empty())
        populations.remembered[block].assign(remembered.begin(), remembered.end());
    }
  });
}

}  // namespace tessera
