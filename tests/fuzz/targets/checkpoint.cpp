// SPDX-License-Identifier: MIT
// Checkpoints, in two ways. Either the input is the file: its seal has to tell a damaged one. Or it
// is laid over what a right checkpoint holds (parts of blocks, values, text), under a seal that is
// right again: then what is read has to be checked.
#include "io/checkpoint/checkpoint.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/json.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace tessera;

/// Where the content of a data set lies in the file.
struct Region {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

struct RightCheckpoint {
  std::string bytes;
  std::vector<Region> content;
};

RightCheckpoint make_right_checkpoint() {
  std::filesystem::path const path = fuzz::file_with("", "right.h5");
  CheckpointWriter writer(path, Precision::single_precision, 12, 3);
  std::array<float, 6> const values{1, 2, 3, 4, 5, 6};
  std::array<double, 2> const remembered{0.5, 0.25};
  writer.add_block(0, std::as_bytes(std::span(values)), remembered);
  writer.add_block(2, std::as_bytes(std::span(values)), {});
  writer.add_array("fields", std::span<float const>(values));
  writer.add_array("history", std::span<double const>(remembered));
  writer.commit(Json{{"step", 100}, {"shape", {4, 3, 1}}});

  RightCheckpoint right;
  std::ifstream stream(path, std::ios::binary);
  right.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (char const* const name :
       {"populations-begin", "populations-count", "remembered-begin", "remembered-count",
        "remembered", "text", "arrays/fields", "arrays/history"}) {
    hid_t const dataset = H5Dopen2(file, name, H5P_DEFAULT);
    Region const region{H5Dget_offset(dataset), H5Dget_storage_size(dataset)};
    if (region.begin + region.bytes <= right.bytes.size()) right.content.push_back(region);
    H5Dclose(dataset);
  }
  H5Fclose(file);
  return right;
}

RightCheckpoint const& right_checkpoint() {
  static RightCheckpoint const right = make_right_checkpoint();
  return right;
}

void read_all(std::filesystem::path const& path) {
  CheckpointReader const reader(path);
  (void)reader.text().dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::int32_t block = 0; block < 3; ++block) {
    fuzz::answer_of([&] {
      std::array<std::byte, 24> populations{};
      reader.read_block(block, populations);
    });
    fuzz::answer_of([&] {
      double sum = 0;
      for (double const value : reader.remembered(block)) sum += value;
      if (sum == 0.125) __builtin_trap();  // reads every value, and does not happen
    });
  }
  fuzz::answer_of([&] { (void)reader.floats("fields"); });
  fuzz::answer_of([&] { (void)reader.doubles("history"); });
}

/// 0 leaves a byte as it is.
std::string laid_over_content(std::string_view changes) {
  std::string bytes = right_checkpoint().bytes;
  for (Region const& region : right_checkpoint().content) {
    std::size_t const some = std::min(region.bytes, changes.size());
    for (std::size_t i = 0; i < some; ++i)
      bytes[region.begin + i] = static_cast<char>(bytes[region.begin + i] ^ changes[i]);
    changes.remove_prefix(some);
  }
  return bytes;
}

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  std::string const unchanged(1 + 6 * 24 + 200, '\0');
  return {unchanged, "\1" + right_checkpoint().bytes};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  bool const as_it_is = choices.next(2) == 1;
  std::filesystem::path const path =
      fuzz::file_with(as_it_is ? choices.rest() : laid_over_content(choices.rest()), "a.h5");
  if (!as_it_is) seal_checkpoint(path);
  fuzz::answer_of([&] { read_all(path); });
  return 0;
}
