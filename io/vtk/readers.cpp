// SPDX-License-Identifier: MIT
// VTK's readers of MetaImage, image data (.vti) and DICOM, and its writer of image data, so guarded
// that a damaged file gives one line: VTK complains in a window of its own or on stderr, and goes
// on with what it has.
#include <fmt/format.h>
#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellData.h>
#include <vtkDICOMImageReader.h>
#include <vtkDataArray.h>
#include <vtkDataArraySelection.h>
#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkLogger.h>
#include <vtkMetaImageReader.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLImageDataWriter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "io/text.hpp"
#include "io/vtk_module.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Kind = ElementType::Kind;

[[noreturn]] void refuse(fs::path const& path, std::string const& why) {
  throw BadInput(fmt::format("{}: {}", path.string(), why));
}

/// Keeps what VTK would show.
class Listener : public vtkOutputWindow {
 public:
  static Listener* New();
  vtkTypeMacro(Listener, vtkOutputWindow) void DisplayText(char const* text) override {
    text_ += text;
  }
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};
vtkStandardNewMacro(Listener)

    /// While it lives, complaints of VTK and of its MetaIO, which writes to stderr, go here.
    class Complaints {
 public:
  Complaints()
      : window_(vtkOutputWindow::GetInstance()),
        verbosity_(vtkLogger::GetCurrentVerbosityCutoff()),
        stream_(std::cerr.rdbuf(text_.rdbuf())) {
    vtkOutputWindow::SetInstance(listener_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  }
  ~Complaints() {
    vtkLogger::SetStderrVerbosity(verbosity_);
    vtkOutputWindow::SetInstance(window_);
    std::cerr.rdbuf(stream_);
  }
  Complaints(Complaints const&) = delete;
  Complaints& operator=(Complaints const&) = delete;

  /// Throws BadInput with the first of them, if there is one.
  void refuse_if_any(fs::path const& path) const {
    std::string all = listener_->text() + text_.str();
    if (all.empty()) return;
    // "ERROR: In vtkThis.cxx, line 12\nvtkThis (0x1234): why"
    auto const object = all.find("): ");
    if (object != std::string::npos) all.erase(0, object + 3);
    all.erase(0, all.find_first_not_of(" \n"));
    std::string_view const line = std::string_view(all).substr(0, all.find('\n'));
    refuse(path, fmt::format("not a readable file ({})", printable(line)));
  }

 private:
  vtkNew<Listener> listener_;
  vtkSmartPointer<vtkOutputWindow> window_;
  vtkLogger::Verbosity verbosity_;
  std::ostringstream text_;
  std::streambuf* stream_;
};

ElementType type_of(fs::path const& path, int vtk_type) {
  switch (vtk_type) {
    case VTK_UNSIGNED_CHAR:
      return {Kind::unsigned_integer, 1, false};
    case VTK_CHAR:
    case VTK_SIGNED_CHAR:
      return {Kind::signed_integer, 1, false};
    case VTK_UNSIGNED_SHORT:
      return {Kind::unsigned_integer, 2, false};
    case VTK_SHORT:
      return {Kind::signed_integer, 2, false};
    case VTK_UNSIGNED_INT:
      return {Kind::unsigned_integer, 4, false};
    case VTK_INT:
      return {Kind::signed_integer, 4, false};
    case VTK_UNSIGNED_LONG:
    case VTK_UNSIGNED_LONG_LONG:
      return {Kind::unsigned_integer, 8, false};
    case VTK_LONG:
    case VTK_LONG_LONG:
    case VTK_ID_TYPE:
      return {Kind::signed_integer, 8, false};
    case VTK_FLOAT:
      return {Kind::real, 4, false};
    case VTK_DOUBLE:
      return {Kind::real, 8, false};
    default:
      refuse(path, fmt::format("values of VTK's type {}, numbers were expected", vtk_type));
  }
}

std::array<double, 3> to_array(double const* values) { return {values[0], values[1], values[2]}; }

/// Of the points that the reader promises.
Int3 promised_points(vtkAlgorithm& reader) {
  std::array<int, 6> extent{};
  reader.GetOutputInformation(0)->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(),
                                      extent.data());
  auto const along = [&](std::size_t axis) {
    return static_cast<std::int64_t>(extent[2 * axis + 1]) - extent[2 * axis] + 1;
  };
  return {along(0), along(1), along(2)};
}

VtkVoxels shown(fs::path const& path, vtkImageData& data, vtkDataArray* values, Int3 shape) {
  if (values == nullptr || values->GetNumberOfTuples() != volume(shape))
    refuse(path, "truncated or damaged: it holds fewer values than voxels");
  if (values->GetNumberOfComponents() != 1) {
    refuse(path,
           fmt::format("{} values a voxel, one was expected", values->GetNumberOfComponents()));
  }
  return {.shape = shape,
          .type = type_of(path, values->GetDataType()),
          .values = values->GetVoidPointer(0),
          .spacing = to_array(data.GetSpacing())};
}

