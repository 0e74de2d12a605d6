// SPDX-License-Identifier: MIT
// Values that a rank reads of arrays over which all ranks are spread, and others compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tessera {

/// Which values: indices of an array that is equally long on all ranks, of which each has its own.
class Halo {
 public:
  /// None.
  Halo() = default;
  /// All ranks: by rank the indices that this one wants of it.
  explicit Halo(std::vector<std::vector<std::int64_t>> wanted);

  /// How many values come here.
  std::int64_t values() const;

 private:
  friend class HaloMessages;
  std::vector<std::vector<std::int64_t>> wanted_;  ///< by rank
  std::vector<std::vector<std::int64_t>> asked_;   ///< by rank: the own ones that it wants
};

/// What travels between ranks so that halos have what their owners have computed.
class HaloMessages {
 public:
  /// An array and the part of it that is to come; values of 4, 8, 16 or 32 bytes.
  struct Part {
    Halo const* halo;
    std::byte* values;
    std::size_t value_bytes;
  };
  template <class T>
  static Part part(Halo const& halo, T* values) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16 || sizeof(T) == 32);
    return {&halo, reinterpret_cast<std::byte*>(values), sizeof(T)};
  }
  /// All ranks, in the same order: a message for each rank that there is something for.
  void exchange(std::initializer_list<Part> parts);

  /// Sent by this rank so far.
  std::int64_t messages() const { return messages_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::vector<std::byte> leaving_, coming_;
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace tessera
