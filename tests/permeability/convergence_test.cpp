// SPDX-License-Identifier: MIT
// The judge of permeabilities on series whose limit is known: sums of decaying exponentials.
#include "permeability/flows/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "permeability/flows/linear_prediction.hpp"

namespace tessera {
namespace {

struct Verdict {
  bool converged = false;
  double time = 0;   ///< of the verdict
  double error = 0;  ///< true relative error then
  double estimate = 0;
};

/// Feeds k(t) as FlowRun does: at equal distances, thinned out at 64 values. The limit is 1, and
/// the balance of forces has nothing to say.
template <class Series>
Verdict judge(double tolerance, Series&& k, double longest = 1e8) {
  Convergence convergence(tolerance);
  double distance = 1;
  for (double time = distance; time < longest; time += distance) {
    convergence.add(k(time), 1);
    if (convergence.converged())
      return {true, time, std::abs(k(time) - 1), convergence.error_estimate()};
    if (convergence.size() >= 64) {
      convergence.thin_out();
      distance *= 2;
    }
  }
  return {};
}

/// A flow from rest: a viscous mode of time constant `fast`, and a pressure mode that is `ratio`
/// times slower and leaves k off by `slow_part` meanwhile.
auto from_rest(double fast, double ratio, double slow_part) {
  return [=](double t) {
    return 1 - (1 + slow_part) * std::exp(-t / fast) + slow_part * std::exp(-t / (ratio * fast));
  };
}

void expect_promise_kept(double tolerance, double fast, double ratio, double slow_part) {
  Verdict const v = judge(tolerance, from_rest(fast, ratio, slow_part));
  ASSERT_TRUE(v.converged);
  ASSERT_LE(v.error, tolerance) << "tolerance " << tolerance << ", time constants " << fast
                                << " and " << ratio * fast << ", slow part " << slow_part
                                << ": stopped at " << v.time << " with estimate " << v.estimate;
}

constexpr double slow_parts[] = {-0.5,  -0.2,  -0.1,  -0.05, -0.02, -0.01, -0.005, -0.002, -0.001,
                                 0.001, 0.002, 0.005, 0.01,  0.02,  0.05,  0.1,    0.2};

TEST(Convergence, OneModeIsNeverCutOffEarly) {
  for (double const tolerance : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10}) {
    for (double T = 0.3; T < 3e4; T *= 1.37) {
      for (double const a : {-1.0, -0.5, -0.1, -0.01, -1e-3, 1e-3, 0.01, 0.1, 0.5, 3.0}) {
        Verdict const v = judge(tolerance, [&](double t) { return 1 + a * std::exp(-t / T); });
        EXPECT_TRUE(v.converged) << T;
        EXPECT_LE(v.error, tolerance) << "T " << T << ", amplitude " << a;
      }
    }
  }
}

TEST(Convergence, OneModeIsNotFollowedMuchLongerThanItNeeds) {
  for (double const tolerance : {1e-2, 1e-4, 1e-6}) {
    for (double T = 10; T < 1e4; T *= 1.7) {
      double const needed = T * std::log(1 / tolerance);
      EXPECT_LT(judge(tolerance, [&](double t) { return 1 - std::exp(-t / T); }).time, 2.2 * needed)
          << "T " << T << ", tolerance " << tolerance;
    }
  }
}

TEST(Convergence, TwoModesFromRestAreNotCutOffEarlyAtFineTolerances) {
  for (double const tolerance : {1e-4, 1e-5, 1e-6, 1e-8}) {
    for (double const ratio : {1.5, 2.0, 3.0, 5.0, 10.0}) {
      for (double fast = 0.3; fast < 1e3; fast *= 1.1) {
        for (double const b : slow_parts) {
          ASSERT_NO_FATAL_FAILURE(expect_promise_kept(tolerance, fast, ratio, b));
        }
      }
    }
  }
}

TEST(Convergence, TwoModesFromRestAreNotCutOffEarlyAtTheDefaultTolerance) {
  for (double const ratio : {1.5, 2.0, 3.0, 5.0}) {
    for (double fast = 0.3; fast < 1e3; fast *= 1.1) {
      for (double const b : slow_parts) {
        ASSERT_NO_FATAL_FAILURE(expect_promise_kept(1e-3, fast, ratio, b));
      }
    }
  }
}

TEST(Convergence, AConstantSeriesStops) {
  Verdict const v = judge(1e-8, [](double) { return 1.0; });
  EXPECT_TRUE(v.converged);
  EXPECT_LT(v.time, 20);
  EXPECT_EQ(v.estimate, 0);
}

TEST(Convergence, RoundingNoiseFarBelowTheToleranceDoesNotKeepARunGoing) {
  int flip = 0;
  EXPECT_TRUE(judge(1e-3, [&](double t) {
                return 1 - std::exp(-t / 50) + (++flip % 3 - 1) * 1e-7;
              }).converged);
}

TEST(Convergence, ALinearDriftNeverConverges) {
  EXPECT_FALSE(judge(
                   1e-3, [](double t) { return 1 + 1e-3 * t; }, 1e4)
                   .converged);
}

TEST(Convergence, GrowthNeverConverges) {
  EXPECT_FALSE(judge(
                   1e-3, [](double t) { return std::exp(t / 1e3); }, 1e5)
                   .converged);
}

TEST(Convergence, WhatIsNotANumberNeverConverges) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(judge(
                   1e-3, [&](double) { return nan; }, 1e4)
                   .converged);
  EXPECT_FALSE(judge(
                   1e-3, [&](double) { return infinity; }, 1e4)
                   .converged);
  EXPECT_FALSE(judge(
                   1e-3, [&](double t) { return t < 5 ? 1.0 : nan; }, 1e4)
                   .converged);
  EXPECT_FALSE(judge(
                   1e-3, [](double) { return 0.0; }, 1e4)
                   .converged);
}

