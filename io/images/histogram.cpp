// SPDX-License-Identifier: MIT
// The values of an image: counts of labels, quantiles of grey values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "io/images/labels.hpp"
#include "io/images/spelling.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_labels = 65536;

struct Count {
  std::vector<LabelCount> labels;  ///< ascending
  std::int64_t not_numbers = 0;
  bool complete = true;  ///< false once there were more than `most_labels`
};

template <typename T>
bool is_number(T value) {
  if constexpr (std::is_floating_point_v<T>) return !std::isnan(value);
  return true;
}

template <typename T>
Count count_small(std::vector<T> const& voxels) {
  using Bits = std::make_unsigned_t<T>;
  std::vector<std::int64_t> table(std::size_t{1} << (8 * sizeof(T)));
  std::mutex mutex;
  in_parallel_ranges(static_cast<std::int64_t>(voxels.size()), 1 << 20,
                     [&](std::int64_t begin, std::int64_t end) {
                       std::vector<std::int64_t> own(table.size());
                       for (std::int64_t i = begin; i < end; ++i)
                         ++own[static_cast<Bits>(voxels[static_cast<std::size_t>(i)])];
                       std::lock_guard const lock(mutex);
                       std::ranges::transform(own, table, table.begin(), std::plus());
                     });
  Count count;
  // Labels are listed in ascending order, in which the table is not where values are signed.
  std::size_t const first = std::is_signed_v<T> ? table.size() / 2 : 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto const bits = static_cast<Bits>(first + i);
    if (table[bits] > 0) {
      count.labels.push_back({static_cast<double>(static_cast<T>(bits)), table[bits]});
    }
  }
  return count;
}

template <typename T>
Count count_large(std::vector<T> const& voxels) {
  Count count;
  std::unordered_map<T, std::int64_t> table;
  for (T const value : voxels) {
    if (!is_number(value)) {
      ++count.not_numbers;
    } else {
      ++table[value];
      if (table.size() > most_labels) {
        count.complete = false;
        return count;
      }
    }
  }
  for (auto const& [value, voxels_of_it] : table)
    count.labels.push_back({static_cast<double>(value), voxels_of_it});
  std::ranges::sort(count.labels, {}, &LabelCount::label);
  return count;
}

Count count_labels(Image const& image) {
  return std::visit(
      []<typename T>(std::vector<T> const& voxels) {
        if constexpr (sizeof(T) <= 2) {
          return count_small(voxels);
        } else {
          return count_large(voxels);
        }
      },
      image.voxels);
}

constexpr std::array<std::pair<double, char const*>, 7> quantiles{{{0.0, "least"},
                                                                   {0.05, "5 %"},
                                                                   {0.25, "25 %"},
                                                                   {0.5, "median"},
                                                                   {0.75, "75 %"},
                                                                   {0.95, "95 %"},
                                                                   {1.0, "greatest"}}};

/// Quantile of counted labels: the part `part` of the voxels lies below this label, the nearest one
/// that occurs.
double quantile_of(std::vector<LabelCount> const& labels, std::int64_t voxels, double part) {
  auto left = std::llround(part * static_cast<double>(voxels - 1));
  for (LabelCount const& entry : labels) {
    if (left < entry.voxels) return entry.label;
    left -= entry.voxels;
  }
  return labels.back().label;
}

/// Quantile of values that are too many to count.
template <typename T>
double quantile_of(std::vector<T>& values, double part) {
  auto const rank = std::llround(part * static_cast<double>(values.size() - 1));
  auto const at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

}  // namespace

std::vector<LabelCount> label_histogram(Image const& image, OtherLayers const& others) {
  Count count = count_labels(image);
  if (count.not_numbers > 0) {
    throw BadInput(fmt::format("{}: {} voxels are not a number (NaN)", image.path.string(),
                               count.not_numbers));
  }
  if (others.counted_by_all && count.complete) {
    count.labels = others.counted_by_all(std::move(count.labels));
    count.complete = count.labels.size() <= most_labels;
  }
  if (!count.complete) {
    throw BadInput(fmt::format(
        "{}: more than {} distinct values, which are grey values rather than labels: give {}",
        image.path.string(), most_labels, setting(image.said_by, "threshold")));
  }
  return std::move(count.labels);
}

std::string label_text(double label) {
  constexpr double exact = 0x1p53;
  if (label == 0) return "0";  // and not -0
  if (label == std::floor(label) && std::abs(label) < exact) return fmt::format("{:.0f}", label);
  return fmt::format("{:.6g}", label);
}

std::string histogram_text(Image const& image) {
  Count count = count_labels(image);
  constexpr std::size_t most_rows = 12;
  std::int64_t const all = volume(image.shape);
  std::string text;
  if (count.complete && count.labels.size() <= most_rows) {
    text = fmt::format("{:>12} {:>14} {:>9}\n", "label", "voxels", "share");
    for (LabelCount const& entry : count.labels) {
      double const share = static_cast<double>(entry.voxels) / static_cast<double>(all);
      text += fmt::format("{:>12} {:>14} {:>8.3f}%\n", label_text(entry.label), entry.voxels,
                          100 * share);
    }
  } else if (count.complete) {
    text = fmt::format("{:>12} {:>14}\n", "distinct", count.labels.size());
    for (auto const& [part, name] : quantiles) {
      text += fmt::format("{:>12} {:>14}\n", name,
                          label_text(quantile_of(count.labels, all - count.not_numbers, part)));
    }
  } else {
    text = fmt::format("{:>12} {:>14}\n", "distinct", fmt::format("over {}", most_labels));
    std::visit(
        [&]<typename T>(std::vector<T> const& voxels) {
          std::vector<T> values;
          values.reserve(voxels.size());
          std::ranges::copy_if(voxels, std::back_inserter(values), is_number<T>);
          count.not_numbers = static_cast<std::int64_t>(voxels.size() - values.size());
          for (auto const& [part, name] : quantiles) {
            text += fmt::format("{:>12} {:>14}\n", name, label_text(quantile_of(values, part)));
          }
        },
        image.voxels);
  }
  if (count.not_numbers > 0)
    text += fmt::format("{:>12} {:>14}\n", "not a number", count.not_numbers);
  return text;
}

}  // namespace tessera
