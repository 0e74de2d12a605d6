// SPDX-License-Identifier: MIT
#include "permeability/permeability_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "io/json.hpp"
#include "io/quantity.hpp"
#include "permeability/grey_voxels.hpp"

namespace tessera {
namespace {

/// Labels that the image gets.
struct MapLabel {
  static constexpr std::uint8_t solid = 0;
  static constexpr std::uint8_t pore = 1;
  static constexpr std::uint8_t first_kind = 2;
  static constexpr std::uint8_t outside = 255;
};
constexpr std::size_t most_kinds = MapLabel::outside - MapLabel::first_kind;

/// What a value means that is no permeability; nothing for one that is.
class Meanings {
 public:
  explicit Meanings(PoreRule const& rule)
      : pore_(rule.pore.value_or(LabelSet{})),
        solid_(rule.solid.value_or(LabelSet::of(0))),
        outside_(rule.outside.value_or(LabelSet{})) {}

  std::optional<std::uint8_t> of(double value) const {
    if (outside_.contains(value)) return MapLabel::outside;
    if (pore_.contains(value) || value == std::numeric_limits<double>::infinity())
      return MapLabel::pore;
    if (solid_.contains(value) || value == 0) return MapLabel::solid;
    return std::nullopt;
  }

 private:
  LabelSet pore_, solid_, outside_;
};

/// Calls visit(first, values) for ranges of the voxels, on all threads.
template <class Visit>
void in_ranges(Image const& image, Visit const& visit) {
  std::visit(
      [&]<class T>(std::vector<T> const& voxels) {
        in_parallel_ranges(
            static_cast<std::int64_t>(voxels.size()), 1 << 20,
            [&](std::int64_t begin, std::int64_t end) {
              auto const first = static_cast<std::size_t>(begin);
              visit(first, std::span(voxels).subspan(first, static_cast<std::size_t>(end - begin)));
            });
      },
      image.voxels);
}

/// The permeabilities of an image: all of them while they are few, else the ends of their range.
class Values {
 public:
  void add(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    if (distinct_.size() > most_kinds) return;
    auto const at = std::ranges::lower_bound(distinct_, value);
    if (at == distinct_.end() || *at != value) distinct_.insert(at, value);
  }
  void add(Values const& others) {
    for (double const value : others.distinct_) add(value);
    if (others.distinct_.empty()) return;
    add(others.least_);
    add(others.most_);
  }
  /// Collective: adds those of all ranks.
  void add_other_ranks() {
    Values all;
    Json const own{distinct_, least_, most_};
    for (std::string const& text : Ranks::all_gather(distinct_.empty() ? "" : own.dump())) {
      if (text.empty()) continue;
      Json const json = Json::parse(text);
      Values of_rank;
      of_rank.distinct_ = json.at(0).get<std::vector<double>>();
      of_rank.least_ = json.at(1);
      of_rank.most_ = json.at(2);
      all.add(of_rank);
    }
    *this = std::move(all);
  }
  bool none() const { return distinct_.empty(); }
  bool are_many() const { return distinct_.size() > most_kinds; }
  std::vector<double> const& distinct() const { return distinct_; }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  std::vector<double> distinct_;  ///< ascending
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = 0;
};

/// Kinds of permeabilities: each value, or steps of one ratio between the least and the greatest.
class Kinds {
 public:
  explicit Kinds(Values const& values) : values_(values) {
    if (values_.are_many())
      log_step_ = std::log(values_.most() / values_.least()) / static_cast<double>(most_kinds);
  }
  std::size_t count() const { return values_.are_many() ? most_kinds : values_.distinct().size(); }
  std::size_t of(double value) const {
    if (!values_.are_many()) {
      auto const& all = values_.distinct();
      return static_cast<std::size_t>(std::ranges::lower_bound(all, value) - all.begin());
    }
    auto const step = static_cast<std::size_t>(std::log(value / values_.least()) / log_step_);
    return std::min(step, most_kinds - 1);
  }
  double value(std::size_t kind) const {
    if (!values_.are_many()) return values_.distinct()[kind];
    return values_.least() * std::exp(log_step_ * (static_cast<double>(kind) + 0.5));
  }
  /// By how much a value differs from that of its kind at most, relative.
  double rounding() const { return std::expm1(0.5 * log_step_); }

