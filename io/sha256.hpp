// SPDX-License-Identifier: MIT
// Fingerprints, in hexadecimal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct evp_md_ctx_st;  // OpenSSL's

namespace tessera {

/// Of bytes that come one after the other. Throws EnvironmentError.
class Sha256 {
 public:
  Sha256();
  void add(std::span<std::byte const> bytes);
  /// At the end, once.
  std::string in_hexadecimal();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> hash_;
};

/// Of the files' contents, one behind the other. Throws BadInput if one cannot be read.
std::string sha256_of_files(std::vector<std::filesystem::path> const& paths);

std::string sha256_of(std::span<std::byte const> bytes);

}  // namespace tessera
