// SPDX-License-Identifier: MIT
#include "base/ranks/rank_watch.hpp"

namespace tessera {

class RankWatch::Thread {};

RankWatch::RankWatch(double, std::vector<std::string>, std::function<void(std::string const&)>) {}
RankWatch::~RankWatch() = default;

}  // namespace tessera
