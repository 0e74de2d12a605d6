// SPDX-License-Identifier: MIT
#include "interfaces/cli/image_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "interfaces/cli/values.hpp"
#include "io/images/element_type.hpp"

namespace tessera {

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

void ImageOptions::add_to(CLI::App& command, Labels& labels) {
  add_to_read(command);
  command.add_option("--pore", labels.pore,
                     "Labels of pore: list and ranges, such as 0,3-5 (default: 0; of a boolean "
                     "array it has to be said)");
  command.add_option("--solid", labels.solid,
                     "Labels of solid (default: the one label that is not pore)");
  command.add_option("--threshold", labels.threshold,
                     "Grey image: pore is below this value; or '>120'");
  add_outside(command, labels);
}

void ImageOptions::add_outside(CLI::App& command, Labels& labels) {
  command.add_option("--outside", labels.outside,
                     "Labels, or grey values, beyond the sample: in no porosity and cross-section");
}

ImageRequest ImageOptions::request(Labels const& labels) const {
  ImageRequest request = image_request(labels);
  add_file_to(request);
  return request;
}

void ImageOptions::add_file_to(ImageRequest& request) const {
  request.path = path;
  ReadOptions& reading = request.reading;
  if (!shape.empty()) reading.shape = parse_shape("shape", shape);
  if (!crop.empty()) reading.crop = parse_crop(crop);
  reading.dtype = dtype;
  reading.header_bytes = header_bytes;
  reading.dataset = dataset;
  reading.axes = axes;
}

ImageRequest image_request(Labels const& labels) {
  ImageRequest request{.solid = labels.solid, .threshold = labels.threshold};
  if (labels.pore) request.rule.pore = LabelSet::parse(*labels.pore);
  if (!labels.solid.empty()) request.rule.solid = LabelSet::parse(labels.solid);
  if (!labels.threshold.empty()) request.rule.threshold = Threshold::parse(labels.threshold);
  if (!labels.outside.empty()) request.rule.outside = LabelSet::parse(labels.outside);
  return request;
}

}  // namespace tessera