/// An array of an image data file, as its header has it.
struct Candidate {
  std::string name;
  bool of_cells = false;
  int vtk_type = 0;
};

/// Those with one value a voxel.
std::vector<Candidate> arrays_of(vtkAlgorithm& reader) {
  std::vector<Candidate> arrays;
  vtkInformation* const output = reader.GetOutputInformation(0);
  for (bool const of_cells : {false, true}) {
    auto* const key =
        of_cells ? vtkDataObject::CELL_DATA_VECTOR() : vtkDataObject::POINT_DATA_VECTOR();
    vtkInformationVector* const all = output->Get(key);
    for (int i = 0; all != nullptr && i < all->GetNumberOfInformationObjects(); ++i) {
      vtkInformation* const array = all->GetInformationObject(i);
      char const* const name = array->Get(vtkDataObject::FIELD_NAME());
      if (array->Get(vtkDataObject::FIELD_NUMBER_OF_COMPONENTS()) > 1) continue;
      if (name != nullptr && std::string_view(name) == "vtkGhostType") continue;
      arrays.push_back(
          {name == nullptr ? "" : name, of_cells, array->Get(vtkDataObject::FIELD_ARRAY_TYPE())});
    }
  }
  return arrays;
}

Candidate choose(fs::path const& path, std::vector<Candidate> const& arrays,
                 std::string const& name) {
  std::vector<Candidate> chosen;
  std::vector<std::string> names;
  for (Candidate const& array : arrays) {
    names.push_back(
        fmt::format("{} ({})", printable(array.name), array.of_cells ? "cells" : "points"));
    if (name.empty() || array.name == name) chosen.push_back(array);
  }
  if (chosen.size() == 1) return chosen.front();
  if (names.empty()) refuse(path, "no array with one value a voxel");
  refuse(path, fmt::format("one array{} was expected, but it holds {}",
                           name.empty() ? "" : " named " + name, joined(names, ", ")));
}

/// DICOM's numbers are decimal, VTK keeps them in 32 bits: 0.002 is to stay 0.002.
double decimal(double from_single) {
  return std::stod(fmt::format("{}", static_cast<float>(from_single)));
}

/// Values that stay where they are.
vtkSmartPointer<vtkDataArray> array_of(Field const& field) {
  return std::visit(
      [&]<typename T>(std::span<T const> values) {
        auto const array = vtkSmartPointer<vtkAOSDataArrayTemplate<T>>::New();
        array->SetName(field.name.c_str());
        array->SetNumberOfComponents(field.components);
        constexpr int keep = 1;  // not VTK's to free; it only reads
        array->SetArray(const_cast<T*>(values.data()), static_cast<vtkIdType>(values.size()), keep);
        return vtkSmartPointer<vtkDataArray>(array);
      },
      field.values);
}

class Images : public VtkImages {
 public:
  void read_meta_image(fs::path const& path, Show const& check, Show const& take) override {
    Complaints const complaints;
    vtkNew<vtkMetaImageReader> reader;
    if (reader->CanReadFile(path.c_str()) == 0) refuse(path, "not a readable MetaImage");
    reader->SetFileName(path.c_str());
    reader->UpdateInformation();
    complaints.refuse_if_any(path);
    if (reader->GetNumberOfScalarComponents() != 1) {
      refuse(path, fmt::format("{} values a voxel, one was expected",
                               reader->GetNumberOfScalarComponents()));
    }
    Int3 const shape = promised_points(*reader);
    check({.shape = shape, .type = type_of(path, reader->GetDataScalarType())});
    reader->Update();
    complaints.refuse_if_any(path);
    vtkImageData& data = *reader->GetOutput();
    take(shown(path, data, data.GetPointData()->GetScalars(), shape));
  }

  void read_image_data(fs::path const& path, std::string const& array, Show const& check,
                       Show const& take) override {
    Complaints const complaints;
    vtkNew<vtkXMLImageDataReader> reader;
    reader->SetFileName(path.c_str());
    reader->UpdateInformation();
    complaints.refuse_if_any(path);
    Candidate const chosen = choose(path, arrays_of(*reader), array);
    Int3 shape = promised_points(*reader);
    if (chosen.of_cells) {
      for (Axis const axis : all_axes) shape[axis] = std::max<std::int64_t>(shape[axis] - 1, 1);
    }
    check({.shape = shape, .type = type_of(path, chosen.vtk_type)});
    for (bool const of_cells : {false, true}) {
      vtkDataArraySelection* const arrays =
          of_cells ? reader->GetCellDataArraySelection() : reader->GetPointDataArraySelection();
      arrays->DisableAllArrays();
      if (of_cells == chosen.of_cells) arrays->EnableArray(chosen.name.c_str());
    }
    reader->Update();
    complaints.refuse_if_any(path);
    vtkImageData& data = *reader->GetOutput();
    vtkDataSetAttributes& attributes = chosen.of_cells
                                           ? static_cast<vtkDataSetAttributes&>(*data.GetCellData())
                                           : *data.GetPointData();
    take(shown(path, data, attributes.GetArray(chosen.name.c_str()), shape));
  }

