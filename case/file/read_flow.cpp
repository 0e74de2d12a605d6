// SPDX-License-Identifier: MIT
// [force] and [initial].
#include "case/file/case_parts.hpp"

namespace tessera {

Case::Force read_force(CaseReading const& reading) {
  SectionReader const section(reading, "force");
  return {.body = section.three("body"), .factor = section.time("factor")};
}

Case::Initial read_initial(CaseReading const& reading) {
  SectionReader const section(reading, "initial");
  Case::Initial initial{.density = 1, .velocity = section.space_three("velocity")};
  if (section.given("density")) initial.density = section.space("density");
  return initial;
}

}  // namespace tessera
