// SPDX-License-Identifier: MIT
// From labels or grey values to pore and solid. Every common coding of pore (0, 1, 255) is in use
// somewhere, so nothing is guessed: each label is named, or follows from the others, or the image
// is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/geometry.hpp"
#include "io/image.hpp"

namespace tessera {

struct LabelCount {
  double label = 0;  ///< exact for every type of voxel
  std::int64_t voxels = 0;

  bool operator==(LabelCount const&) const = default;
};

/// The distinct values of an image, ascending, and how many voxels have each. Throws BadInput for
/// NaN, and for more than 65536 distinct values: those are grey values, not labels.
std::vector<LabelCount> label_histogram(Image const& image);

/// The histogram as a table of up to 12 rows for people; of more values the least, the greatest and
/// quantiles. NaN is left out and counted in a line of its own.
std::string histogram_text(Image const& image);

/// A set of integer labels.
class LabelSet {
 public:
  LabelSet() = default;
  /// Parses a list of labels and inclusive ranges: "0", "0,3-5", "-1,2", "-5--2". Throws BadInput.
  static LabelSet parse(std::string_view text);
  static LabelSet of(std::int64_t label);

  bool contains(double label) const;
  /// A label that both sets contain, if there is one.
  std::optional<std::int64_t> common_label(LabelSet const& other) const;
  /// In the spelling of parse().
  std::string text() const;

 private:
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  std::vector<Range> ranges_;
};

/// Which grey values are pore.
struct Threshold {
  enum class Relation : std::uint8_t { less, less_or_equal, greater, greater_or_equal };
  Relation relation = Relation::less;
  double value = 0;

  /// Parses "120" (pore is darker: value < 120), "<120", "<=120", ">120" or ">=120". Throws
  /// BadInput.
  static Threshold parse(std::string_view text);
  bool is_pore(double grey) const;
};

/// What the user says about the values of an image.
struct PoreRule {
  LabelSet pore = LabelSet::of(0);
  std::optional<LabelSet> solid;       ///< where absent, the one label that is not pore is solid
  std::optional<Threshold> threshold;  ///< where given, decides alone
};

/// Applies a rule to an image; no axis of the geometry is periodic. Throws BadInput if a label is
/// neither pore nor solid, or both; if no voxel is pore; for NaN; for a threshold together with
/// solid labels.
Geometry label_pores(Image const& image, PoreRule const& rule);

}  // namespace tessera
