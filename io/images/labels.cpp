// SPDX-License-Identifier: MIT
#include "io/images/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "base/settings.hpp"
#include "io/images/spelling.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

/// A message lists so many labels, and only counts the others.
constexpr std::size_t few_labels = 12;

/// The first parts of a long list, and how many more there are.
std::string short_list(std::vector<std::string> parts) {
  if (parts.size() <= few_labels) return joined(parts, ", ");
  std::size_t const others = parts.size() - few_labels;
  parts.resize(few_labels);
  return fmt::format("{} and {} others", joined(parts, ", "), others);
}

/// Labels with their numbers of voxels: "0: 12, 1: 52 and 7 others".
std::string short_histogram(std::vector<LabelCount> const& histogram) {
  std::vector<std::string> parts(histogram.size());
  std::ranges::transform(histogram, parts.begin(), [](LabelCount const& entry) {
    return fmt::format("{}: {}", label_text(entry.label), entry.voxels);
  });
  return short_list(std::move(parts));
}

std::string list_of(std::vector<double> const& labels) {
  std::vector<std::string> parts(labels.size());
  std::ranges::transform(labels, parts.begin(), label_text);
  return fmt::format("label{} {}", labels.size() == 1 ? "" : "s", short_list(std::move(parts)));
}

bool is_missing(Image const& image, double value) {
  return std::ranges::find(image.missing, value) != image.missing.end();
}

[[noreturn]] void refuse_unnamed(Image const& image, std::vector<double> const& unnamed,
                                 std::vector<LabelCount> const& histogram) {
  auto const named = [&](std::string_view option, std::string_view key) {
    return setting(image.said_by, image.said_by == SaidBy::option ? option : key);
  };
  std::string const name_them =
      fmt::format("name them with {} or {}", named("pore", "pore"), named("solid", "solid-labels"));
  if (unnamed.size() > few_labels) {
    throw BadInput(
        fmt::format("{} labels of {}, {} to {}, are neither pore nor solid: {}, or give {} for "
                    "grey values",
                    unnamed.size(), image.path.string(), label_text(unnamed.front()),
                    label_text(unnamed.back()), name_them, named("threshold", "threshold")));
  }
  bool const no_value =
      std::ranges::any_of(unnamed, [&](double label) { return is_missing(image, label); });
  throw BadInput(fmt::format("{} of {} {} neither pore nor solid{}: {} (histogram: {})",
                             list_of(unnamed), image.path.string(),
                             unnamed.size() == 1 ? "is" : "are",
                             no_value ? ", and by the file's _FillValue no value at all" : "",
                             name_them, short_histogram(histogram)));
}

/// Labels and what they are named.
struct NamedLabels {
  std::string_view name;
  LabelSet labels;
};

void require_apart(NamedLabels const& a, NamedLabels const& b) {
  if (auto const both = a.labels.common_label(b.labels)) {
    throw BadInput(fmt::format("label {} is named both {} ({}) and {} ({})", *both, a.name,
                               a.labels.text(), b.name, b.labels.text()));
  }
}

/// Throws BadInput for a label that has two names. What is pore unless it is said may be named grey
/// or outside.
void require_one_name_each(PoreRule const& rule) {
  std::vector<NamedLabels> named;
  named.reserve(rule.grey.size() + 3);
  for (LabelSet const& grey : rule.grey) named.push_back({"grey", grey});
  if (rule.pore) named.push_back({"pore", *rule.pore});
  if (rule.solid) named.push_back({"solid", *rule.solid});
  if (rule.outside) named.push_back({"outside", *rule.outside});
  for (auto a = named.begin(); a != named.end(); ++a) {
    for (auto b = a + 1; b != named.end(); ++b) require_apart(*a, *b);
  }
  if (rule.solid) require_apart({"pore", rule.pore_labels()}, {"solid", *rule.solid});
}

/// What each label of the image is in Geometry::pore, but for the solid ones; ascending, once every
/// label is known to be pore, grey or solid.
std::vector<std::pair<double, std::uint8_t>> pore_labels(Image const& image, PoreRule const& rule,
                                                         OtherLayers const& others) {
  LabelSet const named_pore = rule.pore_labels();
  require_one_name_each(rule);
  auto const histogram = label_histogram(image, others);
  std::vector<std::pair<double, std::uint8_t>> pore;
  std::vector<double> unnamed;
  for (LabelCount const& entry : histogram) {
    if (rule.outside && rule.outside->contains(entry.label)) continue;
    auto const grey = std::ranges::find_if(
        rule.grey, [&](LabelSet const& labels) { return labels.contains(entry.label); });
    if (grey != rule.grey.end()) {
      pore.emplace_back(entry.label, static_cast<std::uint8_t>(2 + (grey - rule.grey.begin())));
    } else if (named_pore.contains(entry.label)) {
      pore.emplace_back(entry.label, std::uint8_t{1});
    } else if (!rule.solid || !rule.solid->contains(entry.label)) {
      unnamed.push_back(entry.label);
    }
  }
  bool const one_is_solid =
      !rule.solid && unnamed.size() == 1 && !is_missing(image, unnamed.front());
  if (!unnamed.empty() && !one_is_solid) refuse_unnamed(image, unnamed, histogram);
  if (pore.empty()) {
    throw BadInput(fmt::format("no voxel of {} is pore: no label is in {} (histogram: {})",
                               image.path.string(), named_pore.text(), short_histogram(histogram)));
  }
  return pore;
}

