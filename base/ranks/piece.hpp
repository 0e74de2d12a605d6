// SPDX-License-Identifier: MIT
// Values packed as bytes, for messages between processes of the same program.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace tessera {

class PieceWriter {
 public:
  template <class T>
  void add(T const& value) {
    add(std::span(&value, 1));
  }
  template <class T>
  void add(std::span<T const> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return;
    std::size_t const end = bytes_.size();
    bytes_.resize(end + values.size_bytes());
    std::memcpy(bytes_.data() + end, values.data(), values.size_bytes());
  }
  std::span<std::byte const> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class PieceReader {
 public:
  explicit PieceReader(std::span<std::byte const> bytes) : left_(bytes) {}

  bool at_end() const { return left_.empty(); }
  std::span<std::byte const> take_bytes(std::size_t count) {
    auto const taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, take_bytes(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> take(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = take<T>();
    return values;
  }

 private:
  std::span<std::byte const> left_;
};

}  // namespace tessera
