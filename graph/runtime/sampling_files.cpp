// SPDX-License-Identifier: MIT
#include "graph/runtime/sampling_files.hpp"

#include <fcntl.h>
#include <starpu_config.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

namespace tessera {
namespace {

namespace fs = std::filesystem;

using Row = std::vector<std::string>;

Row words_of(std::string const& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

/// The words before '#' of each line that has any.
std::vector<Row> rows_of(std::string const& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (Row row = words_of(line.substr(0, line.find('#'))); !row.empty())
      rows.push_back(std::move(row));
  }
  return rows;
}

bool is_number(std::string const& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0';
}

bool all_of_length(std::vector<Row> const& rows, std::size_t length) {
  return std::ranges::all_of(rows, [length](Row const& row) {
    return row.size() == length && std::ranges::all_of(row, is_number);
  });
}

/// From each memory to each, whether it is there or not.
bool is_whole_matrix(std::vector<Row> const& rows) {
  return !rows.empty() && all_of_length(rows, rows.size());
}

/// "2 # Number of CPUs", and so on.
bool is_whole_config(std::vector<Row> const& rows) {
  constexpr std::size_t in_all_versions = 4;
  return rows.size() >= in_all_versions && all_of_length(rows, 1);
}

/// A heading, "# GPU NUMA0 NUMA1", and below it a row for each GPU, if there are any.
bool is_whole_affinity(std::string const& text, std::vector<Row> const& rows) {
  std::size_t const columns = words_of(text.substr(0, text.find('\n'))).size();
  return columns > 2 && all_of_length(rows, columns - 1);
}

/// The numbers of a performance model, one after another.
class Numbers {
 public:
  explicit Numbers(std::string const& text) {
    for (Row const& row : rows_of(text)) words_.insert(words_.end(), row.begin(), row.end());
  }

  /// So many groups of numbers.
  void skip(std::int64_t count, std::int64_t each = 1) {
    good_ = good_ && count >= 0 && count <= (std::ssize(words_) - at_) / each;
    if (good_) at_ += count * each;
  }
  /// A count of what follows; 0 where there is none.
  std::int64_t take() {
    skip(1);
    if (!good_) return 0;
    std::string const& word = words_[static_cast<std::size_t>(at_ - 1)];
    good_ = is_number(word);
    return std::atoll(word.c_str());
  }
  bool is_good() const { return good_; }

 private:
  std::vector<std::string> words_;
  std::int64_t at_ = 0;
  bool good_ = true;  ///< all that was asked for was there
};

std::optional<std::string> text_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

/// StarPU holds a lock on what it writes.
bool is_being_written(fs::path const& file) {
  int const descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  bool const locked = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(descriptor);
  return locked;
}

/// As StarPU calls this host.
std::string name_of_host() {
  if (char const* const said = std::getenv("STARPU_HOSTNAME"); said != nullptr) return said;
  std::array<char, 65> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  std::string const whole = name.data();
  return whole.substr(0, whole.find('.'));
}

fs::path bus_file(fs::path const& sampling, char const* kind) {
  return sampling / "bus" / (name_of_host() + '.' + kind);
}

template <class IsWhole>
void remove_unless(fs::path const& file, IsWhole is_whole) {
  auto const text = text_of(file);
  std::error_code ignored;
  if (text && !is_whole(*text) && !is_being_written(file)) fs::remove(file, ignored);
}

/// That the file of the machine counts.
std::size_t gpus_in(std::string const& config) {
  std::size_t gpus = 0;
  std::istringstream lines(config);
  for (std::string line; std::getline(lines, line);) {
    for (char const* const kind : {"CUDA", "HIP", "OpenCL"})
      if (line.find(kind) != std::string::npos) gpus += std::strtoul(line.c_str(), nullptr, 10);
  }
  return gpus;
}

constexpr char const* bus_kinds[] = {"config",   "latency",      "bandwidth",
                                     "affinity", "platform.xml", "platform.v4.xml"};

/// Builds without GPUs write no affinity.
bool is_always_there(std::string_view kind) {
#if defined(STARPU_USE_CUDA) || defined(STARPU_USE_OPENCL)
  constexpr bool with_gpus = true;
#else
  constexpr bool with_gpus = false;
#endif
  return with_gpus || kind != "affinity";
}

/// Whether a file about the bus is complete, as far as its text and the file of the machine tell:
/// where whole lines of the affinity are missing, only that file knows.
bool is_whole_here(fs::path const& sampling, std::string_view kind, std::string const& text) {
  if (!is_whole_bus_file(kind, text)) return false;
  return kind != "affinity" ||
         rows_of(text).size() >= gpus_in(text_of(bus_file(sampling, "config")).value_or(""));
}

/// A lock of this host's files about the bus, against all processes of Tessera. Where files cannot
/// be locked there is none.
class BusLock {
 public:
  explicit BusLock(fs::path const& sampling)
      : descriptor_(
            open(bus_file(sampling, "tessera-lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~BusLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  BusLock(BusLock const&) = delete;
  BusLock& operator=(BusLock const&) = delete;

 private:
  int descriptor_;
};

}  // namespace

bool is_whole_bus_file(std::string_view ending, std::string const& text) {
  if (text.empty() || text.back() != '\n') return false;
  if (ending.ends_with("xml")) return text.find("</platform>") != std::string::npos;
  std::vector<Row> const rows = rows_of(text);
  if (ending == "latency" || ending == "bandwidth") return is_whole_matrix(rows);
  if (ending == "config") return is_whole_config(rows);
  if (ending == "affinity") return is_whole_affinity(text, rows);
  return true;  // not one that is known here
}

bool is_whole_model(std::string const& text) {
  Numbers numbers(text);
  numbers.skip(1);  // version
  for (std::int64_t kinds = numbers.take(); kinds > 0 && numbers.is_good(); --kinds) {
    numbers.skip(numbers.take(), 3);  // devices: type, number, cores
    for (std::int64_t ways = numbers.take(); ways > 0 && numbers.is_good(); --ways) {
      std::int64_t const entries = numbers.take();
      numbers.skip(9 + 3);           // both regressions
      numbers.skip(numbers.take());  // coefficients
      numbers.skip(entries, 8);
    }
  }
  return numbers.is_good() && text.ends_with('\n');
}

void remove_cut_files(fs::path const& sampling) {
  for (char const* const kind : bus_kinds) {
    remove_unless(bus_file(sampling, kind),
                  [&](std::string const& text) { return is_whole_here(sampling, kind, text); });
  }
  std::string const of_host = '.' + name_of_host();
  std::error_code error;
  for (fs::directory_entry const& version : fs::directory_iterator(sampling / "codelets", error)) {
    for (fs::directory_entry const& model : fs::directory_iterator(version.path(), error))
      if (model.path().extension() == of_host) remove_unless(model.path(), is_whole_model);
  }
}

bool knows_the_bus(fs::path const& sampling) {
  return std::ranges::all_of(bus_kinds, [&](char const* kind) {
    auto const text = text_of(bus_file(sampling, kind));
    return text ? is_whole_here(sampling, kind, *text) : !is_always_there(kind);
  });
}

void measure_bus_once(fs::path const& sampling, std::function<void()> const& start_and_stop) {
  if (knows_the_bus(sampling)) return;
  BusLock const lock(sampling);
  if (knows_the_bus(sampling)) return;
  remove_cut_files(sampling);
  start_and_stop();
}

}  // namespace tessera
