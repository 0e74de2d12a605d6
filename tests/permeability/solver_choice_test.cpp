// SPDX-License-Identifier: MIT
#include "permeability/flows/solver_choice.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

constexpr std::int64_t giga = 1'000'000'000;

unsigned gpus_for(std::int64_t nodes, SolverRoom const& room, std::int64_t flows = 1) {
  std::int64_t const bytes = bytes_to_solve(nodes, Precision::single_precision, room.processes);
  return gpus_to_solve_on(nodes, bytes, room, flows);
}
SolverRoom room_on(unsigned gpus, std::int64_t gpu_bytes = 130 * giga, int processes = 1) {
  return {.processes = processes, .gpus = gpus, .gpu_bytes = gpu_bytes};
}

TEST(SolverChoice, TakesTheGpusThatTheMemoryNeeds) {
  EXPECT_EQ(gpus_for(300'000'000, room_on(4)), 4U);  // worth them
  EXPECT_EQ(gpus_for(1'000'000'000, room_on(2)), 0U);
  EXPECT_EQ(gpus_for(1'000'000'000, room_on(3)), 3U);
  // 0.38 GB on cards of 0.2: the second one is needed before it is worth it.
  EXPECT_EQ(gpus_for(1'000'000, room_on(4, giga / 5)), 2U);
}

TEST(SolverChoice, FlowsThatTakeLessThanTheStartOfAGpuKeepToOne) {
  EXPECT_EQ(gpus_for(100'000, room_on(4)), 1U);
  EXPECT_EQ(gpus_for(14'000'000, room_on(4)), 1U);
  EXPECT_EQ(gpus_for(14'000'000, room_on(4), 3), 1U);
  EXPECT_EQ(gpus_for(109'000'000, room_on(4)), 2U);
  EXPECT_EQ(gpus_for(109'000'000, room_on(8), 3), 7U);
}

TEST(SolverChoice, TakesAllThatAreAskedFor) {
  SolverRoom room = room_on(3);
  room.gpus_are_asked_for = true;
  EXPECT_EQ(gpus_for(100'000, room), 3U);
  EXPECT_EQ(gpus_for(2'000'000'000, room), 0U);  // too many nodes for them
}

TEST(SolverChoice, ProcessesNeedLessEach) {
  EXPECT_EQ(gpus_for(109'000'000, room_on(2)), 2U);
  EXPECT_EQ(gpus_for(109'000'000, room_on(2, 130 * giga, 2)), 1U);
  EXPECT_EQ(gpus_for(1'000'000'000, room_on(2)), 0U);
  EXPECT_EQ(gpus_for(1'000'000'000, room_on(2, 130 * giga, 2)), 2U);
}

TEST(SolverChoice, WithoutGpusThereIsNothingToTake) {
  EXPECT_EQ(gpus_for(100'000, room_on(0)), 0U);
  EXPECT_EQ(gpus_for(100'000, room_on(1, 0)), 0U);
}

}  // namespace
}  // namespace tessera
