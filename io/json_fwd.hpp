// SPDX-License-Identifier: MIT
// JSON in declarations; code that reads or makes values includes io/json.hpp, which takes long to
// compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tessera {

using Json = nlohmann::ordered_json;

}  // namespace tessera
