// SPDX-License-Identifier: MIT
// Modules that are loaded on demand: what they need is large, and most runs do without.
#pragma once

#include <filesystem>
#include <string_view>

namespace tessera {

/// Where the module of that name stands: beside the program or library that this code is part of,
/// in tessera/ below it, or in ../lib/tessera. If it stands nowhere, the last of these.
std::filesystem::path module_path(std::string_view name);

/// What the module exports under `symbol`. It is never unloaded: neither ParaView nor Python can
/// be. Throws EnvironmentError, "<purpose>: <why>".
void* symbol_of_module(std::string_view name, char const* symbol, std::string_view purpose);

}  // namespace tessera
