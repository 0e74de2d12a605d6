// SPDX-License-Identifier: MIT
// The table of keys for other programs and for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tessera {

/// JSON schema (2020-12) of case files, for editors that complete and check TOML.
nlohmann::json case_schema();

/// The tables of docs/case-files.md, in Markdown.
std::string case_key_tables();

}  // namespace tessera
