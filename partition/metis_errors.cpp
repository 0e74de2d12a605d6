// SPDX-License-Identifier: MIT
//
// METIS takes SIGTERM and SIGABRT over for the whole process while it cuts, to leave its functions
// by longjmp where it finds an error. A SIGTERM that arrives meanwhile on another thread, or after
// two cuts at once have put back each other's handlers, would jump to where that thread never was.
// So three of its functions are replaced here, as the dynamic linker takes the first definition of
// a name: errors still leave METIS by its own longjmp, but no handler of a signal changes.
#include "partition/metis_errors.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/errors.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are those of METIS' library GKlib
extern "C" {

/// GKlib's own: the depth of the running calls of METIS on this thread, -1 outside of any.
extern __thread int gk_cur_jbufs;
/// GKlib's own: leaves the running call of METIS, which returns an error.
void gk_sigthrow(int signal);

[[gnu::visibility("default")]] int gk_sigtrap() {
  constexpr int most = 128;  // so many places to return to does GKlib keep
  if (gk_cur_jbufs + 1 >= most) return 0;
  ++gk_cur_jbufs;
  return 1;
}

[[gnu::visibility("default")]] int gk_siguntrap() {
  if (gk_cur_jbufs < 0) return 0;
  --gk_cur_jbufs;
  return 1;
}

/// Prints what is wrong and leaves METIS; GKlib would raise the signal for the same.
[[gnu::visibility("default"), gnu::format(printf, 2, 3)]] void gk_errexit(int signal,
                                                                          char const* text, ...) {
  std::va_list values;
  va_start(values, text);
  std::vfprintf(stderr, text, values);
  va_end(values);
  if (!std::string_view(text).ends_with('\n')) std::fputc('\n', stderr);
  if (gk_cur_jbufs < 0) std::abort();  // no call of METIS to leave
  gk_sigthrow(signal);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

namespace tessera {

void check_metis(int status, char const* call) {
  if (status != METIS_OK)
    throw EnvironmentError(fmt::format("METIS: {} failed with status {}", call, status));
}

}  // namespace tessera
