// SPDX-License-Identifier: MIT
#include "case/in_situ_asked.hpp"

namespace tessera {

InSituOptions in_situ_asked(CaseFile const& c) {
  CaseFile::InSitu const& section = c.insitu;
  // Words have been looked at as the case was read.
  InSituOptions options{
      .asked_by = c.file.string() + ": [insitu]",
      .scripts = {},
      .every = section.every,
      .when_behind = section.pressure == "drop" ? WhenBehind::skip : WhenBehind::wait,
      .errors = section.errors == "stop" ? OnScriptError::stop : OnScriptError::warn};
  for (std::string const& text : section.scripts)
    options.scripts.push_back(parse_script(text, options.asked_by));
  return options;
}

}  // namespace tessera
