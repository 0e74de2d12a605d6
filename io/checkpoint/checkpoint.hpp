// SPDX-License-Identifier: MIT
// All that a run needs to resume, in one HDF5 file: the populations of each block and what its
// boundaries remember, arrays by name, and a text in JSON. docs/checkpoints.md describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/storage.hpp"
#include "io/checkpoint/checkpoint_part.hpp"
#include "io/json_fwd.hpp"

namespace tessera {

/// Writes a checkpoint; an older one under its name stays until this one is complete. All functions
/// throw EnvironmentError if writing fails.
class CheckpointWriter {
 public:
  /// `values`: number of all populations together, in the type that they are stored in.
  CheckpointWriter(std::filesystem::path const& path, Precision precision, std::int64_t values,
                   std::int32_t blocks);
  ~CheckpointWriter();
  CheckpointWriter(CheckpointWriter const&) = delete;
  CheckpointWriter& operator=(CheckpointWriter const&) = delete;

  /// Adds a block. Blocks come in any order, each once; blocks without nodes may be left out.
  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered);
  /// More values of the block that was added last.
  void add_to_block(std::span<std::byte const> populations);
  /// The place where other processes, and this one, may write blocks instead (CheckpointPart), one
  /// behind the other and from the first value on.
  CheckpointPlace place();
  /// Adds the blocks that processes have written at place(), in the order of their places.
  void add_written(WrittenBlocks const& blocks);
  void add_array(std::string const& name, std::span<float const> values);
  void add_array(std::string const& name, std::span<double const> values);
  /// Begins an array of so many values, which come in pieces (add_to_array()), one behind the
  /// other.
  template <class Value>
  void begin_array(std::string const& name, std::int64_t values);
  /// Adds a piece to the array that was begun last.
  template <class Value>
  void add_to_array(std::span<Value const> piece);
  /// Adds the text, as the last item, and puts the file in place.
  void commit(Json const& text);

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// Reads a complete checkpoint. All functions throw BadInput "FILE: ..." if it does not have what
/// is requested.
class CheckpointReader {
 public:
  /// Reads the whole file once, for its checksum.
  explicit CheckpointReader(std::filesystem::path const& path);
  ~CheckpointReader();
  CheckpointReader(CheckpointReader const&) = delete;
  CheckpointReader& operator=(CheckpointReader const&) = delete;

  std::filesystem::path const& path() const;
  /// The seal, which identifies the checkpoint.
  std::string const& seal() const;
  Json const& text() const;
  /// Fills `populations`, which must be as many bytes as have been added.
  void read_block(std::int32_t block, std::span<std::byte> populations) const;
  /// Fills `populations` from byte `at` of the block on, which must be `whole` bytes long.
  void read_part(std::int32_t block, std::size_t whole, std::size_t at,
                 std::span<std::byte> populations) const;
  std::span<double const> remembered(std::int32_t block) const;
  /// An array by its name; empty if there is none.
  std::vector<float> floats(std::string const& name) const;
  std::vector<double> doubles(std::string const& name) const;
  /// Number of values of an array; 0 if there is none of this name.
  std::int64_t values_in(std::string const& name) const;
  /// Fills `values` from value `begin` of an array on; the array must be long enough.
  template <class Value>
  void read_array(std::string const& name, std::int64_t begin, std::span<Value> values) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace tessera
