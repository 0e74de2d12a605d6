// SPDX-License-Identifier: MIT
#include "io/images/dicom/dicom_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "io/images/dicom/dicom_elements.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

unsigned required(DicomElements const& elements, DicomTag tag, char const* name) {
  auto const value = elements.number(tag);
  if (!value || *value == 0) elements.refuse(fmt::format("it does not say its {}", name));
  return *value;
}

/// One slice of one number a pixel.
void require_one_slice(DicomElements const& elements) {
  if (elements.number(dicom::samples_per_pixel).value_or(1) != 1)
    elements.refuse("colours, one value a voxel was expected");
  auto const frames = elements.text(dicom::number_of_frames);
  if (!frames.empty() && frames != "1") {
    elements.refuse(
        fmt::format("{} frames in one file: write each as a file of its own (dcm4che's "
                    "emf2sf, or another converter), or all as TIFF",
                    printable(frames)));
  }
  if (elements.has(dicom::modality_table))
    elements.refuse("its values are to be looked up in a table (Modality LUT), which is not read");
}

/// The type that the bits of a pixel make, before they are scaled.
ElementType stored_type(DicomElements const& elements) {
  unsigned const bits = required(elements, dicom::bits_allocated, "bits of a pixel");
  if (bits != 8 && bits != 16 && bits != 32)
    elements.refuse(fmt::format("pixels of {} bits: expected 8, 16 or 32", bits));
  unsigned const used = elements.number(dicom::bits_stored).value_or(bits);
  if (used == 0 || used > bits || elements.number(dicom::high_bit).value_or(used - 1) != used - 1)
    elements.refuse("pixels whose bits do not begin with the lowest");
  bool const is_signed = elements.number(dicom::pixel_representation).value_or(0) == 1;
  bool const big = elements.big_endian();
  if (big && bits == 8 && elements.pixels_in_words())
    elements.refuse("pixels of 8 bits in big-endian words: convert it to little-endian");
  return {is_signed ? ElementType::Kind::signed_integer : ElementType::Kind::unsigned_integer,
          bits / 8, big && bits > 8};
}

/// What stands in the bits that a pixel does not use is not its value.
void cut_to_bits(Voxels& voxels, unsigned used) {
  std::visit(
      [&]<typename T>(std::vector<T>& values) {
        if constexpr (std::is_integral_v<T>) {
          int const unused = static_cast<int>(8 * sizeof(T) - used);
          if (unused == 0) return;
          using Bits = std::make_unsigned_t<T>;
          for (T& value : values)
            value = static_cast<T>(static_cast<T>(static_cast<Bits>(value) << unused) >> unused);
        }
      },
      voxels);
}

template <typename To>
Voxels scaled_as(Voxels const& stored, double slope, double intercept) {
  std::vector<To> meant;
  std::visit(
      [&](auto const& values) {
        meant.resize(values.size());
        std::ranges::transform(values, meant.begin(), [&](auto value) {
          return static_cast<To>(slope * static_cast<double>(value) + intercept);
        });
      },
      stored);
  return meant;
}

/// value = slope * stored + intercept; whole numbers if they are such, and fit.
void rescale(DicomSlice& slice, double slope, double intercept) {
  bool const whole = slope == std::trunc(slope) && intercept == std::trunc(intercept);
  if (slice.type.bytes == 4) {
    slice.type = {ElementType::Kind::real, 8, false};
    slice.voxels = scaled_as<double>(slice.voxels, slope, intercept);
  } else if (whole && std::abs(slope) < 1 << 14 && std::abs(intercept) < 1 << 30) {
    slice.type = {ElementType::Kind::signed_integer, 4, false};
    slice.voxels = scaled_as<std::int32_t>(slice.voxels, slope, intercept);
  } else {
    slice.type = {ElementType::Kind::real, 4, false};
    slice.voxels = scaled_as<float>(slice.voxels, slope, intercept);
  }
}

void read_pixels(DicomElements const& elements, DicomSlice& slice) {
  slice.type = stored_type(elements);
  std::string_view const pixels = elements.bytes(dicom::pixel_data);
  std::size_t const count = checked_volume(slice.shape, slice.path);
  std::size_t const expected = count * slice.type.bytes;
  if (!elements.has(dicom::pixel_data)) elements.refuse("no pixels as whole numbers in it");
  bool const filled_up = pixels.size() == expected + expected % 2;  // lengths are even
  if (pixels.size() != expected && !filled_up) {
    elements.refuse(fmt::format("{} bytes of pixels, but a slice of {} x {} of {} bits has {}",
                                pixels.size(), slice.shape.x, slice.shape.y, 8 * slice.type.bytes,
                                expected));
  }
  slice.voxels = voxels_from(slice.type, count, pixels.data(), slice.path);
  cut_to_bits(
      slice.voxels,
      elements.number(dicom::bits_stored).value_or(static_cast<unsigned>(8 * slice.type.bytes)));
  slice.type.big_endian = false;
  auto const one = [&](DicomTag tag, double otherwise) {
    auto const numbers = elements.decimals(tag);
    return numbers.empty() ? otherwise : numbers.front();
  };
  double const slope = one(dicom::rescale_slope, 1);
  double const intercept = one(dicom::rescale_intercept, 0);
  if (!std::isfinite(slope) || slope == 0 || !std::isfinite(intercept))
    elements.refuse(fmt::format("a rescale slope of {} and intercept of {}", slope, intercept));
  if (slope != 1 || intercept != 0) rescale(slice, slope, intercept);
}

void read_place(DicomElements const& elements, DicomSlice& slice) {
  auto const p = elements.decimals(dicom::image_position);
  auto o = elements.decimals(dicom::image_orientation);
  if (o.size() != 6) o = {1, 0, 0, 0, 1, 0};
  std::copy_n(o.begin(), 6, slice.orientation.begin());
  std::array<double, 3> const normal{o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5],
                                     o[0] * o[4] - o[1] * o[3]};
  if (p.size() == 3) slice.position = p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
  auto const spacing = elements.decimals(dicom::pixel_spacing);
  // In a file the distance of the rows comes first.
  if (spacing.size() == 2) slice.spacing = {spacing[1], spacing[0]};
  auto const distance = elements.decimals(dicom::distance_of_slices);
  if (distance.size() == 1 && distance.front() != 0) slice.distance = std::abs(distance.front());
  auto const thickness = elements.decimals(dicom::slice_thickness);
  if (thickness.size() == 1 && thickness.front() > 0) slice.thickness = thickness.front();
  slice.series = elements.text(dicom::series_uid);
}

}  // namespace

DicomSlice read_dicom_slice(fs::path const& path) {
  DicomElements const elements(path);
  if (elements.text(dicom::class_of_file) == "1.2.840.10008.1.3.10")
    elements.refuse("a DICOMDIR is no image: give the folder of one");
  require_one_slice(elements);
  DicomSlice slice;
  slice.path = path;
  slice.shape = {required(elements, dicom::columns, "number of columns"),
                 required(elements, dicom::rows, "number of rows"), 1};
  read_pixels(elements, slice);
  read_place(elements, slice);
  return slice;
}

bool is_dicom_directory(fs::path const& path) {
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "dicomdir";
}

}  // namespace tessera
