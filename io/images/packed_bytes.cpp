// SPDX-License-Identifier: MIT
#include "io/images/packed_bytes.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/errors.hpp"
#include "io/images/image_readers.hpp"

namespace tessera {

namespace fs = std::filesystem;

/// Unpacks what it is given, piece by piece.
class Unpacker {
 public:
  Unpacker() = default;
  virtual ~Unpacker() = default;
  Unpacker(Unpacker const&) = delete;
  Unpacker& operator=(Unpacker const&) = delete;

  enum class State : std::uint8_t { goes_on, stream_ends, damaged };
  struct Buffers {
    char* from = nullptr;
    std::size_t packed = 0;  ///< bytes left there
    char* to = nullptr;
    std::size_t room = 0;
  };
  /// Moves both ends as far as it comes.
  virtual State unpack(Buffers& buffers) = 0;
  /// Another stream may follow behind the first.
  virtual void begin_anew() = 0;
  virtual std::string reason() const = 0;

  std::vector<char> read = std::vector<char>(1U << 18U);
  std::size_t begin = 0;  ///< of what is not unpacked yet
  std::size_t end = 0;
  bool in_stream = false;
};

namespace {

/// Both libraries count in 32 bits.
unsigned at_most_1_gib(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, 1U << 30U));
}

class Inflate : public Unpacker {
 public:
  Inflate() {
    constexpr int zlib_or_gzip = 32;
    if (inflateInit2(&stream_, MAX_WBITS + zlib_or_gzip) != Z_OK)
      throw EnvironmentError("no memory to unpack in");
  }
  ~Inflate() override { inflateEnd(&stream_); }
  Inflate(Inflate const&) = delete;
  Inflate& operator=(Inflate const&) = delete;

  State unpack(Buffers& buffers) override {
    stream_.next_in = reinterpret_cast<Bytef*>(buffers.from);
    stream_.avail_in = at_most_1_gib(buffers.packed);
    stream_.next_out = reinterpret_cast<Bytef*>(buffers.to);
    stream_.avail_out = at_most_1_gib(buffers.room);
    unsigned const given = stream_.avail_in;
    unsigned const room = stream_.avail_out;
    int const status = inflate(&stream_, Z_NO_FLUSH);
    buffers.from += given - stream_.avail_in;
    buffers.packed -= given - stream_.avail_in;
    buffers.to += room - stream_.avail_out;
    buffers.room -= room - stream_.avail_out;
    if (status == Z_STREAM_END) return State::stream_ends;
    return status == Z_OK || status == Z_BUF_ERROR ? State::goes_on : State::damaged;
  }
  void begin_anew() override { inflateReset(&stream_); }
  std::string reason() const override {
    return stream_.msg == nullptr ? "not packed by deflate" : stream_.msg;
  }

 private:
  z_stream stream_{};
};

class Bunzip2 : public Unpacker {
 public:
  Bunzip2() { begin(); }
  ~Bunzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bunzip2(Bunzip2 const&) = delete;
  Bunzip2& operator=(Bunzip2 const&) = delete;

  State unpack(Buffers& buffers) override {
    stream_.next_in = buffers.from;
    stream_.avail_in = at_most_1_gib(buffers.packed);
    stream_.next_out = buffers.to;
    stream_.avail_out = at_most_1_gib(buffers.room);
    int const status = BZ2_bzDecompress(&stream_);
    buffers.packed -= static_cast<std::size_t>(stream_.next_in - buffers.from);
    buffers.from = stream_.next_in;
    buffers.room -= static_cast<std::size_t>(stream_.next_out - buffers.to);
    buffers.to = stream_.next_out;
    if (status == BZ_STREAM_END) return State::stream_ends;
    return status == BZ_OK ? State::goes_on : State::damaged;
  }
  void begin_anew() override {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }
  std::string reason() const override { return "its checksum is another, or it is not bzip2's"; }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK)
      throw EnvironmentError("no memory to unpack in");
  }

  bz_stream stream_{};
};

