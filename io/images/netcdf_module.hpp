// SPDX-License-Identifier: MIT
// The interface of the module with libnetcdf (io/images/netcdf/). That library loads thirty others,
// so the module is loaded only when there is such a file.
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
  /// The attributes of a volume, or of the file; valid as long as this object.
  virtual Attributes attributes_of(std::optional<std::size_t> volume) const = 0;
  /// Reads all values, in the type that they have in memory. Throws BadInput.
  virtual void read(std::size_t volume, void* to) const = 0;
};

/// Name under which the module exports a function that makes a NetcdfFile, which the caller
/// deletes.
inline constexpr char const* open_netcdf_name = "tessera_open_netcdf";
using OpenNetcdf = NetcdfFile* (*)(std::filesystem::path const& path);

/// Loads the module. Throws BadInput if this build has none, or if the file cannot be read.
std::unique_ptr<NetcdfFile> open_netcdf(std::filesystem::path const& path);

}  // namespace tessera
