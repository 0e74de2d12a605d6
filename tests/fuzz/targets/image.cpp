// SPDX-License-Identifier: MIT
// Images of every format, and the labels in them. The first bytes choose the name of the file and
// what the user says of it; the rest is the file. Seeds for slices are TIFF files, of which two
// make a folder.
#include "io/images/image.hpp"

#include <array>

#include "io/images/labels.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/io/images/netcdf_bytes.hpp"

namespace {

using namespace tessera;

constexpr std::array<char const*, 8> names{"a",     "a.raw", "a.raw.gz", "a.tif",
                                           "a.npy", "a.npz", "s1.tif",   "a.nii"};
constexpr std::array<char const*, 9> types{"uint8",  "int8",    "uint16-be", "int32", "uint32",
                                           "uint64", "float32", "float64",   "bool"};

ReadOptions options_of(fuzz::Choices& choices) {
  ReadOptions options;
  if (choices.next(2) == 1) {
    options.shape =
        Int3{static_cast<std::int64_t>(choices.next(9)), static_cast<std::int64_t>(choices.next(5)),
             static_cast<std::int64_t>(choices.next(5))};
  }
  options.dtype = types[choices.next(types.size())];
  options.header_bytes = choices.next(4) == 1 ? static_cast<std::int64_t>(choices.next(64)) : 0;
  if (choices.next(3) == 1) options.axes = "zyx";
  if (choices.next(5) == 1) options.crop = Crop{{0, 0, 0}, {1, 2, 1}};
  if (choices.next(2) == 1) options.said_by = SaidBy::case_key;
  return options;
}

/// The choices of most seeds: name, no shape, uint8, no header, xyz, no crop, options.
std::string with_choices(std::string const& file, char name, bool shape = false) {
  std::string const said = shape ? std::string("\1\4\2\1", 4) : std::string(1, '\0');
  return std::string(1, name) + said + std::string(5, '\0') + file;
}

std::string npy() {
  std::string const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2), }\n";
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string("\0\0\x80\x3f\0\0\0\0\0\0\x80\x3f\0\0\0\0", 16);
}

/// 2 x 2 pixels of 8 bits, in one strip or one tile.
std::string tiff(bool tiled) {
  std::string text("II*\0\x0c\0\0\0\0\1\1\0", 12);
  std::string entries;
  int count = 0;
  auto const entry = [&](unsigned tag, unsigned value) {
    entries += {static_cast<char>(tag & 255U),
                static_cast<char>(tag >> 8U),
                3,
                0,
                1,
                0,
                0,
                0,
                static_cast<char>(value),
                0,
                0,
                0};
    ++count;
  };
  entry(256, 2);
  entry(257, 2);
  entry(258, 8);
  entry(259, 1);
  entry(262, 1);
  if (!tiled) entry(273, 8);
  entry(277, 1);
  if (!tiled) {
    entry(278, 2);
    entry(279, 4);
  } else {
    entry(322, 16);
    entry(323, 16);
    entry(324, 8);
    entry(325, 4);
  }
  return text + static_cast<char>(count) + '\0' + entries + std::string(4, '\0');
}

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  return {with_choices(std::string("\0\1\1\0\0\1\0\1", 8), 1, true),
          with_choices(npy(), 4),
          with_choices(tiff(false), 3),
          with_choices(tiff(true), 3),
          with_choices("\x1f\x8b\x08" + std::string(20, '\0'), 2, true),
          with_choices("PK\3\4" + std::string(30, '\0'), 5),
          with_choices(test::netcdf(1), 0),
          with_choices(test::netcdf(2), 0),
          with_choices(test::netcdf(5), 0)};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  std::string const name = names[choices.next(names.size())];
  ReadOptions const options = options_of(choices);
  fuzz::answer_of([&] {
    Image const image = read_image(fuzz::file_with(choices.rest(), name), options);
    histogram_text(image);
    for (auto const& [pore, threshold] : {std::pair{"0", ""}, {"1", ""}, {"", "<=0.5"}}) {
      PoreRule rule;
      if (*pore != '\0') rule.pore = LabelSet::parse(pore);
      if (*threshold != '\0') rule.threshold = Threshold::parse(threshold);
      fuzz::answer_of([&] { label_pores(image, rule); });
    }
  });
  return 0;
}
