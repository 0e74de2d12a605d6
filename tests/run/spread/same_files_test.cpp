// SPDX-License-Identifier: MIT
// Files that each rank finds for itself.
#include "run/spread/same_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "io/sha256.hpp"
#include "run/spread/image.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool is_last() { return Ranks::rank() == Ranks::count() - 1; }

template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (BadInputOfAll const& error) {
    return error.what();
  }
  return {};
}

/// "for rank 2 (HOST) than for rank 0", where there are others.
void expect_names_last(std::string const& refusal) {
  if (Ranks::alone()) {
    EXPECT_EQ(refusal, "");
    return;
  }
  std::string const last = "rank " + std::to_string(Ranks::count() - 1) + " (";
  EXPECT_NE(refusal.find(last), std::string::npos) << refusal;
  EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
}

TEST(SameFiles, HaveOneFingerprint) {
  test::TemporaryFolder const own;
  fs::path const file = own.write("rock.raw", "of all");
  EXPECT_EQ(sha256_for_all("rock.raw", {file}), sha256_of_files({file}));
}

TEST(SameFiles, AreExpectedOfAllRanks) {
  test::TemporaryFolder const own;
  fs::path const file = own.write("rock.raw", is_last() ? "of the last" : "of all");
  expect_names_last(refusal_of([&] { sha256_for_all("rock.raw", {file}); }));
}

TEST(SameFiles, AreImagesOfWhateverFormat) {
  // Raw images are read in parts; packed ones, or turned ones, by the first rank for all.
  std::string const voxels(std::size_t{4} * 4 * 16, '\0');
  test::TemporaryFolder const own;
  fs::path const raw = own.write("rock.raw", is_last() ? voxels.substr(1) + '\1' : voxels);
  for (char const* const axes : {"xyz", "zyx"}) {
    ReadOptions options;
    options.shape = axes[0] == 'x' ? Int3{4, 4, 16} : Int3{16, 4, 4};
    options.axes = axes;
    expect_names_last(refusal_of([&] { read_spread_image(raw, options); }));
  }
}

TEST(SameForAll, NamesThoseThatHaveNone) {
  std::string const refusal =
      refusal_of([] { expect_same_for_all("checkpoint.h5", is_last() ? "" : "seal"); });
  expect_names_last(refusal);
  EXPECT_TRUE(Ranks::alone() || refusal.starts_with("checkpoint.h5: none is there for")) << refusal;
}

}  // namespace
}  // namespace tessera
