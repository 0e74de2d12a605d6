// SPDX-License-Identifier: MIT
// NRRD images: all encodings, attached and detached headers. The header is read by teem, the
// library of the format's authors. The voxels are read here: teem compares no checksums, clips
// numbers to their type and does not notice surplus voxels.
#include <fmt/format.h>
#include <teem/nrrd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/packed_bytes.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/images/voxel_text.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Free {
  void operator()(Nrrd* image) const { nrrdNuke(image); }
  void operator()(NrrdIoState* state) const { nrrdIoStateNix(state); }
  void operator()(char* text) const { std::free(text); }
};
using NrrdPointer = std::unique_ptr<Nrrd, Free>;
using StatePointer = std::unique_ptr<NrrdIoState, Free>;

[[noreturn]] void refuse(fs::path const& path, std::string const& why) {
  throw BadInput(fmt::format("{}: {}", path.string(), why));
}

/// The innermost of teem's messages: it tells the reason.
std::string complaint() {
  std::unique_ptr<char, Free> const all(biffGetDone(NRRD));
  std::string text = all ? all.get() : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string const last = text.substr(text.rfind('\n') + 1);
  auto const colon = last.find(": ");
  return printable(colon == std::string::npos ? last : last.substr(colon + 2));
}

/// The header, and where the voxels begin: in this file, or in the one that it names.
struct NrrdHeader {
  NrrdPointer image{nrrdNew()};
  StatePointer state{nrrdIoStateNew()};
  std::uintmax_t begin = 0;
};

NrrdHeader read_nrrd_header(fs::path const& path) {
  NrrdHeader header;
  nrrdIoStateSet(header.state.get(), nrrdIoStateSkipData, 1);
  nrrdIoStateSet(header.state.get(), nrrdIoStateKeepNrrdDataFileOpen, 1);
  int const status = nrrdLoad(header.image.get(), path.c_str(), header.state.get());
  // teem has left the file behind the bytes and lines to be skipped.
  if (FILE* const file = header.state->dataFile; file != nullptr) {
    header.begin = static_cast<std::uintmax_t>(std::max(std::ftell(file), 0L));
    std::fclose(file);
    header.state->dataFile = nullptr;
  }
  if (status != 0) refuse(path, fmt::format("not a readable NRRD file ({})", complaint()));
  return header;
}

ElementType type_without_order(fs::path const& path, Nrrd const& image) {
  using Kind = ElementType::Kind;
  switch (image.type) {
    case nrrdTypeUChar:
      return {Kind::unsigned_integer, 1, false};
    case nrrdTypeChar:
      return {Kind::signed_integer, 1, false};
    case nrrdTypeUShort:
      return {Kind::unsigned_integer, 2, false};
    case nrrdTypeShort:
      return {Kind::signed_integer, 2, false};
    case nrrdTypeUInt:
      return {Kind::unsigned_integer, 4, false};
    case nrrdTypeInt:
      return {Kind::signed_integer, 4, false};
    case nrrdTypeULLong:
      return {Kind::unsigned_integer, 8, false};
    case nrrdTypeLLong:
      return {Kind::signed_integer, 8, false};
    case nrrdTypeFloat:
      return {Kind::real, 4, false};
    case nrrdTypeDouble:
      return {Kind::real, 8, false};
    default:
      refuse(path, "NRRD values of type 'block', numbers were expected");
  }
}

ElementType type_of(fs::path const& path, NrrdHeader const& header) {
  ElementType type = type_without_order(path, *header.image);
  type.big_endian = type.bytes > 1 && header.state->endian == airEndianBig;
  return type;
}

/// Axes along which there is more than one sample; at most three.
std::vector<unsigned> axes_of(fs::path const& path, Nrrd const& image) {
  std::vector<unsigned> axes;
  for (unsigned a = 0; a < image.dim; ++a) {
    // An axis of one sample counts only in images of at most three axes.
    if (image.dim <= 3 || image.axis[a].size != 1) axes.push_back(a);
  }
  if (axes.size() > 3 || image.dim < 2) {
    refuse(path, fmt::format("{} axes, a volume of one value a voxel was expected", image.dim));
  }
  for (unsigned const a : axes) {
    if (image.axis[a].size == 1) continue;
    int const kind = image.axis[a].kind;
    if (kind != nrrdKindUnknown && (nrrdKindIsDomain(kind) == 0 || kind == nrrdKindTime)) {
      refuse(path,
             fmt::format("axis {} of {} samples is of kind {}: one volume of one value a voxel "
                         "was expected",
                         a, image.axis[a].size, airEnumStr(nrrdKind, kind)));
    }
    if (image.spaceDim > 0 && AIR_EXISTS(image.axis[a].spaceDirection[0]) == 0) {
      refuse(path, fmt::format("axis {} of {} samples has no direction in space: one volume was "
                               "expected",
                               a, image.axis[a].size));
    }
  }
  return axes;
}

