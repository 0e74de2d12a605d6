// SPDX-License-Identifier: MIT
// What becomes of an error of METIS: an exception, and nothing else of the process changes.
#pragma once

namespace tessera {

/// Throws EnvironmentError for a status of METIS that is not METIS_OK.
void check_metis(int status, char const* call);

}  // namespace tessera
