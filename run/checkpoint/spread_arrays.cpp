// SPDX-License-Identifier: MIT
#include "run/checkpoint/spread_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <numeric>

#include "base/ranks/gathering.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

constexpr std::size_t values_at_once = std::size_t{1} << 20;

/// All: how many values the ranks have, in their order.
std::vector<std::int64_t> counts_of_all(std::size_t own) {
  return Ranks::all_gather(static_cast<std::int64_t>(own));
}

std::int64_t sum(std::span<std::int64_t const> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// All.
template <class Value>
void save(CheckpointWriter* writer, std::string const& name, std::span<Value const> own) {
  std::int64_t const values = sum(counts_of_all(own.size()));
  bool begun = false;
  // The last piece is a short one, so that there is one at any rate.
  Gathering gathering(own.size() / values_at_once + 1, [&](std::span<std::byte const> piece) {
    if (writer == nullptr) return;
    if (!begun) writer->begin_array<Value>(name, values);
    begun = true;
    writer->add_to_array(
        std::span(reinterpret_cast<Value const*>(piece.data()), piece.size() / sizeof(Value)));
  });
  for (std::size_t at = 0; at <= own.size(); at += values_at_once)
    gathering.add(std::as_bytes(own.subspan(at, std::min(values_at_once, own.size() - at))));
  gathering.finish();
}

}  // namespace

void save_spread_arrays(CheckpointWriter* writer, std::vector<SpreadArray> const& arrays) {
  std::exception_ptr failed;
  for (SpreadArray const& array : arrays) {
    try {
      std::visit([&](auto own) { save(writer, array.name, own); }, array.own);
    } catch (...) {
      failed = std::current_exception();  // the others send all the same
      writer = nullptr;
    }
  }
  if (failed) std::rethrow_exception(failed);
}

template <class Value>
bool restore_spread_array(CheckpointReader const& checkpoint, std::string const& name,
                          std::span<Value> own) {
  auto const counts = counts_of_all(own.size());
  if (checkpoint.values_in(name) != sum(counts)) return false;
  auto const before = std::span(counts).first(static_cast<std::size_t>(Ranks::rank()));
  checkpoint.read_array(name, sum(before), own);
  return true;
}
template bool restore_spread_array(CheckpointReader const&, std::string const&, std::span<float>);
template bool restore_spread_array(CheckpointReader const&, std::string const&, std::span<double>);

}  // namespace tessera
