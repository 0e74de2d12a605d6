// SPDX-License-Identifier: MIT
#include "io/checkpoint/saved_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "base/errors.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

SavedValues values() {
  return {"run/checkpoint.h5",
          Json::parse(R"({"step": 7, "none": null, "part": 0.5, "yes": true, "huge": 1e300,
                          "beyond": 18446744073709551615, "below": -3, "text": "7",
                          "list": [1, null, 2.5], "mixed": [1, "2"], "places": [[1, 2, 3]],
                          "short": [[1, 2]], "inner": {"a": 1}})")};
}

std::string refusal(std::function<void(SavedValues const&)> const& ask) {
  try {
    ask(values());
  } catch (BadInput const& error) {
    return error.what();
  }
  return "";
}

TEST(SavedValues, AreWhatWasSaved) {
  EXPECT_EQ(values().whole("step"), 7);
  EXPECT_EQ(values().whole("below", -5), -3);
  EXPECT_EQ(values().number("part"), 0.5);
  EXPECT_EQ(values().number("step"), 7);
  EXPECT_FALSE(values().number_if_known("none"));
  EXPECT_TRUE(values().flag("yes"));
  EXPECT_EQ(values().numbers("list").size(), 3U);
  EXPECT_TRUE(std::isnan(values().numbers("list")[1]));
  EXPECT_EQ(values().vectors("places").front()[2], 3);
  EXPECT_EQ(values().object("inner").whole("a"), 1);
  EXPECT_FALSE(values().has("outer"));
}

TEST(SavedValues, RefuseWhatIsNotThereOrOfAnotherKind) {
  EXPECT_EQ(refusal([](SavedValues const& v) { v.whole("next"); }),
            "run/checkpoint.h5: damaged: it has no 'next'");
  EXPECT_EQ(refusal([](SavedValues const& v) { v.whole("step", 8, 9); }),
            "run/checkpoint.h5: damaged: 'step': expected a whole number from 8 to 9");
  for (char const* key : {"none", "part", "yes", "huge", "beyond", "below", "text", "list"})
    EXPECT_NE(refusal([&](SavedValues const& v) { v.whole(key); }), "") << key;
  for (char const* key : {"none", "yes", "text", "list", "inner"})
    EXPECT_NE(refusal([&](SavedValues const& v) { v.number(key); }), "") << key;
  for (char const* key : {"none", "step", "text"})
    EXPECT_NE(refusal([&](SavedValues const& v) { v.flag(key); }), "") << key;
  for (char const* key : {"none", "step", "mixed", "inner", "places"})
    EXPECT_NE(refusal([&](SavedValues const& v) { v.numbers(key); }), "") << key;
  for (char const* key : {"list", "short", "step"})
    EXPECT_NE(refusal([&](SavedValues const& v) { v.vectors(key); }), "") << key;
  EXPECT_NE(refusal([](SavedValues const& v) { v.object("list"); }), "");
  EXPECT_THROW(SavedValues("file", Json(7)), BadInput);
}

}  // namespace
}  // namespace tessera
