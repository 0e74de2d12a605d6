// SPDX-License-Identifier: MIT
#include "run/cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "base/errors.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/images/element_type.hpp"
#include "io/images/spelling.hpp"
#include "io/quantity.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {

Int3 parse_shape(std::string const& option, std::string const& text) {
  if (auto const shape = shape_in(text)) return *shape;
  throw BadInput(fmt::format("{} {}: expected three positive whole numbers X,Y,Z", option, text));
}

Crop parse_crop(std::string const& text) {
  if (auto const crop = crop_in(text)) return *crop;
  throw BadInput(
      fmt::format("--crop {}: expected x0:x1,y0:y1,z0:z1 with 0 <= x0 < x1 and so on", text));
}

double parse_length(std::string const& option, std::string const& text) {
  if (auto const metres = length_in(text)) return *metres;
  throw BadInput(fmt::format(
      "{} {}: expected a positive length with a unit (nm, um, mm, cm, m), such as 2.25um", option,
      text));
}

std::vector<Axis> parse_axes(std::string const& text) {
  if (text == "all") return {all_axes.begin(), all_axes.end()};
  for (Axis a : all_axes) {
    if (text.size() == 1 && text[0] == name_of(a)) return {a};
  }
  throw BadInput(fmt::format("--axis {}: expected x, y, z or all", text));
}

namespace {

template <class Value, std::size_t size>
Value value_of(std::string const& option, std::string const& text,
               NameList<Value, size> const& names) {
  if (auto const value = named(names, text)) return *value;
  throw BadInput(fmt::format("{} {}: expected {}", option, text, one_of(words_of(names))));
}

}  // namespace

Precision parse_precision(std::string const& text) {
  return value_of("--precision", text, precision_names);
}

Balance parse_balance(std::string const& text) {
  return value_of("--balance", text, balance_names);
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

void require_between(std::string const& option, double value, double lowest, double highest,
                     std::string_view unit) {
  if (value >= lowest && value <= highest) return;  // what is not a number is not
  std::string const in = unit.empty() ? std::string{} : fmt::format(" {}", unit);
  throw BadInput(
      fmt::format("{} {:g}{}: expected {:g} to {:g}{}", option, value, in, lowest, highest, in));
}

void ImageOptions::add_to_read(CLI::App& command) {
  command.option_defaults()->group("Image");
  command
      .add_option(
          "image", path,
          "Segmented or grey image: raw, raw.gz, TIFF, NRRD, MetaImage, HDF5, NetCDF, npy, npz, "
          "vti, or a folder of TIFF or DICOM slices")
      ->required();
  command.add_option("--shape", shape,
                     "Raw: voxels X,Y,Z of the image (x fastest, or as --axes says)");
  command
      .add_option("--dtype", dtype,
                  fmt::format("Raw: {}, -be for big-endian", names_of_element_types()))
      ->capture_default_str();
  command.add_option("--header-bytes", header_bytes, "Raw: bytes to skip")->capture_default_str();
  command.add_option("--dataset", dataset, "HDF5, NetCDF, npz, vti: which of several arrays");
  command.add_option("--axes", axes, "Order of the file's axes, fastest first")
      ->capture_default_str();
  command.add_option("--crop", crop, "Part to keep: x0:x1,y0:y1,z0:z1");
}

void ImageOptions::add_to(CLI::App& command) {
  add_to_read(command);
  command.add_option("--pore", pore,
                     "Labels of pore: list and ranges, such as 0,3-5 (default: 0; of a boolean "
                     "array it has to be said)");
  command.add_option("--solid", solid, "Labels of solid (default: the one label that is not pore)");
  command.add_option("--threshold", threshold, "Grey image: pore is below this value; or '>120'");
}

ReadOptions ImageOptions::reading() const {
  ReadOptions options;
  if (!shape.empty()) options.shape = parse_shape("--shape", shape);
  if (!crop.empty()) options.crop = parse_crop(crop);
  options.dtype = dtype;
  options.header_bytes = header_bytes;
  options.dataset = dataset;
  options.axes = axes;
  return options;
}

PoreRule ImageOptions::rule() const {
  PoreRule rule;
  if (pore) rule.pore = LabelSet::parse(*pore);
  if (!solid.empty()) rule.solid = LabelSet::parse(solid);
  if (!threshold.empty()) rule.threshold = Threshold::parse(threshold);
  return rule;
}

void add_checkpoint_options(CLI::App& command, std::optional<double>& minutes, bool& resume) {
  command.add_option(
      "--checkpoint", minutes,
      "Write all that is needed to go on later every so many minutes, and at the end");
  command.add_flag("--resume", resume,
                   "Go on from the checkpoint in the folder of --out, if there is one");
}

void check_checkpoint_minutes(std::optional<double> minutes) {
  if (minutes && !(*minutes > 0))
    throw BadInput(fmt::format("--checkpoint {}: expected a positive number of minutes", *minutes));
}

}  // namespace tessera
