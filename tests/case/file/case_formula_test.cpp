// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "case/file/formula.hpp"
#include "io/nearest_word.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

std::vector<std::string> const xyz{"x", "y", "z"};

double value(std::string const& text, double x = 0, double y = 0, double z = 0) {
  Formula const formula(text, xyz, {{"H", 41.0}});
  std::array const at{x, y, z};
  return formula(at);
}

std::string wrong(std::string const& text) {
  return test::message_of<BadFormula>([&] { Formula(text, xyz, {{"height", 41.0}}); });
}

TEST(Formula, IsEvaluatedAtManyPoints) {
  Formula const parabola("4*y*(H-y)/H^2", xyz, {{"H", 10.0}});
  for (double y = 0.5; y < 10; ++y) {
    std::array const at{0.0, y, 0.0};
    EXPECT_DOUBLE_EQ(parabola(at), 4 * y * (10 - y) / 100);
  }
}

TEST(Formula, HasTheUsualOperatorsAndFunctions) {
  EXPECT_DOUBLE_EQ(value("sin(pi/6) + exp(0) + sqrt(16) + abs(-2)"), 7.5);
  EXPECT_DOUBLE_EQ(value("ln(exp(3)) + log10(1000) + log2(8)"), 9);
  EXPECT_DOUBLE_EQ(value("min(x, y) + max(x, y, z)", 1, 2, 3), 4);
  EXPECT_DOUBLE_EQ(value("x > 3 && y <= 2 ? 1 : -1", 4, 2), 1);
  EXPECT_DOUBLE_EQ(value("x == 3", 3), 1);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("atan2(1, 1) * 4"), std::acos(-1.0));
}

TEST(Formula, KnowsWhetherItVaries) {
  EXPECT_FALSE(Formula("2*H", xyz, {{"H", 1.0}}).varies());
  EXPECT_TRUE(Formula("2*x", xyz, {}).varies());
}

TEST(Formula, CopiesDoNotShareTheirVariables) {
  Formula const original("x", xyz, {});
  Formula copy = original;
  std::array const one{1.0, 0.0, 0.0}, two{2.0, 0.0, 0.0};
  EXPECT_EQ(original(one), 1);
  EXPECT_EQ(copy(two), 2);
  EXPECT_EQ(original(one), 1);
  copy = Formula("y", xyz, {});
  EXPECT_EQ(copy(two), 0);
  EXPECT_EQ(copy.text(), "y");
}

TEST(Formula, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(wrong("2*hight"), "unknown name 'hight' at position 3 (did you mean 'height'?)");
  EXPECT_EQ(wrong("t + 1"), "unknown name 't' at position 1");
  EXPECT_EQ(wrong("2 3"), "unexpected '3' at position 3");
  EXPECT_EQ(wrong("2*(x"), "a ')' is missing");
  EXPECT_EQ(wrong("2*"), "it ends too early");
  EXPECT_EQ(wrong(""), "it is empty");
  EXPECT_EQ(wrong("sin(x, y)"), "wrong number of arguments of 'sin'");
  EXPECT_EQ(wrong("x = 2"), "unexpected '=' at position 3; for equality: '=='");
  EXPECT_EQ(wrong("x, y"), "several values, parted by commas");
}

TEST(NameOfAConstant, IsNoFunctionAndHasLettersFirst) {
  EXPECT_TRUE(is_name("U_max2"));
  for (char const* text : {"", "2U", "U-max", "sin", "a b"}) EXPECT_FALSE(is_name(text)) << text;
}

TEST(EditDistance, CountsChangesInsertionsAndRemovals) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);  // the textbooks' example
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
}

TEST(DidYouMean, NamesOnlyWhatIsNear) {
  std::vector<std::string_view> const known{"viscosity", "density"};
  EXPECT_EQ(did_you_mean("viscocity", known), "; did you mean 'viscosity'?");
  EXPECT_EQ(did_you_mean("foo", known), "");
}

}  // namespace
}  // namespace tessera
