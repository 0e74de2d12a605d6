// SPDX-License-Identifier: MIT
#include "run/spread/image.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ranks/all_gather.hpp"
#include "base/ranks/all_to_all.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "run/spread/same_files.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

/// All of an image but its voxels, as text that rank 0 sends to the others.
std::string text_of(Image const& image) {
  Json json{{"format", image.format},
            {"shape", {image.shape.x, image.shape.y, image.shape.z}},
            {"type", image.voxels.index()},
            {"boolean", image.boolean},
            {"said_by", static_cast<int>(image.said_by)},
            {"doubtful_edges", image.doubtful_edges},
            {"missing", image.missing}};
  if (image.edges) json["edges"] = {image.edges->metres, image.edges->said_by};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <std::size_t... I>
Voxels voxels_of_type(std::size_t type, std::index_sequence<I...> /*of the types*/) {
  Voxels voxels;
  ((type == I ? voxels.emplace<I>(), 0 : 0), ...);
  return voxels;
}

Image image_of(std::string const& text) {
  Json const json = Json::parse(text);
  Image image{.path = {},
              .format = json["format"],
              .files = {},
              .sha256 = {},
              .shape = {json["shape"][0], json["shape"][1], json["shape"][2]},
              .voxels = voxels_of_type(json["type"],
                                       std::make_index_sequence<std::variant_size_v<Voxels>>()),
              .layers = {},
              .boolean = json["boolean"],
              .said_by = static_cast<SaidBy>(json["said_by"].get<int>()),
              .edges = {},
              .doubtful_edges = json["doubtful_edges"],
              .missing = json["missing"]};
  if (json.contains("edges"))
    image.edges = {json["edges"][0].get<std::array<double, 3>>(), json["edges"][1]};
  return image;
}

/// Collective: the files that rank 0 has read, relative to each rank's own path of the image.
std::vector<std::filesystem::path> files_of_first(Image const& read,
                                                  std::filesystem::path const& path) {
  std::string names;
  for (std::filesystem::path const& file : read.files)
    names += file.lexically_proximate(path.parent_path()).string() + '\0';
  std::istringstream told(Ranks::all_gather(names).front());
  std::vector<std::filesystem::path> files;
  for (std::string name; std::getline(told, name, '\0');)
    files.push_back(path.parent_path() / name);
  return files;
}

Image read_in_parts(std::filesystem::path const& path, ReadOptions options) {
  options.layers = [](std::int64_t layers) { return layers_of_rank(Ranks::rank(), layers); };
  Image image = together([&] { return read_image(path, options); });
  image.sha256 = sha256_for_all(path.string(), image.files);
  return image;
}

/// Collective: rank 0 sends the layers of its image to the ranks that they belong to.
void hand_out(Voxels const& from, Int3 shape, Image& image) {
  LayerRange const wanted = layers_of_rank(Ranks::rank(), shape.z);
  auto const layer = static_cast<std::size_t>(shape.x * shape.y);
  std::visit(
      [&]<typename T>(std::vector<T>& voxels) {
        voxels.resize(layer * static_cast<std::size_t>(wanted.count()));
        AllToAll exchange([&](AllToAll::Bytes piece) {
          for (PieceReader reader(piece); !reader.at_end();) {
            auto const at = static_cast<std::size_t>(reader.take<std::int64_t>() - wanted.lower);
            auto const to = std::as_writable_bytes(std::span(voxels).subspan(at * layer, layer));
            std::ranges::copy(reader.take_bytes(to.size()), to.begin());
          }
        });
        for (std::int64_t z = 0; Ranks::is_root() && z < shape.z; ++z) {
          std::span const all(std::get<std::vector<T>>(from));
          exchange.add(rank_of_layer(z, shape.z), z,
                       all.subspan(static_cast<std::size_t>(z) * layer, layer));
        }
        exchange.finish();
      },
      image.voxels);
  image.layers = wanted;
}

Image read_by_first(std::filesystem::path const& path, ReadOptions const& options) {
  Image read = together([&] { return Ranks::is_root() ? read_image(path, options) : Image(); });
  Image image = image_of(Ranks::all_gather(Ranks::is_root() ? text_of(read) : "").front());
  image.path = path;
  image.files = files_of_first(read, path);
  image.sha256 = sha256_for_all(path.string(), image.files, read.sha256);
  hand_out(read.voxels, image.shape, image);
  return image;
}

/// Collective: labels and their numbers of voxels, over all ranks.
std::vector<LabelCount> counted_by_all(std::vector<LabelCount> own) {
  std::map<double, std::int64_t> voxels;
  for (LabelCount const& of_rank : all_gather(std::move(own)))
    voxels[of_rank.label] += of_rank.voxels;
  std::vector<LabelCount> all;
  all.reserve(voxels.size());
  for (auto const& [label, count] : voxels) all.push_back({label, count});
  return all;
}

OtherLayers other_layers() {
  if (Ranks::alone()) return {};
  return {.counted_by_all = counted_by_all, .true_for_any = Ranks::any};
}

}  // namespace

Image read_spread_image(std::filesystem::path const& path, ReadOptions options) {
  if (Ranks::alone()) return read_image(path, options);
  bool const in_parts = together([&] { return reads_in_parts(path, options); });
  // Ranks may find files of different formats under one name: then some would read parts, and
  // others wait for rank 0.
  expect_same_for_all(path.string(), in_parts ? "in parts" : "as a whole");
  return in_parts ? read_in_parts(path, std::move(options)) : read_by_first(path, options);
}

std::vector<LabelCount> label_histogram_of_all(Image const& image) {
  return label_histogram(image, other_layers());
}

void require_meaning_of_true_in_all(Image const& image, PoreRule const& rule) {
  require_meaning_of_true(image, rule, other_layers());
}

SpreadGeometry label_spread_pores(Image const& image, PoreRule const& rule) {
  if (Ranks::alone()) return spread_geometry(label_pores(image, rule));
  SpreadGeometry pores{.own = {}, .shape = image.shape, .layers = image.layers.value()};
  pores.own = label_pores(image, rule, other_layers());
  pores.outside = pores.own.outside;
  Ranks::sum(std::span(&pores.outside, 1));
  return pores;
}

}  // namespace tessera
