// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "base/settings.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/next_multiple.hpp"
#include "run/performance.hpp"

namespace tessera {
namespace {

/// All changes in one line.
std::string listed(std::vector<Difference> const& changes) {
  std::string text;
  for (Difference const& change : changes)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", describe(change));
  return text;
}

}  // namespace

void check_checkpoint_minutes(std::optional<double> minutes) {
  if (!minutes || *minutes > 0) return;
  throw BadInput(fmt::format("{} {}: expected a positive number of minutes",
                             setting_name("checkpoint"), *minutes));
}

void check_checkpoint(std::filesystem::path const& file) {
  expect_same_for_all(file.string(), together([&] {
                        return std::filesystem::exists(file) ? check_seal(file) : std::string();
                      }));
}

Checkpoints::Checkpoints(std::filesystem::path file, CheckpointPlan plan, FlowIdentity identity,
                         HashOfPores const& pores)
    : file_(std::move(file)),
      plan_(plan),
      identity_(std::make_unique<FlowIdentity>(std::move(identity))) {
  // That of a large geometry takes seconds. The pores last: that they differ follows from much
  // else.
  if (pores && plan_.wanted()) identity_->flow["pores"] = pores();
  if (!plan_.resume) return;
  open();
  if (!earlier_) {
    log_info("there is no {} yet: the run begins with step 0", file_.string());
    return;
  }
  saved_.emplace(file_, earlier_->text());
  compare();
  log_info("goes on after step {} of {}", first_step(), file_.string());
}

Checkpoints::~Checkpoints() = default;

void Checkpoints::open() {
  std::string const seal = together([&] {
    std::error_code ignored;
    if (!std::filesystem::exists(file_, ignored)) return std::string();
    earlier_ = std::make_unique<CheckpointReader const>(file_);
    return earlier_->seal();
  });
  // Each rank reads its own part, and the step.
  expect_same_for_all(file_.string(), seal);
}

void Checkpoints::compare() {
  Json const& command = saved_->json("command");
  if (command != identity_->command) {
    throw BadInput(
        fmt::format("{}: of tessera {}: expected a checkpoint of tessera {}", file_.string(),
                    command.is_string() ? command.get<std::string>() : "?", identity_->command));
  }
  auto const differing = differences(saved_->object("flow").all(), identity_->flow);
  for (Difference const& d : differing) {
    bool const is_hash = d.name == "pores" || d.name == "walls" || d.name == "mesh";
    if (!is_hash && !d.name.starts_with("solid "))
      throw BadInput(fmt::format("{}: of another flow: {}", file_.string(), describe(d)));
  }
  if (!differing.empty()) {
    std::string const& name = differing.front().name;
    throw BadInput(fmt::format("{}: of another geometry: expected the {} of this flow",
                               file_.string(), name == "pores" || name == "mesh" ? name : "walls"));
  }
  Json const& history = saved_->json("history");
  bool const texts = history.is_array() && std::ranges::all_of(history, [](Json const& change) {
                       return change.is_string();
                     });
  if (!texts) saved_->refuse("'history': expected texts");
  history_ = history.get<std::vector<std::string>>();
  auto const changes = differences(saved_->object("parameters").all(), identity_->parameters);
  is_other_flow_ = !changes.empty();
  if (!is_other_flow_) return;
  history_.push_back(fmt::format("after step {}: {}", first_step(), listed(changes)));
  log_warning(
      "{}: {}; the flow goes on from its state, and what was known of its convergence is "
      "forgotten",
      file_.string(), history_.back());
}

std::int64_t Checkpoints::next_after(std::int64_t step) const {
  if (!plan_.every) return std::numeric_limits<std::int64_t>::max();
  return next_multiple(*plan_.every, step);
}

bool Checkpoints::is_due_by_step(std::int64_t step) const {
  return step != last_step_ && plan_.every && step % *plan_.every == 0;
}

bool Checkpoints::is_due(std::int64_t step) const {
  if (step == last_step_) return false;
  if (is_due_by_step(step)) return true;
  return plan_.minutes && Clock::now() - last_ > std::chrono::duration<double>(60 * *plan_.minutes);
}

void Checkpoints::write(RunningFlow& flow_now, AddRun const& add_run) {
  auto const start = Clock::now();
  std::optional<CheckpointWriter> writer;
  std::exception_ptr failed;
  try {
    auto const [values, blocks] = flow_now.saved_size();
    if (Ranks::is_root()) writer.emplace(file_, identity_->precision, values, blocks);
  } catch (...) {
    if (Ranks::alone()) throw;
    failed = std::current_exception();  // the others send all the same
  }
  flow_now.save(writer ? &*writer : nullptr);
  if (failed) std::rethrow_exception(failed);
  if (writer) {
    Json const run = add_run(*writer);
    writer->commit({{"command", identity_->command},
                    {"step", flow_now.steps()},
                    {"flow", identity_->flow},
                    {"parameters", identity_->parameters},
                    {"history", history_},
                    {"run", run},
                    {"software", to_json(software_result())}});
  }
  last_ = Clock::now();
  last_step_ = flow_now.steps();
  ++written_;
  failure_.clear();
  seconds_ += std::chrono::duration<double>(last_ - start).count();
}

void Checkpoints::note_failure(std::int64_t step, std::string const& why) {
  last_ = Clock::now();
  last_step_ = step;
  failure_ = fmt::format("no checkpoint after step {}: {}", step, why);
  log_warning("{}; the run goes on", failure_);
}

void Checkpoints::repeat_failure() const {
  if (!failure_.empty()) log_warning(failure_);
}

CheckpointsResult Checkpoints::report() const {
  std::error_code error;
  auto const bytes = std::filesystem::file_size(file_, error);
  return {written_, seconds_, written_ == 0 || error ? 0 : static_cast<std::int64_t>(bytes)};
}

std::int64_t Checkpoints::first_step() const {
  return saved_ ? saved_->whole("step", 0, SavedValues::most_steps) : 0;
}

void Checkpoints::restore(RunningFlow& flow_now) const {
  flow_now.restore(first_step(), *earlier_);
}

}  // namespace tessera
