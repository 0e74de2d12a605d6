// SPDX-License-Identifier: MIT
#include "methods/coprocessor/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// waLBerla's: rest, N S W E T B, then edges, then corners (core/stencil).
constexpr std::array<std::array<int, 3>, 9> walberla_plane{{{0, 0, 0},
                                                            {0, 1, 0},
                                                            {0, -1, 0},
                                                            {-1, 0, 0},
                                                            {1, 0, 0},
                                                            {-1, 1, 0},
                                                            {1, 1, 0},
                                                            {-1, -1, 0},
                                                            {1, -1, 0}}};
constexpr std::array<std::array<int, 3>, 27> walberla{
    {{0, 0, 0},  {0, 1, 0},   {0, -1, 0},  {-1, 0, 0},  {1, 0, 0},   {0, 0, 1},   {0, 0, -1},
     {-1, 1, 0}, {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},  {0, 1, 1},   {0, -1, 1},  {-1, 0, 1},
     {1, 0, 1},  {0, 1, -1},  {0, -1, -1}, {-1, 0, -1}, {1, 0, -1},  {1, 1, 1},   {-1, 1, 1},
     {1, -1, 1}, {-1, -1, 1}, {1, 1, -1},  {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}}};
/// Palabos': the second half are the opposites of the first (D3Q19Descriptor).
constexpr std::array<std::array<int, 3>, 10> palabos_half{{{0, 0, 0},
                                                           {-1, 0, 0},
                                                           {0, -1, 0},
                                                           {0, 0, -1},
                                                           {-1, -1, 0},
                                                           {-1, 1, 0},
                                                           {-1, 0, -1},
                                                           {-1, 0, 1},
                                                           {0, -1, -1},
                                                           {0, -1, 1}}};

VelocityList palabos() {
  VelocityList list(palabos_half.begin(), palabos_half.end());
  for (std::size_t k = 1; k < palabos_half.size(); ++k)
    list.push_back({-palabos_half[k][0], -palabos_half[k][1], -palabos_half[k][2]});
  return list;
}

/// Axes of an array, 3 for velocities, from the one whose neighbours stand closest together.
std::array<std::size_t, 4> axes_by_stride(ForeignArray const& array) {
  std::array<std::size_t, 4> axes{};
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::stable_sort(axes, {}, [&](std::size_t a) { return array.strides[a]; });
  return axes;
}

std::array<std::int64_t, 4> extents(BoxPart const& part, int velocities) {
  return {part.size[0], part.size[1], part.size[2], velocities};
}

/// One part, by runs of populations that stand together in both memories.
class Runs {
 public:
  Runs(BoxPart const& part, ForeignArray const& array, int velocities)
      : axes_(axes_by_stride(array)), extent_(extents(part, velocities)) {
    while (merged_ < 4 && array.strides[axes_[merged_]] == run_) run_ *= extent_[axes_[merged_++]];
    for (std::size_t i = merged_; i < 4; ++i) count_ *= extent_[axes_[i]];
  }

  std::int64_t run() const { return run_; }
  std::int64_t count() const { return count_; }

  /// Where the n-th run begins, along strides of these axes.
  template <class Strides>
  std::int64_t offset(std::int64_t n, Strides const& strides) const {
    std::int64_t sum = 0;
    for (std::size_t i = merged_; i < 4; ++i) {
      sum += n % extent_[axes_[i]] * strides[axes_[i]];
      n /= extent_[axes_[i]];
    }
    return sum;
  }

 private:
  std::array<std::size_t, 4> axes_;
  std::array<std::int64_t, 4> extent_;
  std::size_t merged_ = 0;
  std::int64_t run_ = 1;
  std::int64_t count_ = 1;
};

}  // namespace

VelocityList known_order(std::string_view program, std::string_view lattice) {
  if (program == "walberla") {
    if (lattice == "D2Q9") return {walberla_plane.begin(), walberla_plane.end()};
    if (lattice == "D3Q19") return {walberla.begin(), walberla.begin() + 19};
    if (lattice == "D3Q27") return {walberla.begin(), walberla.end()};
    throw BadInput(fmt::format("{}: expected D2Q9, D3Q19 or D3Q27", lattice));
  }
  if (program != "palabos")
    throw BadInput(
        fmt::format("the order of velocities {}: expected walberla, palabos or a list", program));
  if (lattice != "D3Q19") throw BadInput(fmt::format("{} of palabos: expected D3Q19", lattice));
  return palabos();
}

