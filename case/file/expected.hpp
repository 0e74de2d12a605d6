// SPDX-License-Identifier: MIT
// What a key's value has to be, in words.
#pragma once

#include <string>

#include "case/file/keys/keys.hpp"

namespace tessera {

/// "a positive length", "one of bgk, trt or mrt".
std::string value_in_words(CaseKey const& key);

/// The same for messages: "a positive length, such as 20"; `si`: such as "20 m".
std::string expected(CaseKey const& key, bool si);

}  // namespace tessera