 private:
  Values const& values_;
  double log_step_ = 0;
};

/// The permeabilities of this rank's voxels. Throws BadInput for what is none.
Values values_of(Image const& image, Meanings const& meanings) {
  Values all;
  std::mutex adding;
  in_ranges(image, [&](std::size_t, auto voxels) {
    Values here;
    for (auto const voxel : voxels) {
      auto const value = static_cast<double>(voxel);
      if (meanings.of(value)) continue;
      if (!(value > 0)) {
        throw BadInput(fmt::format(
            "{}: a voxel has the value {:g}: expected permeabilities, 0 for solid and inf for "
            "pores, or labels of these ({}, {}, {})",
            image.path.string(), value, setting_name("pore"), setting_name("solid"),
            setting_name("outside")));
      }
      here.add(value);
    }
    std::scoped_lock const lock(adding);
    all.add(here);
  });
  return all;
}

PoreRule rule_of_labels(std::size_t kinds) {
  PoreRule rule{.pore = LabelSet::of(MapLabel::pore),
                .solid = LabelSet::of(MapLabel::solid),
                .threshold = {}};
  for (std::size_t kind = 0; kind < kinds; ++kind)
    rule.grey.push_back(LabelSet::of(static_cast<std::int64_t>(MapLabel::first_kind + kind)));
  return rule;
}

}  // namespace

PermeabilityUnit PermeabilityUnit::parse(std::string const& text) {
  if (text == "voxels") return {.name = text};
  if (auto const unit = unit_in(text); unit && unit->dimension == dimension::area)
    return {.name = text, .m2 = unit->value};
  throw BadInput(setting_text("grey-values", text) +
                 ": expected a unit of permeabilities: mD, D, m2, um2, or voxels for voxels "
                 "squared");
}

PermeabilityMap take_permeabilities(Image& image, PoreRule const& rule,
                                    PermeabilityUnit const& unit, ImageResult& result) {
  std::string const said = setting_text("grey-values", unit.name);
  if (unit.m2 && !result.voxel_size_m) refuse_grey_without_size(said);
  double const edge = result.voxel_size_m.value_or(1);
  double const in_lattice = unit.m2 ? *unit.m2 / (edge * edge) : 1;
  Meanings const meanings(rule);
  Values values = values_of(image, meanings);
  if (image.layers) values.add_other_ranks();
  if (!values.none()) {
    require_grey_permeability(said, in_lattice * values.least());
    require_grey_permeability(said, in_lattice * values.most());
  }
  Kinds const kinds(values);
  std::vector<std::uint8_t> labels(
      std::visit([](auto const& v) { return v.size(); }, image.voxels));
  in_ranges(image, [&](std::size_t first, auto voxels) {
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      auto const value = static_cast<double>(voxels[i]);
      auto const meaning = meanings.of(value);
      labels[first + i] =
          meaning ? *meaning : static_cast<std::uint8_t>(MapLabel::first_kind + kinds.of(value));
    }
  });
  image.voxels = std::move(labels);
  image.missing.clear();
  image.boolean = false;
  PermeabilityMap map{.rule = rule_of_labels(kinds.count())};
  if (rule.outside) map.rule.outside = LabelSet::of(MapLabel::outside);
  for (std::size_t kind = 0; kind < kinds.count(); ++kind)
    map.k_lattice.push_back(in_lattice * kinds.value(kind));
  result.pore.reset();
  if (rule.pore) result.pore = rule.pore->text();
  result.grey_values = {.unit = unit.name, .kinds = kinds.count(), .rounding = kinds.rounding()};
  if (!values.none())
    result.grey_values->range_lattice = {in_lattice * values.least(), in_lattice * values.most()};
  return map;
}

}  // namespace tessera
