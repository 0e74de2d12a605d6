// SPDX-License-Identifier: MIT
#include "run/performance.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Performance, SumsTheImbalanceUpByLooks) {
  BalanceResult balance;
  EXPECT_EQ(imbalance_line(balance), "");
  balance.looks = {{.imbalance = 0.3, .largest_imbalance = 0.5, .looks = 1},
                   {.imbalance = 0.1, .largest_imbalance = 0.2, .looks = 3}};
  EXPECT_EQ(imbalance_line(balance),
            "imbalance of the domains: the slowest 15.0 % above the mean, at most 50.0 %, at last "
            "10.0 %");
}

TEST(Performance, NamesTheDomainsInTheirOrder) {
  EXPECT_EQ(domain_names({.cores = 4}), std::vector<std::string>({"cores"}));
  EXPECT_EQ(domain_names({.cores = 1, .gpus = 2}), std::vector<std::string>({"GPU 0", "GPU 1"}));
  EXPECT_EQ(domain_names({.cores = 8, .gpus = 1, .cores_share = 0.02}),
            std::vector<std::string>({"GPU 0", "cores"}));
}

}  // namespace
}  // namespace tessera
