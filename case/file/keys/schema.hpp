// SPDX-License-Identifier: MIT
// The table of keys as a schema for other programs, and as documentation.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "case/file/keys/keys.hpp"

namespace tessera {

/// JSON schema (2020-12) of case files, for editors that complete and check TOML.
nlohmann::json case_schema();
/// JSON schema of the case files of one method.
nlohmann::json case_schema(CaseMethod method);

/// The tables of docs/case-files.md, or docs/spectral.md, in Markdown.
std::string case_key_tables(CaseMethod method);

}  // namespace tessera
