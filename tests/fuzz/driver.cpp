// SPDX-License-Identifier: MIT
// Runs a fuzz target where there is no libFuzzer:
//
//   fuzz_image [-seconds=N] [-seed=N] [FILE...]
//
// The seeds of the target, the files, and then random changes of them, until the time is up. What
// ends the process is kept as crash-NAME-NUMBER; given as FILE it is run again, alone.
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned longest_s = 20;  // an input that takes longer is a finding
constexpr std::size_t most_bytes = 1 << 16;

std::string current;  // input that is being run
std::string finding;  // file that it is kept as
bool kept = false;

void keep_current() {
  if (kept) return;
  kept = true;
  int const file = open(finding.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, current.data(), current.size()) >= 0)
    std::fprintf(stderr, "the input is kept as %s\n", finding.c_str());
}

void on_signal(int number) {
  std::fprintf(stderr, number == SIGALRM ? "an input takes more than %u s\n" : "signal\n",
               longest_s);
  keep_current();
  _exit(1);
}

void run(std::string const& input) {
  current = input;
  alarm(longest_s);
  LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(current.data()), current.size());
  alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  unsigned long long seed = 1;
  std::vector<std::string> inputs;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument.starts_with("-seconds=")) {
      seconds = std::strtod(argument.c_str() + 9, nullptr);
    } else if (argument.starts_with("-seed=")) {
      seed = std::strtoull(argument.c_str() + 6, nullptr, 10);
    } else {
      std::ifstream file(argument, std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  std::string const program = argv[0];
  finding = "crash-" + program.substr(program.rfind('/') + 1) + "-" + std::to_string(getpid());
  if (inputs.empty() || seconds > 0) {
    for (std::string& input : tessera::fuzz::seeds()) inputs.push_back(std::move(input));
  }
  std::signal(SIGALRM, on_signal);
  std::signal(SIGILL, on_signal);
  std::signal(SIGTRAP, on_signal);
  std::signal(SIGABRT, on_signal);
  __sanitizer_set_death_callback(keep_current);

  auto const end = Clock::now() + std::chrono::duration<double>(seconds);
  long long runs = 0;
  try {
    for (std::string const& input : inputs) {
      run(input);
      ++runs;
    }
    std::mt19937_64 random(seed);
    for (; Clock::now() < end; ++runs) run(tessera::fuzz::mutated(inputs, most_bytes, random));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "neither BadInput nor EnvironmentError: %s\n", error.what());
    keep_current();
    return 1;
  }
  std::printf("%s: %lld inputs, nothing found (seed %llu)\n", program.c_str(), runs, seed);
  return 0;
}
