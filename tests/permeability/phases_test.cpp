// SPDX-License-Identifier: MIT
#include "permeability/studies/phases.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace tessera {
namespace {

std::string refusal(std::vector<std::string> const& phases) {
  try {
    parse_phases(phases, LabelSet::parse("2"));
  } catch (BadInput const& error) {
    return error.what();
  }
  return "";
}

TEST(Phases, AreRefusedInALineThatNamesTheLabel) {
  EXPECT_EQ(refusal({"water=0", "oil=1,3-4"}), "");
  EXPECT_NE(refusal({"water=0-2"}).find("label 2 is solid as well"), std::string::npos);
  EXPECT_NE(refusal({"water=0", "oil=0"}).find("label 0 is of water as well"), std::string::npos);
  EXPECT_NE(refusal({"water=0", "water=1"}).find("expected another name than water"),
            std::string::npos);
  EXPECT_NE(refusal({"=1"}).find("expected a name and its labels"), std::string::npos);
  EXPECT_NE(refusal({"all=1"}).find("expected another name than all"), std::string::npos);
}

/// 4 voxels of water, 2 of oil, 2 of solid.
TEST(Phases, HaveTheirShareOfThePores) {
  Image image;
  image.shape = {2, 2, 2};
  image.voxels = std::vector<std::uint8_t>{0, 0, 1, 2, 0, 0, 1, 2};
  LabelSet const solid = LabelSet::parse("2");
  PoreRule rule;
  rule.solid = solid;
  auto const found = pores_of(image, parse_phases({"water=0", "oil=1"}, solid), rule, false);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, all_phases);
  EXPECT_EQ(found[0].geometry.pore_voxels(), 6);
  EXPECT_EQ(found[1].geometry.pore_voxels(), 4);
  EXPECT_DOUBLE_EQ(found[1].saturation, 4.0 / 6);
  EXPECT_DOUBLE_EQ(found[2].saturation, 2.0 / 6);
  EXPECT_FALSE(found[2].geometry.is_pore({0, 0, 0}));  // water holds the oil as a wall does
}

PhaseAnswer answer(std::string const& phase, Axis axis, double k) {
  PhaseAnswer a;
  a.phase = phase;
  a.axis = axis;
  a.value = k;
  return a;
}

TEST(Phases, AreRelatedToAllPoresAlongTheirAxis) {
  std::vector<PhaseAnswer> answers{answer(all_phases, Axis::x, 4), answer("water", Axis::x, 1),
                                   answer(all_phases, Axis::y, 0), answer("water", Axis::y, 0),
                                   answer("oil", Axis::z, 1)};
  relate(answers);
  EXPECT_DOUBLE_EQ(answers[0].relative.value_or(-1), 1);
  EXPECT_DOUBLE_EQ(answers[1].relative.value_or(-1), 0.25);
  EXPECT_FALSE(answers[3].relative);  // nothing leads through along y
  EXPECT_FALSE(answers[4].relative);  // all pores have no answer along z
}

}  // namespace
}  // namespace tessera
