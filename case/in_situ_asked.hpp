// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "case/file/case.hpp"
#include "run/insitu/in_situ_options.hpp"

namespace tessera {

/// The options of the section [insitu] of a case of any method. Throws BadInput, one line, for a
/// script that does not exist.
InSituOptions in_situ_asked(std::filesystem::path const& case_file, Case::InSitu const& section);

}  // namespace tessera
