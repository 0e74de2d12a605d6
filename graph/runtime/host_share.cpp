// SPDX-License-Identifier: MIT
#include "graph/runtime/host_share.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>
#ifdef TESSERA_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

#include "base/ranks/host_name.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/runtime/cores.hpp"

namespace tessera {
namespace {

HostShare& share() {
  static HostShare ours;
  return ours;
}

/// PCI addresses: they tell GPUs of a host apart, however each process numbers them.
std::vector<std::string> addresses_of_gpus() {
  std::vector<std::string> addresses;
#ifdef TESSERA_HAS_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return addresses;
  for (int gpu = 0; gpu < count; ++gpu) {
    std::array<char, 32> address{};
    static_cast<void>(cudaDeviceGetPCIBusId(address.data(), address.size(), gpu));
    addresses.emplace_back(address.data());
  }
#endif
  return addresses;
}

/// The GPUs that this process uses where all processes of the host see the same ones: its part of
/// them, or one that it shares if there are more processes than GPUs.
std::vector<int> part_of(int gpus) {
  if (gpus == 0) return {};
  int const processes = Ranks::count_on_host();
  int const own = Ranks::rank_on_host();
  if (gpus < processes) return {own % gpus};
  std::vector<int> part(
      static_cast<std::size_t>((own + 1) * gpus / processes - own * gpus / processes));
  std::iota(part.begin(), part.end(), own * gpus / processes);
  return part;
}

void divide_gpus() {
  std::vector<std::string> const addresses = addresses_of_gpus();
  std::string const seen = fmt::format("{} {}", host_name(), fmt::join(addresses, " "));
  auto const all = Ranks::all_gather(seen);
  share().sees_all = std::ranges::count(all, seen) == Ranks::count_on_host();
  share().gpus.resize(addresses.size());
  std::iota(share().gpus.begin(), share().gpus.end(), 0);
  if (share().sees_all) share().gpus = part_of(static_cast<int>(addresses.size()));
  std::vector<std::string> own;
  for (int const gpu : share().gpus)
    own.push_back(host_name() + ' ' + addresses[static_cast<std::size_t>(gpu)]);
  auto const taken = Ranks::all_gather(fmt::format(";{};", fmt::join(own, ";")));
  share().gpu_is_shared = std::ranges::any_of(own, [&](std::string const& gpu) {
    return std::ranges::count_if(taken, [&](std::string const& of_rank) {
             return of_rank.find(';' + gpu + ';') != std::string::npos;
           }) > 1;
  });
}

}  // namespace

HostShare const& host_share() { return share(); }

void divide_hosts() {
  if (Ranks::alone()) return;
  share().bound = machine_cores().bound;
  unsigned const cores = machine_cores().cores;
  unsigned const processes = share().bound ? 1 : static_cast<unsigned>(Ranks::count_on_host());
  share().cores = std::max(1U, cores / processes);
  divide_gpus();
}

bool are_on_one_host() {
  return !Ranks::any(Ranks::count_on_host() != Ranks::count() || !share().sees_all);
}

int first_with_all(std::function<int()> const& work) {
  std::vector<std::string> const threads = Ranks::all_gather(hardware_threads());
  if (Ranks::is_root()) {
    run_on(threads);
    std::vector<int> all_gpus(addresses_of_gpus().size());
    std::iota(all_gpus.begin(), all_gpus.end(), 0);
    share() = {.gpus = std::move(all_gpus), .cores = machine_cores().cores};
  }
  return Ranks::first_alone(work);
}

std::string describe_rank() {
  std::string const gpus = host_share().gpus.empty()
                               ? ""
                               : fmt::format(", GPU {}", fmt::join(host_share().gpus, " and "));
  return fmt::format("rank {}: {}{}, {} core{}", Ranks::rank(), host_name(), gpus, cores_present(),
                     cores_present() == 1 ? "" : "s");
}

}  // namespace tessera
