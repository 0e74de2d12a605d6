// SPDX-License-Identifier: MIT
// Parameters that scripts, and the panels of a connected ParaView, may set: the proxy
// TesseraSteering (steering.xml).
#pragma once

#include "insitu/engine.hpp"

namespace tessera {

/// Registers the proxy in ParaView; call it before the first script is read.
void define_steering();
/// The current values of the proxies that scripts have made.
Steering read_steering();

}  // namespace tessera
