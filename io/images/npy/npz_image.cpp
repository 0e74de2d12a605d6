// SPDX-License-Identifier: MIT
// NumPy archives (.npz): zip files of arrays, of which one is the image.
#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/npy/npy_array.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// An archive and the one entry of it that is being read.
class NpzEntry {
 public:
  NpzEntry(fs::path const& path, std::string const& array) : path_(path) {
    int error = 0;
    // An array is told by its name, which stands in two places: they have to be the same.
    archive_.reset(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (error == ZIP_ER_EXISTS)
      throw BadInput(fmt::format("{}: several arrays of one name in it", path.string()));
    if (!archive_) {
      zip_error_t reason;
      zip_error_init_with_code(&reason, error);
      std::string const text = zip_error_strerror(&reason);
      zip_error_fini(&reason);
      throw BadInput(fmt::format("{}: not a readable zip archive ({})", path.string(), text));
    }
    auto const index = index_of_image(array);
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive_.get(), index, 0, &status) != 0 ||
        (status.valid & ZIP_STAT_SIZE) == 0)
      fail();
    size_ = status.size;
    name_ = fs::path(fmt::format("{}[{}]", path.string(), status.name));
    entry_.reset(zip_fopen_index(archive_.get(), index, 0));
    if (!entry_) fail();
  }

  std::uintmax_t size() const { return size_; }
  fs::path const& name() const { return name_; }

  void read(void* to, std::size_t bytes) {
    auto* cursor = static_cast<std::uint8_t*>(to);
    while (bytes > 0) {
      std::int64_t const got = zip_fread(entry_.get(), cursor, bytes);
      if (got <= 0) fail();
      cursor += got;
      bytes -= static_cast<std::size_t>(got);
    }
  }

  /// libzip compares the checksum only when it meets the end of the entry.
  void require_end() {
    std::uint8_t beyond = 0;
    if (zip_fread(entry_.get(), &beyond, 1) != 0) fail();
  }

 private:
  std::uint64_t index_of_image(std::string const& array) const {
    std::vector<std::string> names;
    std::vector<std::uint64_t> indices;
    auto const entries = static_cast<std::uint64_t>(zip_get_num_entries(archive_.get(), 0));
    for (std::uint64_t index = 0; index < entries; ++index) {
      char const* const name = zip_get_name(archive_.get(), index, 0);
      std::string_view const entry = name == nullptr ? "" : name;
      if (!entry.ends_with(".npy")) continue;
      names.emplace_back(entry.substr(0, entry.size() - 4));
      indices.push_back(index);
    }
    if (names.size() == 1 && array.empty()) return indices.front();
    auto const im = std::ranges::find(names, array.empty() ? "im" : array);
    if (im != names.end()) return indices[static_cast<std::size_t>(im - names.begin())];
    if (names.empty())
      throw BadInput(
          fmt::format("{}: a zip archive without NumPy arrays; unpack it first", path_.string()));
    throw BadInput(fmt::format("{}: one array{} was expected, but it holds {}", path_.string(),
                               array.empty() ? ", or one named im," : " named " + array,
                               printable(joined(names, ", "))));
  }

  [[noreturn]] void fail() const {
    char const* const reason =
        entry_ ? zip_file_strerror(entry_.get()) : zip_strerror(archive_.get());
    throw BadInput(
        fmt::format("{}: truncated or damaged zip archive ({})", path_.string(), reason));
  }

  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
  };
  fs::path path_;
  fs::path name_;
  std::uintmax_t size_ = 0;
  std::unique_ptr<zip_t, Discard> archive_;
  std::unique_ptr<zip_file_t, Discard> entry_;
};

}  // namespace

Image read_npz_image(fs::path const& path, std::string const& array, std::optional<Int3> shape) {
  NpzEntry entry(path, array);
  ByteSource const source = [&](void* to, std::size_t bytes) { entry.read(to, bytes); };
  Image image = read_npy_array({source, {}}, entry.size(), shape, entry.name());
  entry.require_end();
  image.format = "zipped " + image.format;
  return image;
}

}  // namespace tessera
