// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "case/file/formula.hpp"

namespace tessera {

/// "'4*U*y' with U = 0.1": a formula, and the constants that stand in it.
std::string formula_text(std::string_view formula, Constants const& constants);

}  // namespace tessera