ForeignOrder order_of(VelocityList const& velocities) {
  for (LatticeKind const kind : {LatticeKind::d2q9, LatticeKind::d3q19, LatticeKind::d3q27}) {
    Velocities const set = velocities_of(kind);
    std::span const ours(set.c.data(), static_cast<std::size_t>(set.size));
    if (!std::ranges::is_permutation(ours, velocities)) continue;
    ForeignOrder order{kind, {}};
    for (std::size_t k = 0; k < velocities.size(); ++k)
      order.ours[k] =
          static_cast<std::int8_t>(std::ranges::find(ours, velocities[k]) - ours.begin());
    return order;
  }
  throw BadInput(fmt::format("{} velocities: expected those of D2Q9, D3Q19 or D3Q27, each once",
                             velocities.size()));
}

std::vector<CellBlock> shell_of(CellBlock const& block, bool plane) {
  std::vector<CellBlock> shell;
  CellBlock rest = block;
  for (Axis const axis : {Axis::z, Axis::y, Axis::x}) {
    if (volume(rest.size) == 0) break;
    if (plane && axis == Axis::z) continue;
    CellBlock face = rest;
    face.size[axis] = 1;
    shell.push_back(face);
    if (rest.size[axis] > 1) {
      face.begin[axis] = rest.begin[axis] + rest.size[axis] - 1;
      shell.push_back(face);
    }
    rest.begin[axis] += 1;
    rest.size[axis] = std::max<std::int64_t>(rest.size[axis] - 2, 0);
  }
  return shell;
}

BoxParts packed_parts(std::vector<CellBlock> const& blocks, ForeignArray const& array,
                      int velocities) {
  if (std::ranges::min(array.strides) <= 0)
    throw BadInput(
        fmt::format("strides {}: expected positive ones", fmt::join(array.strides, ", ")));
  BoxParts list{};
  std::int64_t first = 0;
  for (CellBlock const& block : blocks) {
    BoxPart part{};
    for (Axis const axis : all_axes) {
      part.begin[index_of(axis)] = static_cast<std::int32_t>(block.begin[axis]);
      part.size[index_of(axis)] = static_cast<std::int32_t>(block.size[axis]);
    }
    part.first = first;
    std::int64_t stride = 1;
    auto const extent = extents(part, velocities);
    for (std::size_t const axis : axes_by_stride(array)) {
      part.stride[axis] = stride;
      stride *= extent[axis];
    }
    first += stride;
    list.parts[list.count++] = part;
  }
  return list;
}

void copy_parts(BoxParts const& parts, ForeignArray const& array, int velocities, void* piece,
                Packing direction, StandingTeam& team) {
  std::int64_t const width = array.wide ? 8 : 4;
  auto* const theirs = static_cast<std::byte*>(array.populations);
  auto* const ours = static_cast<std::byte*>(piece);
  team.run([&](int thread) {
    for (int p = 0; p < parts.count; ++p) {
      BoxPart const& part = parts.parts[p];
      Runs const runs(part, array, velocities);
      std::int64_t const bytes = runs.run() * width;
      std::int64_t begin = 0;
      for (std::size_t a = 0; a < 3; ++a) begin += part.begin[a] * array.strides[a];
      std::int64_t const end = runs.count() * (thread + 1) / team.threads();
      for (std::int64_t n = runs.count() * thread / team.threads(); n < end; ++n) {
        std::byte* const there = theirs + (begin + runs.offset(n, array.strides)) * width;
        std::byte* const here = ours + part.first * width + n * bytes;
        bool const out = direction == Packing::to_piece;
        std::memcpy(out ? here : there, out ? there : here, static_cast<std::size_t>(bytes));
      }
    }
  });
}

}  // namespace tessera