TEST(Convergence, ForcesOutOfBalanceForbidIt) {
  for (double const balance : {0.0, 0.99, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    Convergence convergence(1e-3);
    for (int i = 0; i < 60; ++i) convergence.add(1, balance);
    EXPECT_FALSE(convergence.converged()) << balance;
  }
}

TEST(Convergence, ThinningOutKeepsTheLastValue) {
  for (int const values : {63, 64}) {
    Convergence convergence(1e-3);
    for (int i = 0; i < values; ++i) convergence.add(i, 1);
    convergence.thin_out();
    EXPECT_EQ(convergence.size(), static_cast<std::size_t>((values + 1) / 2));
    EXPECT_DOUBLE_EQ(convergence.change(), 2.0 / (values - 1));
  }
}

/// As judge(), of a functional whose state lets `linear` through.
template <class Series, class Linear>
Verdict judge_functional(double tolerance, Series&& k, Linear&& linear, double longest = 1e6) {
  Convergence convergence(tolerance);
  double distance = 20;
  for (double time = distance; time < longest; time += distance) {
    convergence.add(k(time), 1, linear(time));
    if (convergence.converged())
      return {true, time, std::abs(k(time) - 1), convergence.error_estimate()};
    if (convergence.size() >= 64) {
      convergence.thin_out();
      distance *= 2;
    }
  }
  return {};
}

/// From rest the functional is at t where the linear value is at 2 t.
template <class Linear>
Verdict judge_functional_of(double tolerance, Linear&& linear) {
  return judge_functional(
      tolerance, [&](double t) { return linear(2 * t); }, linear);
}

TEST(ConvergenceOfAFunctional, ThreeModesAreNeverCutOffEarlyNorFollowedForLong) {
  for (double const tolerance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
    for (double const fast : {30.0, 100.0, 300.0, 1000.0}) {
      for (double const ratio : {2.0, 5.0, 10.0}) {
        for (double const b : slow_parts) {
          auto const two = from_rest(fast, ratio, b);
          auto const linear = [&](double t) {
            return two(t) + 0.1 * b * std::exp(-t / (3 * fast));
          };
          Verdict const v = judge_functional_of(tolerance, linear);
          ASSERT_TRUE(v.converged) << fast << ' ' << ratio << ' ' << b;
          EXPECT_LE(v.error, tolerance) << fast << ' ' << ratio << ' ' << b << " at " << v.time;
          EXPECT_LT(v.error, 2 * v.estimate + 1e-9);
          double const needed = 0.5 * ratio * fast * std::log(1 / tolerance);
          EXPECT_LT(v.time, 3 * needed + 300) << fast << ' ' << ratio << ' ' << b;
        }
      }
    }
  }
}

TEST(ConvergenceOfAFunctional, OneThatStandsStillWhileTheFlowDoesNotGoesOn) {
  auto const plateau = [](double t) { return 0.8 + 1e-4 * std::exp(-t / 100); };
  EXPECT_FALSE(judge_functional(
                   1e-2, plateau, [](double) { return 1.2; }, 1e4)
                   .converged);
  EXPECT_TRUE(judge_functional(1e-2, plateau, plateau, 1e4).converged);
}

TEST(ConvergenceOfAFunctional, RoundingDoesNotKeepARunGoing) {
  int flip = 0;
  auto const k = [&](double t) { return 1 - std::exp(-t / 50) + (++flip % 3 - 1) * 1e-7; };
  Verdict const v = judge_functional(1e-4, k, k);
  EXPECT_TRUE(v.converged);
  EXPECT_LT(v.time, 1300);
}

TEST(ConvergenceOfAFunctional, AConstantSeriesStops) {
  auto const one = [](double) { return 1.0; };
  Verdict const v = judge_functional(1e-8, one, one);
  EXPECT_TRUE(v.converged);
  EXPECT_EQ(v.estimate, 0);
}

TEST(ConvergenceOfAFunctional, WhatHasNoLimitNeverConverges) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const never = [](auto k) { return !judge_functional(1e-3, k, k, 1e4).converged; };
  EXPECT_TRUE(never([](double t) { return 1 + 1e-3 * t; }));
  EXPECT_TRUE(never([](double t) { return std::exp(t / 1e3); }));
  EXPECT_TRUE(never([=](double) { return nan; }));
  EXPECT_TRUE(never([=](double t) { return t < 500 ? 1.0 + std::exp(-t / 90) : nan; }));
  EXPECT_TRUE(never([](double) { return 0.0; }));
}

