// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "io/hdf5_handle.hpp"
#include "io/images/hdf5/lzf_filter.hpp"
#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "tests/io/damage.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;
using Extents = std::vector<hsize_t>;

std::string const hdf5_voxels = test::voxels_of_60();
Extents const hdf5_extents{3, 4, 5};

Hdf5Handle space_of(Extents const& extents) {
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
          ""};
}

Hdf5Handle creation() { return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose, ""}; }

/// A new file in the folder, which `fill` makes data sets in.
std::filesystem::path file(TemporaryFolder const& folder, std::string const& name,
                           std::function<void(hid_t)> const& fill) {
  Hdf5Handle const made{H5Fcreate((folder / name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                        H5Fclose, ""};
  fill(made);
  return folder / name;
}

Hdf5Handle dataset(hid_t in, std::string const& name, Extents const& extents, hid_t how,
                   hid_t type = H5T_NATIVE_UINT8) {
  Hdf5Handle const space = space_of(extents);
  return {H5Dcreate2(in, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose, ""};
}

void write(hid_t in, std::string const& name, Extents const& extents, std::string const& bytes,
           hid_t how = H5P_DEFAULT) {
  Hdf5Handle const made = dataset(in, name, extents, how);
  H5Dwrite(made, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
}

void note(hid_t object, char const* name, std::vector<double> const& values) {
  Hdf5Handle const space = space_of({values.size()});
  Hdf5Handle const made{
      H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, ""};
  H5Awrite(made, H5T_NATIVE_DOUBLE, values.data());
}

std::string bytes_of(Image const& image) {
  auto const& found = std::get<0>(image.voxels);
  return {found.begin(), found.end()};
}

Image read_hdf5(std::filesystem::path const& path, std::string const& name = "") {
  ReadOptions options;
  options.dataset = name;
  return read_image(path, options);
}

/// Planes `first` to `end` of a virtual data set are those of the data set "data" in a file.
void take(hid_t how, hsize_t first, hsize_t end, std::string const& from) {
  Hdf5Handle const part = space_of(hdf5_extents);
  Extents const begin{first, 0, 0};
  Extents const extents{end - first, 4, 5};
  H5Sselect_hyperslab(part, H5S_SELECT_SET, begin.data(), nullptr, extents.data(), nullptr);
  Hdf5Handle const source = space_of(extents);
  H5Pset_virtual(how, part, from.c_str(), "data", source);
}

TEST(Hdf5, OfSourcesIsReadIfAllOfThemAreThere) {
  TemporaryFolder const folder;
  auto const part = [&](std::string const& name, hsize_t planes, std::string const& bytes) {
    file(folder, name, [&](hid_t in) { write(in, "data", {planes, 4, 5}, bytes); });
  };
  auto const scan = file(folder, "scan.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    take(how, 0, 1, "a.h5");
    take(how, 1, 3, "b.h5");
    dataset(in, "image", hdf5_extents, how);
  });
  part("a.h5", 1, hdf5_voxels.substr(0, 20));
  EXPECT_BAD_INPUT(read_hdf5(scan), "a part of it is missing: its source b.h5:data");
  part("b.h5", 1, hdf5_voxels.substr(20, 20));
  EXPECT_BAD_INPUT(read_hdf5(scan), "its source b.h5:data is of another shape");
  part("b.h5", 2, hdf5_voxels.substr(20));
  Image const image = read_hdf5(scan);
  EXPECT_EQ(bytes_of(image), hdf5_voxels);
  EXPECT_EQ(image.files.size(), 3U);
  auto const gap = file(folder, "gap.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    take(how, 1, 3, "b.h5");
    dataset(in, "image", hdf5_extents, how);
  });
  EXPECT_BAD_INPUT(read_hdf5(gap), "40 of the 60 voxels of its virtual data set have a source");
}

TEST(Hdf5, LargerThanItsOwnFileIsReadFromItsSources) {
  TemporaryFolder const folder;
  Extents const large{300, 100, 100};
  file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    H5Pset_chunk(how, 3, large.data());
    H5Pset_deflate(how, 1);
    write(in, "data", large, std::string(3000000, '\1'), how);
  });
  auto const scan = file(folder, "scan.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    Hdf5Handle const all = space_of(large);
    H5Pset_virtual(how, all, "a.h5", "data", all);
    dataset(in, "image", large, how);
  });
  EXPECT_EQ(read_hdf5(scan).shape, (Int3{100, 100, 300}));
}

