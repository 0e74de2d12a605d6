// SPDX-License-Identifier: MIT
// Halo exchange of arrays that are distributed over the ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera {

/// The send and receive lists of a rank: indices of an array that is equally long on all ranks, of
/// which each computes its own.
class Halo {
 public:
  /// Indices by rank, one rank after the other.
  struct List {
    std::vector<std::int64_t> indices;
    std::vector<std::size_t> begins;  ///< of each rank's indices, and the end

    std::size_t ranks() const { return begins.empty() ? 0 : begins.size() - 1; }
    std::size_t size(std::size_t rank) const { return begins[rank + 1] - begins[rank]; }
    std::span<std::int64_t const> of(std::size_t rank) const {
      return std::span(indices).subspan(begins[rank], size(rank));
    }
  };

  /// Empty lists.
  Halo() = default;
  /// Collective. `receives`: by rank the indices that this rank reads and that one computes. The
  /// send lists are found by an all-to-all.
  explicit Halo(std::vector<std::vector<std::int64_t>> const& receives);

  List const& receives() const { return receives_; }
  /// Own indices that other ranks read.
  List const& sends() const { return sends_; }
  /// How many values this rank receives.
  std::int64_t values() const { return static_cast<std::int64_t>(receives_.indices.size()); }

 private:
  List receives_, sends_;
};

/// The halo of one array.
struct HaloPart {
  Halo const* halo;
  std::byte* values;
  std::size_t value_bytes;
};

/// Bytes to a rank, or from it, at `begin` in the buffer.
struct HaloMessage {
  std::size_t rank;
  std::size_t begin;
  std::size_t bytes;
};

/// The messages of halo exchanges.
class HaloMessages {
 public:
  /// Collective: one message to each rank whose send list is not empty, with the values of all
  /// parts one behind the other. `arrays` moves them between their arrays and main memory:
  ///
  ///     send_buffer(bytes), receive_buffer(bytes)   room in main memory
  ///     gather(part, rank, to)                      packs what that rank receives of this part
  ///     gathered()                                  returns when all of that is packed
  ///     scatter(part, rank, from)                   unpacks what that rank has sent of this part
  ///
  /// Messages begin at multiples of 64 bytes; parts whose values are larger come first, so that all
  /// values lie at multiples of their size.
  template <class Arrays>
  void exchange(std::span<HaloPart const> parts, Arrays&& arrays) {
    std::vector<HaloMessage> const to = messages(parts, &Halo::sends);
    std::vector<HaloMessage> const from = messages(parts, &Halo::receives);
    std::byte* const sent = arrays.send_buffer(room_for(to));
    std::byte* const received = arrays.receive_buffer(room_for(from));
    for (HaloMessage const& message : to) {
      std::byte* at = sent + message.begin;
      for (HaloPart const& part : parts) {
        arrays.gather(part, message.rank, at);
        at += part.halo->sends().size(message.rank) * part.value_bytes;
      }
    }
    arrays.gathered();
    travel(to, sent, from, received);
    for (HaloMessage const& message : from) {
      std::byte const* at = received + message.begin;
      for (HaloPart const& part : parts) {
        arrays.scatter(part, message.rank, at);
        at += part.halo->receives().size(message.rank) * part.value_bytes;
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
  void travel(std::vector<HaloMessage> const& to, std::byte const* sent,
              std::vector<HaloMessage> const& from, std::byte* received);

  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
};

/// Arrays in main memory, of values of 4, 8, 16 or 32 bytes.
class HaloArrays {
 public:
  std::byte* send_buffer(std::size_t bytes) {
    sent_.resize(bytes);
    return sent_.data();
  }
  std::byte* receive_buffer(std::size_t bytes) {
    received_.resize(bytes);
    return received_.data();
  }
  static void gather(HaloPart const& part, std::size_t rank, std::byte* to);
  static void gathered() {}
  static void scatter(HaloPart const& part, std::size_t rank, std::byte const* from);

 private:
  std::vector<std::byte> sent_, received_;
};

}  // namespace tessera