TEST(ConvergenceOfAFunctional, ForcesFarOutOfBalanceForbidIt) {
  for (double const balance : {0.0, 0.96, 1.04, std::numeric_limits<double>::quiet_NaN()}) {
    Convergence convergence(1e-3);
    for (int i = 0; i < 60; ++i) convergence.add(1, balance, 1);
    EXPECT_FALSE(convergence.converged()) << balance;
  }
}

TEST(LinearPrediction, FindsTheLimitOfAsManyModesAsItIsToldOf) {
  std::vector<double> values;
  values.reserve(16);
  for (int i = 0; i < 16; ++i)
    values.push_back(0.7 + 0.5 * std::pow(0.9, i) - 0.3 * std::pow(0.6, i) + std::pow(-0.2, i));
  EXPECT_NEAR(predicted_limit(values, 3), 0.7, 1e-9);
  EXPECT_GT(std::abs(predicted_limit(values, 2) - 0.7), 1e-4);
  values.clear();
  for (int i = 0; i < 16; ++i) values.push_back(2 - std::pow(0.8, i));
  for (int const modes : {1, 2, 3}) EXPECT_NEAR(predicted_limit(values, modes), 2, 1e-9) << modes;
}

TEST(LinearPrediction, IsAitkensOfThreeValues) {
  std::vector<double> const values{1, 1.5, 1.8};
  EXPECT_NEAR(predicted_limit(values, 1), 1.8 + 0.3 * 0.3 / (0.5 - 0.3), 1e-12);
}

}  // namespace
}  // namespace tessera
