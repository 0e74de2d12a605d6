// SPDX-License-Identifier: MIT
// Whole files of formats that have other readers than TIFF and NumPy, cut short, made longer, or
// with bits turned: the same image, or a refusal. The first bytes of an input choose the file and
// the kind of damage, the others where. What no checksum covers may make another image, but no
// crash.
#include <hdf5.h>

#include <array>
#include <fstream>
#include <iterator>

#include "io/images/image.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/io/images/dicom_bytes.hpp"
#include "tests/io/images/netcdf_bytes.hpp"
#include "tests/io/images/packed.hpp"

namespace {

using namespace tessera;

struct WholeFile {
  std::string name;
  std::string bytes;
  /// Byte from which a checksum covers all; the length where there is none.
  std::size_t covered = 0;
  bool flips = true;  ///< HDF5 itself crashes where its own books are damaged
};

std::string nrrd(std::string const& encoding) {
  return "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 5 4 3\nencoding: " + encoding + "\n\n";
}

std::string meta_image(std::string const& packed) {
  return "NDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\nCompressedData = " + packed +
         "\nElementDataFile = LOCAL\n";
}

/// With its only chunk packed.
std::string hdf5(std::string const& voxels) {
  std::string const path = fuzz::file_with("", "whole.h5").string();
  std::array<hsize_t, 3> const shape{3, 4, 5};
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t const space = H5Screate_simple(3, shape.data(), nullptr);
  hid_t const how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(how, 3, shape.data());
  H5Pset_deflate(how, 9);
  hid_t const image =
      H5Dcreate2(file, "image", H5T_NATIVE_UINT8, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Dwrite(image, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, voxels.data());
  H5Dclose(image);
  H5Pclose(how);
  H5Sclose(space);
  H5Fclose(file);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<WholeFile> const& whole_files() {
  static std::vector<WholeFile> const files = [] {
    std::string const voxels = test::voxels_of_60();
    std::string text;
    for (char const voxel : voxels) text += std::to_string(100 + voxel) + " ";
    std::vector<WholeFile> all;
    auto const add = [&](std::string const& name, std::string const& head, std::string const& data,
                         bool has_checksum) {
      all.push_back({name, head + data, head.size() + (has_checksum ? 0 : data.size())});
    };
    add("a.nrrd", nrrd("raw"), voxels, false);
    add("a.nrrd", nrrd("gzip"), test::gzipped(voxels), true);
    add("a.nrrd", nrrd("bzip2"), test::bzipped(voxels), true);
    add("a.nrrd", nrrd("ascii"), text, false);
    add("a.mha", meta_image("False"), voxels, false);
    add("a.mha", meta_image("True"), test::deflated(voxels), true);
    add("a.dcm", "", test::DicomBytes().bytes(), false);
    for (char const version : {'\1', '\2', '\5'}) add("a.nc", "", test::netcdf(version), false);
    add("a.h5", "", hdf5(voxels), false);
    all.back().flips = false;
    return all;
  }();
  return files;
}

Image read(WholeFile const& file, std::string_view bytes) {
  return read_image(fuzz::file_with(bytes, file.name), {});
}

}  // namespace

std::vector<std::string> tessera::fuzz::seeds() {
  std::vector<std::string> seeds;
  for (std::size_t file = 0; file < whole_files().size(); ++file) {
    for (char const kind : {'\0', '\1', '\2'})
      seeds.push_back({static_cast<char>(file), kind, 1, 7, 3});
  }
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  WholeFile const& file = whole_files()[choices.next(whole_files().size())];
  std::string bytes = file.bytes;
  bool may_differ = false;
  std::size_t const kind = choices.next(3);
  auto const place = [&] { return (choices.next(256) * 256 + choices.next(256)) % bytes.size(); };
  if (kind == 0) {
    bytes.resize(place());
  } else if (kind == 1) {
    bytes += choices.rest();
  } else if (file.flips) {
    for (std::size_t left = 1 + choices.next(4); left > 0; --left) {
      std::size_t const at = place();
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.next(8)));
      may_differ = may_differ || at < file.covered;
    }
  }
  fuzz::answer_of([&] {
    Image const damaged = read(file, bytes);
    if (may_differ) return;
    Image const whole = read(file, file.bytes);
    if (damaged.shape != whole.shape || damaged.voxels != whole.voxels) __builtin_trap();
  });
  return 0;
}
