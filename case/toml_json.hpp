// SPDX-License-Identifier: MIT
#pragma once

#include "case/file/toml_tree.hpp"
#include "io/json_fwd.hpp"

namespace tessera {

/// A case file as JSON, for results.json.
Json to_json(TomlNode const& node);

}  // namespace tessera
