// SPDX-License-Identifier: MIT
#include "run/checkpoint/spread_arrays.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "io/json.hpp"
#include "run/fields/brick_owners.hpp"
#include "run/fields/whole_fields.hpp"
#include "run/spread/geometry.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

std::vector<double> counted(std::int64_t from, std::int64_t count) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(from + i) / 3);
  return values;
}

/// Unlike for the ranks, one has none, and more than travels at once.
std::int64_t count_of(int rank) { return rank == 1 ? 0 : 1'500'000 * (rank + 1); }

struct OwnPart {
  std::int64_t before = 0;
  std::int64_t all = 0;
  OwnPart() {
    for (int rank = 0; rank < Ranks::count(); ++rank) {
      if (rank < Ranks::rank()) before += count_of(rank);
      all += count_of(rank);
    }
  }
};

TEST(SpreadArrays, StandInACheckpointAsThoseOfOneAndComeBack) {
  std::optional<test::TemporaryFolder> folder;
  if (Ranks::is_root()) folder.emplace();
  std::filesystem::path const path =
      std::filesystem::path(
          Ranks::all_gather(folder ? folder->path().string() : std::string{}).front()) /
      "checkpoint.h5";
  OwnPart const part;
  std::vector<double> const own = counted(part.before, count_of(Ranks::rank()));
  std::vector<float> const halves(static_cast<std::size_t>(Ranks::rank()), 0.5F);
  std::optional<CheckpointWriter> writer;
  if (Ranks::is_root()) writer.emplace(path, Precision::single_precision, 0, 0);
  save_spread_arrays(writer ? &*writer : nullptr, {{"thirds", std::span<double const>(own)},
                                                   {"halves", std::span<float const>(halves)},
                                                   {"none", std::span<double const>()}});
  if (writer) writer->commit({{"step", 3}});
  Ranks::broadcast_number(0);
  CheckpointReader const reader(path);
  EXPECT_EQ(reader.doubles("thirds"), counted(0, part.all));
  EXPECT_EQ(reader.floats("halves").size(),
            static_cast<std::size_t>(Ranks::count() * (Ranks::count() - 1) / 2));
  EXPECT_EQ(reader.values_in("none"), 0);
  std::vector<double> again(own.size());
  EXPECT_TRUE(restore_spread_array(reader, "thirds", std::span(again)));
  EXPECT_EQ(again, own);
  again.push_back(0);
  EXPECT_FALSE(restore_spread_array(reader, "thirds", std::span(again)));
  EXPECT_TRUE(Ranks::any(true));  // before the folder goes
}

TEST(SpreadArrays, GoOnToTheirEndWhereNobodyWrites) {
  std::vector<double> const own = counted(0, count_of(Ranks::rank()));
  EXPECT_NO_THROW(save_spread_arrays(nullptr, {{"thirds", std::span<double const>(own)}}));
}

/// Each voxel's number, of layers, comes to where it stands in the own bricks.
TEST(Layers, BecomeTheBricksOfThoseWhoHaveThem) {
  for (Int3 const shape : {Int3{130, 70, 66}, Int3{10, 9, 8}, Int3{300, 200, 1}}) {
    LayerRange const layers = layers_of_rank(Ranks::rank(), shape.z);
    std::int64_t const layer = shape.x * shape.y;
    std::vector<double> const own = counted(layers.lower * layer, layers.count() * layer);
    Bricks const bricks(shape);
    std::vector<double> found(own_voxels(bricks));
    layers_to_bricks(shape, layers, sizeof(double), std::as_bytes(std::span(own)),
                     std::as_writable_bytes(std::span(found)));
    std::size_t next = 0;
    LayerRange const mine = own_bricks(bricks);
    for (std::int64_t b = mine.lower; b < mine.upper; ++b) {
      Int3 const size = bricks.extents(b);
      for (Int3 at; at.z < size.z; ++at.z) {
        for (at.y = 0; at.y < size.y; ++at.y) {
          for (at.x = 0; at.x < size.x; ++at.x) {
            auto const voxel = linear_index(shape, bricks.lower(b) + at);
            ASSERT_EQ(found[next++], static_cast<double>(voxel) / 3);
          }
        }
      }
    }
    EXPECT_EQ(next, found.size());
  }
}

}  // namespace
}  // namespace tessera
