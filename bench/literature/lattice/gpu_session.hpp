// SPDX-License-Identifier: MIT
// What all measurements on a GPU have in common: which GPU it is, what it copies, where the figures
// go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/literature/lattice/gpu_modes.hpp"

namespace tessera {

class GpuSession {
 public:
  /// Finds the GPU, prints what it is and measures what it copies. Throws EnvironmentError if there
  /// is none, BadInput if `bytes_needed` do not fit.
  GpuSession(std::string const& mode, GpuBenchOptions const& options, std::size_t bytes_needed);

  /// Device memory copied, GB/s read and written: the ceiling.
  double copy_gbs() const { return copy_gbs_; }
  /// Bytes of its second-level cache.
  std::size_t cache_bytes() const { return cache_bytes_; }

  /// Takes the figures of a row or of the whole to the file.
  void add_row(nlohmann::ordered_json row) { json_["rows"].push_back(std::move(row)); }
  void set(std::string const& name, nlohmann::ordered_json value) {
    json_[name] = std::move(value);
  }
  /// Writes the file, if one is wanted; returns the exit status.
  int finish();

 private:
  std::string file_;
  double copy_gbs_ = 0;
  std::size_t cache_bytes_ = 0;
  nlohmann::ordered_json json_;
};

}  // namespace tessera
