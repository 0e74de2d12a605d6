// SPDX-License-Identifier: MIT
// Values that a rank reads of arrays over which all ranks are spread, and others compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera {

/// Which values: indices of an array that is equally long on all ranks, of which each has its own.
class Halo {
 public:
  /// By rank, one behind the other.
  struct List {
    std::vector<std::int64_t> indices;
    std::vector<std::size_t> begins;  ///< of each rank, and the end

    std::size_t ranks() const { return begins.empty() ? 0 : begins.size() - 1; }
    std::size_t size(std::size_t rank) const { return begins[rank + 1] - begins[rank]; }
    std::span<std::int64_t const> of(std::size_t rank) const {
      return std::span(indices).subspan(begins[rank], size(rank));
    }
  };

  /// None.
  Halo() = default;
  /// All ranks: by rank the indices that this one wants of it.
  explicit Halo(std::vector<std::vector<std::int64_t>> const& wanted);

  List const& wanted() const { return wanted_; }
  /// The own ones that the others want.
  List const& asked() const { return asked_; }
  /// How many values come here.
  std::int64_t values() const { return static_cast<std::int64_t>(wanted_.indices.size()); }

 private:
  List wanted_, asked_;
};

/// The part of an array that is to come.
struct HaloPart {
  Halo const* halo;
  std::byte* values;
  std::size_t value_bytes;
};

/// Bytes for a rank, or from it, `begin` bytes behind those of the first one.
struct HaloMessage {
  std::size_t rank;
  std::size_t begin;
  std::size_t bytes;
};

/// What travels between ranks so that halos have what their owners have computed.
class HaloMessages {
 public:
  /// All ranks, in the same order: a message for each rank that there is something for, of the
  /// values of all parts one behind the other. `arrays` moves them between their arrays and main
  /// memory:
  ///
  ///     leaving(bytes), coming(bytes)   room in main memory
  ///     gather(part, rank, to)          puts down what that rank asks of this part
  ///     gathered()                      returns when all of that is there
  ///     scatter(part, rank, from)       takes what it has of this part
  ///
  /// Messages begin at multiples of 64 bytes; parts whose values are larger come first, so that all
  /// values lie at multiples of their size.
  template <class Arrays>
  void exchange(std::span<HaloPart const> parts, Arrays&& arrays) {
    std::vector<HaloMessage> const to = messages(parts, &Halo::asked);
    std::vector<HaloMessage> const from = messages(parts, &Halo::wanted);
    std::byte* const leaving = arrays.leaving(room_for(to));
    std::byte* const coming = arrays.coming(room_for(from));
    for (HaloMessage const& message : to) {
      std::byte* at = leaving + message.begin;
      for (HaloPart const& part : parts) {
        arrays.gather(part, message.rank, at);
        at += part.halo->asked().size(message.rank) * part.value_bytes;
      }
    }
    arrays.gathered();
    travel(to, leaving, from, coming);
    for (HaloMessage const& message : from) {
      std::byte const* at = coming + message.begin;
      for (HaloPart const& part : parts) {
        arrays.scatter(part, message.rank, at);
        at += part.halo->wanted().size(message.rank) * part.value_bytes;
      }
    }
  }

  /// Sent by this rank so far.
  std::int64_t messages() const { return messages_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  static std::vector<HaloMessage> messages(std::span<HaloPart const> parts,
                                           Halo::List const& (Halo::*list)() const);
  static std::size_t room_for(std::vector<HaloMessage> const& messages) {
    return messages.empty() ? 0 : messages.back().begin + messages.back().bytes;
  }
  void travel(std::vector<HaloMessage> const& to, std::byte const* leaving,
              std::vector<HaloMessage> const& from, std::byte* coming);

  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
};

/// Arrays in main memory, of values of 4, 8, 16 or 32 bytes.
class HaloArrays {
 public:
  std::byte* leaving(std::size_t bytes) {
    leaving_.resize(bytes);
    return leaving_.data();
  }
  std::byte* coming(std::size_t bytes) {
    coming_.resize(bytes);
    return coming_.data();
  }
  static void gather(HaloPart const& part, std::size_t rank, std::byte* to);
  static void gathered() {}
  static void scatter(HaloPart const& part, std::size_t rank, std::byte const* from);

 private:
  std::vector<std::byte> leaving_, coming_;
};

}  // namespace tessera
