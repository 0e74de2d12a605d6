// SPDX-License-Identifier: MIT
#include "io/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

#include "lattice/errors.hpp"

namespace tessera {
namespace {

void require_openssl(int result) {
  if (result != 1) throw EnvironmentError("OpenSSL cannot compute a SHA-256 hash");
}

class Sha256 {
 public:
  Sha256() : hash_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    require_openssl(hash_ ? EVP_DigestInit_ex(hash_.get(), EVP_sha256(), nullptr) : 0);
  }

  void add(void const* bytes, std::size_t count) {
    require_openssl(EVP_DigestUpdate(hash_.get(), bytes, count));
  }

  std::string in_hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    require_openssl(EVP_DigestFinal_ex(hash_.get(), digest.data(), &length));
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash_;
};

}  // namespace

std::string sha256_of_files(std::vector<std::filesystem::path> const& paths) {
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 18U);
  for (auto const& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    while (stream) {
      stream.read(block.data(), static_cast<std::streamsize>(block.size()));
      hash.add(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (!stream.eof()) throw BadInput(fmt::format("{}: cannot be read", path.string()));
  }
  return hash.in_hexadecimal();
}

std::string sha256_of(std::span<std::byte const> bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.in_hexadecimal();
}

}  // namespace tessera
