// SPDX-License-Identifier: MIT
#include "run/insitu/in_situ_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace tessera {

void check_in_situ(InSituOptions const& options) {
  if (options.scripts.empty()) return;
  check_engine(options.asked_by);
  draw_on_one_thread();
  bool const display = hold_display();
  auto const drawing = std::ranges::find_if(options.scripts, draws);
  if (drawing == options.scripts.end() || display) return;
  throw BadInput(fmt::format(
      "{} {}: it draws pictures, for which ParaView needs an X server, and DISPLAY names none that "
      "answers: run it as 'xvfb-run -a tessera ...'",
      options.asked_by, drawing->name));
}

}  // namespace tessera
