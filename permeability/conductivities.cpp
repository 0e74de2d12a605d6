// SPDX-License-Identifier: MIT
#include "permeability/conductivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/images/spelling.hpp"
#include "permeability/label_values.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

constexpr std::uint8_t first_kind = 2;  // 1 is a pore

double parse_conductivity(std::string const& text, std::string const& said) {
  auto const value = number_in<double>(text);
  if (value && is_conductivity(*value)) return *value;
  throw BadInput(
      fmt::format("{}: expected labels and what they conduct, 0 or {:g} to {:g}, such as 1=0.05",
                  said, least_conductivity, most_conductivity));
}

}  // namespace

std::vector<LabelConductivity> parse_conductivities(std::vector<std::string> const& texts) {
  constexpr std::size_t most = 254;  // kinds that Geometry::pore has numbers for
  std::vector<LabelConductivity> all;
  for (auto& [labels, value] :
       parse_label_values<double>("conductivity", texts, most, parse_conductivity))
    all.push_back({std::move(labels), value});
  return all;
}

Geometry conductors(Image const& image, std::vector<LabelConductivity> const& conductivities,
                    LabelSet const& outside) {
  Geometry geometry{.shape = image.shape};
  std::map<double, std::uint8_t> kind_of;
  for (LabelConductivity const& own : conductivities) {
    geometry.of_grey.push_back(own.value);
    if (auto const both = own.labels.common_label(outside)) {
      throw BadInput(fmt::format("label {} has a conductivity ({}) and is outside ({})", *both,
                                 own.labels.text(), outside.text()));
    }
  }
  auto const histogram = label_histogram(image);
  for (LabelConductivity const& own : conductivities) {
    if (std::ranges::none_of(
            histogram, [&](LabelCount const& count) { return own.labels.contains(count.label); })) {
      log_warning("{}: no voxel has such a label", setting_text("conductivity", own.labels.text()));
    }
  }
  for (LabelCount const& count : histogram) {
    auto const own = std::ranges::find_if(
        conductivities, [&](LabelConductivity const& c) { return c.labels.contains(count.label); });
    if (own == conductivities.end() && !outside.contains(count.label)) {
      throw BadInput(fmt::format(
          "{}: label {} has no conductivity: expected one of each, such as {}", image.path.string(),
          label_text(count.label), setting_text("conductivity", label_text(count.label) + "=0")));
    }
    bool const conducts = own != conductivities.end() && own->value > 0;
    kind_of[count.label] =
        conducts ? static_cast<std::uint8_t>(first_kind + (own - conductivities.begin())) : 0;
    if (own == conductivities.end()) geometry.outside += count.voxels;
  }
  std::visit(
      [&]<class T>(std::vector<T> const& voxels) {
        geometry.pore.resize(voxels.size());
        std::ranges::transform(voxels, geometry.pore.begin(),
                               [&](T label) { return kind_of.at(static_cast<double>(label)); });
      },
      image.voxels);
  return geometry;
}

}  // namespace tessera
