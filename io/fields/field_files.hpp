// SPDX-License-Identifier: MIT
// Files of fields, in the formats that other programs open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "base/box.hpp"
#include "base/name_list.hpp"
#include "io/fields/field.hpp"

namespace tessera {

enum class FieldFormat : std::uint8_t {
  vtkhdf,  ///< ParaView's own HDF5 (io/fields/vtkhdf.hpp)
  xdmf,    ///< a VTKHDF file, and beside it a description for readers of XDMF
  vti,     ///< VTK's XML image data, as cells, packed
  npz,     ///< NumPy: arrays [z, y, x], vectors [z, y, x, component], and `spacing` in metres
};

/// The names of the formats, which are the endings of the files' names as well.
inline constexpr NameList<FieldFormat, 4> field_format_names{{{"vtkhdf", FieldFormat::vtkhdf},
                                                              {"xdmf", FieldFormat::xdmf},
                                                              {"vti", FieldFormat::vti},
                                                              {"npz", FieldFormat::npz}}};

/// Throws BadInput, "<asked by>: ...", if this build cannot write it: VTI needs VTK.
void check_field_format(FieldFormat format, std::string_view asked_by);

/// Writes fields on a box of `shape` voxels of these edges in the format of the
/// name's ending. The file appears complete under its name or not at all. Throws EnvironmentError
/// (folder not writable, disk full), BadInput (another ending, no VTK) and std::invalid_argument (a
/// field whose size does not fit the shape).
void write_fields(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                  std::span<Field const> fields);

/// The file of a format that several processes can write together (io/fields/vtkhdf.hpp); none if
/// the format needs all values at once. Throws BadInput.
std::optional<std::filesystem::path> file_of_bricks(std::filesystem::path const& path);
/// Writes the description beside that file, if the format has one; no values are needed. Throws
/// EnvironmentError.
void describe_fields(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                     std::span<Field const> fields);

}  // namespace tessera
