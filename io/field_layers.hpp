// SPDX-License-Identifier: MIT
// Fields whose layers come when they are wanted: nobody need hold all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

#include "io/field.hpp"
#include "lattice/box.hpp"

namespace tessera {

/// layers(first, end): the values of layers first <= z < end, which hold until the next call.
template <class T>
using Layers = std::function<std::span<T const>(std::int64_t first, std::int64_t end)>;

struct FieldLayers {
  std::string name;
  int components = 1;
  std::variant<Layers<float>, Layers<std::uint8_t>, Layers<std::int32_t>> layers;
};

/// Of a field that is there, on a box of `shape` voxels.
inline FieldLayers layers_of(Field const& field, Int3 shape) {
  std::int64_t const layer = shape.x * shape.y * field.components;
  FieldLayers lazy{.name = field.name, .components = field.components, .layers = {}};
  std::visit(
      [&]<class T>(std::span<T const> values) {
        lazy.layers = Layers<T>([values, layer](std::int64_t first, std::int64_t end) {
          return values.subspan(static_cast<std::size_t>(first * layer),
                                static_cast<std::size_t>((end - first) * layer));
        });
      },
      field.values);
  return lazy;
}

}  // namespace tessera
