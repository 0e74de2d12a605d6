// SPDX-License-Identifier: MIT
// The lattice of another program: its velocities, and its populations in main memory.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/machine/standing_team.hpp"
#include "methods/coprocessor/box_parts.hpp"
#include "models/lattice/lattice_kind.hpp"

namespace tessera {

using VelocityList = std::vector<std::array<int, 3>>;

/// Velocities in the order of a known program: "walberla" (lbmpy, too; D2Q9, D3Q19, D3Q27) or
/// "palabos" (D3Q19). Throws BadInput.
VelocityList known_order(std::string_view program, std::string_view lattice);

struct ForeignOrder {
  LatticeKind lattice;
  std::array<std::int8_t, 27> ours;  ///< ForeignCell::ours
};

/// The velocity set that these velocities are, in whatever order. Throws BadInput for none of D2Q9,
/// D3Q19 and D3Q27.
ForeignOrder order_of(VelocityList const& velocities);

/// Populations of a whole box in the memory of another program.
struct ForeignArray {
  void* populations;                    ///< population 0 of cell (0, 0, 0)
  std::array<std::int64_t, 4> strides;  ///< along x, y, z, velocities; populations
  bool wide;                            ///< double precision
};

/// A block of cells.
struct CellBlock {
  Int3 begin;
  Int3 size;
};

/// The outermost cells of a block, as disjoint blocks; a plane has none along z.
std::vector<CellBlock> shell_of(CellBlock const& block, bool plane);

/// Parts that stand one behind the other in one piece of memory, each in the order of axes that the
/// other program has. Throws BadInput for strides that are not positive.
BoxParts packed_parts(std::vector<CellBlock> const& blocks, ForeignArray const& array,
                      int velocities);

enum class Packing : std::uint8_t { to_piece, from_piece };

/// Copies the cells of all parts between the other program's memory and the piece.
void copy_parts(BoxParts const& parts, ForeignArray const& array, int velocities, void* piece,
                Packing direction, StandingTeam& team);

}  // namespace tessera