/// Whether the axes are anatomical: programs for such images (ITK, Slicer) use millimetres.
bool is_anatomical(int space) {
  return space == nrrdSpaceRightAnteriorSuperior || space == nrrdSpaceLeftAnteriorSuperior ||
         space == nrrdSpaceLeftPosteriorSuperior;
}

/// Spacing along an axis of which the file gives the ends; nothing where it does not say whether
/// samples lie on them.
std::optional<double> spacing_between_ends(NrrdAxisInfo const& axis) {
  double const length = axis.max - axis.min;
  if (axis.center == nrrdCenterCell) return length / static_cast<double>(axis.size);
  if (axis.center == nrrdCenterNode && axis.size > 1)
    return length / static_cast<double>(axis.size - 1);
  return std::nullopt;
}

void note_spacing(Image& image, Nrrd const& nrrd, std::vector<unsigned> const& axes) {
  SaidEdges said{.where = "spacing",
                 .unit_m = {},
                 .usual_unit_m = is_anatomical(nrrd.space) ? 1e-3 : 1,
                 .unknown_unit = {}};
  std::size_t without = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    NrrdAxisInfo const& axis = nrrd.axis[axes[i]];
    double spacing = 1;
    double direction[NRRD_SPACE_DIM_MAX];
    int const status = nrrdSpacingCalculate(&nrrd, axes[i], &spacing, direction);
    bool const in_space = status == nrrdSpacingStatusDirection;
    if (status == nrrdSpacingStatusNone || status == nrrdSpacingStatusUnknown) {
      bool const has_ends = AIR_EXISTS(axis.min) != 0 && AIR_EXISTS(axis.max) != 0;
      if (!has_ends) {
        ++without;
        continue;
      }
      said.where = "axis mins and maxs";
      auto const between = spacing_between_ends(axis);
      if (!between) {
        image.doubtful_edges =
            "its axis mins and maxs are no voxel size without centerings (cell or node)";
        return;
      }
      spacing = *between;
    }
    said.values[i] = spacing;
    char const* const unit = in_space ? nrrd.spaceUnits[0] : axis.units;
    if (unit != nullptr) said.note_unit(i, unit);
  }
  if (without == axes.size()) return;
  if (without > 0) {
    image.doubtful_edges = "it says the spacing of some of its axes only";
    return;
  }
  if (axes.size() == 2) said.values[2] = said.values[1];
  note_edges(image, said);
}

/// The header itself, and the file of its voxels if that is another one.
std::vector<fs::path> files_of(fs::path const& path, NrrdIoState const& state) {
  if (state.dataFNFormat != nullptr || state.dataFNArr->len > 1)
    refuse(path, "several files of voxels, one was expected");
  if (state.dataFNArr->len == 0) return {path};
  fs::path const data = state.dataFN[0];
  return {path, data.is_absolute() ? data : path.parent_path() / data};
}

Voxels voxels_of_nrrd(fs::path const& path, NrrdHeader const& header, fs::path const& file,
                      ElementType type, std::size_t voxels) {
  std::string_view const encoding = header.state->encoding->name;
  if (encoding == "ASCII")
    return voxels_in_words(type, voxels, bytes_from(file, header.begin), path);
  if (encoding == "hex") return voxels_in_hex(type, voxels, bytes_from(file, header.begin), path);
  Packing const packing = encoding == "gzip"    ? Packing::deflate
                          : encoding == "bzip2" ? Packing::bzip2
                                                : Packing::none;
  bool const known = packing != Packing::none || encoding == "raw";
  if (!known || (packing != Packing::none && header.state->byteSkip < 0))
    refuse(path, fmt::format("encoding {} with byte skip {}: not read here", encoding,
                             header.state->byteSkip));
  PackedBytes bytes(file, header.begin, packing);
  // In packed voxels the byte skip counts unpacked bytes; elsewhere teem has skipped them already.
  if (packing != Packing::none && header.state->byteSkip > 0)
    bytes.skip(static_cast<std::uintmax_t>(header.state->byteSkip));
  Voxels found = read_elements(
      type, voxels, [&](void* to, std::size_t wanted) { bytes.read(to, wanted); }, path);
  bytes.require_end();
  return found;
}

}  // namespace

Image read_nrrd_image(fs::path const& path, std::optional<Int3> shape) {
  NrrdHeader const header = read_nrrd_header(path);
  Nrrd const& nrrd = *header.image;
  auto const axes = axes_of(path, nrrd);
  ElementType const type = type_of(path, header);
  Image image;
  image.shape = {1, 1, 1};
  for (std::size_t i = 0; i < axes.size(); ++i)
    image.shape[all_axes[i]] = static_cast<std::int64_t>(nrrd.axis[axes[i]].size);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  image.files = files_of(path, *header.state);
  // The files have to hold as many bytes before memory is allocated for what the header says.
  require_room_in_files(path, image.files, voxels * type.bytes);
  image.format = fmt::format("NRRD, {}, {}", name_of(type), header.state->encoding->name);
  image.voxels = voxels_of_nrrd(path, header, image.files.back(), type, voxels);
  note_spacing(image, nrrd, axes);
  return image;
}

}  // namespace tessera
