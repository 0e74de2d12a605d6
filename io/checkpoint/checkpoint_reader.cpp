// SPDX-License-Identifier: MIT
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_arrays.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/hdf5_handle.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The precision that populations are stored in, if it is one of ours.
std::optional<Precision> stored_precision(hid_t populations) {
  for (int p = 0; p < precisions; ++p) {
    auto const precision = static_cast<Precision>(p);
    if (is_array_of(populations, hdf5_type_of_populations(precision))) return precision;
  }
  return std::nullopt;
}

}  // namespace

class CheckpointReader::File {
 public:
  /// Nothing but a file with the right seal gets near HDF5.
  explicit File(fs::path path)
      : path_(std::move(path)), seal_(check_seal(path_)), file_bytes_(fs::file_size(path_)) {
    guarded([&] {
      file_.emplace(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it");
      populations_.emplace(H5Dopen2(*file_, "populations", H5P_DEFAULT), H5Dclose, "read it");
      auto const precision = stored_precision(*populations_);
      if (!precision) refuse("'populations' are of no type that is known");
      type_ = hdf5_type_of_populations(*precision);
      value_bytes_ = bytes_of(*precision);
    });
    populations_index_ = index("populations", size_of_array(*populations_));
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
      ArrayPart const part(*populations_,
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
      std::uint64_t const size = size_of_array(dataset);
      // Nothing is packed: what a file holds is no larger than the file.
      if (!is_array_of(dataset, hdf5_type_of<Value>()) || size > file_bytes_ / sizeof(Value))
        refuse(fmt::format("'{}' is of another type or size", name));
      values.resize(size);
      hdf5_checked(
          H5Dread(dataset, hdf5_type_of<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
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
      guarded([&] { values = static_cast<std::int64_t>(size_of_array(open("arrays/" + name))); });
    return values;
  }

  template <class Value>
  void read_array(std::string const& name, std::int64_t begin, std::span<Value> values) const {
    if (values.empty()) return;
    guarded([&] {
      Hdf5Handle const dataset = open("arrays/" + name);
      if (!is_array_of(dataset, hdf5_type_of<Value>()) ||
          static_cast<std::uint64_t>(begin) + values.size() > size_of_array(dataset))
        refuse(fmt::format("'arrays/{}' is of another type or size", name));
      ArrayPart const part(dataset, static_cast<hsize_t>(begin), values.size());
      hdf5_checked(H5Dread(dataset, hdf5_type_of<Value>(), part.in_memory, part.in_file,
                           H5P_DEFAULT, values.data()),
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

  BlockIndex index(std::string const& name, std::uint64_t values) const {
    BlockIndex found;
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
  BlockIndex populations_index_;
  std::vector<double> remembered_;
  BlockIndex remembered_index_;
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
