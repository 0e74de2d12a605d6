// SPDX-License-Identifier: MIT
// The values of an MSH file, one after the other: words of a text, or binary numbers. For
// io/meshes/msh* alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

class MshInput {
 public:
  MshInput(std::string_view bytes, std::string const& name) : bytes_(bytes), name_(name) {}

  /// Whether the numbers that follow are binary.
  void be_binary(bool binary) { binary_ = binary; }
  /// Whether nothing but blanks follows.
  bool at_end();

  /// The next word. `expected` is what it should be, for the message where the file ends.
  std::string_view word(std::string_view expected);
  /// The rest of the line.
  std::string_view line();
  void expect(std::string_view word_there);
  /// Takes the next word if it is this one; returns whether it was.
  bool takes(std::string_view word_perhaps);
  /// Skips to behind this text; returns whether it was there.
  bool skip_behind(std::string_view text);

  // The next value, as text or binary:
  std::int32_t whole(std::string_view what);
  std::uint64_t size(std::string_view what);
  double real(std::string_view what);  ///< finite
  /// The number of items that follow, of `least_bytes` or more each; refuses more than fit into the
  /// rest of the file.
  std::size_t count(std::string_view what, std::size_t least_bytes);
  /// The number of items that follow, as count(), but always written as text.
  std::size_t count_in_text(std::string_view what, std::size_t least_bytes);

  /// "FILE: line 12: ...".
  [[noreturn]] void refuse(std::string const& what) const;

 private:
  void skip_blanks();
  template <class Number>
  Number number(std::string_view what);
  template <class Number>
  Number number_in_text(std::string_view what);
  std::size_t fitting(std::uint64_t count, std::string_view what, std::size_t least_bytes) const;

  std::string_view bytes_;
  std::string const& name_;
  std::size_t at_ = 0;
  bool binary_ = false;
};

}  // namespace tessera
