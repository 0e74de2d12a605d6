// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "base/machine/gpu_copy.hpp"
#include "bench/child_process.hpp"
#include "bench/competitor.hpp"
#include "interfaces/cli/command.hpp"

namespace tessera {
namespace {

constexpr char const* ready = "ready";

/// What CUDA_VISIBLE_DEVICES calls a GPU, whatever that variable says to us: its UUID.
std::string visible_name(int device) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "asking for its name");
  std::string name = "GPU";
  for (std::size_t byte = 0; byte < sizeof properties.uuid.bytes; ++byte) {
    bool const first_of_group = byte == 0 || byte == 4 || byte == 6 || byte == 8 || byte == 10;
    name += fmt::format("{}{:02x}", first_of_group ? "-" : "",
                        static_cast<unsigned char>(properties.uuid.bytes[byte]));
  }
  return name;
}

class CompetitorOnGpu : public Competitor {
 public:
  explicit CompetitorOnGpu(int device)
      : process_(
            {std::filesystem::read_symlink("/proc/self/exe").string(), "bench", competitor_command},
            {"CUDA_VISIBLE_DEVICES=" + visible_name(device)}) {
    if (std::string const answer = process_.read_line(); answer != ready)
      throw EnvironmentError(fmt::format("the process that competes for GPU {}: {}", device,
                                         answer.empty() ? "it ended" : answer));
  }

  void start() override { process_.say("go"); }

 private:
  ChildProcess process_;
};

}  // namespace

std::unique_ptr<Competitor> competitor_on_gpu(int device) {
  return std::make_unique<CompetitorOnGpu>(device);
}

int compete_on_gpu() {
  GpuCopy copy;
  fmt::print("{}\n", ready);
  std::fflush(stdout);
  char word = 0;
  while (word != '\n') {
    if (read(STDIN_FILENO, &word, 1) != 1) return done;
  }
  // A run takes some tenths of a second: so much later it ends.
  for (pollfd input{STDIN_FILENO, POLLIN, 0}; poll(&input, 1, 0) == 0;) copy.run();
  return done;
}

}  // namespace tessera
