// SPDX-License-Identifier: MIT
// What a build without CUDA has in place of measurements on GPUs.
#pragma once

#include "base/errors.hpp"

namespace tessera {

[[noreturn]] inline void refuse_without_cuda() {
  throw EnvironmentError("this measurement needs a GPU, and this tessera was built without CUDA");
}

}  // namespace tessera
