// SPDX-License-Identifier: MIT
#include "app/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "graph/runtime.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t const at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// The whole of `text` as a number, or nothing.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Int3 parse_shape(std::string const& option, std::string const& text) {
  auto const parts = split(text, ',');
  Int3 shape;
  for (Axis a : all_axes) {
    auto const n = parts.size() == 3 ? number_in<std::int64_t>(parts[index_of(a)]) : std::nullopt;
    if (!n || *n <= 0) {
      throw BadInput(
          fmt::format("{} {}: expected three positive whole numbers X,Y,Z", option, text));
    }
    shape[a] = *n;
  }
  return shape;
}

Crop parse_crop(std::string const& text) {
  auto const parts = split(text, ',');
  Crop crop;
  for (Axis a : all_axes) {
    auto const ends =
        parts.size() == 3 ? split(parts[index_of(a)], ':') : std::vector<std::string_view>{};
    auto const lower = ends.size() == 2 ? number_in<std::int64_t>(ends[0]) : std::nullopt;
    auto const upper = ends.size() == 2 ? number_in<std::int64_t>(ends[1]) : std::nullopt;
    if (!lower || !upper || *lower < 0 || *upper <= *lower) {
      throw BadInput(
          fmt::format("--crop {}: expected x0:x1,y0:y1,z0:z1 with 0 <= x0 < x1 and so on", text));
    }
    crop.lower[a] = *lower;
    crop.upper[a] = *upper;
  }
  return crop;
}

double parse_length(std::string const& option, std::string const& text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> units{
      {{"nm", 1e-9}, {"um", 1e-6}, {"µm", 1e-6}, {"μm", 1e-6}, {"mm", 1e-3}, {"m", 1.0}}};
  for (auto const& [unit, metres] : units) {
    std::string_view digits = text;
    if (!digits.ends_with(unit)) continue;
    digits.remove_suffix(unit.size());
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    auto const value = number_in<double>(digits);
    if (value && std::isfinite(*value) && *value > 0) return *value * metres;
    break;
  }
  throw BadInput(
      fmt::format("{} {}: expected a positive length with a unit, such as 2.25um", option, text));
}

std::vector<Axis> parse_axes(std::string const& text) {
  if (text == "all") return {all_axes.begin(), all_axes.end()};
  for (Axis a : all_axes) {
    if (text.size() == 1 && text[0] == name_of(a)) return {a};
  }
  throw BadInput(fmt::format("--axis {}: expected x, y, z or all", text));
}

Precision parse_precision(std::string const& text) {
  if (text == "half") return Precision::half_storage;
  if (text == "single") return Precision::single_precision;
  if (text == "double") return Precision::double_precision;
  throw BadInput(fmt::format("--precision {}: expected half, single or double", text));
}

Balance parse_balance(std::string const& text) {
  if (text == "static") return Balance::fixed;
  if (text == "dynamic") return Balance::dynamic;
  if (text == "free") return Balance::free;
  throw BadInput(fmt::format("--balance {}: expected static, dynamic or free", text));
}

int choose_gpus(int asked_for) {
  int const present = Runtime::gpus_present();
  if (asked_for < 0) return present;
  if (asked_for > present) {
    throw BadInput(fmt::format("--gpus {}: expected at most {}, the GPUs that can be used here",
                               asked_for, present));
  }
  return asked_for;
}

void require_positive(std::string const& option, double value) {
  if (!std::isfinite(value) || value <= 0) {
    throw BadInput(fmt::format("{} {}: expected a positive number", option, value));
  }
}

void ImageOptions::add_to(CLI::App& command) {
  command
      .add_option("image", path,
                  "Segmented or grey image: raw, raw.gz, TIFF, numbered TIFF slices, npy, npz")
      ->required();
  command.add_option("--shape", shape, "Raw: voxels X,Y,Z (x fastest)");
  command
      .add_option("--dtype", dtype,
                  "Raw: uint8 int8 uint16 int16 uint32 int32 float32, -be for big-endian")
      ->capture_default_str();
  command.add_option("--header-bytes", header_bytes, "Raw: bytes to skip")->capture_default_str();
  command.add_option("--axes", axes, "Order of the file's axes, fastest first")
      ->capture_default_str();
  command.add_option("--crop", crop, "Part to keep: x0:x1,y0:y1,z0:z1");
  command.add_option("--pore", pore, "Labels of pore: list and ranges, such as 0,3-5")
      ->capture_default_str();
  command.add_option("--solid", solid, "Labels of solid (default: the one label that is not pore)");
  command.add_option("--threshold", threshold, "Grey image: pore is below this value; or '>120'");
}

Image ImageOptions::read() const {
  ReadOptions options;
  if (!shape.empty()) options.shape = parse_shape("--shape", shape);
  if (!crop.empty()) options.crop = parse_crop(crop);
  options.dtype = dtype;
  options.header_bytes = header_bytes;
  options.axes = axes;
  return read_image(path, options);
}

PoreRule ImageOptions::rule() const {
  PoreRule rule;
  rule.pore = LabelSet::parse(pore);
  if (!solid.empty()) rule.solid = LabelSet::parse(solid);
  if (!threshold.empty()) rule.threshold = Threshold::parse(threshold);
  return rule;
}

}  // namespace tessera
