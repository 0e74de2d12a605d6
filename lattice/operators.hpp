// SPDX-License-Identifier: MIT
// All collision operators.
#pragma once

#include "lattice/central_moments.hpp"
#include "lattice/collide.hpp"
#include "lattice/cumulants.hpp"
#include "lattice/mrt.hpp"
#include "lattice/regularised.hpp"
#include "lattice/smagorinsky.hpp"
#include "lattice/two_rates.hpp"
