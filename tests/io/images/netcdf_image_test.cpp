// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "io/images/image.hpp"
#include "tests/io/damage.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/netcdf_bytes.hpp"

namespace tessera {
namespace {

/// Where this build reads such files.
bool reads_netcdf() {
  test::TemporaryFolder const folder;
  try {
    read_image(folder.write("a.nc", test::netcdf(1)), {});
    return true;
  } catch (BadInput const& error) {
    EXPECT_NE(std::string(error.what()).find("this build has no library"), std::string::npos)
        << error.what();
    return false;
  }
}

TEST(Netcdf, ThatIsDamagedIsReadWholeOrRefused) {
  if (!reads_netcdf()) GTEST_SKIP();
  for (char const version : {'\1', '\2', '\5'})
    test::expect_whole_or_refused("a.nc", test::netcdf(version), {.may_be_longer = false});
}

TEST(Netcdf, OfSeveralTimesIsRefused) {
  if (!reads_netcdf()) GTEST_SKIP();
  test::TemporaryFolder const folder;
  // The second of its axes is called so now.
  std::string text = test::netcdf(1);
  text.replace(text.find(std::string("\0\0\0\1y\0\0\0", 8)), 8, std::string("\0\0\0\1t\0\0\0", 8));
  EXPECT_BAD_INPUT(read_image(folder.write("a.nc", text), {}),
                   "rock (3 x 4 x 5) has 4 images along its axis 't'");
}

}  // namespace
}  // namespace tessera
