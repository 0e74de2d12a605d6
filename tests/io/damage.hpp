// SPDX-License-Identifier: MIT
// Files that are cut short, go on too long, or have a bit turned: their image is the one of the
// whole file, or they are refused.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"

namespace tessera::test {

/// Reads a file of these bytes and name. How it ends: "same" as `whole`, "refused", or what else.
inline std::string read_damaged(TemporaryFolder const& folder, std::string const& name,
                                std::string_view bytes, Image const& whole) {
  try {
    Image const image = read_image(folder.write(name, bytes), {});
    return image.shape == whole.shape && image.voxels == whole.voxels ? "same" : "another image";
  } catch (BadInput const& error) {
    return std::string(error.what()).find('\n') == std::string::npos ? "refused" : error.what();
  }
}

struct Damage {
  std::size_t every = 1;      ///< byte is tried
  bool has_checksum = false;  ///< turned bits are found, from byte `header` on
  std::size_t header = 0;
  bool may_be_longer = false;
};

/// Damages a file in all these ways.
inline void expect_whole_or_refused(std::string const& name, std::string const& bytes,
                                    Damage const& damage) {
  SCOPED_TRACE(name);
  TemporaryFolder const folder;
  Image const whole = read_image(folder.write(name, bytes), {});
  for (std::size_t at = 1; at < bytes.size(); at += damage.every) {
    std::string const end = read_damaged(folder, name, bytes.substr(0, at), whole);
    EXPECT_TRUE(end == "refused" || end == "same") << "cut to " << at << " bytes: " << end;
  }
  for (std::size_t const more : {1UL, 3UL, 512UL}) {
    std::string const end = read_damaged(folder, name, bytes + std::string(more, '\1'), whole);
    EXPECT_TRUE(end == "refused" || (damage.may_be_longer && end == "same"))
        << more << " bytes more: " << end;
  }
  for (std::size_t at = damage.header; damage.has_checksum && at < bytes.size();
       at += damage.every) {
    std::string turned = bytes;
    turned[at] = static_cast<char>(turned[at] ^ (1 << at % 8));
    std::string const end = read_damaged(folder, name, turned, whole);
    EXPECT_TRUE(end == "refused" || end == "same") << "a bit of byte " << at << ": " << end;
  }
}

}  // namespace tessera::test
