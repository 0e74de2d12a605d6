// SPDX-License-Identifier: MIT
// The scripts of insitu/pipelines/, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace tessera {

struct Pipeline {
  std::string_view name;
  std::string_view text;
};

std::span<Pipeline const> pipelines();

}  // namespace tessera
