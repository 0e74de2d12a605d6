// SPDX-License-Identifier: MIT
// Slices of DICOM series.
#include <fmt/format.h>
#include <vtkDICOMImageReader.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text.hpp"
#include "io/vtk/complaints.hpp"
#include "io/vtk/images.hpp"
#include "io/vtk/shown.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// DICOM's numbers are decimal, VTK keeps them in 32 bits: 0.002 is to stay 0.002.
double decimal(double from_single) {
  return std::stod(fmt::format("{}", static_cast<float>(from_single)));
}

/// VTK does not see where a file ends: the element with the pixels has to have the length of one
/// slice, and to end in the file.
void require_pixels(fs::path const& path, std::size_t slice) {
  std::ifstream file(path, std::ios::binary);
  std::string const all((std::istreambuf_iterator<char>(file)), {});
  auto const length_at = [&](std::size_t at, bool big_endian) {
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < 4 && at + 4 <= all.size(); ++i) {
      auto const byte = static_cast<std::uint32_t>(static_cast<unsigned char>(all[at + i]));
      length |= byte << (8 * (big_endian ? 3 - i : i));
    }
    return length;
  };
  for (bool const big_endian : {false, true}) {
    std::string_view const tag =
        big_endian ? std::string_view("\x7f\xe0\0\x10", 4) : std::string_view("\xe0\x7f\x10\0", 4);
    for (auto at = all.find(tag); at != std::string::npos; at = all.find(tag, at + 1)) {
      // With the kind of the element before its length, or without.
      std::string_view const kind = std::string_view(all).substr(at + 4, 2);
      std::size_t const before = kind == "OW" || kind == "OB" ? 8 : 4;
      std::size_t const length = length_at(at + before, big_endian);
      if (length < slice || length > slice + 1) continue;
      std::size_t const begin = at + before + 4;
      if (begin + slice <= all.size()) return;
      refuse(path, fmt::format("truncated: {} bytes, but its slice ends at byte {}", all.size(),
                               begin + slice));
    }
  }
  refuse(path, fmt::format("no pixels of one slice of {} bytes, as was expected", slice));
}

/// Pixels as numbers side by side, of one slice. VTK would show others as noise.
void require_plain(fs::path const& path, vtkDICOMImageReader& reader) {
  constexpr std::array<std::string_view, 3> plain{"1.2.840.10008.1.2", "1.2.840.10008.1.2.1",
                                                  "1.2.840.10008.1.2.2"};
  char const* const said = reader.GetTransferSyntaxUID();
  std::string_view const syntax = said == nullptr ? "" : said;
  if (std::ranges::find(plain, syntax) == plain.end()) {
    refuse(path, fmt::format("compressed DICOM (transfer syntax {}); decompress it first, such as "
                             "by gdcmconv --raw",
                             printable(syntax)));
  }
  if (reader.GetNumberOfComponents() != 1) refuse(path, "colours, one value a voxel was expected");
  auto const slice = static_cast<std::size_t>(reader.GetWidth()) *
                     static_cast<std::size_t>(reader.GetHeight()) *
                     static_cast<std::size_t>(std::max(reader.GetBitsAllocated() / 8, 1));
  require_pixels(path, slice);
}

double along_normal(vtkDICOMImageReader& reader) {
  float const* const p = reader.GetImagePositionPatient();
  float const* const o = reader.GetImageOrientationPatient();
  std::array<double, 3> const normal{
      static_cast<double>(o[1]) * o[5] - static_cast<double>(o[2]) * o[4],
      static_cast<double>(o[2]) * o[3] - static_cast<double>(o[0]) * o[5],
      static_cast<double>(o[0]) * o[4] - static_cast<double>(o[1]) * o[3]};
  return decimal(p[0]) * normal[0] + decimal(p[1]) * normal[1] + decimal(p[2]) * normal[2];
}

/// VTK's images stand on their last row.
std::vector<char> first_row_first(VtkVoxels const& voxels) {
  auto const row = static_cast<std::size_t>(voxels.shape.x) * voxels.type.bytes;
  auto const rows = static_cast<std::size_t>(voxels.shape.y);
  std::vector<char> turned(row * rows);
  char const* const from = static_cast<char const*>(voxels.values);
  for (std::size_t y = 0; y < rows; ++y)
    std::copy_n(from + (rows - 1 - y) * row, row, turned.data() + y * row);
  return turned;
}

}  // namespace

void Images::read_dicom(fs::path const& path, Show const& check,
                        std::function<void(DicomSlice const&)> const& take) {
  Complaints const complaints;
  vtkNew<vtkDICOMImageReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  complaints.refuse_if_any(path);
  require_plain(path, *reader);
  Int3 const shape = promised_points(*reader);
  check({.shape = shape, .type = type_of(path, reader->GetDataScalarType())});
  reader->Update();
  complaints.refuse_if_any(path);
  vtkImageData& data = *reader->GetOutput();
  DicomSlice slice{.voxels =
                       shown(path, data.GetPointData()->GetScalars(), shape, data.GetSpacing())};
  slice.voxels.spacing = to_array(reader->GetPixelSpacing());
  // In a file the distance of the rows comes first.
  std::swap(slice.voxels.spacing[0], slice.voxels.spacing[1]);
  std::ranges::transform(slice.voxels.spacing, slice.voxels.spacing.begin(), decimal);
  slice.position = along_normal(*reader);
  std::vector<char> const rows = first_row_first(slice.voxels);
  slice.voxels.values = rows.data();
  take(slice);
}

}  // namespace tessera
