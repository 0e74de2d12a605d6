// SPDX-License-Identifier: MIT
// A picture of the balance over a run: how unequal the domains were, how fast each was, and when
// tiles moved. SVG, to be looked at in any browser.
#pragma once

#include <filesystem>
#include <string>

#include "io/results/results.hpp"

namespace tessera {

/// Time along x. Speeds are shown over the highest of each domain, which the legend names: a GPU's
/// is a hundred times that of cores. Throws EnvironmentError; the file is complete or not there.
void write_balance_chart(std::filesystem::path const& path, std::string const& title,
                         BalanceResult const& balance);

}  // namespace tessera
