// SPDX-License-Identifier: MIT
// Where results go.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace tessera {

/// Makes the folder that an option names and sees that `file` can be written to it, before hours go
/// by; removes what runs that have died left half written there. Throws EnvironmentError.
std::filesystem::path prepare_folder(std::string const& option, std::string const& out,
                                     char const* file);

/// Whether a run gives such a name to the fields or means that it writes. Those of an earlier run
/// would stand beside results that are not theirs, and are removed; all else in a folder is the
/// user's.
bool is_name_of_fields(std::string_view name);
void remove_old_fields(std::filesystem::path const& folder);

/// The folder of `--out`: of one run at a time.
class OutputFolder {
 public:
  /// All: as prepare_folder(), for results.json. Throws BadInput if another run writes there; where
  /// a file system knows no locks, nobody can tell.
  explicit OutputFolder(std::string const& out);
  ~OutputFolder();
  OutputFolder(OutputFolder const&) = delete;
  OutputFolder& operator=(OutputFolder const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  /// Bad input leaves nothing behind: removes it with all that is in it, if it was not there
  /// before. All, where the input is bad for all: when none of them writes any more.
  void discard(BadInput const& error) const;
  /// This process, whatever the others do.
  void discard() const;

 private:
  void take();

  bool is_new_ = false;
  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor of the folder
};

}  // namespace tessera