std::unique_ptr<Unpacker> unpacker_of(Packing packing) {
  if (packing == Packing::deflate) return std::make_unique<Inflate>();
  if (packing == Packing::bzip2) return std::make_unique<Bunzip2>();
  return nullptr;
}

}  // namespace

PackedBytes::PackedBytes(fs::path const& path, std::uintmax_t begin, Packing packing)
    : path_(path), unpacker_(unpacker_of(packing)) {
  std::uintmax_t const size = readable_file_size(path);
  if (begin > size) {
    throw BadInput(fmt::format("{}: truncated: {} bytes, but its voxels begin at byte {}",
                               path.string(), size, begin));
  }
  file_.open(path, std::ios::binary);
  file_.seekg(static_cast<std::streamoff>(begin));
}

PackedBytes::~PackedBytes() = default;

/// As many as there are; at the end of the file of a packed stream its checksum has been compared.
std::size_t PackedBytes::read_some(char* to, std::size_t bytes) {
  if (!unpacker_) {
    file_.read(to, static_cast<std::streamsize>(bytes));
    return static_cast<std::size_t>(file_.gcount());
  }
  Unpacker& u = *unpacker_;
  Unpacker::Buffers buffers{.to = to, .room = bytes};
  while (true) {
    if (u.begin == u.end) {
      file_.read(u.read.data(), static_cast<std::streamsize>(u.read.size()));
      u.begin = 0;
      u.end = static_cast<std::size_t>(file_.gcount());
      if (u.end == 0 && u.in_stream) {
        throw BadInput(fmt::format("{}: truncated: its packed voxels end after {} bytes",
                                   path_.string(), unpacked_ + bytes - buffers.room));
      }
      if (u.end == 0) return bytes - buffers.room;
    }
    u.in_stream = true;
    buffers.from = u.read.data() + u.begin;
    buffers.packed = u.end - u.begin;
    std::size_t const before = buffers.packed + buffers.room;
    auto const state = u.unpack(buffers);
    u.begin = u.end - buffers.packed;
    if (state == Unpacker::State::damaged) {
      throw BadInput(fmt::format("{}: damaged packed voxels ({})", path_.string(), u.reason()));
    }
    if (state == Unpacker::State::stream_ends) {
      u.in_stream = false;
      u.begin_anew();
    } else if (buffers.packed + buffers.room == before) {
      return bytes - buffers.room;  // no room
    }
  }
}

void PackedBytes::read(void* to, std::size_t bytes) {
  std::size_t const there = read_some(static_cast<char*>(to), bytes);
  unpacked_ += there;
  if (there == bytes) return;
  throw BadInput(fmt::format("{}: truncated: its voxels end after {} bytes{}", path_.string(),
                             unpacked_, unpacker_ ? " unpacked" : ""));
}

void PackedBytes::skip(std::uintmax_t bytes) {
  std::array<char, 1U << 12U> block{};
  for (; bytes > block.size(); bytes -= block.size()) read(block.data(), block.size());
  read(block.data(), bytes);
}

bool PackedBytes::at_end() {
  char one = 0;
  return read_some(&one, 1) == 0;
}

void PackedBytes::require_end() {
  std::array<char, 1U << 12U> block{};
  std::uintmax_t more = 0;
  while (std::size_t const some = read_some(block.data(), block.size())) more += some;
  if (more == 0) return;
  throw BadInput(
      fmt::format("{}: longer than its header says: {} bytes behind its voxels (a header of their "
                  "file that is not skipped, or several volumes?)",
                  path_.string(), more));
}

std::string bytes_from(fs::path const& path, std::uintmax_t begin) {
  std::uintmax_t const size = readable_file_size(path);
  std::string text(size - std::min(begin, size), '\0');
  PackedBytes(path, std::min(begin, size), Packing::none).read(text.data(), text.size());
  return text;
}

}  // namespace tessera
