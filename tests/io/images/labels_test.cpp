// SPDX-License-Identifier: MIT
#include "io/images/labels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

using Mask = std::vector<std::uint8_t>;

template <typename T>
Image row_of(std::vector<T> values) {
  Image image;
  image.path = "rock.raw";
  image.shape = {static_cast<std::int64_t>(values.size()), 1, 1};
  image.voxels = std::move(values);
  return image;
}

PoreRule rule_for(std::string_view pore, std::string_view solid = "") {
  PoreRule rule;
  rule.pore = LabelSet::parse(pore);
  if (!solid.empty()) rule.solid = LabelSet::parse(solid);
  return rule;
}

PoreRule threshold_rule(std::string_view text) {
  PoreRule rule;
  rule.threshold = Threshold::parse(text);
  return rule;
}

TEST(LabelPores, TakesZeroForPoreAndTheOnlyOtherLabelForSolid) {
  Geometry const geometry = label_pores(row_of<std::uint8_t>({0, 255, 0}), {});
  EXPECT_EQ(geometry.pore, (Mask{1, 0, 1}));
  EXPECT_EQ(geometry.shape, (Int3{3, 1, 1}));
  EXPECT_EQ(geometry.periodic, (std::array<bool, 3>{}));
}

TEST(LabelPores, TakesNamedLabelsOfEveryType) {
  EXPECT_EQ(label_pores(row_of<std::uint8_t>({255, 0}), rule_for("255")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::int8_t>({-1, 1}), rule_for("-1")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::uint16_t>({60000, 1}), rule_for("60000")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::int16_t>({-30000, 1}), rule_for("-30000")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::uint32_t>({4000000000, 1}), rule_for("4000000000")).pore,
            (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::int32_t>({-70000, 1}), rule_for("-70000")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<float>({2, 1}), rule_for("2")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::uint8_t>({1, 2, 3, 4}), rule_for("1,3-4", "0,2")).pore,
            (Mask{1, 0, 1, 1}));
}

TEST(LabelPores, RefusesLabelsThatNobodyNamed) {
  EXPECT_BAD_INPUT(
      label_pores(row_of<std::uint8_t>({0, 2, 3, 3}), {}),
      "labels 2, 3 of rock.raw are neither pore nor solid: name them with --pore or --solid "
      "(histogram: 0: 1, 2: 1, 3: 2)");
  EXPECT_BAD_INPUT(label_pores(row_of<std::uint8_t>({0, 2, 3}), rule_for("0", "2")),
                   "label 3 of rock.raw is neither pore nor solid");
  EXPECT_BAD_INPUT(label_pores(row_of<float>({0, 1, 0.5F}), rule_for("0", "1")),
                   "label 0.5 of rock.raw is neither");
}

TEST(LabelPores, PointsToTheThresholdWhereThereAreManyLabels) {
  std::vector<std::uint8_t> grey(256);
  for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = static_cast<std::uint8_t>(i);
  EXPECT_BAD_INPUT(label_pores(row_of(grey), {}), "or give --threshold for grey values");
  std::vector<std::int32_t> many(70000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i);
  EXPECT_BAD_INPUT(label_pores(row_of(many), {}), "more than 65536 distinct values");
}

TEST(LabelPores, RefusesALabelThatIsBothPoreAndSolid) {
  EXPECT_BAD_INPUT(label_pores(row_of<std::uint8_t>({0, 1}), rule_for("0,2-5", "1,4-9")),
                   "label 4 is named both pore (0,2-5) and solid (1,4-9)");
}

TEST(LabelPores, RefusesAnImageWithoutPoresAndTakesOneWithoutSolid) {
  EXPECT_BAD_INPUT(label_pores(row_of<std::uint8_t>({1, 1}), {}), "no voxel of rock.raw is pore");
  EXPECT_BAD_INPUT(label_pores(row_of<std::uint8_t>({1, 1}), threshold_rule("1")),
                   "no voxel of rock.raw is pore");
  EXPECT_EQ(label_pores(row_of<std::uint8_t>({0, 0}), {}).pore, (Mask{1, 1}));
}

