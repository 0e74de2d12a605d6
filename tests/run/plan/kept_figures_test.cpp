// SPDX-License-Identifier: MIT
#include "run/plan/kept_figures.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

/// The cache of this test alone.
class KeptFigures : public testing::Test {
 protected:
  void SetUp() override {
    if (char const* const before = std::getenv("TESSERA_CACHE")) before_ = before;
    setenv("TESSERA_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  void TearDown() override { setenv("TESSERA_CACHE", before_.c_str(), 1); }

  static void write(std::string const& text) {
    std::filesystem::create_directories(kept_figures_file().parent_path());
    std::ofstream(kept_figures_file()) << text;
  }

  test::TemporaryFolder folder_;

 private:
  std::string before_;
};

TEST_F(KeptFigures, AreThereOnceTheyAreKept) {
  EXPECT_FALSE(kept_figure("speed"));
  EXPECT_TRUE(keep_figure("speed", 2.5));
  EXPECT_TRUE(keep_figure("tiles", 7));
  EXPECT_EQ(kept_figure("speed"), 2.5);
  EXPECT_EQ(kept_figure("tiles"), 7);
  EXPECT_TRUE(keep_figure("speed", 3));
  EXPECT_EQ(kept_figure("speed"), 3);
  EXPECT_EQ(kept_figure("tiles"), 7);
}

TEST_F(KeptFigures, AreMeasuredOnce) {
  int measured = 0;
  auto const measure = [&] {
    ++measured;
    return 4.0;
  };
  EXPECT_EQ(kept_or_measured("copy", measure), 4);
  EXPECT_EQ(kept_or_measured("copy", measure), 4);
  EXPECT_EQ(measured, 1);
}

TEST_F(KeptFigures, AreNotThoseOfADamagedFile) {
  for (std::string const text : {"{\"speed\": 2", "[2]", "\"speed\"", ""}) {
    SCOPED_TRACE(text);
    write(text);
    EXPECT_FALSE(kept_figure("speed"));
  }
  EXPECT_TRUE(keep_figure("speed", 2));  // in its place
  EXPECT_EQ(kept_figure("speed"), 2);
}

TEST_F(KeptFigures, ArePositiveNumbers) {
  write(R"({"a": -1, "b": 0, "c": "3", "d": null, "e": 1e-3})");
  for (char const* const key : {"a", "b", "c", "d"}) EXPECT_FALSE(kept_figure(key)) << key;
  EXPECT_EQ(kept_figure("e"), 1e-3);
}

TEST_F(KeptFigures, StopNothingWhereTheyCannotBeKept) {
  std::ofstream(folder_.path() / "cache") << "a file where the folder would be";
  EXPECT_FALSE(keep_figure("speed", 2));
  EXPECT_EQ(kept_or_measured("speed", [] { return 5.0; }), 5);
}

TEST_F(KeptFigures, AreOfAHostAndAPrecision) {
  EXPECT_NE(figure_key("tiles", Precision::single_precision),
            figure_key("tiles", Precision::double_precision));
  EXPECT_NE(figure_key("tiles"), "tiles");
}

}  // namespace
}  // namespace tessera
