// SPDX-License-Identifier: MIT
#include "io/sha256.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "base/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

TEST(Sha256, IsThatOfFips180) {
  std::string const abc = "abc";
  EXPECT_EQ(sha256_of(std::as_bytes(std::span(abc))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfAFileIsTheSameBesideItsReader) {
  test::TemporaryFolder const folder;
  std::filesystem::path const path = folder.write("letters", std::string(1'000'000, 'a'));
  // FIPS 180-2, appendix B.3: a million times the letter a.
  std::string const expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  EXPECT_EQ(sha256_of_files({path}), expected);
  EXPECT_EQ(HashBeside(path).take(), expected);
  { HashBeside const stopped(path); }
  std::filesystem::remove(path);
  EXPECT_THROW(HashBeside(path).take(), BadInput);
}

}  // namespace
}  // namespace tessera
