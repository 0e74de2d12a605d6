// SPDX-License-Identifier: MIT
// All collision operators.
#pragma once

#include "models/lattice/central_moments.hpp"
#include "models/lattice/collide.hpp"
#include "models/lattice/cumulants.hpp"
#include "models/lattice/mrt.hpp"
#include "models/lattice/regularised.hpp"
#include "models/lattice/smagorinsky.hpp"
#include "models/lattice/two_rates.hpp"
