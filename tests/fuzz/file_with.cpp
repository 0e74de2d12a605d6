// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/fuzz/target.hpp"

namespace tessera::fuzz {
namespace {

namespace fs = std::filesystem;

/// In memory where that is possible: files come and go by the thousand.
class Folder {
 public:
  Folder() {
    std::error_code ignored;
    fs::path const memory = "/dev/shm";
    fs::path const place = fs::is_directory(memory, ignored) ? memory : fs::temp_directory_path();
    std::string name = (place / "tessera-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw EnvironmentError("cannot make " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

bool shows_answers() {
  static bool const shows = std::getenv("TESSERA_FUZZ_SHOW") != nullptr;
  return shows;
}

fs::path file_with(std::string_view bytes, std::string const& name) {
  static Folder const folder;
  fs::path const path = folder.path() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace tessera::fuzz
