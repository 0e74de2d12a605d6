// SPDX-License-Identifier: MIT
#include "run/fields/shared_writing.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "io/json.hpp"

namespace tessera {

std::optional<MarkedFile> file_of_first(std::optional<MarkedFile> const& file) {
  Json said;
  if (file) said = {file->path.string(), file->mark};
  Json const heard = Json::parse(Ranks::all_gather(said.dump()).front());
  if (heard.is_null()) return std::nullopt;
  return MarkedFile{heard[0].get<std::string>(), heard[1]};
}

bool all_can_write_to(MarkedFile const& file) { return !Ranks::any(!can_write_to(file)); }

bool all_well(std::string const& why) {
  int rank = 0;
  for (std::string const& of_rank : Ranks::all_gather(why)) {
    if (!of_rank.empty()) {
      if (!Ranks::is_root()) return false;
      throw EnvironmentError(fmt::format("rank {}: {}", rank, of_rank));
    }
    ++rank;
  }
  return true;
}

}  // namespace tessera
