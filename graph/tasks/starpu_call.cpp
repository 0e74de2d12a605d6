// SPDX-License-Identifier: MIT
#include "graph/tasks/starpu_call.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace tessera {

void check_starpu(int status, char const* call) {
  if (status == 0) return;
  throw EnvironmentError(
      fmt::format("StarPU: {} failed: {}", call,
                  status == -ENODEV ? "no worker can run this" : std::strerror(-status)));
}

}  // namespace tessera
