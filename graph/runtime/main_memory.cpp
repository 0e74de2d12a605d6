// SPDX-License-Identifier: MIT
#include "graph/runtime/main_memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The number behind a key in a file of "key number" lines; of a file of one number, if the key is
/// empty.
std::optional<std::size_t> number_in(fs::path const& file, std::string const& key) {
  std::ifstream lines(file);
  std::string word;
  while (key.empty() || lines >> word) {
    std::size_t number = 0;
    if (word == key) return lines >> number ? std::optional(number) : std::nullopt;
  }
  return std::nullopt;
}

/// How a version of control groups calls what we want to know.
struct GroupFiles {
  char const* limit;
  char const* used;
  char const* reclaimable;  ///< in memory.stat: files kept in memory, which count as used
};

std::size_t left_in(fs::path const& group, GroupFiles const& files) {
  auto const limit = number_in(group / files.limit, "");
  auto const used = number_in(group / files.used, "");
  if (!limit || !used) return unlimited;
  std::size_t const held =
      *used - std::min(*used, number_in(group / "memory.stat", files.reclaimable).value_or(0));
  return *limit - std::min(*limit, held);
}

/// In the control groups that this process is in, from its own up to the root.
std::size_t left_in_groups() {
  std::size_t left = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    auto const colon = line.find(':');
    auto const second = line.find(':', colon + 1);
    if (second == std::string::npos) continue;
    std::string const controllers = line.substr(colon + 1, second - colon - 1);
    bool const first_version = controllers == "memory";
    if (!first_version && !controllers.empty()) continue;
    fs::path const root = first_version ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    GroupFiles const files =
        first_version
            ? GroupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
            : GroupFiles{"memory.max", "memory.current", "inactive_file"};
    // Inside a container the path may be the host's; its own group is the root then.
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (; !group.empty(); group = group.parent_path())
      left = std::min(left, left_in(root / group, files));
    left = std::min(left, left_in(root, files));
  }
  return left;
}

}  // namespace

std::size_t main_memory_available() {
  auto const kilobytes = number_in("/proc/meminfo", "MemAvailable:");
  return std::min(kilobytes ? *kilobytes * 1024 : unlimited, left_in_groups()) /
         static_cast<std::size_t>(Ranks::count_on_host());
}

}  // namespace tessera
