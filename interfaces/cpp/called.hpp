// SPDX-License-Identifier: MIT
// What all functions of the library do around their work.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "interfaces/api/tessera.hpp"
#include "io/images/image.hpp"
#include "run/fields/state_fields.hpp"

namespace tessera {

/// What messages call the program's x, y and z.
using AxisNames = decltype(VoxelArray::axis_names);

/// One call at a time, the others wait as long as their `watch` wants it; errors become those that
/// the header promises.
void guarded(AxisNames const& axes, Watch const& watch, std::function<void()> const& work);
inline void guarded(Watch const& watch, std::function<void()> const& work) {
  guarded(VoxelArray{}.axis_names, watch, work);
}
inline void guarded(std::function<void()> const& work) { guarded(Watch{}, work); }

/// Throws BadInput.
Image image_of(VoxelArray const& array);

/// The fields as the header has them; they live as long as somebody wants them.
FlowFields arrays_of(std::shared_ptr<StateFields const> const& fields, Int3 shape);

/// Turns a Watch that wants the end into the flag that ends a computation.
class Watched {
 public:
  explicit Watched(Watch const& watch) : watch_(watch) {}
  void show(Stage const* news) {
    if (watch_ && !watch_(news)) stop_ = true;
  }
  std::atomic<bool> const& stop() const { return stop_; }

 private:
  Watch const& watch_;
  std::atomic<bool> stop_ = false;
};

}  // namespace tessera
