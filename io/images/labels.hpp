// SPDX-License-Identifier: MIT
// From labels or grey values to pore and solid. Every common coding of pore (0, 1, 255) is in use
// somewhere, so nothing is guessed: each label is named, or follows from the others, or the image
// is refused.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/geometry.hpp"
#include "io/images/image.hpp"

namespace tessera {

struct LabelCount {
  double label = 0;  ///< exact for every type of voxel
  std::int64_t voxels = 0;

  bool operator==(LabelCount const&) const = default;
};

/// Reductions over the processes where an image is distributed over several by layers: all
/// functions below are collective then.
struct OtherLayers {
  /// The counts of all processes, from the counts of each.
  std::function<std::vector<LabelCount>(std::vector<LabelCount>)> counted_by_all;
  std::function<bool(bool)> true_for_any;
};

/// The distinct values of an image, ascending, and how many voxels have each. Throws BadInput for
/// NaN, and for more than 65536 distinct values, which are grey values, not labels.
std::vector<LabelCount> label_histogram(Image const& image, OtherLayers const& others = {});

/// A label or grey value as text: whole numbers in full, others with 6 digits.
std::string label_text(double label);

/// The histogram as a table of up to 12 rows; for more values it has the least, the greatest and
/// quantiles. NaN is left out and counted in a line of its own.
std::string histogram_text(Image const& image);

/// A set of integer labels.
class LabelSet {
 public:
  LabelSet() = default;
  /// Parses a list of labels and inclusive ranges: "0", "0,3-5", "-1,2", "-5--2". Throws BadInput.
  static LabelSet parse(std::string_view text);
  static LabelSet of(std::int64_t label);

  /// Adds the labels of another set.
  void add(LabelSet const& other);

  /// Whether a value is a label of the set; exact for every double: 2.5 is no label, nor is 1e300.
  bool contains(double label) const;
  /// A label that both sets contain, if there is one.
  std::optional<std::int64_t> common_label(LabelSet const& other) const;
  /// The set in the spelling of parse().
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
  /// Whether a voxel of type T is pore: exact, except that a grey value of 32 bits is compared with
  /// the value in 32 bits, as NumPy does, so that a voxel that was written as 0.1 is equal to
  /// "0.1".
  template <typename T>
  bool is_pore(T grey) const;
};

/// Thresholds of which none is more right than another, from the lowest to the highest.
struct ThresholdRange {
  Threshold low, high;

  /// Parses "110..130", after a relation as Threshold has it: ">=110..130"; nothing where there are
  /// no two dots. Throws BadInput.
  static std::optional<ThresholdRange> parse(std::string_view text);
  /// The threshold at a share of the range: 0 is the lowest, 1 the highest.
  Threshold at(double share) const;
};

/// The user's rule for the values of an image.
struct PoreRule {
  std::optional<LabelSet> pore;        ///< where absent, 0, unless the image is boolean
  std::optional<LabelSet> solid;       ///< where absent, the one label that is not pore is solid
  std::optional<Threshold> threshold;  ///< where given, decides alone
  /// Labels of grey voxels, of each kind, besides pore and solid: Geometry::pore 2, 3 and so on.
  std::vector<LabelSet> grey{};
  /// Labels or grey values beyond the sample, such as the air around a core: solid, and counted by
  /// Geometry::outside.
  std::optional<LabelSet> outside{};

  LabelSet pore_labels() const { return pore.value_or(LabelSet::of(0)); }
};

/// Throws BadInput if the image is a boolean array and the rule does not select which of its values
/// is pore: True is pore in some programs, solid in others. The message has both porosities.
void require_meaning_of_true(Image const& image, PoreRule const& rule,
                             OtherLayers const& others = {});

/// 1 for each voxel of the image, or of its layers here, that is outside of the sample.
std::vector<std::uint8_t> voxels_outside(Image const& image, LabelSet const& outside);

/// Applies a rule to an image, or to the layers of it that are here; no axis of the geometry is
/// periodic. Throws BadInput if a label is neither pore nor solid, or both; if no voxel is pore or
/// grey;
/// for NaN; for a threshold together with solid labels; for a boolean array and no rule for which
/// value is pore.
Geometry label_pores(Image const& image, PoreRule const& rule, OtherLayers const& others = {});

}  // namespace tessera
