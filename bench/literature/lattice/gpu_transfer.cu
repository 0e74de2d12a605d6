// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "bench/literature/lattice/gpu_transfer.hpp"

namespace tessera {
namespace {

constexpr unsigned threads = 128;

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

template <int q, class T, Shift reads, int arrays>
__device__ void read_all(T (&value)[arrays], T const* __restrict__ from, TransferPlaces places,
                         std::int64_t k) {
  if constexpr (q < arrays) {
    value[q] = from[places.at(q, k - offset_of(reads, q))];
    read_all<q + 1, T, reads>(value, from, places, k);
  }
}

template <int q, class T, Shift writes, int arrays>
__device__ void write_all(T const (&value)[arrays], T* __restrict__ to, TransferPlaces places,
                          std::int64_t k) {
  if constexpr (q < arrays) {
    to[places.at(q, k + offset_of(writes, q))] = value[q];
    write_all<q + 1, T, writes>(value, to, places, k);
  }
}

/// Launch: <<<blocks_for(nodes), threads>>>. First all reads, then all writes, as in a step.
template <class T, int arrays, Shift reads, Shift writes>
__global__ void __launch_bounds__(threads)
    transfer_arrays(T const* __restrict__ from, T* __restrict__ to, TransferPlaces const places,
                    std::uint32_t nodes) {
  std::uint32_t const k = blockIdx.x * threads + threadIdx.x;
  if (k >= nodes) return;
  T value[arrays];
  read_all<0, T, reads>(value, from, places, k);
  write_all<0, T, writes>(value, to, places, k);
}

template <class T>
using Kernel = void (*)(T const*, T*, TransferPlaces, std::uint32_t);

template <class T, int... n>
Kernel<T> unshifted(int arrays, std::integer_sequence<int, n...>) {
  static Kernel<T> const kernels[] = {transfer_arrays<T, n + 1, Shift::none, Shift::none>...};
  return kernels[arrays - 1];
}

template <class T, Shift reads>
Kernel<T> shifted(Shift writes) {
  switch (writes) {
    case Shift::none:
      return transfer_arrays<T, D3Q19::size, reads, Shift::none>;
    case Shift::one:
      return transfer_arrays<T, D3Q19::size, reads, Shift::one>;
    default:
      return transfer_arrays<T, D3Q19::size, reads, Shift::lattice>;
  }
}

template <class T>
Kernel<T> kernel_for(Transfer const& transfer) {
  if (transfer.reads == Shift::none && transfer.writes == Shift::none)
    return unshifted<T>(transfer.arrays, std::make_integer_sequence<int, D3Q19::size>{});
  switch (transfer.reads) {
    case Shift::none:
      return shifted<T, Shift::none>(transfer.writes);
    case Shift::one:
      return shifted<T, Shift::one>(transfer.writes);
    default:
      return shifted<T, Shift::lattice>(transfer.writes);
  }
}

/// Launch: <<<blocks_for(size), threads>>>.
template <class T>
__global__ void write_pattern(T* values, std::size_t size) {
  std::size_t const i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < size) values[i] = transfer_pattern<T>(i);
}

/// Launch: <<<blocks_for(nodes), threads>>>.
template <class T>
__global__ void count_misplaced(T const* to, TransferPlaces const places, std::uint32_t nodes,
                                Transfer const transfer, unsigned long long* misplaced) {
  std::uint32_t const k = blockIdx.x * threads + threadIdx.x;
  if (k >= nodes) return;
  for (int q = 0; q < transfer.arrays; ++q) {
    std::size_t const from = places.at(q, std::int64_t{k} - offset_of(transfer.reads, q));
    std::size_t const at = places.at(q, std::int64_t{k} + offset_of(transfer.writes, q));
    if (to[at] != transfer_pattern<T>(from)) atomicAdd(misplaced, 1ULL);
  }
}

}  // namespace

template <class T>
GpuTransfer<T>::GpuTransfer(std::int64_t nodes)
    : nodes_(static_cast<std::uint32_t>(nodes)),
      places_(nodes_),
      from_(places_.size()),
      to_(places_.size()) {
  write_pattern<<<blocks_for(from_.size()), threads, 0, stream_.get()>>>(from_.get(), from_.size());
  check_cuda(cudaGetLastError(), "launching a kernel");
}

template <class T>
void GpuTransfer<T>::launch(Transfer const& transfer) {
  Kernel<T> const kernel = kernel_for<T>(transfer);
  kernel<<<blocks_for(nodes_), threads, 0, stream_.get()>>>(from_.get(), to_.get(), places_,
                                                            nodes_);
  check_cuda(cudaGetLastError(), "launching a transfer");
}

template <class T>
double GpuTransfer<T>::run(Transfer const& transfer, std::int64_t sweeps) {
  return timer_.seconds(stream_.get(), [&] {
    for (std::int64_t s = 0; s < sweeps; ++s) launch(transfer);
  });
}

template <class T>
void GpuTransfer<T>::check(Transfer const& transfer) {
  to_.clear();
  launch(transfer);
  DeviceArray<unsigned long long> misplaced(1);
  count_misplaced<<<blocks_for(nodes_), threads, 0, stream_.get()>>>(to_.get(), places_, nodes_,
                                                                     transfer, misplaced.get());
  check_cuda(cudaGetLastError(), "launching a kernel");
  if (auto const count = misplaced.value(0); count != 0) {
    throw EnvironmentError("GPU, moving " + std::to_string(transfer.arrays) +
                           " arrays: " + std::to_string(count) + " elements are wrong");
  }
}

template <class T>
std::size_t GpuTransfer<T>::bytes_needed(std::int64_t nodes) {
  return 2 * TransferPlaces(static_cast<std::size_t>(nodes)).size() * sizeof(T);
}

template class GpuTransfer<float>;
template class GpuTransfer<std::uint16_t>;

}  // namespace tessera
