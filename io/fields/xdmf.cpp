// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>
#include <string>

#include "io/atomic_file.hpp"
#include "io/fields/field_writers.hpp"
#include "io/fields/vtkhdf.hpp"

namespace tessera {
namespace {

/// A child with its attributes.
pugi::xml_node add(pugi::xml_node parent, char const* name,
                   std::initializer_list<std::pair<char const*, std::string>> attributes) {
  pugi::xml_node child = parent.append_child(name);
  for (auto const& [key, value] : attributes) child.append_attribute(key) = value.c_str();
  return child;
}

/// XDMF counts the slowest axis first.
std::string slowest_first(Int3 shape) { return fmt::format("{} {} {}", shape.z, shape.y, shape.x); }

void add_numbers(pugi::xml_node parent, double x, double y, double z) {
  // ParaView 5.11 ends with the program where an item does not name its format.
  add(parent, "DataItem",
      {{"Format", "XML"}, {"Dimensions", "3"}, {"NumberType", "Float"}, {"Precision", "8"}})
      .text() = fmt::format("{} {} {}", z, y, x).c_str();
}

struct NumberType {
  char const* name;
  std::size_t bytes;
};

NumberType type_of(Field const& field) {
  return std::visit(
      []<typename T>(std::span<T const> /*values*/) {
        if constexpr (std::is_same_v<T, float>) return NumberType{"Float", sizeof(T)};
        if constexpr (std::is_same_v<T, std::uint8_t>) return NumberType{"UChar", sizeof(T)};
        return NumberType{"Int", sizeof(T)};
      },
      field.values);
}

char const* attribute_type(int components) {
  return components == 1 ? "Scalar" : components == 3 ? "Vector" : "Tensor6";
}

}  // namespace

void write_xdmf(std::filesystem::path const& path, std::filesystem::path const& data, Int3 shape,
                Spacing const& spacing, std::span<Field const> fields) {
  PointGrid const grid = point_grid(shape, spacing);
  std::string const points = slowest_first(grid.points);
  pugi::xml_document document;
  pugi::xml_node const root = add(document.root(), "Xdmf", {{"Version", "3.0"}});
  pugi::xml_node const image =
      add(add(root, "Domain", {}), "Grid", {{"Name", "flow"}, {"GridType", "Uniform"}});
  add(image, "Topology", {{"TopologyType", "3DCoRectMesh"}, {"Dimensions", points}});
  pugi::xml_node const geometry = add(image, "Geometry", {{"GeometryType", "ORIGIN_DXDYDZ"}});
  add_numbers(geometry, grid.origin[0], grid.origin[1], grid.origin[2]);
  add_numbers(geometry, spacing.edges[0], spacing.edges[1], spacing.edges[2]);
  for (Field const& field : fields) {
    pugi::xml_node const attribute = add(image, "Attribute",
                                         {{"Name", field.name},
                                          {"AttributeType", attribute_type(field.components)},
                                          {"Center", "Node"}});
    NumberType const type = type_of(field);
    std::string const extents =
        field.components == 1 ? points : fmt::format("{} {}", points, field.components);
    add(attribute, "DataItem",
        {{"Format", "HDF"},
         {"Dimensions", extents},
         {"NumberType", type.name},
         {"Precision", fmt::format("{}", type.bytes)}})
        .text() = fmt::format("{}:/VTKHDF/PointData/{}", data.string(), field.name).c_str();
  }
  std::ostringstream text;
  document.save(text, "  ");
  write_whole_file(path, text.str());
}

}  // namespace tessera
