// SPDX-License-Identifier: MIT
// How fast the cores and the GPUs of this machine are: measured once, for a second or two, and
// kept.
#pragma once

#include <filesystem>
#include <string>

#include "lattice/storage.hpp"

namespace tessera {

/// Fluid nodes a second.
struct Speeds {
  double cores = 0;  ///< of all core workers together
  double gpu = 0;    ///< of one GPU; 0 if there is none
};

/// Where the speeds are kept: $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera.
std::filesystem::path speeds_file();

/// The speeds of `cores` core workers and of one of `gpus` GPUs: from the file, if this machine's
/// are there, else measured and added to it. A file that cannot be read or written is no error.
/// There must be no Runtime.
Speeds speeds_of_machine(unsigned cores, unsigned gpus, Precision precision);

}  // namespace tessera
