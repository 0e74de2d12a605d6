// SPDX-License-Identifier: MIT
#include "io/results/image_origin.hpp"

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/results/results_json.hpp"
#include "io/sha256.hpp"

namespace tessera {

namespace fs = std::filesystem;

fs::path origin_file(fs::path const& image) {
  fs::path file = image;
  return file += ".json";
}

void write_origin(fs::path const& image, Json const& generated, Json const& more) {
  Json origin{{"image", image.filename().string()},
              {"sha256", sha256_of_files({image})},
              {"generated", generated}};
  origin.update(more);
  write_whole_file(origin_file(image), text_of(origin));
}

Json origin_of(fs::path const& image, std::string const& sha256) {
  constexpr std::uintmax_t most_bytes = 1 << 20;  // larger ones are none of ours
  fs::path const path = origin_file(image);
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most_bytes || error)
    return nullptr;
  std::ifstream file(path);
  Json const origin = Json::parse(file, nullptr, false);
  if (!origin.is_object() || origin.value("sha256", Json()) != sha256) return nullptr;
  return origin.value("generated", Json());
}

}  // namespace tessera
