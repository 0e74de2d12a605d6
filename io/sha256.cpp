// SPDX-License-Identifier: MIT
#include "io/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <exception>
#include <fstream>
#include <vector>

#include "base/errors.hpp"

namespace tessera {
namespace {

void require_openssl(int result) {
  if (result != 1) throw EnvironmentError("OpenSSL cannot compute a SHA-256 hash");
}

}  // namespace

Sha256::Sha256() : hash_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
  require_openssl(hash_ ? EVP_DigestInit_ex(hash_.get(), EVP_sha256(), nullptr) : 0);
}

void Sha256::add(std::span<std::byte const> bytes) {
  require_openssl(EVP_DigestUpdate(hash_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::in_hexadecimal() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  require_openssl(EVP_DigestFinal_ex(hash_.get(), digest.data(), &length));
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_of_files(std::vector<std::filesystem::path> const& paths,
                            std::stop_token const& stop) {
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 18U);
  for (auto const& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    while (stream && !stop.stop_requested()) {
      stream.read(block.data(), static_cast<std::streamsize>(block.size()));
      hash.add(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(stream.gcount()))));
    }
    if (!stream.eof() && !stop.stop_requested())
      throw BadInput(fmt::format("{}: cannot be read", path.string()));
  }
  return hash.in_hexadecimal();
}

HashBeside::HashBeside(std::filesystem::path const& file)
    : thread_([this, file](std::stop_token const& stop) {
        try {
          promise_.set_value(sha256_of_files({file}, stop));
        } catch (...) {
          promise_.set_exception(std::current_exception());
        }
      }) {}

std::string sha256_of(std::span<std::byte const> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.in_hexadecimal();
}

}  // namespace tessera
