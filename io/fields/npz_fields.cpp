// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <zip.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/atomic_file.hpp"
#include "io/fields/field_writers.hpp"
#include "io/images/npy/npy_header.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// 1 January 1980, the first date of ZIP.
constexpr zip_uint16_t first_day = 1U << 5U | 1U;

/// An array as it lies in memory.
struct Array {
  std::string name;
  char const* type = "";  ///< NumPy's: "<f4"
  std::string shape;      ///< "(3, 4, 5,)"
  void const* values = nullptr;
  std::size_t bytes = 0;
};

template <typename T>
char const* type_name() {
  if constexpr (std::is_same_v<T, float>) return "<f4";
  if constexpr (std::is_same_v<T, double>) return "<f8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
  return "|u1";
}

Array array_of(Field const& field, Int3 shape) {
  std::string const components = field.components == 1 ? "" : fmt::format("{},", field.components);
  Array array{.name = field.name,
              .shape = fmt::format("({},{},{},{})", shape.z, shape.y, shape.x, components)};
  std::visit(
      [&]<typename T>(std::span<T const> values) {
        array.type = type_name<T>();
        array.values = values.data();
        array.bytes = values.size_bytes();
      },
      field.values);
  return array;
}

/// An archive of arrays that stay where they are: it is written when it is closed.
class NpzFile {
 public:
  explicit NpzFile(fs::path const& path) : path_(path) {
    int error = 0;
    archive_.reset(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (archive_) return;
    zip_error_t reason;
    zip_error_init_with_code(&reason, error);
    std::string const text = zip_error_strerror(&reason);
    zip_error_fini(&reason);
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), text));
  }

  void add(Array const& array) {
    headers_.push_back(std::make_unique<std::string>(npy_header(array.type, array.shape)));
    std::string& header = *headers_.back();
    // libzip takes pointers to non-const, and only reads.
    std::array<zip_buffer_fragment_t, 2> const parts{
        {{reinterpret_cast<zip_uint8_t*>(header.data()), header.size()},
         {static_cast<zip_uint8_t*>(const_cast<void*>(array.values)), array.bytes}}};
    zip_source_t* const source =
        zip_source_buffer_fragment(archive_.get(), parts.data(), parts.size(), 0);
    if (source == nullptr) fail();
    std::string const name = array.name + ".npy";
    zip_int64_t const index =
        zip_file_add(archive_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8 | ZIP_FL_OVERWRITE);
    if (index < 0) {
      zip_source_free(source);
      fail();
    }
    if (zip_set_file_compression(archive_.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE,
                                 0) != 0)
      fail();
    // A fixed date, as NumPy has it: equal fields give equal files, whenever they are written.
    if (zip_file_set_dostime(archive_.get(), static_cast<zip_uint64_t>(index), 0, first_day, 0) !=
        0)
      fail();
  }

  void write() {
    if (zip_close(archive_.get()) != 0) fail();
    static_cast<void>(archive_.release());
  }

 private:
  [[noreturn]] void fail() const {
    throw EnvironmentError(
        fmt::format("cannot write {}: {}", path_.string(), zip_strerror(archive_.get())));
  }

  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  fs::path path_;
  std::vector<std::unique_ptr<std::string>> headers_;  ///< libzip keeps their addresses
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace

void write_npz(fs::path const& path, Int3 shape, Spacing const& spacing,
               std::span<Field const> fields) {
  AtomicFile target(path);
  NpzFile file(target.temporary_path());
  for (Field const& field : fields) file.add(array_of(field, shape));
  // In the order of the arrays' axes.
  std::array<double, 3> const edges{spacing.edges[2], spacing.edges[1], spacing.edges[0]};
  file.add({.name = "spacing",
            .type = type_name<double>(),
            .shape = spacing.is_cube() ? "()" : "(3,)",
            .values = edges.data(),
            .bytes = spacing.is_cube() ? sizeof(double) : sizeof edges});
  file.write();
  target.commit();
}

}  // namespace tessera
