// SPDX-License-Identifier: MIT
#include "interfaces/cpp/called.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/images/element_type.hpp"
#include "io/images/npy/npy_array.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

constexpr char const* image_name = "the array";

}  // namespace

void guarded(AxisNames const& axes, Watch const& watch, std::function<void()> const& work) {
  static std::timed_mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  constexpr std::chrono::milliseconds between_looks(50);
  while (!lock.try_lock_for(between_looks)) {
    if (watch && !watch(nullptr)) throw std::runtime_error("stopped before its turn came");
  }
  SilentLog const log;
  UseNames const names({.as_keywords = true, .axes = axes});
  try {
    work();
  } catch (BadInput const& error) {
    throw std::invalid_argument(error.what());
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    throw std::runtime_error(error.what());
  }
}

FlowFields arrays_of(std::shared_ptr<StateFields const> const& fields, Int3 shape) {
  return {.shape = {shape.z, shape.y, shape.x},
          .velocity = fields->velocity().data(),
          .pressure = fields->pressure().data(),
          .density = fields->density().data(),
          .keeper = fields};
}

Image image_of(VoxelArray const& array) {
  auto const type = element_type_named(array.type);
  if (!type)
    throw BadInput(fmt::format("{} of {}: expected elements of {}", image_name, array.type,
                               names_of_element_types(", ")));
  auto const* from = static_cast<std::byte const*>(array.data);
  return image_of_array(
      *type, {array.shape[2], array.shape[1], array.shape[0]}, array.first_axis_fastest,
      [&](void* to, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        from += bytes;
      },
      image_name);
}

}  // namespace tessera
