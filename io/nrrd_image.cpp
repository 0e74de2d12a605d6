// SPDX-License-Identifier: MIT
// NRRD images by teem, the library of those who made the format: all encodings, attached and
// detached headers.
#include <fmt/format.h>
#include <teem/nrrd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "io/element_type.hpp"
#include "io/image_readers.hpp"
#include "io/text.hpp"
#include "io/voxel_edges.hpp"
#include "lattice/errors.hpp"

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

/// The innermost of teem's messages, which is the reason.
std::string complaint() {
  std::unique_ptr<char, Free> const all(biffGetDone(NRRD));
  std::string text = all ? all.get() : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string const last = text.substr(text.rfind('\n') + 1);
  auto const colon = last.find(": ");
  return printable(colon == std::string::npos ? last : last.substr(colon + 2));
}

NrrdPointer load(fs::path const& path, StatePointer const& state) {
  NrrdPointer image(nrrdNew());
  if (nrrdLoad(image.get(), path.c_str(), state.get()) != 0)
    refuse(path, fmt::format("not a readable NRRD file ({})", complaint()));
  return image;
}

ElementType type_of(fs::path const& path, Nrrd const& image) {
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

/// The axes along which there is more than one sample; at most three.
std::vector<unsigned> axes_of(fs::path const& path, Nrrd const& image) {
  std::vector<unsigned> axes;
  for (unsigned a = 0; a < image.dim; ++a) {
    // Leading or not, an axis of one sample counts only where the image is not 3-D as it is.
    if (image.dim <= 3 || image.axis[a].size != 1) axes.push_back(a);
  }
  if (axes.size() > 3 || image.dim < 2) {
    refuse(path, fmt::format("{} axes, a volume of one value a voxel was expected", image.dim));
  }
  for (unsigned const a : axes) {
    int const kind = image.axis[a].kind;
    if (kind != nrrdKindUnknown && nrrdKindIsDomain(kind) == 0) {
      refuse(path, fmt::format("axis {} is of kind {}, one value a voxel was expected", a,
                               airEnumStr(nrrdKind, kind)));
    }
  }
  return axes;
}

/// Whether its axes are those of a body, whose programs (ITK, Slicer) reckon in millimetres.
bool is_anatomical(int space) {
  return space == nrrdSpaceRightAnteriorSuperior || space == nrrdSpaceLeftAnteriorSuperior ||
         space == nrrdSpaceLeftPosteriorSuperior;
}

void note_spacing(Image& image, Nrrd const& nrrd, std::vector<unsigned> const& axes) {
  SaidEdges said{.where = "spacing",
                 .unit_m = {},
                 .usual_unit_m = is_anatomical(nrrd.space) ? 1e-3 : 1,
                 .unknown_unit = {}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    double spacing = 1;
    double direction[NRRD_SPACE_DIM_MAX];
    int const status = nrrdSpacingCalculate(&nrrd, axes[i], &spacing, direction);
    if (status == nrrdSpacingStatusNone || status == nrrdSpacingStatusUnknown) return;
    said.values[i] = spacing;
    bool const in_space = status == nrrdSpacingStatusDirection;
    char const* const unit = in_space ? nrrd.spaceUnits[0] : nrrd.axis[axes[i]].units;
    if (unit != nullptr) said.note_unit(i, unit);
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

}  // namespace

Image read_nrrd_image(fs::path const& path, std::optional<Int3> shape) {
  StatePointer state(nrrdIoStateNew());
  nrrdIoStateSet(state.get(), nrrdIoStateSkipData, 1);
  NrrdPointer nrrd = load(path, state);
  auto const axes = axes_of(path, *nrrd);
  ElementType const type = type_of(path, *nrrd);
  Image image;
  image.shape = {1, 1, 1};
  for (std::size_t i = 0; i < axes.size(); ++i)
    image.shape[all_axes[i]] = static_cast<std::int64_t>(nrrd->axis[axes[i]].size);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  image.files = files_of(path, *state);
  // Before any memory is asked for on the word of the header.
  require_room_in_files(path, image.files, voxels * type.bytes);

  state.reset(nrrdIoStateNew());
  nrrd = load(path, state);
  image.format = fmt::format(
      "NRRD, {}, {}", name_of(type),
      state->encoding == nullptr ? "" : static_cast<char const*>(state->encoding->name));
  image.voxels = voxels_from(type, voxels, nrrd->data, path);
  note_spacing(image, *nrrd, axes);
  return image;
}

}  // namespace tessera
