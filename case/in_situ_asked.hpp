// SPDX-License-Identifier: MIT
#pragma once

#include "case/file/case_file.hpp"
#include "run/insitu/in_situ_options.hpp"

namespace tessera {

/// The options of the section [insitu]. Throws BadInput, one line, for a script that does not
/// exist.
InSituOptions in_situ_asked(CaseFile const& c);

}  // namespace tessera
