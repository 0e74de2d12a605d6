// SPDX-License-Identifier: MIT
#include "permeability/studies/rev_report.hpp"

#include <gtest/gtest.h>

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
  answer.k_lattice = k;
  answer.porosity = 0.2;
  answer.leads_through = k > 0;
  return answer;
}

TEST(RevStatistics, AreThoseOfAHandfulOfNumbers) {
  std::vector<SubVolumeAnswer> answers;
  for (double const k : {4.0, 1.0, 3.0, 0.0, 2.0}) answers.push_back(answered(50, Axis::x, k));
  answers.push_back(answered(50, Axis::x, 0));
  answers.back().failure = "the memory does not suffice";
  auto const all = statistics_of(answers);
  ASSERT_EQ(all.size(), 1U);
  RevStatistics const& s = all.front();
  EXPECT_EQ(s.samples, 6);
  EXPECT_EQ(s.unanswered, 1);
  EXPECT_EQ(s.leading_through, 4);
  EXPECT_DOUBLE_EQ(s.k_mean, 2);
  EXPECT_DOUBLE_EQ(s.k_median, 2);
  EXPECT_DOUBLE_EQ(s.k_lower, 1);
  EXPECT_DOUBLE_EQ(s.k_upper, 3);
  EXPECT_DOUBLE_EQ(s.k_spread, std::sqrt(2.5) / 2);  // the variance of samples is 10 / 4
  EXPECT_DOUBLE_EQ(s.porosity, 0.2);
  EXPECT_NEAR(s.porosity_spread, 0, 1e-15);
}

TEST(RevStatistics, InterpolateQuantilesBetweenValues) {
  std::vector<SubVolumeAnswer> answers;
  for (double const k : {1.0, 2.0, 4.0, 8.0}) answers.push_back(answered(20, Axis::z, k));
  RevStatistics const s = statistics_of(answers).front();
  EXPECT_DOUBLE_EQ(s.k_median, 3);
  EXPECT_DOUBLE_EQ(s.k_lower, 1.75);
  EXPECT_DOUBLE_EQ(s.k_upper, 5);
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
  std::istringstream text(rev_csv(answers, 1e-6));
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
