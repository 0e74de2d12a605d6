// SPDX-License-Identifier: MIT
#include "run/provenance.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "graph/host_share.hpp"
#include "io/image_origin.hpp"
#include "run/rank_report.hpp"

namespace tessera {
namespace {

/// As the system keeps it, one word behind the other with a zero after each.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::optional<std::string> if_said(std::string const& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

RunResult this_run() {
  std::error_code none;  // a folder that has been removed has no name
  return {.command_line = command_line(),
          .folder = std::filesystem::current_path(none).string(),
          .host = host_name(),
          .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
          .ranks = ranks_result()};
}

ImageResult image_result(Image const& image, ImageOptions const& options,
                         std::optional<double> voxel_size_m) {
  ImageResult result{.path = image.path.string(),
                     .shape = image.shape,
                     .voxel_size_m = voxel_size_m,
                     .sha256 = image.sha256,
                     .dtype = options.dtype,
                     .header_bytes = options.header_bytes,
                     .axes = options.axes,
                     .solid = if_said(options.solid),
                     .threshold = if_said(options.threshold)};
  if (!options.crop.empty()) result.crop = parse_crop(options.crop);
  if (!result.threshold) result.pore = options.rule().pore_labels().text();
  nlohmann::ordered_json const generated = origin_of(image.path, image.sha256);
  if (!generated.is_null()) result.generated = generated.dump();
  return result;
}

}  // namespace tessera
