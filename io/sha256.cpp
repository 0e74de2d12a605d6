// SPDX-License-Identifier: MIT
// The fingerprint by which a result names the image that it was computed from.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "io/image_readers.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

void require_openssl(int result) {
  if (result != 1) throw EnvironmentError("OpenSSL cannot compute a SHA-256 hash");
}

}  // namespace

std::string sha256_of_files(std::vector<std::filesystem::path> const& paths) {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> const hash(EVP_MD_CTX_new(),
                                                                     &EVP_MD_CTX_free);
  require_openssl(hash ? EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) : 0);
  std::vector<char> block(std::size_t{1} << 18U);
  for (auto const& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    while (stream) {
      stream.read(block.data(), static_cast<std::streamsize>(block.size()));
      require_openssl(
          EVP_DigestUpdate(hash.get(), block.data(), static_cast<std::size_t>(stream.gcount())));
    }
    if (!stream.eof()) throw BadInput(fmt::format("{}: cannot be read", path.string()));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  require_openssl(EVP_DigestFinal_ex(hash.get(), digest.data(), &length));
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace tessera