TEST(LabelPores, RefusesValuesThatAreNoNumbers) {
  Image const image = row_of<float>({0, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_BAD_INPUT(label_pores(image, {}), "1 voxels are not a number");
  EXPECT_BAD_INPUT(label_pores(image, threshold_rule("1")), "voxel 1 is not a number");
}

TEST(LabelPores, MapsEveryGreyValueByAThreshold) {
  Image const image = row_of<std::uint16_t>({119, 120, 121});
  EXPECT_EQ(label_pores(image, threshold_rule("120")).pore, (Mask{1, 0, 0}));
  EXPECT_EQ(label_pores(image, threshold_rule("<120")).pore, (Mask{1, 0, 0}));
  EXPECT_EQ(label_pores(image, threshold_rule("<=120")).pore, (Mask{1, 1, 0}));
  EXPECT_EQ(label_pores(image, threshold_rule(">120")).pore, (Mask{0, 0, 1}));
  EXPECT_EQ(label_pores(image, threshold_rule(" >= 120 ")).pore, (Mask{0, 1, 1}));
  EXPECT_EQ(label_pores(row_of<float>({-1, 0.25F}), threshold_rule("-0.5")).pore, (Mask{1, 0}));
  EXPECT_EQ(label_pores(row_of<std::int8_t>({-100, 100}), threshold_rule("0")).pore, (Mask{1, 0}));
  PoreRule both = threshold_rule("120");
  both.solid = LabelSet::of(1);
  EXPECT_BAD_INPUT(label_pores(image, both), "exclude each other");
}

TEST(Threshold, OfRealVoxelsIsComparedInTheirOwnType) {
  // 0.1F is above 0.1, and was written as 0.1.
  Image const single = row_of<float>({std::nextafter(0.1F, 0.0F), 0.1F, std::nextafter(0.1F, 1.F)});
  EXPECT_EQ(label_pores(single, threshold_rule("<0.1")).pore, (Mask{1, 0, 0}));
  EXPECT_EQ(label_pores(single, threshold_rule("<=0.1")).pore, (Mask{1, 1, 0}));
  EXPECT_EQ(label_pores(single, threshold_rule(">=0.1")).pore, (Mask{0, 1, 1}));
  Image const exact = row_of<double>({std::nextafter(0.7, 0.0), 0.7, std::nextafter(0.7, 1.0)});
  EXPECT_EQ(label_pores(exact, threshold_rule("<0.7")).pore, (Mask{1, 0, 0}));
  EXPECT_EQ(label_pores(exact, threshold_rule("<=0.7")).pore, (Mask{1, 1, 0}));
  EXPECT_EQ(label_pores(exact, threshold_rule(">0.7")).pore, (Mask{0, 0, 1}));
  float const infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(label_pores(row_of<float>({3e38F, infinity}), threshold_rule("<=1e39")).pore,
            (Mask{1, 0}));
}

TEST(Threshold, OfWholeVoxelsIsExactBeyondWhatFloatHolds) {
  Image const image = row_of<std::int32_t>({16777216, 16777217, 16777218});
  EXPECT_EQ(label_pores(image, threshold_rule("<16777217")).pore, (Mask{1, 0, 0}));
  Image const wide = row_of<std::uint32_t>({4294967294, 4294967295});
  EXPECT_EQ(label_pores(wide, threshold_rule("<4294967295")).pore, (Mask{1, 0}));
}

TEST(LabelPores, TakesLabelsOfRealVoxelsExactly) {
  EXPECT_EQ(label_pores(row_of<double>({9007199254740992.0, 1}), rule_for("9007199254740992")).pore,
            (Mask{1, 0}));
  EXPECT_BAD_INPUT(
      label_pores(row_of<double>({9007199254740992.0, 1}), rule_for("9007199254740993")),
      "neither pore nor solid");
  EXPECT_EQ(label_pores(row_of<double>({0, 1e300}), {}).pore, (Mask{1, 0}));
}

TEST(LabelPores, AsksWhatTrueMeansWithBothPorosities) {
  Image blobs = row_of<std::uint8_t>({1, 1, 1, 0, 1});
  blobs.boolean = true;
  EXPECT_BAD_INPUT(label_pores(blobs, {}),
                   "rock.raw: a boolean array does not say whether True is pore or solid: give "
                   "--pore 1 for a porosity of 0.8 (True is pore, as in PoreSpy), or --pore 0 for "
                   "one of 0.2");
  blobs.said_by = SaidBy::case_key;
  EXPECT_BAD_INPUT(label_pores(blobs, {}), "give pore = 1 for a porosity of 0.8");
  EXPECT_EQ(label_pores(blobs, rule_for("1")).pore, (Mask{1, 1, 1, 0, 1}));
  EXPECT_EQ(label_pores(blobs, rule_for("0")).pore, (Mask{0, 0, 0, 1, 0}));
  EXPECT_EQ(label_pores(blobs, threshold_rule(">0.5")).pore, (Mask{1, 1, 1, 0, 1}));
  PoreRule solid_is_named;
  solid_is_named.solid = LabelSet::of(1);
  EXPECT_EQ(label_pores(blobs, solid_is_named).pore, (Mask{0, 0, 0, 1, 0}));
}

TEST(LabelPores, OfManyGreyValuesIsRefusedWithAShortLine) {
  std::vector<float> grey(5000);
  for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = std::sqrt(static_cast<float>(i));
  EXPECT_BAD_INPUT(label_pores(row_of(grey), {}),
                   "4999 labels of rock.raw, 1 to 70.7036, are neither pore nor solid: name them "
                   "with --pore or --solid, or give --threshold for grey values");
}

TEST(Threshold, RefusesWhatIsNoNumber) {
  for (std::string const text : {"", "dark", "<", "=5", "12x", "nan", "inf", "< > 3"}) {
    EXPECT_BAD_INPUT(Threshold::parse(text), "threshold '" + text + "': expected a number");
  }
}

TEST(ThresholdRange, HasItsEndsAndWhatLiesBetween) {
  auto const range = ThresholdRange::parse(">= 0.25..0.75");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low.value, 0.25);
  EXPECT_EQ(range->high.value, 0.75);
  EXPECT_EQ(range->at(0.5).value, 0.5);
  EXPECT_EQ(range->at(0.5).relation, Threshold::Relation::greater_or_equal);
  EXPECT_EQ(ThresholdRange::parse("-3..-1")->at(0.25).value, -2.5);
  for (std::string const text : {"120", "<1.5", "", "dark"})
    EXPECT_FALSE(ThresholdRange::parse(text)) << text;
}

TEST(ThresholdRange, RefusesWhatIsNoRange) {
  for (std::string const text : {"1..", "1..x", "1..2..3", "1..>2", "1..nan"}) {
    EXPECT_BAD_INPUT(ThresholdRange::parse(text),
                     "threshold '" + text + "': expected a number after the two dots");
  }
  EXPECT_BAD_INPUT(ThresholdRange::parse("..2"), "threshold '': expected a number");
  EXPECT_BAD_INPUT(ThresholdRange::parse("2..2"), "expected the lower of two numbers first");
  EXPECT_BAD_INPUT(Threshold::parse("1..2"), "threshold '1..2': expected a number");
}

TEST(LabelPores, MarksGreyVoxelsByTheirKind) {
  PoreRule rule;
  rule.grey = {LabelSet::parse("2"), LabelSet::parse("5,7")};
  Geometry const geometry =
      label_pores(row_of(std::vector<std::uint8_t>{0, 1, 2, 5, 7, 0, 1}), rule);
  EXPECT_EQ(geometry.pore, (std::vector<std::uint8_t>{1, 0, 2, 3, 3, 1, 0}));
  // Nothing need be an open pore.
  rule.pore = LabelSet::parse("9");
  rule.solid = LabelSet::parse("0,1");
  EXPECT_EQ(label_pores(row_of(std::vector<float>{2, 1, 7}), rule).pore,
            (std::vector<std::uint8_t>{2, 0, 3}));
  rule.solid = LabelSet::parse("0,1,5");
  EXPECT_BAD_INPUT(label_pores(row_of(std::vector<float>{2, 1, 7}), rule),
                   "label 5 is named both grey (5,7) and solid (0,1,5)");
}

TEST(LabelPores, CountsWhatIsOutside) {
  PoreRule rule;
  rule.pore = LabelSet::parse("1");
  rule.outside = LabelSet::parse("0,9");
  Geometry const geometry = label_pores(row_of(std::vector<std::uint8_t>{0, 1, 2, 2, 1, 9}), rule);
  EXPECT_EQ(geometry.pore, (std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(geometry.outside, 2);
  EXPECT_DOUBLE_EQ(geometry.porosity(), 0.5);
  rule.pore.reset();
  rule.threshold = Threshold::parse("<=1");
  EXPECT_EQ(label_pores(row_of(std::vector<float>{0, 1, 2, 9}), rule).pore,
            (std::vector<std::uint8_t>{0, 1, 0, 0}));
}

TEST(LabelSet, ParsesListsAndRanges) {
  LabelSet const set = LabelSet::parse(" 0, 3-5,-7--6 ,-2-1");
  for (double const label : {0, 3, 4, 5, -7, -6, -2, -1, 1})
    EXPECT_TRUE(set.contains(label)) << label;
  for (double const label : {2.0, 6.0, -8.0, -5.0, 3.5}) EXPECT_FALSE(set.contains(label)) << label;
  EXPECT_EQ(set.text(), "0,3-5,-7--6,-2-1");
}

TEST(LabelSet, RefusesWhatIsNoList) {
  for (std::string const text :
       {"", ",", "0,", "a", "1.5", "5-3", "1-", "1 2", "1-2-3", "99999999999999999999"}) {
    EXPECT_BAD_INPUT(LabelSet::parse(text), "labels '" + text + "': expected integers and ranges");
  }
}

TEST(LabelHistogram, CountsDistinctValuesInOrder) {
  std::vector<LabelCount> const expected{{-1, 1}, {0, 2}, {7, 1}};
  EXPECT_EQ(label_histogram(row_of<std::int8_t>({0, 7, -1, 0})), expected);
  EXPECT_EQ(label_histogram(row_of<std::int32_t>({0, 7, -1, 0})), expected);
  EXPECT_EQ(label_histogram(row_of<float>({0, 7, -1, 0})), expected);
}

TEST(HistogramText, ListsFewLabelsAndSummarisesMany) {
  std::string const few = histogram_text(row_of<std::uint8_t>({0, 0, 0, 255}));
  EXPECT_NE(few.find("255"), std::string::npos) << few;
  EXPECT_NE(few.find("75.000%"), std::string::npos) << few;
  std::vector<std::uint16_t> grey(101);
  std::vector<float> real(100001);
  for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = static_cast<std::uint16_t>(1000 + i);
  for (std::size_t i = 0; i < real.size(); ++i) real[i] = static_cast<float>(i);
  real.push_back(std::numeric_limits<float>::quiet_NaN());
  std::string const many = histogram_text(row_of(grey));
  EXPECT_NE(many.find("median           1050"), std::string::npos) << many;
  std::string const floats = histogram_text(row_of(real));
  EXPECT_NE(floats.find("over 65536"), std::string::npos) << floats;
  EXPECT_NE(floats.find("median          50000"), std::string::npos) << floats;
  EXPECT_NE(floats.find("not a number              1"), std::string::npos) << floats;
}

}  // namespace
}  // namespace tessera
