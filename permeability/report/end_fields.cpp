// SPDX-License-Identifier: MIT
#include "permeability/report/end_fields.hpp"

#include <bit>
#include <cstdint>
#include <string>

#include "base/ranks/ranks.hpp"
#include "permeability/flows/fields.hpp"
#include "run/fields/shared_writing.hpp"

namespace tessera {
namespace {

constexpr bool with_tiles = true;

}  // namespace

EndFields::EndFields(AxisFlow& flow, Int3 image_shape, FieldUnits const& units, Held held,
                     AnswerFiles& files)
    : flow_(flow),
      shape_(image_shape),
      units_(units),
      held_(held),
      files_(files),
      file_(files.fields(flow.box().axis)) {}

void EndFields::allocate() {
  if (held_ == Held::spread) return allocate_spread();
  files_.attempt(file_.string(), [&] { whole_.emplace(shape_, units_, with_tiles); });
}

void EndFields::allocate_spread() {
  files_.attempt_together(file_.string(), [&] {
    std::string const why =
        why_not([&] { spread_.emplace(shape_, flow_.box().sample_lower, units_, with_tiles); });
    if (!all_well(why)) spread_.reset();
  });
  if (Ranks::any(!spread_)) spread_.reset();
}

double EndFields::take() {
  if (!Ranks::any(exist())) {
    if (auto const known = flow_.largest_speed()) return *known;
  }
  if (held_ == Held::spread) return take_spread();
  return largest_speed([&](VisitNode const& visit) { flow_.visit_nodes(visit); },
                       whole_ ? into(*whole_, flow_.box(), shape_) : VisitNode{});
}

double EndFields::take_spread() {
  // Each rank visits its own nodes, without the others.
  auto const visit = [&](VisitNode const& visit_node) {
    Ranks::ByItself const by_itself;
    flow_.visit_nodes(visit_node);
  };
  double largest = 0;
  if (spread_) {
    spread_->take([&](VisitNode const& put) { largest = largest_speed(visit, put); });
  } else {
    largest = largest_speed(visit);
  }
  // Numbers that are not negative stand in the order of their bits.
  return std::bit_cast<double>(Ranks::maximum(std::bit_cast<std::int64_t>(largest)));
}

bool EndFields::exist() const {
  return held_ == Held::spread ? spread_.has_value() : whole_.has_value();
}

void EndFields::write() {
  if (!exist()) return;
  if (held_ == Held::spread) {
    files_.attempt_together(file_.string(), [&] { spread_->write(file_); });
  } else {
    files_.attempt(file_.string(), [&] { whole_->write(file_); });
  }
}

}  // namespace tessera
