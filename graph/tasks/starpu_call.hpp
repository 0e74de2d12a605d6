// SPDX-License-Identifier: MIT
// Every return code of StarPU is checked here.
#pragma once

namespace tessera {

/// Throws EnvironmentError that names the call unless status is 0.
void check_starpu(int status, char const* call);

}  // namespace tessera
