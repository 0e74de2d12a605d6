// SPDX-License-Identifier: MIT
#include "insitu/analysis_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <vector>

namespace tessera {
namespace {

TEST(AnalysisThread, RunsJobsInOrderOnOneThreadOfItsOwn) {
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  {
    AnalysisThread analysis(WhenBehind::wait);
    for (int i = 0; i < 10; ++i) {
      analysis.start([&, i] {
        order.push_back(i);
        threads.push_back(std::this_thread::get_id());
      });
    }
  }  // ends the jobs
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_NE(threads.front(), std::this_thread::get_id());
  EXPECT_EQ(threads.front(), threads.back());
}

TEST(AnalysisThread, HasTwoSetsOfBuffers) {
  AnalysisThread analysis(WhenBehind::skip);
  auto const first = analysis.claim();
  auto const second = analysis.claim();
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_FALSE(analysis.claim());
  EXPECT_EQ(analysis.dropped(), 1);
  analysis.release(*first);
  EXPECT_EQ(analysis.claim(), first);
  EXPECT_EQ(analysis.waited(), 0);
}

TEST(AnalysisThread, WaitsForASetAndCountsIt) {
  AnalysisThread analysis(WhenBehind::wait);
  for (int frame = 0; frame < 3; ++frame) {
    auto const set = analysis.claim();
    ASSERT_TRUE(set);
    analysis.start([&, set] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      analysis.release(*set);
    });
  }
  EXPECT_EQ(analysis.waited(), 1);
  EXPECT_GT(analysis.waited_s(), 0);
  EXPECT_EQ(analysis.dropped(), 0);
}

TEST(AnalysisThread, ThrowsInWaitWhatAJobHasThrown) {
  AnalysisThread analysis(WhenBehind::wait);
  std::atomic<bool> next_ran = false;
  analysis.start([] { throw std::runtime_error("no"); });
  analysis.start([&] { next_ran = true; });
  EXPECT_THROW(analysis.wait(), std::runtime_error);
  EXPECT_TRUE(next_ran);
  EXPECT_NO_THROW(analysis.wait());
}

}  // namespace
}  // namespace tessera
