// SPDX-License-Identifier: MIT
#include "run/plan/workers.hpp"

#include <fmt/format.h>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

bool cores_compute(Workers const& workers) { return workers.gpus == 0 || workers.cores_share > 0; }

}  // namespace

std::vector<Domain> domains_of(Workers const& workers) {
  return Runtime::domains(cores_compute(workers));
}

std::vector<std::string> domain_names(Workers const& workers) {
  std::vector<std::string> names;
  names.reserve(workers.gpus);
  for (unsigned g = 0; g < workers.gpus; ++g) names.push_back(fmt::format("GPU {}", g));
  if (cores_compute(workers)) names.emplace_back("cores");
  return names;
}

}  // namespace tessera
