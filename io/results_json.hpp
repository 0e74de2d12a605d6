// SPDX-License-Identifier: MIT
// What all files of results have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "io/results.hpp"

namespace tessera {

using Json = nlohmann::ordered_json;

/// Null where there is none.
template <class Value>
Json or_null(std::optional<Value> const& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(CheckpointsResult const& checkpoints);
Json to_json(InSituResult const& insitu);
Json to_json(SoftwareResult const& software);

}  // namespace tessera
