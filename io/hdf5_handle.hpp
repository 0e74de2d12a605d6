// SPDX-License-Identifier: MIT
// The C interface of HDF5 with handles that close themselves and return codes that are checked.
#pragma once

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/errors.hpp"

namespace tessera {

/// While an object exists, HDF5 does not print its stack of errors; errors only go into exceptions.
class QuietHdf5 {
 public:
  QuietHdf5() {
    // After a full disk, HDF5's own clean-up at exit would try to write again, and crash. Users of
    // this header close what they have opened, so there is nothing to clean up.
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }
  QuietHdf5(QuietHdf5 const&) = delete;
  QuietHdf5& operator=(QuietHdf5 const&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

/// Returns the result of an HDF5 call, or throws EnvironmentError if it is negative, which is a
/// failure. The reason is the system's, where there is one: set errno to 0 before the first of the
/// calls.
template <typename Result>
Result hdf5_checked(Result result, std::string_view what) {
  if (result >= 0) return result;
  throw EnvironmentError(fmt::format("HDF5 cannot {}: {}", what,
                                     errno == 0 ? "unknown reason" : std::strerror(errno)));
}

/// An open HDF5 object, closed with it. Closing may be the moment of writing: where that matters,
/// call close(), which throws, rather than leave it to the destructor.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle(hid_t id, Close closer, std::string_view what)
      : id_{hdf5_checked(id, what)}, closer_{closer} {}
  ~Hdf5Handle() {
    if (id_ >= 0) closer_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_{std::exchange(other.id_, -1)}, closer_{other.closer_} {}
  Hdf5Handle(Hdf5Handle const&) = delete;
  Hdf5Handle& operator=(Hdf5Handle const&) = delete;

  operator hid_t() const { return id_; }
  void close(std::string_view what) { hdf5_checked(closer_(std::exchange(id_, -1)), what); }

 private:
  hid_t id_;
  Close closer_;
};

}  // namespace tessera
