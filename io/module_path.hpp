// SPDX-License-Identifier: MIT
// Modules that are loaded on demand: they need large libraries, and most runs do not need them.
#pragma once

#include <filesystem>
#include <string_view>

namespace tessera {

/// The path of a module: beside the program or library that this code is part of, in tessera/ below
/// it, or in ../lib/tessera; the last of these if it is in none.
std::filesystem::path module_path(std::string_view name);

/// Loads a module and returns what it exports as `symbol`. Modules are never unloaded, as neither
/// ParaView nor Python can be. Throws EnvironmentError, "<purpose>: <why>".
void* symbol_of_module(std::string_view name, char const* symbol, std::string_view purpose);

}  // namespace tessera
