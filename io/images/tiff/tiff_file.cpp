// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstdio>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

constexpr int handled = 1;  // tells libtiff not to print the message as well

std::string one_line(char const* format, std::va_list arguments) {
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  return printable(text.data());
}

int keep_first(TIFF* /*file*/, void* complaint, char const* /*module*/, char const* format,
               std::va_list arguments) {
  auto& kept = *static_cast<std::string*>(complaint);
  if (kept.empty()) kept = one_line(format, arguments);
  return handled;
}

/// Most warnings are of tags that matter to nobody; but where libtiff puts the size of the pixels
/// that it expects in place of the one that the file says, one of them is damaged.
int keep_guess(TIFF* /*file*/, void* complaint, char const* /*module*/, char const* format,
               std::va_list arguments) {
  auto& kept = *static_cast<std::string*>(complaint);
  std::string const text = one_line(format, arguments);
  bool const guess = text.find("ignoring and calculating from imagelength") != std::string::npos;
  if (guess && kept.empty()) kept = text;
  return handled;
}

}  // namespace

TiffFile::TiffFile(std::filesystem::path const& path, std::string const& mode)
    : path_(path), complaint_(std::make_unique<std::string>()) {
  std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> const options(
      TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &keep_first, complaint_.get());
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &keep_guess, complaint_.get());
  // "m": no memory map, in which a file that shrinks meanwhile would end the program.
  file_.reset(TIFFOpenExt(path.c_str(), (mode + "m").c_str(), options.get()));
}

std::string TiffFile::description() const {
  char const* text = nullptr;
  return TIFFGetField(file_.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr ? text
                                                                                            : "";
}

void TiffFile::refuse(std::string const& why) const {
  auto const reason = complaint_->empty() ? "" : fmt::format(" (libtiff: {})", *complaint_);
  throw BadInput(fmt::format("{}: {}{}", path_.string(), why, reason));
}

}  // namespace tessera
