// SPDX-License-Identifier: MIT
#include "graph/runtime/trace.hpp"

#include <fmt/format.h>
#include <starpu.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>

#include "base/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr char const* recording_name = "recording";

#ifdef STARPU_USE_FXT
/// The life of a child process: it turns the recording in `folder` into readable files there.
[[noreturn]] void convert_in(fs::path const& folder, fs::path const& recording) noexcept {
  rlimit const no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGXFSZ, SIG_DFL);  // it does not look whether its writing succeeds
  bool const alone = chdir(folder.c_str()) == 0 &&
                     std::freopen("/dev/null", "w", stdout) != nullptr &&
                     std::freopen("/dev/null", "w", stderr) != nullptr;
  if (!alone) _exit(1);
  auto const options = std::make_unique<starpu_fxt_options>();
  starpu_fxt_options_init(options.get());
  options->ninputfiles = 1;
  options->filenames[0] = const_cast<char*>(recording.c_str());
  starpu_fxt_generate_trace(options.get());
  // Nor does it notice a full disk: a last write does.
  std::ofstream("probe") << std::string(1 << 16, ' ') << std::flush;
  std::error_code error;
  _exit(fs::file_size("probe", error) == 1 << 16 ? 0 : 1);
}
#endif

double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void Trace::check_available() {
#ifndef STARPU_USE_FXT
  throw EnvironmentError(
      "--trace: this StarPU has been built without FxT (Debian: install libfxt-dev, then run "
      "scripts/build-starpu.sh and build anew)");
#endif
}

Trace::Trace() {
  std::string name = (fs::temp_directory_path() / "tessera-trace-XXXXXX").string();
  constexpr std::size_t longest = 100;  // StarPU cuts the name of its file at 127 characters
  if (name.size() > longest || mkdtemp(name.data()) == nullptr) {
    throw EnvironmentError(
        fmt::format("--trace: cannot make the temporary folder {}: set TMPDIR", name));
  }
  folder_ = name;
  setenv("STARPU_FXT_TRACE", "1", 1);
  setenv("STARPU_FXT_PREFIX", name.c_str(), 1);
  setenv("STARPU_FXT_SUFFIX", recording_name, 1);
  setenv("STARPU_GENERATE_TRACE", "0", 1);  // it would write to the current folder
}

Trace::~Trace() {
  setenv("STARPU_FXT_TRACE", "0", 1);
  std::error_code error;
  fs::remove_all(folder_, error);
}

void Trace::stop() { starpu_fxt_stop_profiling(); }

void Trace::convert() {
#ifdef STARPU_USE_FXT
  fs::path recording;
  for (fs::directory_entry const& file : fs::directory_iterator(folder_)) {
    if (file.path().filename().string().starts_with(recording_name)) recording = file.path();
  }
  // In a process of its own: the converter aborts on what it does not like, and keeps the state of
  // one recording for the next.
  std::fflush(nullptr);
  pid_t const child = recording.empty() ? -1 : fork();
  if (child == 0) convert_in(folder_, recording);
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || !fs::exists(paje())) {
    throw EnvironmentError(
        fmt::format("--trace: StarPU cannot make a trace of its recording in {}; is there room?",
                    folder_.string()));
  }
#endif
}

std::vector<TracedTask> Trace::tasks() const {
  std::ifstream file(folder_ / "tasks.rec");
  std::vector<TracedTask> tasks;
  TracedTask task;
  int fields = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) {
      // Tasks of StarPU's own, and those that had not ended, lack one of the four.
      if (fields == 4) tasks.push_back(task);
      task = {};
      fields = 0;
      continue;
    }
    std::size_t const colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string_view const key = std::string_view(line).substr(0, colon);
    std::string_view const value = std::string_view(line).substr(colon + 2);
    constexpr double milliseconds = 1e-3;
    ++fields;
    if (key == "Name") {
      // StarPU calls a task after its codelet's performance model, if that has a name.
      constexpr std::string_view model = "tessera_";
      task.codelet = value.substr(value.starts_with(model) ? model.size() : 0);
    } else if (key == "WorkerId") {
      task.worker = static_cast<int>(number(value));
    } else if (key == "StartTime") {
      task.start_s = number(value) * milliseconds;
    } else if (key == "EndTime") {
      task.end_s = number(value) * milliseconds;
    } else {
      --fields;
    }
  }
  return tasks;
}

}  // namespace tessera
