// SPDX-License-Identifier: MIT
#include "case/file/boundary_types.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

TEST(BoundaryTypes, StandSomewhereAndHaveSchemesWithNames) {
  std::set<std::string_view> names;
  for (BoundaryTypeTraits const& row : boundary_types) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(traits_of(row.type).name, row.name);
    EXPECT_FALSE(row.wall && row.open) << row.name;
    std::size_t places = 0;
    for (Schemes const& schemes : {row.on_faces, row.on_solids, row.on_image_labels}) {
      places += schemes.empty() ? 0 : 1;
      for (BoundaryScheme const scheme : schemes) {
        if (scheme == BoundaryScheme::none) continue;
        EXPECT_FALSE(name_in(scheme_names, scheme).empty()) << row.name;
        EXPECT_TRUE(row.has_schemes()) << row.name;
      }
    }
    EXPECT_GT(places, 0U) << row.name;
  }
}

}  // namespace
}  // namespace tessera