/// mark_of(value) for each voxel.
template <typename T, typename MarkOf>
std::vector<std::uint8_t> marked(std::vector<T> const& voxels, MarkOf mark_of) {
  std::vector<std::uint8_t> pore(voxels.size());
  auto const mark_all = [&](auto const& value_is_pore) {
    in_parallel_ranges(static_cast<std::int64_t>(voxels.size()), 1 << 20,
                       [&](std::int64_t begin, std::int64_t end) {
                         std::transform(voxels.begin() + begin, voxels.begin() + end,
                                        pore.begin() + begin, value_is_pore);
                       });
  };
  if constexpr (sizeof(T) <= 2) {
    // The type has few values: decide once for each.
    using Bits = std::make_unsigned_t<T>;
    std::vector<std::uint8_t> table(std::size_t{1} << (8 * sizeof(T)));
    for (std::size_t bits = 0; bits < table.size(); ++bits) {
      table[bits] = mark_of(static_cast<T>(static_cast<Bits>(bits)));
    }
    mark_all([&](T value) { return table[static_cast<Bits>(value)]; });
  } else {
    mark_all(mark_of);
  }
  return pore;
}

/// A geometry with the shape of this rank's layers, still without voxels.
Geometry geometry_of_layers(Image const& image) {
  Geometry geometry;
  geometry.shape = image.shape;
  if (image.layers) geometry.shape.z = image.layers->count();
  return geometry;
}

std::int64_t first_voxel(Image const& image) {
  return image.layers ? image.layers->lower * image.shape.x * image.shape.y : 0;
}

/// Throws BadInput for a voxel of the sample that has no value, which a threshold would take for
/// one.
template <typename T>
void require_values(Image const& image, std::vector<T> const& voxels, PoreRule const& rule) {
  auto const refuse = [&](std::size_t voxel, std::string_view what) {
    throw BadInput(fmt::format("{}: voxel {} is {}", image.path.string(),
                               first_voxel(image) + static_cast<std::int64_t>(voxel), what));
  };
  for (std::size_t i = 0; std::is_floating_point_v<T> && i < voxels.size(); ++i) {
    if (std::isnan(static_cast<double>(voxels[i]))) refuse(i, "not a number");
  }
  for (std::size_t i = 0; !image.missing.empty() && i < voxels.size(); ++i) {
    auto const value = static_cast<double>(voxels[i]);
    if (is_missing(image, value) && !(rule.outside && rule.outside->contains(value)))
      refuse(i, fmt::format("{}, which says that it has no value (_FillValue): name labels of pore "
                            "and solid instead of a threshold",
                            label_text(value)));
  }
}

Geometry threshold_pores(Image const& image, PoreRule const& rule, OtherLayers const& others) {
  if (rule.solid || rule.pore) {
    std::string_view const of = rule.solid ? "solid" : "pore";
    throw BadInput(fmt::format("a threshold and {} labels exclude each other: give {} or {}", of,
                               setting_name("threshold"), setting_name(of)));
  }
  Geometry geometry = geometry_of_layers(image);
  std::visit(
      [&]<typename T>(std::vector<T> const& voxels) {
        require_values(image, voxels, rule);
        geometry.pore = marked(voxels, [&](T grey) {
          bool const outside = rule.outside && rule.outside->contains(static_cast<double>(grey));
          return static_cast<std::uint8_t>(!outside && rule.threshold->is_pore(grey) ? 1 : 0);
        });
      },
      image.voxels);
  bool const any = std::ranges::find(geometry.pore, 1) != geometry.pore.end();
  if (!(others.true_for_any ? others.true_for_any(any) : any)) {
    throw BadInput(fmt::format("no voxel of {} is pore by the threshold", image.path.string()));
  }
  return geometry;
}

Geometry pores_of_labels(Image const& image, PoreRule const& rule, OtherLayers const& others) {
  auto const pore = pore_labels(image, rule, others);
  Geometry geometry = geometry_of_layers(image);
  std::visit(
      [&]<typename T>(std::vector<T> const& voxels) {
        geometry.pore = marked(voxels, [&](T label) {
          auto const value = static_cast<double>(label);
          auto const found =
              std::ranges::lower_bound(pore, value, {}, &std::pair<double, std::uint8_t>::first);
          return found != pore.end() && found->first == value ? found->second : std::uint8_t{0};
        });
      },
      image.voxels);
  return geometry;
}

}  // namespace

void require_meaning_of_true(Image const& image, PoreRule const& rule, OtherLayers const& others) {
  if (!image.boolean || rule.pore || rule.solid || rule.threshold) return;
  std::int64_t of_true = 0;
  for (LabelCount const& entry : label_histogram(image, others)) {
    if (entry.label != 0) of_true += entry.voxels;
  }
  double const share = static_cast<double>(of_true) / static_cast<double>(volume(image.shape));
  throw BadInput(fmt::format(
      "{}: a boolean array does not say whether True is pore or solid: give {} for a porosity of "
      "{:.6g} (True is pore, as in PoreSpy), or {} for one of {:.6g}",
      image.path.string(), setting(image.said_by, "pore", "1"), share,
      setting(image.said_by, "pore", "0"), 1 - share));
}

std::vector<std::uint8_t> voxels_outside(Image const& image, LabelSet const& outside) {
  return std::visit(
      [&]<typename T>(std::vector<T> const& voxels) {
        return marked(voxels, [&](T value) {
          return static_cast<std::uint8_t>(outside.contains(static_cast<double>(value)) ? 1 : 0);
        });
      },
      image.voxels);
}

Geometry label_pores(Image const& image, PoreRule const& rule, OtherLayers const& others) {
  require_meaning_of_true(image, rule, others);
  Geometry geometry =
      rule.threshold ? threshold_pores(image, rule, others) : pores_of_labels(image, rule, others);
  if (rule.outside)
    geometry.outside = std::ranges::count(voxels_outside(image, *rule.outside), std::uint8_t{1});
  return geometry;
}

}  // namespace tessera
