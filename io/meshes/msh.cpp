// SPDX-License-Identifier: MIT
#include "io/meshes/msh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <map>
#include <string_view>

#include "base/errors.hpp"
#include "io/images/image_readers.hpp"
#include "io/meshes/msh_parts.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(fs::path const& path) {
  std::string bytes(readable_file_size(path), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(stream.gcount()) != bytes.size())
    throw BadInput(fmt::format("{}: it cannot be read to its end", path.string()));
  return bytes;
}

struct Format {
  bool is_4 = false;
  bool binary = false;
};

Format read_format(MshInput& in) {
  in.expect("$MeshFormat");
  std::string_view const version = in.word("a version");
  Format format{.is_4 = version == "4.1"};
  if (!format.is_4 && version != "2.2") {
    in.refuse(fmt::format("version {}: expected 2.2 or 4.1 (gmsh -format msh41)",
                          printable(version.substr(0, 20))));
  }
  format.binary = in.whole("the kind of file") == 1;
  if (std::int32_t const bytes = in.whole("the size of numbers"); bytes != 8)
    in.refuse(fmt::format("numbers of {} bytes: expected 8", bytes));
  in.line();
  if (format.binary) {
    static_assert(std::endian::native == std::endian::little);
    in.be_binary(true);
    if (in.whole("1, by which the order of bytes is told") != 1)
      in.refuse("binary numbers of another kind of machine: expected the least byte first");
    in.be_binary(false);
  }
  in.expect("$EndMeshFormat");
  in.line();
  return format;
}

/// Text in binary files, too.
void read_names(MshInput& in, MshParts& parts) {
  std::size_t const count = in.count_in_text("the number of names", 6);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t const dimension = in.whole("the dimension of a group");
    std::int32_t const number = in.whole("the number of a group");
    std::string_view const rest = in.line();
    std::size_t const first = rest.find('"');
    std::size_t const last = rest.rfind('"');
    if (first == std::string_view::npos || last == first)
      in.refuse("the name of a group: expected it in quotes");
    std::string const name = printable(rest.substr(first + 1, last - first - 1));
    auto const [known, is_new] = parts.names.emplace(std::pair{dimension, number}, name);
    if (!is_new && known->second != name)
      in.refuse(fmt::format(R"(the group {} has two names, "{}" and "{}": expected one)", number,
                            known->second, name));
  }
}

MshParts read_parts(MshInput& in) {
  Format const format = read_format(in);
  MshParts parts;
  MshGroups groups;
  while (!in.at_end()) {
    std::string const section(in.word("a section"));
    if (!section.starts_with('$'))
      in.refuse(fmt::format("\"{}\": expected a section, such as $Nodes",
                            printable(std::string_view(section).substr(0, 40))));
    in.line();
    if (section == "$PartitionedEntities")
      in.refuse("the mesh is partitioned: expected it in one part");
    std::string const end = "$End" + section.substr(1);
    bool known = section == "$PhysicalNames";
    if (known) {
      read_names(in, parts);
    } else if (format.is_4) {
      known = read_section_of_msh_4(in, section, format.binary, groups, parts);
    } else {
      known = read_section_of_msh_2(in, section, format.binary, parts);
    }
    if (known) {
      in.expect(end);
    } else if (!in.skip_behind(end)) {
      in.refuse(fmt::format("{} has no end: expected {}", printable(section), printable(end)));
    }
    in.line();
  }
  return parts;
}

[[noreturn]] void refuse(std::string const& name, std::string const& what) {
  throw BadInput(fmt::format("{}: {}", name, what));
}

/// A mesh of the elements of the highest dimension.
class Assembly {
 public:
  Assembly(MshParts parts, std::string const& name) : parts_(std::move(parts)), name_(name) {}

  MshMesh mesh() {
    find_kind();
    if (mesh_.dimension == 2) check_plane();
    for (MshParts::Element const& element : parts_.elements) {
      if (element.type->dimension == mesh_.dimension) {
        add_cell(element);
      } else if (element.type->dimension + 1 == mesh_.dimension && element.group != 0) {
        add_side(element);
      }
    }
    mesh_.nodes = std::move(parts_.nodes);
    for (MshParts::Link& link : parts_.periodic) {
      if (link.dimension == mesh_.dimension - 1) mesh_.periodic.push_back(std::move(link.images));
    }
    return std::move(mesh_);
  }

