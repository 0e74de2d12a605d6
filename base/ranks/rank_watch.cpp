// SPDX-License-Identifier: MIT
#include "base/ranks/rank_watch.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/errors.hpp"

namespace tessera {

double RankWatch::limit_of_environment() {
  char const* const said = std::getenv("TESSERA_RANK_TIMEOUT");
  if (said == nullptr) return usual_limit;
  std::string_view const text(said);
  double seconds = -1;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0))
    throw BadInput(
        fmt::format("TESSERA_RANK_TIMEOUT={}: expected seconds, or 0 for no watch", said));
  return seconds;
}

RankWatch::Stepping::Stepping() { ++stepping; }
RankWatch::Stepping::~Stepping() { --stepping; }
RankWatch::Aside::Aside() { --stepping; }
RankWatch::Aside::~Aside() { ++stepping; }
RankWatch::AtLeisure::AtLeisure() { ++at_leisure; }
RankWatch::AtLeisure::~AtLeisure() { --at_leisure; }
void RankWatch::note_step() { ++steps; }

}  // namespace tessera
