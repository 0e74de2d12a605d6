// SPDX-License-Identifier: MIT
#include "graph/worker_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

TEST(WorkerTeam, SharesItsWorkAndThrowsWhatItThrows) {
  Runtime const runtime("eager", 2, 0);
  WorkerTeam team;
  ASSERT_EQ(team.members(), 2);
  std::vector<std::atomic<int>> calls(2);
  team.run("count", [&] {
    for (int round = 0; round < 3; ++round)
      team.share([&](int member) { ++calls[static_cast<std::size_t>(member)]; });
  });
  EXPECT_EQ(calls[0], 3);
  EXPECT_EQ(calls[1], 3);
  EXPECT_THROW(team.run("fail", [] { throw std::runtime_error("no such luck"); }),
               std::runtime_error);
}

TEST(WorkBeside, IsDoneOnceItHasFinished) {
  Runtime const runtime("eager", 2, 0);
  std::atomic<bool> is_done = false;
  WorkBeside first("beside", [&] { is_done = true; });
  first.finish();
  EXPECT_TRUE(is_done);
}

TEST(WorkBeside, ThrowsWhatItsWorkThrew) {
  Runtime const runtime("eager", 1, 0);
  WorkBeside failing("beside", [] { throw std::runtime_error("no such luck"); });
  EXPECT_THROW(failing.finish(), std::runtime_error);
}

}  // namespace
}  // namespace tessera
