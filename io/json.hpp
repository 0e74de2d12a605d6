// SPDX-License-Identifier: MIT
// Values of JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "io/json_fwd.hpp"

namespace tessera {

/// A value as JSON; null where there is none.
template <class Value>
Json or_null(std::optional<Value> const& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace tessera
