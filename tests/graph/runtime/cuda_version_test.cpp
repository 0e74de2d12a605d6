// SPDX-License-Identifier: MIT
#include "graph/runtime/cuda_version.hpp"

#include <gtest/gtest.h>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

TEST(CudaVersion, IsReadFromItsNumber) {
  EXPECT_EQ(version_text(13000), "13.0");
  EXPECT_EQ(version_text(12080), "12.8");
}

TEST(CudaVersion, IsKnownWhereThereIsAGpu) {
  EXPECT_EQ(Runtime::cuda_version().has_value(), Runtime::gpus_present() > 0);
}

}  // namespace
}  // namespace tessera
