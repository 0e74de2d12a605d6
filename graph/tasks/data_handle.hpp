// SPDX-License-Identifier: MIT
// A StarPU datum with one owner.
#pragma once

#include <malloc.h>
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tessera {

class DataHandle {
 public:
  DataHandle() = default;

  /// A vector that StarPU allocates where it is first written. `allocated` elements are reserved,
  /// of which only the first `count` are ever transferred; 0 means `count`. Data take each other's
  /// buffers if both numbers agree.
  static DataHandle vector(std::size_t count, std::size_t element_size, std::size_t allocated = 0) {
    DataHandle h;
    starpu_vector_data_register_allocsize(&h.handle_, -1, 0, static_cast<std::uint32_t>(count),
                                          element_size,
                                          (allocated == 0 ? count : allocated) * element_size);
    return h;
  }

  /// A vector that lies in main memory already and is only ever read: no dependencies are computed
  /// for it.
  static DataHandle constant(void const* data, std::size_t bytes) {
    DataHandle h;
    starpu_vector_data_register(&h.handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(data),
                                static_cast<std::uint32_t>(bytes), 1);
    starpu_data_set_sequential_consistency_flag(h.handle_, 0);
    return h;
  }

  /// A datum without bytes, which only orders the tasks that access it.
  static DataHandle without_content() {
    DataHandle h;
    starpu_void_data_register(&h.handle_);
    return h;
  }

  /// A vector whose home, and first valid copy, is in main memory.
  static DataHandle at_home(double* data, std::size_t count) {
    return at_home(data, count, sizeof(double));
  }
  static DataHandle at_home(void* data, std::size_t count, std::size_t element_size) {
    DataHandle h;
    starpu_vector_data_register(&h.handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(data),
                                static_cast<std::uint32_t>(count), element_size);
    return h;
  }

  DataHandle(DataHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  DataHandle& operator=(DataHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  DataHandle(DataHandle const&) = delete;
  DataHandle& operator=(DataHandle const&) = delete;
  /// Waits for the tasks that use the datum. Its content is lost, wherever it lies.
  ~DataHandle() {
    if (handle_ != nullptr) starpu_data_unregister_no_coherency(handle_);
  }

  starpu_data_handle_t get() const { return handle_; }
  /// Bytes of one buffer of the datum.
  std::size_t bytes() const { return handle_ == nullptr ? 0 : starpu_data_get_alloc_size(handle_); }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  starpu_data_handle_t handle_ = nullptr;
};

/// While an object exists, freed buffers of vectors go back to the system. Otherwise StarPU keeps
/// them for data of just that size, which may never come. No task that frees buffers on its own
/// must be in flight.
class FreedForGood {
 public:
  FreedForGood() { starpu_interface_vector_ops.dontcache = 1; }
  ~FreedForGood() {
    starpu_interface_vector_ops.dontcache = 0;
#ifdef __GLIBC__
    malloc_trim(0);  // glibc keeps what has been freed, too
#endif
  }
  FreedForGood(FreedForGood const&) = delete;
  FreedForGood& operator=(FreedForGood const&) = delete;
};

}  // namespace tessera
