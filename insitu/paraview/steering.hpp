// SPDX-License-Identifier: MIT
// Parameters that scripts, and the panels of a connected ParaView, may set: the proxy
// TesseraSteering (steering.xml).
#pragma once

#include "insitu/engine.hpp"

namespace tessera {

/// Makes the proxy known to ParaView; before the first script is read.
void define_steering();
/// What the proxies that scripts have made say now.
Steering read_steering();

}  // namespace tessera
