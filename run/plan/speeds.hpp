// SPDX-License-Identifier: MIT
// How fast the cores and the GPUs of this machine are: measured once, for a second or two, and
// kept.
#pragma once

#include "base/storage.hpp"

namespace tessera {

/// Fluid nodes a second.
struct Speeds {
  double cores = 0;  ///< of all core workers together
  double gpu = 0;    ///< of one GPU; 0 if there is none
};

/// The speeds of `cores` core workers and of one of `gpus` GPUs, measured if they are not kept
/// (run/plan/kept_figures.hpp). There must be no Runtime.
Speeds speeds_of_machine(unsigned cores, unsigned gpus, Precision precision);

/// The speeds that are kept; 0 for those that are not. Measures nothing.
Speeds kept_speeds(unsigned cores, unsigned gpus, Precision precision);

/// GB/s that so many threads of each of so many processes copy; measured if no figure is kept, or
/// `anew`. Other programs only ever slow a copy down, so the fastest figure counts and is kept.
double copy_of_cores(unsigned threads, unsigned processes = 1, bool anew = false);
/// GB/s that the first GPU copies, kept likewise.
double copy_of_gpu(bool anew = false);

}  // namespace tessera