TEST(Hdf5, ThatWasNotWrittenToItsEndIsRefused) {
  TemporaryFolder const folder;
  auto const chunked = file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    H5Pset_chunk(how, 3, Extents{1, 4, 5}.data());
    Hdf5Handle const made = dataset(in, "image", hdf5_extents, how);
    H5Dwrite_chunk(made, H5P_DEFAULT, 0, Extents{1, 0, 0}.data(), 20, hdf5_voxels.data());
  });
  EXPECT_BAD_INPUT(read_hdf5(chunked), "1 of the 3 chunks of its data set were written");
  EXPECT_BAD_INPUT(
      read_hdf5(
          file(folder, "b.h5", [&](hid_t in) { dataset(in, "image", hdf5_extents, H5P_DEFAULT); })),
      "its data set was never written");
}

TEST(Hdf5, WithItsVoxelsInOtherFilesHasAllOfThem) {
  TemporaryFolder const folder;
  auto scan = file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    H5Pset_external(how, "tessera-test-voxels.raw", 3, H5F_UNLIMITED);
    dataset(in, "image", hdf5_extents, how);
  });
  EXPECT_BAD_INPUT(read_hdf5(scan), "its file");
  auto const with = [&](std::string const& bytes) {
    folder.write("tessera-test-voxels.raw", bytes);
    return scan;
  };
  EXPECT_BAD_INPUT(read_hdf5(with("123" + hdf5_voxels.substr(1))), "truncated");
  EXPECT_BAD_INPUT(read_hdf5(with("123" + hdf5_voxels + "4")), "longer than it says");
  EXPECT_EQ(bytes_of(read_hdf5(with("123" + hdf5_voxels))), hdf5_voxels);
}

TEST(Hdf5, IsFoundByWhateverPathLeadsToIt) {
  TemporaryFolder const folder;
  file(folder, "b.h5", [&](hid_t in) { write(in, "data", hdf5_extents, hdf5_voxels); });
  auto const links = file(folder, "a.h5", [&](hid_t in) {
    H5Lcreate_external("b.h5", "/data", in, "scan", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/scan", in, "soft", H5P_DEFAULT, H5P_DEFAULT);
  });
  for (char const* name : {"", "scan", "/scan", "soft"}) {
    Image const image = read_hdf5(links, name);
    EXPECT_EQ(bytes_of(image), hdf5_voxels) << name;
    EXPECT_EQ(image.files.size(), 2U);
  }
  std::filesystem::remove(folder / "b.h5");
  EXPECT_BAD_INPUT(read_hdf5(links), "a part of it is missing: /scan -> b.h5:/data leads nowhere");
}

TEST(Hdf5, NamesWhatIsNoVolumeOfNumbers) {
  TemporaryFolder const folder;
  auto const other = file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const pair{H5Tcreate(H5T_COMPOUND, 3), H5Tclose, ""};
    H5Tinsert(pair, "label", 0, H5T_NATIVE_UINT8);
    H5Tinsert(pair, "grey", 1, H5T_NATIVE_UINT16);
    dataset(in, "pairs", hdf5_extents, H5P_DEFAULT, pair);
    write(in, "times", {2, 3, 4, 5}, hdf5_voxels + hdf5_voxels);
  });
  EXPECT_BAD_INPUT(read_hdf5(other),
                   "no 3-D data set of numbers in it, but /pairs (3 x 4 x 5), compounds of label, "
                   "grey; /times (2 x 3 x 4 x 5)");
}

TEST(Hdf5, OfBitsIsBoolean) {  // as PyTables writes it
  TemporaryFolder const folder;
  Image const image = read_hdf5(file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const made = dataset(in, "image", hdf5_extents, H5P_DEFAULT, H5T_NATIVE_B8);
    H5Dwrite(made, H5T_NATIVE_B8, H5S_ALL, H5S_ALL, H5P_DEFAULT, hdf5_voxels.data());
  }));
  EXPECT_TRUE(image.boolean);
  EXPECT_EQ(bytes_of(image), hdf5_voxels);
}

