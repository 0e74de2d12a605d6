// SPDX-License-Identifier: MIT
// Classic NetCDF by Unidata's library. It is given the file as memory: of one that it opens itself
// it takes what is missing at the end for zeros.
#include <fcntl.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"
#include "io/images/netcdf/classic_header.hpp"
#include "io/images/netcdf_module.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A whole file as memory that is only read.
class MappedFile {
 public:
  explicit MappedFile(fs::path const& path) : size_{fs::file_size(path)} {
    int const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) start_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    int const error = errno;
    if (file >= 0) close(file);
    if (file < 0 || start_ == MAP_FAILED)
      throw EnvironmentError(fmt::format("{}: {}", path.string(), std::strerror(error)));
  }
  ~MappedFile() { munmap(start_, size_); }
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;

  void* start() const { return start_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  void* start_ = MAP_FAILED;
};

/// The type as the library hands it out; nothing for text.
std::optional<ElementType> in_memory(nc_type type) {
  using Kind = ElementType::Kind;
  switch (type) {
    case NC_BYTE:
      return ElementType{Kind::signed_integer, 1, false};
    case NC_UBYTE:
      return ElementType{Kind::unsigned_integer, 1, false};
    case NC_SHORT:
      return ElementType{Kind::signed_integer, 2, false};
    case NC_USHORT:
      return ElementType{Kind::unsigned_integer, 2, false};
    case NC_INT:
      return ElementType{Kind::signed_integer, 4, false};
    case NC_UINT:
      return ElementType{Kind::unsigned_integer, 4, false};
    case NC_INT64:
      return ElementType{Kind::signed_integer, 8, false};
    case NC_UINT64:
      return ElementType{Kind::unsigned_integer, 8, false};
    case NC_FLOAT:
      return ElementType{Kind::real, 4, false};
    case NC_DOUBLE:
      return ElementType{Kind::real, 8, false};
    default:
      return std::nullopt;
  }
}

class ClassicFile : public NetcdfFile {
 public:
  explicit ClassicFile(fs::path const& path) : path_{path}, bytes_{path} {
    auto const end = end_of_values({static_cast<std::byte const*>(bytes_.start()), bytes_.size()});
    if (!end) refuse();
    if (bytes_.size() > *end) {
      throw BadInput(
          fmt::format("{}: longer than its header says: {} bytes, but its values end at "
                      "byte {} (was the number of its records not written?)",
                      path_.string(), bytes_.size(), *end));
    }
    // A name that is no address on the net, whatever the file is called.
    require(nc_open_mem("image", NC_NOWRITE, bytes_.size(), bytes_.start(), &id_));
    try {
      find_volumes();
    } catch (...) {
      nc_close(id_);
      throw;
    }
  }
  ~ClassicFile() override { nc_close(id_); }
  ClassicFile(ClassicFile const&) = delete;
  ClassicFile& operator=(ClassicFile const&) = delete;

  StoredArrays const& arrays() const override { return arrays_; }
  ElementType type_of(std::size_t volume) const override { return types_[volume]; }

  Attributes attributes_of(std::optional<std::size_t> volume) const override {
    int const of = volume ? variables_[*volume] : NC_GLOBAL;
    return {.numbers = [this, of](char const* name) { return numbers(of, name); },
            .text = [this, of](char const* name) { return text(of, name); }};
  }

  void read(std::size_t volume, void* to) const override {
    require(nc_get_var(id_, variables_[volume], to));
  }

 private:
  /// The library's own words tell less: of a file that is too short, "operation not permitted", as
  /// the memory would have to grow.
  void require(int status) const {
    if (status != NC_NOERR) refuse();
  }

  [[noreturn]] void refuse() const {
    throw BadInput(
        fmt::format("{}: truncated or damaged: not readable as classic NetCDF", path_.string()));
  }

  void find_volumes() {
    int count = 0;
    require(nc_inq_nvars(id_, &count));
    for (int variable = 0; variable < count; ++variable) {
      std::array<char, NC_MAX_NAME + 1> name{};
      nc_type type = NC_NAT;
      int axes = 0;
      require(nc_inq_varndims(id_, variable, &axes));
      std::vector<int> dimensions(static_cast<std::size_t>(axes));
      require(nc_inq_var(id_, variable, name.data(), &type, nullptr, dimensions.data(), nullptr));
      StoredVolume volume{.name = name.data(), .extents = {}, .axes = {}};
      for (int const dimension : dimensions) {
        std::array<char, NC_MAX_NAME + 1> axis{};
        std::size_t extent = 0;
        require(nc_inq_dim(id_, dimension, axis.data(), &extent));
        volume.extents.push_back(extent);
        volume.axes.emplace_back(axis.data());
      }
      auto element = in_memory(type);
      if (!element || !axes_of_volume(volume.extents)) {
        if (axes > 1) arrays_.others.push_back(text_of(volume) + (element ? "" : ", texts"));
        continue;
      }
      // The first two versions of the format have no other way to say so.
      if (element->kind == ElementType::Kind::signed_integer &&
          text(variable, "_Unsigned") == "true")
        element->kind = ElementType::Kind::unsigned_integer;
      arrays_.volumes.push_back(std::move(volume));
      types_.push_back(*element);
      variables_.push_back(variable);
    }
  }

  std::vector<double> numbers(int variable, char const* name) const {
    nc_type type = NC_NAT;
    std::size_t count = 0;
    bool const is_there = nc_inq_att(id_, variable, name, &type, &count) == NC_NOERR;
    if (!is_there || type == NC_CHAR) return {};
    std::vector<double> values(count);
    require(nc_get_att_double(id_, variable, name, values.data()));
    return values;
  }

  std::string text(int variable, char const* name) const {
    nc_type type = NC_NAT;
    std::size_t count = 0;
    bool const is_there = nc_inq_att(id_, variable, name, &type, &count) == NC_NOERR;
    if (!is_there || type != NC_CHAR) return {};
    std::string text(count, '\0');
    require(nc_get_att_text(id_, variable, name, text.data()));
    return text.substr(0, text.find('\0'));
  }

  fs::path path_;
  MappedFile bytes_;
  int id_ = -1;
  StoredArrays arrays_;
  std::vector<ElementType> types_;
  std::vector<int> variables_;
};

}  // namespace
}  // namespace tessera

extern "C" __attribute__((visibility("default"))) tessera::NetcdfFile* tessera_open_netcdf(
    std::filesystem::path const& path) {
  return new tessera::ClassicFile(path);
}
