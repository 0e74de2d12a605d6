// SPDX-License-Identifier: MIT
#include "partition/lattice/voxel_numbers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "partition/lattice/block_shape.hpp"

namespace tessera {
namespace {

constexpr Int3 numbered_shape{70, 19, 21};

/// So many different ones, at random.
std::vector<std::uint8_t> some_numbers(int different) {
  std::mt19937 random(static_cast<unsigned>(different));
  std::vector<std::uint8_t> numbers(static_cast<std::size_t>(volume(numbered_shape)));
  for (std::uint8_t& number : numbers)
    number = static_cast<std::uint8_t>(255 - random() % static_cast<unsigned>(different));
  return numbers;
}

void expect_same(VoxelNumbers const& found, std::vector<std::uint8_t> const& numbers) {
  for (Int3 at; at.z < numbered_shape.z; ++at.z) {
    for (at.y = 0; at.y < numbered_shape.y; ++at.y) {
      for (at.x = 0; at.x < numbered_shape.x; ++at.x)
        ASSERT_EQ(found.at(at), numbers[linear_index(numbered_shape, at)])
            << at.x << " " << at.y << " " << at.z;
    }
  }
}

TEST(VoxelNumbers, AreThoseThatWereGivenHoweverManyDifferentOnesThereAre) {
  for (int const different : {1, 2, 3, 4, 5, 16, 17, 256}) {
    auto const numbers = some_numbers(different);
    expect_same(VoxelNumbers(numbered_shape, numbers), numbers);
  }
}

TEST(VoxelNumbers, OfLayersOfBlocksOneBehindTheOtherAreThoseOfTheWhole) {
  auto const numbers = some_numbers(3);
  std::int64_t const first = 2 * block_shape.z;
  auto const before = static_cast<std::size_t>(numbered_shape.x * numbered_shape.y * first);
  auto packed = VoxelNumbers::pack({numbered_shape.x, numbered_shape.y, first},
                                   std::span(numbers).first(before));
  auto const behind =
      VoxelNumbers::pack({numbered_shape.x, numbered_shape.y, numbered_shape.z - first},
                         std::span(numbers).subspan(before));
  packed.bits.insert(packed.bits.end(), behind.bits.begin(), behind.bits.end());
  packed.bytes.insert(packed.bytes.end(), behind.bytes.begin(), behind.bytes.end());
  expect_same(VoxelNumbers(numbered_shape, std::move(packed)), numbers);
}

TEST(VoxelNumbers, TakeABitAVoxelWhereThereAreTwoAndNoneWhereThereIsOne) {
  constexpr Int3 blocks{4 * block_shape.x, 4 * block_shape.y, 4 * block_shape.z};
  std::vector<std::uint8_t> numbers(static_cast<std::size_t>(volume(blocks)), 7);
  std::size_t const of_one = VoxelNumbers(blocks, numbers).bytes();
  EXPECT_LE(of_one, 64 * 10);  // its number, how many bits, where it is
  for (std::size_t i = 0; i < numbers.size(); i += 2) numbers[i] = 3;
  EXPECT_EQ(VoxelNumbers(blocks, numbers).bytes(), of_one + numbers.size() / 8 + 64);
}

TEST(VoxelNumbers, MayBeNone) {
  EXPECT_TRUE(VoxelNumbers().empty());
  EXPECT_FALSE(VoxelNumbers(numbered_shape, some_numbers(1)).empty());
}

}  // namespace
}  // namespace tessera