  void read_dicom(fs::path const& path, Show const& check,
                  std::function<void(DicomSlice const&)> const& take) override {
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
    DicomSlice slice{.voxels = shown(path, data, data.GetPointData()->GetScalars(), shape)};
    slice.voxels.spacing = to_array(reader->GetPixelSpacing());
    std::ranges::transform(slice.voxels.spacing, slice.voxels.spacing.begin(), decimal);
    slice.position = along_normal(*reader);
    std::vector<char> const rows = first_row_first(slice.voxels);
    slice.voxels.values = rows.data();
    take(slice);
  }

  void write_image_data(fs::path const& path, Int3 shape, double spacing_m,
                        std::span<Field const> fields) override {
    Complaints const complaints;
    vtkNew<vtkImageData> data;
    data->SetDimensions(static_cast<int>(shape.x) + 1, static_cast<int>(shape.y) + 1,
                        static_cast<int>(shape.z) + 1);
    data->SetSpacing(spacing_m, spacing_m, spacing_m);
    for (Field const& field : fields) data->GetCellData()->AddArray(array_of(field));
    vtkNew<vtkXMLImageDataWriter> writer;
    writer->SetFileName(path.c_str());
    writer->SetInputData(data);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    if (writer->Write() == 0 || writer->GetErrorCode() != 0) {
      throw EnvironmentError(
          fmt::format("cannot write {}: {}", path.string(),
                      vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode())));
    }
  }

 private:
  /// Pixels as numbers side by side, of one slice. VTK would show others as noise.
  static void require_plain(fs::path const& path, vtkDICOMImageReader& reader) {
    constexpr std::array<std::string_view, 3> plain{"1.2.840.10008.1.2", "1.2.840.10008.1.2.1",
                                                    "1.2.840.10008.1.2.2"};
    char const* const said = reader.GetTransferSyntaxUID();
    std::string_view const syntax = said == nullptr ? "" : said;
    if (std::ranges::find(plain, syntax) == plain.end()) {
      refuse(path,
             fmt::format("compressed DICOM (transfer syntax {}); decompress it first, such as "
                         "by gdcmconv --raw",
                         printable(syntax)));
    }
    if (reader.GetNumberOfComponents() != 1)
      refuse(path, "colours, one value a voxel was expected");
    auto const slice = static_cast<std::size_t>(reader.GetWidth()) *
                       static_cast<std::size_t>(reader.GetHeight()) *
                       static_cast<std::size_t>(std::max(reader.GetBitsAllocated() / 8, 1));
    require_pixels(path, slice);
  }

  /// VTK does not see where a file ends: the element with the pixels has to have the length of one
  /// slice, and to end in the file.
  static void require_pixels(fs::path const& path, std::size_t slice) {
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
      std::string_view const tag = big_endian ? std::string_view("\x7f\xe0\0\x10", 4)
                                              : std::string_view("\xe0\x7f\x10\0", 4);
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

  static double along_normal(vtkDICOMImageReader& reader) {
    float const* const p = reader.GetImagePositionPatient();
    float const* const o = reader.GetImageOrientationPatient();
    std::array<double, 3> const normal{
        static_cast<double>(o[1]) * o[5] - static_cast<double>(o[2]) * o[4],
        static_cast<double>(o[2]) * o[3] - static_cast<double>(o[0]) * o[5],
        static_cast<double>(o[0]) * o[4] - static_cast<double>(o[1]) * o[3]};
    return decimal(p[0]) * normal[0] + decimal(p[1]) * normal[1] + decimal(p[2]) * normal[2];
  }

  /// VTK's images stand on their last row.
  static std::vector<char> first_row_first(VtkVoxels const& voxels) {
    auto const row = static_cast<std::size_t>(voxels.shape.x) * voxels.type.bytes;
    auto const rows = static_cast<std::size_t>(voxels.shape.y);
    std::vector<char> turned(row * rows);
    char const* const from = static_cast<char const*>(voxels.values);
    for (std::size_t y = 0; y < rows; ++y)
      std::copy_n(from + (rows - 1 - y) * row, row, turned.data() + y * row);
    return turned;
  }
};

}  // namespace
}  // namespace tessera

extern "C" __attribute__((visibility("default"))) tessera::VtkImages* tessera_vtk_images() {
  static tessera::Images images;
  return &images;
}