TEST(Hdf5, HasTheValuesThatScaleAndOffsetMake) {
  TemporaryFolder const folder;
  auto const scaled = [&](std::vector<double> const& fill, double scale, double offset) {
    return read_hdf5(file(folder, "a.h5", [&](hid_t in) {
      Hdf5Handle const made = dataset(in, "image", hdf5_extents, H5P_DEFAULT);
      H5Dwrite(made, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, hdf5_voxels.data());
      if (scale != 1) note(made, "scale_factor", {scale});
      if (offset != 0) note(made, "add_offset", {offset});
      if (!fill.empty()) note(made, "_FillValue", fill);
    }));
  };
  Image const image = scaled({}, 0.5, 20);
  auto const& values = std::get<std::vector<double>>(image.voxels);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 0.5 * hdf5_voxels[i] + 20);
  PoreRule rule;
  rule.threshold = Threshold::parse("<20.25");
  EXPECT_EQ(label_pores(image, rule).pore.front(), 0);
  EXPECT_BAD_INPUT(label_pores(scaled({1}, 0.5, 20), rule), "is not a number");
  EXPECT_BAD_INPUT(label_pores(scaled({1}, 1, 0), rule), "voxel 0 is 1, which says that it has no");
  EXPECT_BAD_INPUT(label_pores(scaled({1}, 1, 0), {}), "by the file's _FillValue no value at all");
  rule = {};
  rule.solid = LabelSet::of(1);
  EXPECT_EQ(label_pores(scaled({1}, 1, 0), rule).pore.front(), 0);
}

TEST(Hdf5, SaysTheSizeOfACubeByOneNumber) {
  TemporaryFolder const folder;
  auto const sized = [&](std::vector<double> const& values) {
    return read_hdf5(file(folder, "a.h5", [&](hid_t in) {
      write(in, "image", hdf5_extents, hdf5_voxels);
      note(in, "element_size_um", values);
    }));
  };
  Image const cube = sized({2.5});
  ASSERT_TRUE(cube.edges);
  EXPECT_DOUBLE_EQ(cube.edges->metres[2], 2.5e-6);
  EXPECT_EQ(sized({1, 2}).doubtful_edges, "its element_size_um is neither one number nor three");
  EXPECT_EQ(sized({-1, 2, 3}).doubtful_edges,
            "its element_size_um of 3 x 2 x -1 is no size of a voxel");
}

std::string unpacked(std::string const& packed, std::size_t bytes) {
  std::string to(bytes, '?');
  bool const is_whole =
      unpack_lzf(std::as_bytes(std::span(packed)), std::as_writable_bytes(std::span(to)));
  return is_whole ? to : "refused";
}

TEST(Lzf, IsRunsOfPlainBytesAndCopies) {
  // "abc", 3 bytes from 3 back, 12 from 1 back.
  std::string const packed("\2abc\x20\2\xe0\3\0", 9);
  EXPECT_EQ(unpacked(packed, 18), "abcab" + std::string(13, 'c'));
  for (std::size_t size = 0; size < packed.size(); ++size)
    EXPECT_EQ(unpacked(packed.substr(0, size), 18), "refused") << size;
  EXPECT_EQ(unpacked(packed, 17), "refused");
  EXPECT_EQ(unpacked(packed, 19), "refused");
  EXPECT_EQ(unpacked(std::string("\0a\x20\5", 4), 4), "refused");  // from before the beginning
}

TEST(Hdf5, ThatIsDamagedIsReadWholeOrRefused) {
  TemporaryFolder const folder;
  auto const packed = file(folder, "a.h5", [&](hid_t in) {
    Hdf5Handle const how = creation();
    H5Pset_chunk(how, 3, hdf5_extents.data());
    H5Pset_deflate(how, 9);
    write(in, "image", hdf5_extents, hdf5_voxels, how);
  });
  test::expect_whole_or_refused("b.h5", test::read_bytes(packed),
                                {.every = 7, .may_be_longer = true});
}

}  // namespace
}  // namespace tessera
