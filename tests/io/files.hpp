// SPDX-License-Identifier: MIT
// Small files made by hand, for the tests of readers and writers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/errors.hpp"
#include "tests/io/images/number_bytes.hpp"

namespace tessera::test {

/// A fresh folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw EnvironmentError("cannot make " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  std::filesystem::path write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(std::filesystem::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// How often `what` stands in the text.
inline std::size_t count(std::string_view text, std::string_view what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    ++times;
  return times;
}

/// The message of the `Error` that `action` throws; a failure of the test if it throws none.
template <typename Error, typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (Error const& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace tessera::test

/// Expects BadInput whose message contains `part`, on one line.
#define EXPECT_BAD_INPUT(statement, part)                                             \
  do {                                                                                \
    std::string const message =                                                       \
        ::tessera::test::message_of<::tessera::BadInput>([&] { (void)(statement); }); \
    EXPECT_NE(message.find(part), std::string::npos) << message;                      \
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;                      \
  } while (false)
