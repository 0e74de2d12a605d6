// SPDX-License-Identifier: MIT
#include "permeability/flows/solver_choice.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

constexpr std::int64_t giga = 1'000'000'000;

unsigned gpus_for(std::int64_t nodes, unsigned gpus, std::int64_t gpu_bytes) {
  return gpus_to_solve_on(nodes, Precision::single_precision, gpus, gpu_bytes);
}

TEST(SolverChoice, TakesTheGpusThatTheMemoryNeeds) {
  EXPECT_EQ(gpus_for(300'000'000, 4, 130 * giga), 4U);  // worth them
  EXPECT_EQ(gpus_for(1'000'000'000, 2, 130 * giga), 0U);
  EXPECT_EQ(gpus_for(1'000'000'000, 3, 130 * giga), 3U);
  // 0.38 GB on cards of 0.2: the second one is needed before it is worth it.
  EXPECT_EQ(gpus_for(1'000'000, 4, giga / 5), 2U);
}

TEST(SolverChoice, SmallFlowsKeepToOneGpu) {
  EXPECT_EQ(gpus_for(100'000, 4, 130 * giga), 1U);
  EXPECT_EQ(gpus_for(7'900'000, 4, 130 * giga), 1U);
  EXPECT_EQ(gpus_for(14'000'000, 4, 130 * giga), 3U);
  EXPECT_EQ(gpus_for(14'000'000, 2, 130 * giga), 2U);
}

TEST(SolverChoice, ProcessesNeedLessEach) {
  auto const each = [](std::int64_t nodes, int processes) {
    return gpus_to_solve_on(nodes, Precision::single_precision, 2, 130 * giga, processes);
  };
  EXPECT_EQ(each(14'000'000, 1), 2U);
  EXPECT_EQ(each(14'000'000, 2), 1U);
  EXPECT_EQ(each(1'000'000'000, 1), 0U);
  EXPECT_EQ(each(1'000'000'000, 2), 2U);
}

TEST(SolverChoice, WithoutGpusThereIsNothingToTake) {
  EXPECT_EQ(gpus_for(100'000, 0, 130 * giga), 0U);
  EXPECT_EQ(gpus_for(100'000, 1, 0), 0U);
}

}  // namespace
}  // namespace tessera
