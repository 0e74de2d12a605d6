// SPDX-License-Identifier: MIT
// All that a run needs to go on later, in one HDF5 file: the populations of each block and what its
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

/// A checkpoint in the making; an older one under its name stays until this one is complete. All
/// functions throw EnvironmentError if the disk does not take it.
class CheckpointWriter {
 public:
  /// values: of all populations together, of the type that they are stored in.
  CheckpointWriter(std::filesystem::path const& path, Precision precision, std::int64_t values,
                   std::int32_t blocks);
  ~CheckpointWriter();
  CheckpointWriter(CheckpointWriter const&) = delete;
  CheckpointWriter& operator=(CheckpointWriter const&) = delete;

  /// Blocks in any order, each once; those without nodes may be left out.
  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered);
  /// More values of the block that was added last.
  void add_to_block(std::span<std::byte const> populations);
  /// Where other processes, and this one, may write blocks instead (CheckpointPart), one behind the
  /// other and from the first value on.
  CheckpointPlace place();
  /// What they have written, in that order.
  void add_written(WrittenBlocks const& blocks);
  void add_array(std::string const& name, std::span<float const> values);
  void add_array(std::string const& name, std::span<double const> values);
  /// An array of so many values that come in pieces (add_to_array()), one behind the other.
  template <class Value>
  void begin_array(std::string const& name, std::int64_t values);
  /// Of the array that was begun last.
  template <class Value>
  void add_to_array(std::span<Value const> piece);
  /// The last to be added; then the file is in place.
  void commit(Json const& text);

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// A complete one, as it was written. All functions throw BadInput "FILE: ..." if it does not hold
/// what is asked for.
class CheckpointReader {
 public:
  /// Reads the whole file once, for its checksum.
  explicit CheckpointReader(std::filesystem::path const& path);
  ~CheckpointReader();
  CheckpointReader(CheckpointReader const&) = delete;
  CheckpointReader& operator=(CheckpointReader const&) = delete;

  std::filesystem::path const& path() const;
  /// What tells it from others.
  std::string const& seal() const;
  Json const& text() const;
  /// Fills `populations`, which must be as many bytes as have been added.
  void read_block(std::int32_t block, std::span<std::byte> populations) const;
  /// Fills `populations` from byte `at` of the block on, which must be `whole` bytes long.
  void read_part(std::int32_t block, std::size_t whole, std::size_t at,
                 std::span<std::byte> populations) const;
  std::span<double const> remembered(std::int32_t block) const;
  /// Empty if there is none of this name.
  std::vector<float> floats(std::string const& name) const;
  std::vector<double> doubles(std::string const& name) const;
  /// How many values there are of this name; 0 if there is no such array.
  std::int64_t values_in(std::string const& name) const;
  /// Fills `values` from value `begin` of an array on, all of which must be there.
  template <class Value>
  void read_array(std::string const& name, std::int64_t begin, std::span<Value> values) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace tessera
