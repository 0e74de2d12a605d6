// SPDX-License-Identifier: MIT
#include "io/results/gantt_chart.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::count;

std::string drawn(GanttChart const& chart) {
  test::TemporaryFolder const folder;
  write_gantt_chart(folder / "chart.svg", chart);
  return test::read_bytes(folder / "chart.svg");
}

TEST(GanttChart, HasARowForEachWorkerAndABarForEachTask) {
  std::string const svg = drawn({.title = "two",
                                 .rows = {"CPU 0", "CPU 1", "CPU 2"},
                                 .bars = {{0, "measure", 1.0, 1.5}, {2, "collide", 1.2, 1.8}}});
  EXPECT_EQ(count(svg, "class=\"row\""), 3);
  EXPECT_EQ(count(svg, "<title>"), 2);
  EXPECT_EQ(count(svg, "<title>measure, 500.000 ms</title>"), 1);
  EXPECT_EQ(count(svg, ">1100</text>"), 1) << "time axis in milliseconds";
}

TEST(GanttChart, ShowsTheEndOfALongRun) {
  GanttChart chart{.title = "long", .rows = {"CPU 0"}, .bars = {}};
  for (int i = 0; i < 1000; ++i) chart.bars.push_back({0, "step", i * 1.0, i + 0.9});
  EXPECT_EQ(count(drawn(chart), "<title>"), 36) << "40 tasks of 0.9 s";
}

TEST(GanttChart, ShowsTheWorkRatherThanWhatComesAfterIt) {
  GanttChart chart{.title = "copied", .rows = {"CPU 0"}, .bars = {}};
  for (int i = 0; i < 1000; ++i) chart.bars.push_back({0, "step", i * 1.0, i + 0.9});
  chart.bars.push_back({0, "copy", 2000, 2500});
  std::string const svg = drawn(chart);
  EXPECT_EQ(count(svg, "<title>step"), 36);
  EXPECT_EQ(count(svg, "<title>copy"), 0);
}

TEST(GanttChart, EscapesWhatXmlWouldTakeForItsOwn) {
  std::string const svg =
      drawn({.title = "a < b & c", .rows = {"<x>"}, .bars = {{0, "k&r", 0.0, 1.0}}});
  EXPECT_EQ(count(svg, "a &lt; b &amp; c"), 1);
  EXPECT_EQ(count(svg, "&lt;x>"), 1);
  EXPECT_EQ(count(svg, "k&amp;r"), 2);
}

TEST(GanttChart, IsDrawnWithoutAnyBar) {
  EXPECT_EQ(count(drawn({.title = "none", .rows = {"CPU 0"}, .bars = {}}), "</svg>"), 1);
}

TEST(GanttChart, IsRefusedWhereThereIsNoFolder) {
  EXPECT_THROW(write_gantt_chart("/nowhere/chart.svg", {}), EnvironmentError);
}

}  // namespace
}  // namespace tessera
