// SPDX-License-Identifier: MIT
#include "io/fields/field_files.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "io/atomic_file.hpp"
#include "io/fields/field_writers.hpp"
#include "io/fields/vtkhdf.hpp"
#include "io/vtk_module.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

FieldFormat format_of_name(fs::path const& path) {
  std::string const extension = path.extension().string();
  if (!extension.empty()) {
    if (auto const format = named(field_format_names, extension.substr(1))) return *format;
  }
  throw BadInput(fmt::format("{}: a name that ends in {} was expected", path.string(),
                             one_of(words_of(field_format_names))));
}

fs::path data_of_xdmf(fs::path path) { return path.replace_extension(".vtkhdf"); }

void require_sizes(Int3 shape, std::span<Field const> fields) {
  for (Field const& field : fields) {
    std::size_t const values = std::visit([](auto span) { return span.size(); }, field.values);
    if (field.components >= 1 && std::cmp_equal(values, volume(shape) * field.components)) continue;
    throw std::invalid_argument(fmt::format("field {}: {} values of {} components for {} voxels",
                                            field.name, values, field.components, volume(shape)));
  }
}

}  // namespace

void check_field_format(FieldFormat format, std::string_view asked_by) {
  if (format == FieldFormat::vti && !has_vtk()) {
    throw BadInput(
        fmt::format("{}: vti needs VTK, which this build has not (Debian: paraview-dev): "
                    "expected another format",
                    asked_by));
  }
}

void write_fields(fs::path const& path, Int3 shape, Spacing const& spacing,
                  std::span<Field const> fields) {
  require_sizes(shape, fields);
  switch (format_of_name(path)) {
    case FieldFormat::vtkhdf:
      return write_vtkhdf(path, shape, spacing, fields);
    case FieldFormat::xdmf:
      write_vtkhdf(data_of_xdmf(path), shape, spacing, fields);
      return describe_fields(path, shape, spacing, fields);
    case FieldFormat::npz:
      return write_npz(path, shape, spacing, fields);
    case FieldFormat::vti: {
      AtomicFile target(path);
      vtk_images(path).write_image_data(target.temporary_path(), shape, spacing, fields);
      target.commit();
    }
  }
}

std::optional<fs::path> file_of_bricks(fs::path const& path) {
  switch (format_of_name(path)) {
    case FieldFormat::vtkhdf:
      return path;
    case FieldFormat::xdmf:
      return data_of_xdmf(path);
    case FieldFormat::vti:
    case FieldFormat::npz:
      break;
  }
  return std::nullopt;
}

void describe_fields(fs::path const& path, Int3 shape, Spacing const& spacing,
                     std::span<Field const> fields) {
  if (format_of_name(path) == FieldFormat::xdmf)
    write_xdmf(path, data_of_xdmf(path).filename(), shape, spacing, fields);
}

}  // namespace tessera
