// SPDX-License-Identifier: MIT
// An open TIFF file whose errors, which libtiff would print, become one-line messages. Not for use
// outside io/.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace tessera {

class TiffFile {
 public:
  /// Opens for reading ("r"), writing ("w") or writing beyond 4 GB ("w8"). If the file cannot be
  /// opened, is_open() is false: whether that is the user's mistake depends on the mode.
  TiffFile(std::filesystem::path const& path, std::string const& mode);

  bool is_open() const { return file_ != nullptr; }
  TIFF* get() const { return file_.get(); }
  std::filesystem::path const& path() const { return path_; }

  /// The first error that libtiff has reported since opening, or its warning that it guesses where
  /// pixels stand; or an empty string.
  std::string const& complaint() const { return *complaint_; }

  /// Value of a tag that holds one number of type T, or libtiff's default for it, or `fallback`.
  template <typename T>
  T tag(std::uint32_t name, T fallback = T{}) const {
    T value = fallback;
    TIFFGetFieldDefaulted(file_.get(), name, &value);
    return value;
  }

  /// The ImageDescription of the current page, or an empty string.
  std::string description() const;

  /// Throws BadInput: the file, `why`, and libtiff's complaint if there is one.
  [[noreturn]] void refuse(std::string const& why) const;

 private:
  struct Close {
    void operator()(TIFF* file) const { TIFFClose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::string> complaint_;  ///< libtiff keeps its address, so it must outlive file_
  std::unique_ptr<TIFF, Close> file_;
};

}  // namespace tessera
