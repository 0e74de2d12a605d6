// SPDX-License-Identifier: MIT
// Why a run of a flow has ended.
#pragma once

#include <cstdint>

namespace tessera {

enum class RunEnd : std::uint8_t {
  settled,      ///< what it ran for is good enough: the permeability, a steady flow
  all_steps,    ///< the given number of steps is done
  interrupted,  ///< by the user
  diverged,     ///< values are NaN or absurd
  steered,      ///< a script or a ParaView session ends the run
  look_failed   ///< a look at the flow failed, and the user has chosen that this ends the run
};

/// Words for the first two ends, which depend on what the flow runs for.
struct EndWords {
  char const* settled;
  char const* all_steps;
};

inline char const* describe(RunEnd end, EndWords const& words) {
  switch (end) {
    case RunEnd::settled:
      return words.settled;
    case RunEnd::all_steps:
      return words.all_steps;
    case RunEnd::interrupted:
      return "interrupted";
    case RunEnd::diverged:
      return "diverged";
    case RunEnd::steered:
      return "stopped by a script";
    case RunEnd::look_failed:
      return "a script failed";
  }
  return "";
}

}  // namespace tessera
