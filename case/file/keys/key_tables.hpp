// SPDX-License-Identifier: MIT
// The parts of the table of keys. For case/file/keys/keys.cpp alone.
#pragma once

#include <utility>
#include <vector>

#include "case/file/keys/keys.hpp"

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

// Sections that all methods have:
CaseSection top_section();
CaseSection constants_section();
CaseSection checkpoint_section();
CaseSection insitu_section();
CaseSection run_section();
CaseKey name_key(std::string_view example);
CaseKey every_key(std::string_view meaning, std::string_view fallback = {});

/// The sections [geometry] to [initial], and the sections before.
std::vector<CaseSection> flow_sections();
/// The sections [stop] to [run].
std::vector<CaseSection> output_sections();
/// All sections of a case of spectral differences.
std::vector<CaseSection> gas_sections();

}  // namespace tessera
