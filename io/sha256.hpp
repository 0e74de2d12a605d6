// SPDX-License-Identifier: MIT
// SHA-256 hashes, in hexadecimal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
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

/// The hash of the files' contents, one behind the other; of a part of them, once a stop is
/// requested. Throws BadInput if a file cannot be read.
std::string sha256_of_files(std::vector<std::filesystem::path> const& paths,
                            std::stop_token const& stop = {});

/// The hash of a file, computed by a thread of its own while the file is read. Its end stops it.
class HashBeside {
 public:
  explicit HashBeside(std::filesystem::path const& file);
  /// Call it once: waits for the hash. Throws BadInput if the file cannot be read.
  std::string take() { return hash_.get(); }

 private:
  std::promise<std::string> promise_;
  std::future<std::string> hash_ = promise_.get_future();
  std::jthread thread_;
};

std::string sha256_of(std::span<std::byte const> bytes);

}  // namespace tessera
