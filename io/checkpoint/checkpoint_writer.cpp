// SPDX-License-Identifier: MIT
#include <cerrno>
#include <optional>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_arrays.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/hdf5_handle.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

}  // namespace

class CheckpointWriter::File {
 public:
  File(fs::path const& path, Precision precision, std::int64_t values, std::int32_t blocks)
      : path_(path),
        target_(path),
        value_bytes_(bytes_of(precision)),
        type_(hdf5_type_of_populations(precision)),
        populations_index_(static_cast<std::size_t>(blocks)),
        remembered_index_(static_cast<std::size_t>(blocks)) {
    guarded([&] {
      file_.emplace(make_checkpoint_file(target_.temporary_path()));
      Hdf5Handle populations =
          make_array(*file_, "populations", type_, static_cast<hsize_t>(values));
      place_.file.path = target_.temporary_path();
      if (values > 0) place_.begin = H5Dget_offset(populations);
      if (place_.begin == HADDR_UNDEF) throw EnvironmentError("HDF5 gives the populations no room");
      populations.close("close a data set");
    });
  }

  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered) {
    guarded([&] {
      if (!own_) own_.emplace(place_, 0, value_bytes_);
      own_->add_block(block, populations, remembered);
    });
  }

  void add_to_block(std::span<std::byte const> populations) {
    guarded([&] { own_->add_to_block(populations); });
  }

  CheckpointPlace place() {
    // Where the seal will stand.
    if (place_.file.mark == 0) guarded([&] { place_.file = marked(place_.file.path); });
    return place_;
  }

  void add_written(WrittenBlocks const& blocks) {
    auto remembered = static_cast<std::int64_t>(remembered_.size());
    for (WrittenBlocks::Entry const& entry : blocks.entries) {
      auto const b = static_cast<std::size_t>(entry.block);
      populations_index_.begins[b] = entry.begin;
      populations_index_.counts[b] = entry.count;
      remembered_index_.begins[b] = remembered;
      remembered_index_.counts[b] = entry.remembered;
      remembered += entry.remembered;
    }
    remembered_.insert(remembered_.end(), blocks.remembered.begin(), blocks.remembered.end());
    sum_.sum.add(blocks.sum);
  }

  template <class Value>
  void add_array(std::string const& name, std::span<Value const> values) {
    guarded([&] {
      Hdf5Handle dataset = make_array(*file_, name, hdf5_type_of<Value>(), values.size());
      if (!values.empty()) {
        hdf5_checked(
            H5Dwrite(dataset, hdf5_type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            "write a data set");
      }
      dataset.close("close a data set");
    });
  }

  template <class Value>
  void begin_array(std::string const& name, std::int64_t values) {
    guarded([&] {
      end_array();
      array_.emplace(make_array(*file_, name, hdf5_type_of<Value>(), static_cast<hsize_t>(values)));
      array_written_ = 0;
    });
  }

  template <class Value>
  void add_to_array(std::span<Value const> piece) {
    if (piece.empty()) return;
    guarded([&] {
      ArrayPart const part(*array_, array_written_, piece.size());
      hdf5_checked(H5Dwrite(*array_, hdf5_type_of<Value>(), part.in_memory, part.in_file,
                            H5P_DEFAULT, piece.data()),
                   "write a data set");
      array_written_ += piece.size();
    });
  }

  void commit(Json const& text) {
    guarded([&] { end_array(); });
    if (own_) guarded([&] { add_written(own_->finish()); });
    add_index("populations", populations_index_);
    add_index("remembered", remembered_index_);
    add_array("remembered", std::span<double const>(remembered_));
    // Names that are no UTF-8 are not worth a run.
    std::string const letters = text.dump(-1, ' ', false, Json::error_handler_t::replace);
    add_array("text", std::span<char const>(letters));
    // One piece of the file, in the order of writing: it need not be read again for its checksum.
    if (place_.begin > 0) sum_.begin = place_.begin;
    guarded([&] {
      hdf5_checked(H5Fflush(*file_, H5F_SCOPE_GLOBAL), "write the file to the disk");
      file_->close("close the file");
    });
    seal_checkpoint(target_.temporary_path(), sum_);
    target_.commit();
  }

 private:
  /// Closes the array that comes in pieces, if there is one.
  void end_array() {
    if (array_) array_->close("close a data set");
    array_.reset();
  }

  void add_index(std::string const& name, BlockIndex const& index) {
    add_array(name + "-begin", std::span<std::int64_t const>(index.begins));
    add_array(name + "-count", std::span<std::int64_t const>(index.counts));
  }

  template <class Call>
  void guarded(Call&& call) {
    errno = 0;
    try {
      call();
    } catch (EnvironmentError const& error) {
      throw EnvironmentError(fmt::format("{}: {}", path_.string(), error.what()));
    }
  }

  fs::path path_;
  AtomicFile target_;
  QuietHdf5 quiet_;
  std::size_t value_bytes_;
  hid_t type_;
  std::optional<Hdf5Handle> file_;
  CheckpointPlace place_;
  std::optional<CheckpointPart> own_;  ///< the blocks that are added here
  SummedPart sum_;                     ///< checksum of the populations
  BlockIndex populations_index_;
  std::vector<double> remembered_;
  BlockIndex remembered_index_;
  std::optional<Hdf5Handle> array_;  ///< the one that comes in pieces
  hsize_t array_written_ = 0;
};

CheckpointWriter::CheckpointWriter(fs::path const& path, Precision precision, std::int64_t values,
                                   std::int32_t blocks)
    : file_(std::make_unique<File>(path, precision, values, blocks)) {}
CheckpointWriter::~CheckpointWriter() = default;
void CheckpointWriter::add_block(std::int32_t block, std::span<std::byte const> populations,
                                 std::span<double const> remembered) {
  file_->add_block(block, populations, remembered);
}
void CheckpointWriter::add_to_block(std::span<std::byte const> populations) {
  file_->add_to_block(populations);
}
CheckpointPlace CheckpointWriter::place() { return file_->place(); }
void CheckpointWriter::add_written(WrittenBlocks const& blocks) { file_->add_written(blocks); }
void CheckpointWriter::add_array(std::string const& name, std::span<float const> values) {
  file_->add_array("arrays/" + name, values);
}
void CheckpointWriter::add_array(std::string const& name, std::span<double const> values) {
  file_->add_array("arrays/" + name, values);
}
template <class Value>
void CheckpointWriter::begin_array(std::string const& name, std::int64_t values) {
  file_->begin_array<Value>("arrays/" + name, values);
}
template void CheckpointWriter::begin_array<float>(std::string const&, std::int64_t);
template void CheckpointWriter::begin_array<double>(std::string const&, std::int64_t);
template <class Value>
void CheckpointWriter::add_to_array(std::span<Value const> piece) {
  file_->add_to_array(piece);
}
template void CheckpointWriter::add_to_array(std::span<float const>);
template void CheckpointWriter::add_to_array(std::span<double const>);
void CheckpointWriter::commit(Json const& text) { file_->commit(text); }

}  // namespace tessera
