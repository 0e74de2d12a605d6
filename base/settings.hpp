// SPDX-License-Identifier: MIT
// What messages call that which the user has set, and the axes of the image: a message names a
// setting as it was given, "--max-steps" on the command line and "max_steps" in a program.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/box.hpp"

namespace tessera {

/// How an interface names things.
struct NamesInMessages {
  bool as_keywords = false;                        ///< else as options of the command line
  std::array<std::string, 3> axes{"x", "y", "z"};  ///< the program's x, y and z
};

/// Sets the names for as long as it lives; one at a time, before work begins and until it has
/// ended.
class UseNames {
 public:
  explicit UseNames(NamesInMessages names);
  ~UseNames();
  UseNames(UseNames const&) = delete;
  UseNames& operator=(UseNames const&) = delete;
};

/// Whether settings are named as options of the command line.
bool settings_are_options();
/// "max-steps" as "--max-steps" or "max_steps".
std::string setting_name(std::string_view name);
/// The name of a setting that programs know under another name than the command line.
std::string setting_name(std::string_view option, std::string_view keyword);
/// A setting with its value: "--max-steps 0", "max_steps 0"; a value that is empty is left out.
std::string setting_text(std::string_view name, std::string_view value);
/// The program's axis as the user counts it.
std::string const& axis_name(Axis axis);

/// Throws BadInput unless value is a positive finite number.
void require_positive(std::string_view name, double value);
/// Throws BadInput unless value is 1 or more.
void require_at_least_one(std::string_view name, std::int64_t value);
/// Throws BadInput unless lowest <= value <= highest. `unit` goes into the message.
void require_between(std::string_view name, double value, double lowest, double highest,
                     std::string_view unit = {});

}  // namespace tessera
