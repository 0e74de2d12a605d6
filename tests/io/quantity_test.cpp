// SPDX-License-Identifier: MIT
#include "io/quantity.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace tessera {
namespace {

class UnitInSi : public testing::TestWithParam<std::tuple<char const*, double, Dimension>> {};

TEST_P(UnitInSi, IsWhatTheBrochureSays) {
  auto const& [text, value, dimension] = GetParam();
  auto const unit = unit_in(text);
  ASSERT_TRUE(unit) << text;
  EXPECT_NEAR(unit->value, value, 1e-15 * value);
  EXPECT_EQ(unit->dimension, dimension) << text;
}

INSTANTIATE_TEST_SUITE_P(All, UnitInSi,
                         testing::Values(std::tuple{"m", 1.0, dimension::length},
                                         std::tuple{"um", 1e-6, dimension::length},
                                         std::tuple{"µm", 1e-6, dimension::length},
                                         std::tuple{"ms", 1e-3, dimension::time},
                                         std::tuple{"min", 60.0, dimension::time},
                                         std::tuple{"m/s", 1.0, dimension::speed},
                                         std::tuple{"mm / s", 1e-3, dimension::speed},
                                         std::tuple{"m s-1", 1.0, dimension::speed},
                                         std::tuple{"m2/s", 1.0, dimension::kinematic_viscosity},
                                         std::tuple{"m²/s", 1.0, dimension::kinematic_viscosity},
                                         std::tuple{"mm^2/s", 1e-6, dimension::kinematic_viscosity},
                                         std::tuple{"m/s2", 1.0, dimension::acceleration},
                                         std::tuple{"m/s/s", 1.0, dimension::acceleration},
                                         std::tuple{"N/kg", 1.0, dimension::acceleration},
                                         std::tuple{"kg/m3", 1.0, dimension::density},
                                         std::tuple{"g/cm3", 1000.0, dimension::density},
                                         std::tuple{"kPa", 1000.0, dimension::pressure},
                                         std::tuple{"mbar", 100.0, dimension::pressure},
                                         std::tuple{"kg/m/s^2", 1.0, dimension::pressure},
                                         std::tuple{"mPa s", 1e-3, Dimension{-1, -1, 1}},
                                         std::tuple{"1/s", 1.0, Dimension{0, -1, 0}},
                                         std::tuple{"kHz", 1e3, Dimension{0, -1, 0}}));

TEST(Unit, IsRefusedWhereItIsNone) {
  for (char const* text : {"", "inch", "m/", "/s", "m//s", "m2x", "xm", "kmin", "m^", "2"})
    EXPECT_FALSE(unit_in(text)) << text;
}

TEST(Quantity, HasItsNumberBeforeTheUnitWithOrWithoutBlanks) {
  for (char const* text : {"2.5um", "2.5 um", " 2.5e0  um "})
    EXPECT_DOUBLE_EQ(quantity_in(text)->value, 2.5e-6) << text;
  EXPECT_DOUBLE_EQ(quantity_in("-1e-3 m/s")->value, -1e-3);
  for (char const* text : {"2.5", "um", "2.5 inch", "nan m", "inf m", ""})
    EXPECT_FALSE(quantity_in(text)) << text;
}

TEST(Length, IsPositiveAndALength) {
  EXPECT_DOUBLE_EQ(*length_in("200nm"), 2e-7);
  for (char const* text : {"0um", "-2um", "2 s", "2"}) EXPECT_FALSE(length_in(text)) << text;
}

TEST(Dimension, HasANameAndAUnit) {
  EXPECT_EQ(name_of(dimension::kinematic_viscosity), "a kinematic viscosity");
  EXPECT_EQ(unit_of(dimension::pressure), "Pa");
  EXPECT_EQ(name_of(Dimension{-2, -2, 1}), "in m-2 s-2 kg");
}

}  // namespace
}  // namespace tessera
