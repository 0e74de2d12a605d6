// SPDX-License-Identifier: MIT
// A picture of the balance over a run: how unequal the domains were, how fast each was, and when
// tiles moved. SVG, for any browser.
#pragma once

#include <filesystem>
#include <string>

#include "io/results/results.hpp"

namespace tessera {

/// Writes the picture, with time along x. Each domain's speed is relative to its highest, which the
/// legend gives: a GPU's is a hundred times that of cores. Throws EnvironmentError; the file
/// appears complete or not at all.
void write_balance_chart(std::filesystem::path const& path, std::string const& title,
                         BalanceResult const& balance);

}  // namespace tessera
