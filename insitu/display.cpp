// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdlib>
#include <memory>

#include "insitu/script.hpp"

namespace tessera {

bool display_is_usable() {
  char const* const name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0') return false;
  // Loaded by name: Tessera itself has no use for X.
  std::unique_ptr<void, int (*)(void*)> const x11(dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL),
                                                  dlclose);
  if (!x11) return false;
  using Open = void* (*)(char const*);
  using Close = int (*)(void*);
  auto const open = reinterpret_cast<Open>(dlsym(x11.get(), "XOpenDisplay"));
  auto const close = reinterpret_cast<Close>(dlsym(x11.get(), "XCloseDisplay"));
  if (open == nullptr || close == nullptr) return false;
  void* const display = open(nullptr);
  if (display == nullptr) return false;
  close(display);
  return true;
}

}  // namespace tessera
