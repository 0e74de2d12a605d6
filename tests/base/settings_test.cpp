// SPDX-License-Identifier: MIT
#include "base/settings.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/errors.hpp"

namespace tessera {
namespace {

TEST(Settings, AreNamedAsOptionsUnlessAProgramAsks) {
  EXPECT_EQ(setting_name("max-steps"), "--max-steps");
  EXPECT_EQ(setting_name("a"), "-a");
  EXPECT_EQ(setting_text("solver", "minres"), "--solver minres");
  EXPECT_EQ(setting_text("resume", ""), "--resume");
  EXPECT_EQ(setting_name("set", "settings"), "--set");
  EXPECT_EQ(axis_name(Axis::z), "z");
  {
    UseNames const names({.as_keywords = true, .axes = {"axis 2", "axis 1", "axis 0"}});
    EXPECT_EQ(setting_name("max-steps"), "max_steps");
    EXPECT_EQ(setting_text("solver", "minres"), "solver minres");
    EXPECT_EQ(setting_name("set", "settings"), "settings");
    EXPECT_EQ(axis_name(Axis::z), "axis 0");
  }
  EXPECT_EQ(setting_name("max-steps"), "--max-steps");
  EXPECT_EQ(axis_name(Axis::z), "z");
}

TEST(Settings, OutOfTheirRangeAreRefused) {
  require_between("tolerance", 0.5, 0.1, 0.5);
  require_positive("seconds", 1e-9);
  EXPECT_THROW(require_between("tolerance", 0.6, 0.1, 0.5), BadInput);
  EXPECT_THROW(require_positive("seconds", 0), BadInput);
  for (double const none :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(require_between("tolerance", none, 0.1, 0.5), BadInput);
    EXPECT_THROW(require_positive("seconds", none), BadInput);
  }
  try {
    require_between("viscosity", 7, 1, 2, "m^2/s");
    FAIL();
  } catch (BadInput const& error) {
    EXPECT_STREQ(error.what(), "--viscosity 7 m^2/s: expected 1 to 2 m^2/s");
  }
}

}  // namespace
}  // namespace tessera