 private:
  void find_kind() {
    for (MshParts::Element const& element : parts_.elements)
      mesh_.dimension = std::max(mesh_.dimension, element.type->dimension);
    if (mesh_.dimension < 2) refuse(name_, "no cells: expected quadrilaterals or hexahedra");
    for (MshParts::Element const& element : parts_.elements) {
      if (element.type->dimension != mesh_.dimension) continue;
      int const order = element.type->order;
      if (mesh_.order == 0) mesh_.order = order;
      if (mesh_.order != order)
        refuse(name_, fmt::format("cells of order {} and of order {}: expected one order",
                                  mesh_.order, order));
    }
    places_ = msh_node_places(mesh_.dimension, mesh_.order);
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (parts_.nodes.size() > most) refuse(name_, "more nodes than 2^31");
  }

  void check_plane() const {
    double lower[3] = {};
    double upper[3] = {};
    bool first = true;
    for (auto const& node : parts_.nodes) {
      for (std::size_t a = 0; a < 3; ++a) {
        lower[a] = first ? node[a] : std::min(lower[a], node[a]);
        upper[a] = first ? node[a] : std::max(upper[a], node[a]);
      }
      first = false;
    }
    double const size = std::max(upper[0] - lower[0], upper[1] - lower[1]);
    if (upper[2] - lower[2] > 1e-9 * size)
      refuse(name_, fmt::format("quadrilaterals between z = {:.6g} and {:.6g}: expected them in a "
                                "plane of one z",
                                lower[2], upper[2]));
  }

  /// One in several groups, which stands there once for each, counts once.
  void add_cell(MshParts::Element const& element) {
    std::size_t const begin = mesh_.cells.size();
    mesh_.cells.resize(begin + places_.size());
    for (std::size_t n = 0; n < places_.size(); ++n)
      mesh_.cells[begin + places_[n]] = parts_.element_nodes[element.first + n];
    auto const cell = mesh_.cells.begin() + static_cast<std::ptrdiff_t>(begin);
    auto const size = static_cast<std::ptrdiff_t>(places_.size());
    if (begin > 0 && std::equal(cell, mesh_.cells.end(), cell - size)) mesh_.cells.resize(begin);
  }

  std::string name_of_group(std::int32_t group) const {
    auto const name = parts_.names.find({mesh_.dimension - 1, group});
    return name == parts_.names.end() ? std::to_string(group) : name->second;
  }

  void add_side(MshParts::Element const& element) {
    auto const corner = parts_.element_nodes.begin() + static_cast<std::ptrdiff_t>(element.first);
    auto const end = corner + static_cast<std::ptrdiff_t>(mesh_.nodes_per_side());
    std::string const name = name_of_group(element.group);
    auto const [group, is_new] =
        groups_.emplace(name, static_cast<std::int32_t>(mesh_.groups.size()));
    if (is_new) mesh_.groups.push_back(name);
    std::vector<std::int32_t> sorted(corner, end);
    std::ranges::sort(sorted);
    auto const [side, is_first] = group_of_side_.emplace(std::move(sorted), group->second);
    if (!is_first && side->second != group->second) refuse_side_of_two(side->first, name);
    if (!is_first) return;
    mesh_.sides.insert(mesh_.sides.end(), corner, end);
    mesh_.group_of_side.push_back(group->second);
  }

  [[noreturn]] void refuse_side_of_two(std::vector<std::int32_t> const& side,
                                       std::string const& name) const {
    auto const& at = parts_.nodes[static_cast<std::size_t>(side.front())];
    refuse(name_,
           fmt::format("the side at ({:.6g}, {:.6g}, {:.6g}) is in two physical groups, \"{}\" and "
                       "\"{}\": expected one",
                       at[0], at[1], at[2],
                       mesh_.groups[static_cast<std::size_t>(group_of_side_.at(side))], name));
  }

  MshParts parts_;
  std::string const& name_;
  MshMesh mesh_;
  std::vector<std::size_t> places_;
  std::map<std::string, std::int32_t> groups_;  ///< by name, to those of the mesh
  std::map<std::vector<std::int32_t>, std::int32_t> group_of_side_;  ///< by its sorted corners
};

}  // namespace

MshMesh read_msh(fs::path const& path) {
  std::string const name = path.string();
  std::string const bytes = bytes_of(path);
  MshInput in(bytes, name);
  return Assembly(read_parts(in), name).mesh();
}

}  // namespace tessera
