// SPDX-License-Identifier: MIT
// Halos of a machine of GPUs: the send and receive lists are in the GPU's memory, too, which packs
// and unpacks the values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "base/ranks/halo.hpp"
#include "methods/steady/gpu/gpu_array.hpp"

namespace tessera::steady {

struct GpuHalo : Halo {
  using Halo::Halo;
  GpuArray<std::int64_t> receives_there, sends_there;

  static std::int64_t const* places_to_receive(HaloPart const& part, std::size_t rank) {
    return of(part).receives_there.get() + part.halo->receives().begins[rank];
  }
  static std::int64_t const* places_to_send(HaloPart const& part, std::size_t rank) {
    return of(part).sends_there.get() + part.halo->sends().begins[rank];
  }

 private:
  static GpuHalo const& of(HaloPart const& part) {
    return static_cast<GpuHalo const&>(*part.halo);  // NOLINT: a machine has no others
  }
};

/// A value of so many bytes.
template <std::size_t bytes>
struct alignas(bytes < 16 ? bytes : 16) PlainValue {
  std::uint32_t words[bytes / 4];
};

/// Packs the send list into main memory, and unpacks what has been received. One GPU does both, as
/// the lists are short.
template <std::size_t bytes>
struct GatherValues {
  static constexpr bool by_one_gpu = true;
  std::byte const* values = nullptr;
  std::int64_t const* at = nullptr;
  std::byte* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    using Value = PlainValue<bytes>;
    reinterpret_cast<Value*>(to)[i] = reinterpret_cast<Value const*>(values)[at[i]];
  }
};
template <std::size_t bytes>
struct ScatterValues {
  static constexpr bool by_one_gpu = true;
  std::byte const* from = nullptr;
  std::int64_t const* at = nullptr;
  std::byte* values = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    using Value = PlainValue<bytes>;
    reinterpret_cast<Value*>(values)[at[i]] = reinterpret_cast<Value const*>(from)[i];
  }
};

}  // namespace tessera::steady
