// SPDX-License-Identifier: MIT
#include "permeability/grey_voxels.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/images/spelling.hpp"
#include "io/quantity.hpp"
#include "permeability/label_values.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

GreyLabels parse_permeability(std::string const& text, std::string const& said) {
  if (auto const lattice = number_in<double>(text); lattice && *lattice > 0)
    return {.labels = {}, .k_lattice = *lattice};
  auto const quantity = quantity_in(text);
  if (quantity && quantity->dimension == dimension::area && quantity->value > 0)
    return {.labels = {}, .k_m2 = quantity->value};
  throw BadInput(said +
                 ": expected labels and their permeability with a unit (mD, D, m2, um2), such as "
                 "2=5mD, or in voxels squared, 2=0.01");
}

}  // namespace

std::vector<GreyLabels> parse_grey(std::vector<std::string> const& texts) {
  constexpr std::size_t most = 254;  // kinds that Geometry::pore has numbers for
  std::vector<GreyLabels> all;
  for (auto& [labels, value] :
       parse_label_values<GreyLabels>("grey", texts, most, parse_permeability))
    all.push_back({std::move(labels), value.k_m2, value.k_lattice});
  return all;
}

std::vector<GreyResult> grey_results(std::vector<GreyLabels> const& grey,
                                     std::optional<double> voxel_size_m) {
  std::vector<GreyResult> all;
  for (GreyLabels const& own : grey) {
    std::string const said = setting_text("grey", own.labels.text());
    if (own.k_m2 && !voxel_size_m) refuse_grey_without_size(said);
    double const k = own.k_m2 ? *own.k_m2 / (*voxel_size_m * *voxel_size_m) : own.k_lattice;
    require_grey_permeability(said, k);
    all.push_back({own.labels.text(), k});
  }
  return all;
}

std::array<std::int64_t, 256> kinds_of(std::vector<std::uint8_t> const& pore) {
  std::array<std::int64_t, 256> kinds{};
  for (std::uint8_t const kind : pore) ++kinds.at(kind);
  return kinds;
}

void warn_of_absent_grey(std::vector<GreyResult> const& grey,
                         std::array<std::int64_t, 256> const& kinds) {
  for (std::size_t k = 0; k < grey.size(); ++k) {
    if (kinds.at(k + 2) == 0)
      log_warning("{}: no voxel has such a label", setting_text("grey", grey[k].labels));
  }
}

void require_grey_permeability(std::string const& said, double k_lattice) {
  constexpr double least = 1e-6;
  constexpr double most = 1e5;
  if (k_lattice >= least && k_lattice <= most) return;
  throw BadInput(fmt::format("{}: a permeability is {:.3g} voxels squared: expected {:g} to {:g}",
                             said, k_lattice, least, most));
}

void refuse_grey_without_size(std::string const& said) {
  throw BadInput(
      fmt::format("{}: a permeability has a unit: expected the edge of a voxel, too ({}), as the "
                  "image does not say it",
                  said, setting_name("voxel-size")));
}

}  // namespace tessera
