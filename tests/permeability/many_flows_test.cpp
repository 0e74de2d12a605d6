// SPDX-License-Identifier: MIT
#include "permeability/flows/many_flows.hpp"

#include <gtest/gtest.h>

#include "permeability/flows/solver_choice.hpp"

namespace tessera {
namespace {

constexpr std::int64_t gigabyte = 1'000'000'000;
constexpr Precision single = Precision::single_precision;

/// 16 cores and one GPU or none, with memory for everything.
FlowRoom room(unsigned gpus) {
  return {.cores = 16, .gpus = gpus, .gpu_bytes = 80 * gigabyte, .main_bytes = 100 * gigabyte};
}

TEST(FlowWorkers, EachCoreHasAFlowWhereThereAreEnough) {
  FlowWorkers const many = choose_flow_workers(200, 100'000, single, room(0));
  EXPECT_EQ(many.cores, 16U);
  EXPECT_EQ(many.threads, 1U);
  EXPECT_EQ(many.gpus, 0U);
  EXPECT_TRUE(many.cores_compute);
  FlowWorkers const few = choose_flow_workers(3, 100'000, single, room(0));
  EXPECT_EQ(few.cores, 3U);
  EXPECT_EQ(few.threads, 5U);
  FlowWorkers const one = choose_flow_workers(1, 100'000, single, room(0));
  EXPECT_EQ(one.cores, 1U);
  EXPECT_EQ(one.threads, 16U);
}

TEST(FlowWorkers, AsManyFlowsAsFitTheMemory) {
  FlowRoom small = room(0);
  small.main_bytes = 3 * bytes_to_solve(1'000'000, single) + 1;
  FlowWorkers const three = choose_flow_workers(200, 1'000'000, single, small);
  EXPECT_EQ(three.cores, 3U);
  EXPECT_EQ(three.threads, 5U);
}

TEST(FlowWorkers, SmallFlowsShareAGpuAndLargeOnesDoNot) {
  FlowWorkers const small = choose_flow_workers(200, 100'000, single, room(1));
  EXPECT_EQ(small.gpus, 1U);
  EXPECT_EQ(small.gpus_per_flow, 1U);
  EXPECT_EQ(small.flows_per_gpu, 8U);
  EXPECT_EQ(small.cores, 16U);
  EXPECT_TRUE(small.cores_compute);
  FlowWorkers const large = choose_flow_workers(9, 150'000'000, single, room(1));
  EXPECT_EQ(large.flows_per_gpu, 1U);
  FlowWorkers const two_gpus = choose_flow_workers(200, 100'000, single, room(2));
  EXPECT_EQ(two_gpus.gpus, 2U);
  EXPECT_EQ(two_gpus.flows_per_gpu, 8U);
}

TEST(FlowWorkers, AFlowThatDoesNotFitAGpuHasSeveralOrTheCores) {
  FlowWorkers const both = choose_flow_workers(4, 300'000'000, single, room(2));
  EXPECT_EQ(both.gpus, 1U);
  EXPECT_EQ(both.gpus_per_flow, 2U);
  EXPECT_EQ(both.flows_per_gpu, 1U);
  EXPECT_FALSE(both.cores_compute);  // nor does it fit main memory
  FlowRoom large = room(1);
  large.main_bytes = 200 * gigabyte;
  FlowWorkers const cores = choose_flow_workers(4, 300'000'000, single, large);
  EXPECT_EQ(cores.gpus, 0U);
  EXPECT_EQ(cores.cores, 1U);
  EXPECT_EQ(cores.threads, 16U);
}

TEST(FlowWorkers, ALargeFlowAloneHasAllGpusThatItIsWorth) {
  FlowWorkers const large = choose_flow_workers(1, 100'000'000, single, room(2));
  EXPECT_EQ(large.gpus_per_flow, 2U);
  EXPECT_EQ(large.gpus, 1U);
  FlowWorkers const small = choose_flow_workers(1, 12'000'000, single, room(2));
  EXPECT_EQ(small.gpus_per_flow, 1U);
  EXPECT_EQ(small.gpus, 1U);
  FlowWorkers const three = choose_flow_workers(3, 12'000'000, single, room(2));
  EXPECT_EQ(three.gpus_per_flow, 1U);
  EXPECT_EQ(three.gpus, 2U);
}

TEST(FlowWorkers, CoresThatMayNotComputePrepare) {
  FlowRoom alone = room(1);
  alone.cores_may_compute = false;
  FlowWorkers const workers = choose_flow_workers(200, 100'000, single, alone);
  EXPECT_FALSE(workers.cores_compute);
  EXPECT_EQ(workers.cores, 16U);
}

}  // namespace
}  // namespace tessera
