// SPDX-License-Identifier: MIT
// JSON in declarations: who reads or makes values takes io/json.hpp, which takes long to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tessera {

using Json = nlohmann::ordered_json;

}  // namespace tessera
