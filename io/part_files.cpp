// SPDX-License-Identifier: MIT
#include "io/part_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <system_error>
#include <vector>

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours of_another_machine{24};

std::string host() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  std::string text(name);
  std::ranges::replace(text, '/', '_');
  return text;
}

/// When a process began, in ticks since the machine started; empty if there is none. A number of a
/// process is given again one day, with another beginning.
std::string beginning_of(std::string const& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  std::size_t const name_end = text.rfind(')');  // of the second of its fields
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  std::vector<std::string> const fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t beginning = 22 - 3;  // counted from 1 in proc(5)
  return fields.size() > beginning ? fields[beginning] : std::string{};
}

bool is_dead(fs::directory_entry const& file) {
  static std::regex const pattern(R"(\.tessera-(.*)-(\d+)-(\d*)-\d+\.part)");
  std::string const name = file.path().filename().string();
  std::smatch part;
  if (!std::regex_match(name, part, pattern)) return false;
  if (part[1] == host()) return beginning_of(part[2]) != part[3];
  std::error_code error;
  auto const written = file.last_write_time(error);
  return !error && fs::file_time_type::clock::now() - written > of_another_machine;
}

}  // namespace

std::string new_part_name() {
  static std::atomic<unsigned> count{0};
  std::string const process = std::to_string(getpid());
  return fmt::format(".tessera-{}-{}-{}-{}.part", host(), process, beginning_of(process), count++);
}

void remove_dead_parts(fs::path const& folder) {
  std::error_code ignored;
  std::vector<fs::path> dead;
  for (fs::directory_entry const& file : fs::directory_iterator(folder, ignored)) {
    if (is_dead(file)) dead.push_back(file.path());
  }
  for (fs::path const& file : dead) fs::remove(file, ignored);
}

}  // namespace tessera
