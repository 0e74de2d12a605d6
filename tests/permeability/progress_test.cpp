// SPDX-License-Identifier: MIT
#include "permeability/flows/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

std::string shown(Verbosity verbosity, Pace pace, std::int64_t first_step = 0) {
  CaptureStderr();
  {
    Progress progress({.axis = Axis::y,
                       .nodes = 1000,
                       .tolerance = 1e-3,
                       .verbosity = verbosity,
                       .first_step = first_step,
                       .pace = pace});
    progress.stepped(first_step + 10);
    progress.show({.step = 20, .k_lattice = 0.5, .error_estimate = 0.01, .force_balance = 0.75});
    progress.stepped(first_step + 30);
  }
  return GetCapturedStderr();
}

TEST(Progress, IsALineForEachIntervalInAFile) {
  EXPECT_EQ(shown(Verbosity::normal, Pace(false, Pace::Seconds(60))), "");
  std::string const text = shown(Verbosity::normal, Pace(false, Pace::Seconds(0)));
  EXPECT_TRUE(text.starts_with("y: step 10  ")) << text;
  EXPECT_NE(text.find("\ny: step 30  k = 0.5 voxels^2  solver error 1.0e-02  balance 0.7500  "),
            std::string::npos)
      << text;
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, IsOneLineThatIsRewrittenAtATerminal) {
  std::string const text = shown(Verbosity::normal, Pace(true, Pace::Seconds(0)));
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

TEST(Progress, IsALineForEachPointIfVerboseAndNothingIfQuiet) {
  std::string const text = shown(Verbosity::verbose, Pace(true, Pace::Seconds(0)));
  EXPECT_TRUE(text.starts_with("y: step 20  k = 0.5 ")) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_EQ(shown(Verbosity::quiet, Pace(false, Pace::Seconds(0))), "");
}

TEST(Pace, IsDueWhenTheIntervalIsOver) {
  Pace slow(false, Pace::Seconds(1000));
  EXPECT_FALSE(slow.is_due());
  Pace fast(false, Pace::Seconds(0));
  EXPECT_TRUE(fast.is_due());
  EXPECT_TRUE(fast.is_due());
}

}  // namespace
}  // namespace tessera
