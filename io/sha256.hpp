// SPDX-License-Identifier: MIT
// SHA-256 hashes, in hexadecimal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct evp_md_ctx_st;  // OpenSSL's

namespace tessera {

/// The hash of successive bytes. Throws EnvironmentError.
class Sha256 {
 public:
  Sha256();
  void add(std::span<std::byte const> bytes);
  /// The hash; call it once, at the end.
  std::string in_hexadecimal();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> hash_;
};

/// The hash of the files' contents, one behind the other. Throws BadInput if a file cannot be read.
std::string sha256_of_files(std::vector<std::filesystem::path> const& paths);

std::string sha256_of(std::span<std::byte const> bytes);

}  // namespace tessera
