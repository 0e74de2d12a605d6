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

#include "base/errors.hpp"
#include "base/ranks/host_name.hpp"
#include "base/settings.hpp"
#include "io/results/image_origin.hpp"
#include "run/console/log.hpp"
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

constexpr char const* said_by_option = "--voxel-size";
/// That of a core in a medical scanner is a tenth of it.
constexpr double largest_usual_voxel_m = 1e-2;

void note_voxel_size(ImageResult& result, Image const& image, std::optional<double> said_m,
                     bool cubes_only) {
  if (said_m) {
    result.voxel_size_m = said_m;
    result.voxel_size_from = said_by_option;
    if (*said_m > largest_usual_voxel_m)
      log_warning("{}: voxels of {:g} m: are you sure? (um are micrometres, mm millimetres)",
                  setting_name("voxel-size"), *said_m);
    if (auto const other = other_voxel_size(image, *said_m))
      log_warning("{} {:.6g} um, but {}: reckoned with the former", setting_name("voxel-size"),
                  *said_m * 1e6, *other);
    return;
  }
  if (!image.doubtful_edges.empty())
    log_warning("{}: {}: not relied on, say {}", image.path.string(), image.doubtful_edges,
                setting_name("voxel-size"));
  if (!image.edges) return;
  if (auto const why = voxels_are_no_cubes(image)) {
    if (cubes_only) throw BadInput(*why);
    return;
  }
  result.voxel_size_m = image.edges->metres[0];
  result.voxel_size_from = image.edges->said_by;
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

std::optional<std::string> voxels_are_no_cubes(Image const& image) {
  if (!image.edges) return std::nullopt;
  auto const other = other_voxel_size(image, image.edges->metres[0]);
  if (!other) return std::nullopt;
  return fmt::format("{}: cubes were expected; resample it, or say {} to take them for cubes",
                     *other, setting_name("voxel-size"));
}

ImageResult image_result(Image const& image, ImageRequest const& request,
                         std::optional<double> voxel_size_m, bool cubes_only) {
  ImageResult result{.path = image.path.string(),
                     .shape = image.shape,
                     .voxel_size_m = {},
                     .sha256 = image.sha256,
                     .dtype = request.reading.dtype,
                     .header_bytes = request.reading.header_bytes,
                     .dataset = if_said(request.reading.dataset),
                     .axes = request.reading.axes,
                     .solid = if_said(request.solid),
                     .threshold = if_said(request.threshold)};
  note_voxel_size(result, image, voxel_size_m, cubes_only);
  result.crop = request.reading.crop;
  if (!result.threshold) result.pore = request.rule.pore_labels().text();
  if (request.rule.outside) result.outside = request.rule.outside->text();
  nlohmann::ordered_json const generated = origin_of(image.path, image.sha256);
  if (!generated.is_null()) result.generated = generated.dump();
  return result;
}

std::string voxel_size_text(ImageResult const& image) {
  if (!image.voxel_size_m) return {};
  std::string size = fmt::format(" of {:.4g} um", *image.voxel_size_m * 1e6);
  if (image.voxel_size_from == said_by_option) return size;
  return fmt::format("{} ({} of the file)", size, image.voxel_size_from.value_or(""));
}

}  // namespace tessera
