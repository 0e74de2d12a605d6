// SPDX-License-Identifier: MIT
// An execution trace: which worker ran which task when, recorded by StarPU's FxT.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

struct TracedTask {
  std::string codelet;
  int worker = 0;
  double start_s = 0;  ///< since StarPU's start
  double end_s = 0;
};

/// Records each Runtime that is started and ended while this object exists; without one StarPU
/// records nothing. What StarPU writes goes to a temporary folder, which the destructor removes.
/// One Trace a process: FxT renames the file of its last recording if the next one has another
/// name.
class Trace {
 public:
  /// Throws EnvironmentError if this StarPU cannot record.
  static void check_available();

  /// Throws EnvironmentError if it cannot make its temporary folder.
  Trace();
  ~Trace();
  Trace(Trace const&) = delete;
  Trace& operator=(Trace const&) = delete;

  /// Ends the recording. To be called while the Runtime is there.
  static void stop();
  /// To be called when the Runtime has ended: makes a Paje file of the recording. Throws
  /// EnvironmentError.
  void convert();

  /// The file that the last convert() wrote, in the temporary folder.
  std::filesystem::path paje() const { return folder_ / "paje.trace"; }
  std::vector<TracedTask> tasks() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace tessera
