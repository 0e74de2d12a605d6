// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/hdf5_handle.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// In the file, and in memory on machines of this byte order.
template <class Value>
hid_t type_of();
template <>
hid_t type_of<char>() {
  return H5T_STD_U8LE;
}
template <>
hid_t type_of<std::int64_t>() {
  return H5T_STD_I64LE;
}
template <>
hid_t type_of<float>() {
  return H5T_IEEE_F32LE;
}
template <>
hid_t type_of<double>() {
  return H5T_IEEE_F64LE;
}

constexpr std::array all_precisions{Precision::single_precision, Precision::double_precision,
                                    Precision::half_storage};

hid_t type_of_populations(Precision precision) {
  switch (precision) {
    case Precision::single_precision:
      return H5T_IEEE_F32LE;
    case Precision::double_precision:
      return H5T_IEEE_F64LE;
    case Precision::half_storage:
      break;
  }
  return H5T_STD_U16LE;  // Half, which is scaled
}

Hdf5Handle line_of(hsize_t values) {
  return {H5Screate_simple(1, &values, nullptr), H5Sclose, "make a data space"};
}

/// With its place in the file.
Hdf5Handle make_array(hid_t file, std::string const& name, hid_t type, hsize_t values) {
  Hdf5Handle const layout{H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list"};
  // A state has the same bytes, whenever it is written.
  hdf5_checked(H5Pset_obj_track_times(layout, false), "set a property");
  hdf5_checked(H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER), "set a property");
  hdf5_checked(H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY), "set a property");
  Hdf5Handle const links{H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_create_intermediate_group(links, 1), "set a property");
  return {H5Dcreate2(file, name.c_str(), type, line_of(values), links, layout, H5P_DEFAULT),
          H5Dclose, "make a data set"};
}

/// A part of an array of one dimension, and as much memory.
struct Part {
  Hdf5Handle in_file;
  Hdf5Handle in_memory;
  Part(hid_t dataset, hsize_t begin, hsize_t count)
      : in_file(H5Dget_space(dataset), H5Sclose, "read a data space"), in_memory(line_of(count)) {
    hdf5_checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &begin, nullptr, &count, nullptr),
                 "select a part of a data set");
  }
};

/// A file with room for the seal.
Hdf5Handle make_file(fs::path const& path) {
  Hdf5Handle const layout{H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_userblock(layout, seal_bytes), "set a property");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout, H5P_DEFAULT), H5Fclose, "create the file"};
}

std::uint64_t size_of(hid_t dataset) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "read it"};
  return static_cast<std::uint64_t>(hdf5_checked(H5Sget_simple_extent_npoints(space), "read it"));
}

bool is_of(hid_t dataset, hid_t type) {
  Hdf5Handle const found{H5Dget_type(dataset), H5Tclose, "read it"};
  return hdf5_checked(H5Tequal(found, type), "read it") > 0;
}

/// Parts of an array by block, one behind the other.
struct Index {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> counts;

  explicit Index(std::size_t blocks = 0) : begins(blocks), counts(blocks) {}

  /// Whether all parts lie within so many values.
  bool fits(std::uint64_t values) const {
    if (begins.size() != counts.size()) return false;
    for (std::size_t b = 0; b < begins.size(); ++b) {
      if (begins[b] < 0 || counts[b] < 0 || static_cast<std::uint64_t>(begins[b]) > values ||
          static_cast<std::uint64_t>(counts[b]) > values - static_cast<std::uint64_t>(begins[b]))
        return false;
    }
    return true;
  }
};

}  // namespace

