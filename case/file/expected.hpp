// SPDX-License-Identifier: MIT
// The expected value of a key, in words.
#pragma once

#include <string>

#include "case/file/keys/keys.hpp"

namespace tessera {

/// "a positive length", "one of bgk, trt or mrt".
std::string value_in_words(CaseKey const& key);

/// value_in_words() with an example, for messages: "a positive length, such as 20"; `si`: such as
/// "20 m".
std::string expected(CaseKey const& key, bool si);

}  // namespace tessera
