// SPDX-License-Identifier: MIT
// The parts of the table of keys. For case/file/keys.cpp alone.
#pragma once

#include <utility>
#include <vector>

#include "case/file/keys.hpp"

namespace tessera {

inline CaseKey key(std::string_view name, KeyKind kind, std::string_view example,
                   std::string_view meaning) {
  CaseKey k;
  k.name = name;
  k.kind = kind;
  k.example = example;
  k.meaning = meaning;
  return k;
}

/// [geometry] to [initial], and what stands before.
std::vector<CaseSection> flow_sections();
/// [stop] to [run].
std::vector<CaseSection> output_sections();

}  // namespace tessera
