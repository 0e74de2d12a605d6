// SPDX-License-Identifier: MIT
// `tessera bench answer`: how long one waits for a permeability, and for what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

struct AnswerOptions {
  /// Arguments of `tessera permeability` that name an image; none: generated rocks of these edges.
  std::vector<std::string> image;
  std::vector<std::int64_t> sizes{100, 200};
  std::vector<std::string> solvers{"steps", "minres"};
  double tolerance = 1e-2;
  double porosity = 0.2;
  double radius = 14;
  int gpus = -1;
  std::string cores;
  bool fields = false;
  std::string json;  ///< file for the figures
};

/// Runs the commands themselves, one after the other.
int bench_answer(AnswerOptions const& options);

}  // namespace tessera
