// SPDX-License-Identifier: MIT
// Valid images that are cut, prolonged, or of which a bit is changed: what is read then are the
// voxels of the whole file, or it is refused. An input chooses the file, the damage and the place.
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/fields/write_image.hpp"
#include "io/images/image.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace tessera;

struct Whole {
  std::string name;
  ReadOptions options;
  bool summed = false;  ///< a checksum stands in it, which sees any changed bit of its voxels
  std::string bytes;
  Image image;
};

std::vector<std::uint8_t> voxels(Int3 shape) {
  std::vector<std::uint8_t> values(static_cast<std::size_t>(volume(shape)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint8_t>(i * i % 7 % 2);
  return values;
}

void write_whole(std::filesystem::path const& path, Int3 shape) {
  auto const values = voxels(shape);
  if (path.extension() != ".gz") return write_image(path, shape, values, 1e-6);
  gzFile const file = gzopen(path.c_str(), "wb");
  gzwrite(file, values.data(), static_cast<unsigned>(values.size()));
  gzclose(file);
}

std::vector<Whole> const& wholes() {
  static std::vector<Whole> const all = [] {
    Int3 const shape{7, 5, 3};
    ReadOptions raw;
    raw.shape = shape;
    std::vector<Whole> found{{.name = "w.npy"},
                             {.name = "w.npz", .summed = true},
                             {.name = "w.tif"},
                             {.name = "w.raw", .options = raw},
                             {.name = "w.raw.gz", .options = raw, .summed = true}};
    for (Whole& whole : found) {
      auto const path = fuzz::file_with("", whole.name);
      write_whole(path, shape);
      std::ifstream file(path, std::ios::binary);
      whole.bytes.assign(std::istreambuf_iterator<char>(file), {});
      whole.image = read_image(path, whole.options);
    }
    return found;
  }();
  return all;
}

enum Damage : std::uint8_t { cut, prolonged, changed, kinds };

std::string damaged(std::string bytes, Damage damage, std::size_t place) {
  if (damage == cut) bytes.resize(place / 8 % bytes.size());
  if (damage == prolonged) bytes.append(1 + place % 200, static_cast<char>(place));
  if (damage == changed) {
    char& byte = bytes[place / 8 % bytes.size()];
    byte = static_cast<char>(byte ^ (1U << place % 8));
  }
  return bytes;
}

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  std::vector<std::string> inputs;
  for (std::size_t file = 0; file < wholes().size(); ++file) {
    for (int damage = 0; damage < kinds; ++damage)
      inputs.push_back({static_cast<char>(file), static_cast<char>(damage), 1, 2});
  }
  return inputs;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  Whole const& whole = wholes()[choices.next(wholes().size())];
  auto const damage = static_cast<Damage>(choices.next(kinds));
  std::size_t const place = choices.next(256) + 256 * choices.next(256);
  fuzz::answer_of([&] {
    auto const bytes = damaged(whole.bytes, damage, place);
    Image const found = read_image(fuzz::file_with(bytes, whole.name), whole.options);
    bool const same_voxels = found.voxels == whole.image.voxels;
    bool const may_be_others = damage == changed && !whole.summed;
    if (found.shape != whole.image.shape || !(same_voxels || may_be_others)) __builtin_trap();
  });
  return 0;
}
