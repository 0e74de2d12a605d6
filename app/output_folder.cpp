// SPDX-License-Identifier: MIT
#include "app/output_folder.hpp"

#include <fmt/format.h>

#include <system_error>

#include "io/atomic_file.hpp"
#include "lattice/errors.hpp"

namespace tessera {

std::filesystem::path prepare_folder(char const* option, std::string const& out, char const* file) {
  std::filesystem::path folder(out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw EnvironmentError(fmt::format("{} {}: cannot make this folder ({})", option, out,
                                       error ? error.message() : "a file is there"));
  }
  AtomicFile const probe(folder / file);
  return folder;
}

OutputFolder::OutputFolder(std::string const& out)
    : is_new_(!std::filesystem::exists(out)), path_(prepare_folder("--out", out, "results.json")) {}

void OutputFolder::discard() const {
  if (is_new_) std::filesystem::remove_all(path_);
}

}  // namespace tessera
