// SPDX-License-Identifier: MIT
#include "case/toml_json.hpp"

#include <type_traits>
#include <variant>

#include "io/json.hpp"

namespace tessera {

Json to_json(TomlNode const& node) {
  return std::visit(
      [](auto const& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, TomlTable>) {
          Json table = Json::object();
          for (TomlEntry const& entry : value) table[entry.key] = to_json(entry.node);
          return table;
        } else if constexpr (std::is_same_v<Value, TomlArray>) {
          Json array = Json::array();
          for (TomlNode const& element : value) array.push_back(to_json(element));
          return array;
        } else {
          return value;
        }
      },
      node.value);
}

}  // namespace tessera
