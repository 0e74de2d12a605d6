// SPDX-License-Identifier: MIT
#include "run/console/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"
#include "base/settings.hpp"
#include "io/atomic_file.hpp"
#include "io/fields/field_files.hpp"
#include "io/part_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Why no folder can have this name.
std::error_code why_no_name(fs::path const& folder) {
  bool const part_too_long = std::ranges::any_of(
      folder, [](fs::path const& part) { return part.native().size() > NAME_MAX; });
  if (part_too_long || folder.native().size() >= PATH_MAX)
    return std::make_error_code(std::errc::filename_too_long);
  std::error_code error;
  static_cast<void>(fs::status(folder, error));
  return error == std::errc::too_many_symbolic_link_levels ? error : std::error_code();
}

fs::path make_folder(std::string const& option, std::string const& out) {
  fs::path folder(out);
  if (auto const why = why_no_name(folder)) {
    throw BadInput(
        fmt::format("{} {}: {}: expected the name of a folder", option, out, why.message()));
  }
  std::error_code error, ignored;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, ignored)) {
    throw EnvironmentError(fmt::format("{} {}: cannot make this folder ({})", option, out,
                                       error ? error.message() : "a file is there"));
  }
  return folder;
}

/// The lock ends with the process, however it ends. None, -1, where the file system has no locks.
int lock_folder(fs::path const& folder) {
  int const descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  bool const taken = errno == EWOULDBLOCK;
  close(descriptor);
  if (taken) {
    throw BadInput(
        fmt::format("{} {}: another run is writing to this folder: expected one of its own",
                    setting_name("out"), folder.string()));
  }
  return -1;
}

void try_folder(fs::path const& folder, char const* file) {
  remove_dead_parts(folder);
  check_writable(folder / file);
}

}  // namespace

fs::path prepare_folder(std::string const& option, std::string const& out, char const* file) {
  fs::path folder = make_folder(option, out);
  try_folder(folder, file);
  return folder;
}

bool is_name_of_fields(std::string_view name) {
  std::size_t const dot = name.rfind('.');
  if (dot == std::string_view::npos || !named(field_format_names, name.substr(dot + 1)))
    return false;
  name = name.substr(0, dot);
  if (name == "fields" || name == "averages") return true;
  constexpr std::string_view begin = "fields-";
  if (!name.starts_with(begin)) return false;
  name.remove_prefix(begin.size());
  if (name == "x" || name == "y" || name == "z") return true;
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

void remove_old_fields(fs::path const& folder) {
  for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
    std::error_code ignored;  // what is in the place of a file is said when that is written
    if (is_name_of_fields(entry.path().filename().string())) fs::remove(entry.path(), ignored);
  }
}

OutputFolder::OutputFolder(std::string const& out) : path_(out) {
  std::error_code ignored;
  is_new_ = Ranks::is_root() && !fs::exists(path_, ignored);
  if (Ranks::is_root()) take();
  // Before the others write into it: else it would seem to have been there.
  Ranks::broadcast_number(0);
}

void OutputFolder::take() {
  make_folder(setting_name("out"), path_.string());
  lock_ = lock_folder(path_);
  try {
    try_folder(path_, "results.json");
  } catch (...) {
    discard();
    if (lock_ >= 0) close(lock_);
    throw;
  }
}

OutputFolder::~OutputFolder() {
  if (lock_ >= 0) close(lock_);
}

void OutputFolder::discard(BadInput const& error) const {
  // Whoever still works may write into it, or make it again.
  if (dynamic_cast<BadInputOfAll const*>(&error) != nullptr) Ranks::any(false);
  discard();
}

void OutputFolder::discard() const {
  std::error_code ignored;
  if (is_new_) fs::remove_all(path_, ignored);
}

}  // namespace tessera
