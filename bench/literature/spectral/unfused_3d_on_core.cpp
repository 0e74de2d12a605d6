// SPDX-License-Identifier: MIT
#include "bench/literature/spectral/unfused_runner.hpp"

namespace tessera {

template std::unique_ptr<UnfusedOnCore> unfused_on_core_of<3>(UnfusedCase const& of);

}  // namespace tessera
