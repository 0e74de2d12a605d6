// SPDX-License-Identifier: MIT
// Where results go.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

/// Makes the folder that an option names and sees that `file` can be written to it, before hours go
/// by. Throws EnvironmentError.
std::filesystem::path prepare_folder(char const* option, std::string const& out, char const* file);

/// The folder of `--out`.
class OutputFolder {
 public:
  /// As prepare_folder(), for results.json.
  explicit OutputFolder(std::string const& out);
  std::filesystem::path const& path() const { return path_; }
  /// Bad input leaves nothing behind: removes it with all that is in it, if it was not there
  /// before.
  void discard() const;

 private:
  bool is_new_;
  std::filesystem::path path_;
};

}  // namespace tessera