class CheckpointWriter::File {
 public:
  File(fs::path const& path, Precision precision, std::int64_t values, std::int32_t blocks)
      : path_(path),
        target_(path),
        value_bytes_(bytes_of(precision)),
        type_(type_of_populations(precision)),
        populations_index_(static_cast<std::size_t>(blocks)),
        remembered_index_(static_cast<std::size_t>(blocks)) {
    guarded([&] {
      file_.emplace(make_file(target_.temporary_path()));
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
      Hdf5Handle dataset = make_array(*file_, name, type_of<Value>(), values.size());
      if (!values.empty()) {
        hdf5_checked(
            H5Dwrite(dataset, type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            "write a data set");
      }
      dataset.close("close a data set");
    });
  }

  template <class Value>
  void begin_array(std::string const& name, std::int64_t values) {
    guarded([&] {
      end_array();
      array_.emplace(make_array(*file_, name, type_of<Value>(), static_cast<hsize_t>(values)));
      array_written_ = 0;
    });
  }

  template <class Value>
  void add_to_array(std::span<Value const> piece) {
    if (piece.empty()) return;
    guarded([&] {
      Part const part(*array_, array_written_, piece.size());
      hdf5_checked(H5Dwrite(*array_, type_of<Value>(), part.in_memory, part.in_file, H5P_DEFAULT,
                            piece.data()),
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
  /// That comes in pieces, if there is one.
  void end_array() {
    if (array_) array_->close("close a data set");
    array_.reset();
  }

  void add_index(std::string const& name, Index const& index) {
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
  std::optional<CheckpointPart> own_;  ///< of this process alone
  SummedPart sum_;                     ///< of the populations
  Index populations_index_;
  std::vector<double> remembered_;
  Index remembered_index_;
  std::optional<Hdf5Handle> array_;  ///< that comes in pieces
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

class CheckpointReader::File {
 public:
  /// Nothing but a file with the right seal gets near HDF5.
  explicit File(fs::path path)
      : path_(std::move(path)), seal_(check_seal(path_)), file_bytes_(fs::file_size(path_)) {
    guarded([&] {
      file_.emplace(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it");
      populations_.emplace(H5Dopen2(*file_, "populations", H5P_DEFAULT), H5Dclose, "read it");
      auto const* const precision = std::ranges::find_if(all_precisions, [&](Precision candidate) {
        return is_of(*populations_, type_of_populations(candidate));
      });
      if (precision == all_precisions.end()) refuse("'populations' are of no type that is known");
      type_ = type_of_populations(*precision);
      value_bytes_ = bytes_of(*precision);
    });
    populations_index_ = index("populations", size_of(*populations_));
    remembered_ = array<double>("remembered");
    remembered_index_ = index("remembered", remembered_.size());
    if (remembered_index_.begins.size() != populations_index_.begins.size())
      refuse("'remembered' has another number of blocks");
    auto const letters = array<char>("text");
    text_ = Json::parse(letters.begin(), letters.end(), nullptr, false);
    if (!text_.is_object()) refuse("'text' is no JSON object");
  }

  fs::path const& path() const { return path_; }
  std::string const& seal() const { return seal_; }
  Json const& text() const { return text_; }

  void read_part(std::int32_t block, std::size_t whole, std::size_t at,
                 std::span<std::byte> populations) const {
    auto const b = static_cast<std::size_t>(block);
    if (b >= populations_index_.begins.size() ||
        whole != static_cast<std::size_t>(populations_index_.counts[b]) * value_bytes_)
      refuse("of another geometry");
    if (populations.empty()) return;
    guarded([&] {
      Part const part(*populations_,
                      static_cast<hsize_t>(populations_index_.begins[b]) + at / value_bytes_,
                      populations.size() / value_bytes_);
      hdf5_checked(H5Dread(*populations_, type_, part.in_memory, part.in_file, H5P_DEFAULT,
                           populations.data()),
                   "read it");
    });
  }

  std::span<double const> remembered(std::int32_t block) const {
    auto const b = static_cast<std::size_t>(block);
    if (b >= remembered_index_.begins.size()) refuse("of another geometry");
    return std::span(remembered_)
        .subspan(static_cast<std::size_t>(remembered_index_.begins[b]),
                 static_cast<std::size_t>(remembered_index_.counts[b]));
  }

  template <class Value>
  std::vector<Value> array(std::string const& name) const {
    std::vector<Value> values;
    guarded([&] {
      Hdf5Handle const dataset = open(name);
      std::uint64_t const size = size_of(dataset);
      // Nothing is packed: what a file holds is no larger than the file.
      if (!is_of(dataset, type_of<Value>()) || size > file_bytes_ / sizeof(Value))
        refuse(fmt::format("'{}' is of another type or size", name));
      values.resize(size);
      hdf5_checked(H5Dread(dataset, type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                   "read it");
    });
    return values;
  }

  template <class Value>
  std::vector<Value> array_if_there(std::string const& name) const {
    return has_array(name) ? array<Value>("arrays/" + name) : std::vector<Value>{};
  }

  std::int64_t values_in(std::string const& name) const {
    std::int64_t values = 0;
    if (has_array(name))
      guarded([&] { values = static_cast<std::int64_t>(size_of(open("arrays/" + name))); });
    return values;
  }

  template <class Value>
  void read_array(std::string const& name, std::int64_t begin, std::span<Value> values) const {
    if (values.empty()) return;
    guarded([&] {
      Hdf5Handle const dataset = open("arrays/" + name);
      if (!is_of(dataset, type_of<Value>()) ||
          static_cast<std::uint64_t>(begin) + values.size() > size_of(dataset))
        refuse(fmt::format("'arrays/{}' is of another type or size", name));
      Part const part(dataset, static_cast<hsize_t>(begin), values.size());
      hdf5_checked(H5Dread(dataset, type_of<Value>(), part.in_memory, part.in_file, H5P_DEFAULT,
                           values.data()),
                   "read it");
    });
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw BadInput(fmt::format("{}: {}: expected a checkpoint of this flow", path_.string(), what));
  }

  template <class Call>
  void guarded(Call&& call) const {
    errno = 0;
    try {
      call();
    } catch (EnvironmentError const& error) {
      refuse(error.what());
    }
  }

  Hdf5Handle open(std::string const& name) const {
    return {H5Dopen2(*file_, name.c_str(), H5P_DEFAULT), H5Dclose, "read it"};
  }

  bool has_array(std::string const& name) const {
    return H5Lexists(*file_, "arrays", H5P_DEFAULT) > 0 &&
           H5Lexists(*file_, ("arrays/" + name).c_str(), H5P_DEFAULT) > 0;
  }

  Index index(std::string const& name, std::uint64_t values) const {
    Index found;
    found.begins = array<std::int64_t>(name + "-begin");
    found.counts = array<std::int64_t>(name + "-count");
    if (!found.fits(values)) refuse(fmt::format("parts of '{}' lie outside of it", name));
    return found;
  }

  fs::path path_;
  std::string seal_;
  std::uint64_t file_bytes_;
  QuietHdf5 quiet_;
  std::optional<Hdf5Handle> file_;
  std::optional<Hdf5Handle> populations_;
  hid_t type_ = H5I_INVALID_HID;
  std::size_t value_bytes_ = 0;
  Index populations_index_;
  std::vector<double> remembered_;
  Index remembered_index_;
  Json text_;
};

CheckpointReader::CheckpointReader(fs::path const& path) : file_(std::make_unique<File>(path)) {}
CheckpointReader::~CheckpointReader() = default;
fs::path const& CheckpointReader::path() const { return file_->path(); }
std::string const& CheckpointReader::seal() const { return file_->seal(); }
Json const& CheckpointReader::text() const { return file_->text(); }
void CheckpointReader::read_block(std::int32_t block, std::span<std::byte> populations) const {
  file_->read_part(block, populations.size(), 0, populations);
}
void CheckpointReader::read_part(std::int32_t block, std::size_t whole, std::size_t at,
                                 std::span<std::byte> populations) const {
  file_->read_part(block, whole, at, populations);
}
std::span<double const> CheckpointReader::remembered(std::int32_t block) const {
  return file_->remembered(block);
}
std::vector<float> CheckpointReader::floats(std::string const& name) const {
  return file_->array_if_there<float>(name);
}
std::vector<double> CheckpointReader::doubles(std::string const& name) const {
  return file_->array_if_there<double>(name);
}
std::int64_t CheckpointReader::values_in(std::string const& name) const {
  return file_->values_in(name);
}
template <class Value>
void CheckpointReader::read_array(std::string const& name, std::int64_t begin,
                                  std::span<Value> values) const {
  file_->read_array(name, begin, values);
}
template void CheckpointReader::read_array(std::string const&, std::int64_t,
                                           std::span<float>) const;
template void CheckpointReader::read_array(std::string const&, std::int64_t,
                                           std::span<double>) const;

}  // namespace tessera
