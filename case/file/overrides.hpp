// SPDX-License-Identifier: MIT
// Values that are given in addition to a case file: `tessera run --set N=64`. For case/file/ alone.
#pragma once

#include "case/file/section_reader.hpp"

namespace tessera {

/// Puts the values of reading.overrides into the tree of the file: NAME=VALUE for a constant that
/// the file has, SECTION.KEY=VALUE for a key of a section that stands once. The value is read as
/// TOML and, where it is none, as text; where VALUE is empty, the key or the section is left out.
/// The last of several values for one name counts. The tree has to be checked before and after.
/// Throws BadInput "--set NAME=VALUE: ...", one line.
void override_values(CaseReading& reading);

}  // namespace tessera
