// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdlib>

#include "insitu/script.hpp"

namespace tessera {

bool hold_display() {
  char const* const name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0') return false;
  // Loaded by name: Tessera itself has no use for X.
  void* const x11 = dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL);
  using Open = void* (*)(char const*);
  auto const open = x11 == nullptr ? nullptr : reinterpret_cast<Open>(dlsym(x11, "XOpenDisplay"));
  static void* const display = open == nullptr ? nullptr : open(nullptr);
  // ParaView tries again with every view, and aborts.
  if (display == nullptr) unsetenv("DISPLAY");
  return display != nullptr;
}

void draw_on_one_thread() { setenv("LP_NUM_THREADS", "0", 0); }

}  // namespace tessera
