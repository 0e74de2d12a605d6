// SPDX-License-Identifier: MIT
// Where the real images are. They are not part of the project: a test that needs one is skipped
// without it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace tessera::test {

/// A file of the data folder: TESSERA_DATA of the environment if it is set, else the folder that
/// the build names in TESSERA_DEFAULT_DATA. Nothing if the file is not there.
inline std::optional<std::filesystem::path> data_file(std::string const& name) {
  std::filesystem::path folder;
#ifdef TESSERA_DEFAULT_DATA
  folder = TESSERA_DEFAULT_DATA;
#endif
  if (char const* const given = std::getenv("TESSERA_DATA")) folder = given;
  std::error_code ignored;
  std::filesystem::path path = folder / name;
  if (folder.empty() || !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace tessera::test

/// Declares `variable`, the path of a data file, or skips the test with a message.
// NOLINTBEGIN(bugprone-macro-parentheses): what is declared stands in none
#define TESSERA_DATA_OR_SKIP(variable, name)                                                    \
  auto const variable##_found = ::tessera::test::data_file(name);                               \
  if (!variable##_found) GTEST_SKIP() << "no " << (name) << ": set TESSERA_DATA to its folder"; \
  ::std::filesystem::path const& variable = *variable##_found
// NOLINTEND(bugprone-macro-parentheses)
