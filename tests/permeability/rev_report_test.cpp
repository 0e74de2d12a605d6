// SPDX-License-Identifier: MIT
#include "permeability/studies/rev_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace tessera {
namespace {

SubVolumeAnswer answered(std::int64_t edge, Axis axis, double k) {
  SubVolumeAnswer answer;
  answer.where.edge = edge;
  answer.axis = axis;
  answer.value = k;
  answer.porosity = 0.2;
  answer.leads_through = k > 0;
  return answer;
}

TEST(RevStatistics, HaveTheMeanPorosityAndItsSpread) {
  std::vector<SubVolumeAnswer> answers(2, answered(50, Axis::x, 1));
  answers[0].porosity = 0.1;
  answers[1].porosity = 0.3;
  RevStatistics const s = statistics_of(answers).front();
  EXPECT_DOUBLE_EQ(s.porosity, 0.2);
  EXPECT_DOUBLE_EQ(s.porosity_spread, std::sqrt(0.02));  // of samples: 2 * 0.1^2 / (2 - 1)
}

TEST(RevStatistics, AreSortedByAxisAndEdge) {
  std::vector<SubVolumeAnswer> const answers{answered(40, Axis::y, 1), answered(20, Axis::y, 1),
                                             answered(40, Axis::x, 1)};
  auto const all = statistics_of(answers);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].axis, Axis::x);
  EXPECT_EQ(all[1].edge, 20);
  EXPECT_EQ(all[2].edge, 40);
}

TEST(RevCsv, HasALineForEachCubeAndItsHead) {
  std::vector<SubVolumeAnswer> const answers{answered(20, Axis::x, 1), answered(20, Axis::x, 0)};
  std::istringstream text(rev_csv(answers, {.voxel_size_m = 1e-6}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 3U);
  auto const columns = std::ranges::count(lines[0], ',');
  EXPECT_EQ(std::ranges::count(lines[1], ','), columns);
  EXPECT_NE(lines[1].find("converged"), std::string::npos);
  EXPECT_NE(lines[2].find("closed"), std::string::npos);
}

}  // namespace
}  // namespace tessera
