// SPDX-License-Identifier: MIT
// What the fuzz targets share. A target reads bytes as one of our readers would find them in a
// file; BadInput and EnvironmentError are answers, anything else is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

/// libFuzzer's name for what takes one input.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace tessera::fuzz {

/// Inputs to begin with, small and right. Each target has its own.
std::vector<std::string> seeds();

/// A file of this process with these bytes; the next of this name takes its place.
std::filesystem::path file_with(std::string_view bytes, std::string const& name);

/// Whether TESSERA_FUZZ_SHOW is set: answers are printed.
bool shows_answers();

/// Reads, and takes a refusal for an answer. Its message has to be one line.
template <class Work>
void answer_of(Work&& work) {
  auto const check = [](std::string_view message) {
    if (shows_answers())
      std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
    if (message.empty() || message.find('\n') != std::string_view::npos) __builtin_trap();
  };
  try {
    work();
  } catch (BadInput const& error) {
    check(error.what());
  } catch (EnvironmentError const& error) {
    check(error.what());
  }
}

/// Takes small choices from the front of an input.
class Choices {
 public:
  Choices(std::uint8_t const* data, std::size_t size)
      : rest_(reinterpret_cast<char const*>(data), size) {}
  /// 0 to `among` - 1.
  std::size_t next(std::size_t among) {
    if (rest_.empty()) return 0;
    auto const byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % among;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace tessera::fuzz
