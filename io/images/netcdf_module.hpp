// SPDX-License-Identifier: MIT
// What the module with libnetcdf (io/images/netcdf/) does for images here. That library brings
// thirty others, so it is loaded when there is such a file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/images/element_type.hpp"
#include "io/images/stored_volumes.hpp"

namespace tessera {

/// An open classic file: its 3-D variables of numbers, by their places among the volumes of
/// `arrays()`.
class NetcdfFile {
 public:
  NetcdfFile() = default;
  virtual ~NetcdfFile() = default;
  NetcdfFile(NetcdfFile const&) = delete;
  NetcdfFile& operator=(NetcdfFile const&) = delete;

  virtual StoredArrays const& arrays() const = 0;
  virtual ElementType type_of(std::size_t volume) const = 0;
  /// Those of a volume, or of the file; they live as long as this.
  virtual Attributes attributes_of(std::optional<std::size_t> volume) const = 0;
  /// All values, as they are held in memory. Throws BadInput.
  virtual void read(std::size_t volume, void* to) const = 0;
};

/// What the module exports under this name: a function that makes one, for the caller to delete.
inline constexpr char const* open_netcdf_name = "tessera_open_netcdf";
using OpenNetcdf = NetcdfFile* (*)(std::filesystem::path const& path);

/// Loads the module. Throws BadInput if this build has none, or for what is no readable file.
std::unique_ptr<NetcdfFile> open_netcdf(std::filesystem::path const& path);

}  // namespace tessera
