// SPDX-License-Identifier: MIT
#include "bench/modes/mode_answer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "bench/child_process.hpp"
#include "io/atomic_file.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "tessera-answer-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw EnvironmentError(fmt::format("{}: cannot be made", name));
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  fs::path operator/(std::string const& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// Runs `tessera`, the program beside this one, and returns the seconds that it took. Throws
/// EnvironmentError with what it says if there is no `result` then.
double run_tessera(std::vector<std::string> arguments, fs::path const& result) {
  fs::path const program = fs::read_symlink("/proc/self/exe").parent_path() / "tessera";
  arguments.insert(arguments.begin(), program.string());
  auto const start = std::chrono::steady_clock::now();
  std::string said;
  {
    ChildProcess const process(arguments);
    said = process.read_line();
  }
  double const seconds = seconds_since(start);
  if (!fs::exists(result)) throw EnvironmentError(said);
  return seconds;
}

struct Rock {
  std::string name;
  std::vector<std::string> arguments;
};

Rock generated(std::int64_t size, AnswerOptions const& o, ScratchFolder const& scratch) {
  std::string const file = (scratch / "rock.raw").string();
  std::string const edge = std::to_string(size);
  run_tessera({"generate", "spheres", "--size", edge, "--radius", fmt::format("{}", o.radius),
               "--porosity", fmt::format("{}", o.porosity), "--seed", "7", "--out", file},
              file);
  return {fmt::format("spheres {}^3", size), {file, "--shape", fmt::format("{0},{0},{0}", size)}};
}

Json answer(Rock const& rock, std::string const& solver, AnswerOptions const& o,
            ScratchFolder const& scratch) {
  fs::path const out = scratch / "out";
  fs::remove_all(out);
  std::vector<std::string> command{"permeability"};
  command.insert(command.end(), rock.arguments.begin(), rock.arguments.end());
  command.insert(command.end(), {"--tolerance", fmt::format("{}", o.tolerance), "--solver", solver,
                                 "--quiet", "--out", out.string()});
  if (o.gpus >= 0) command.insert(command.end(), {"--gpus", std::to_string(o.gpus)});
  if (!o.cores.empty()) command.insert(command.end(), {"--cores", o.cores});
  if (!o.fields) command.emplace_back("--no-fields");
  double const wall = run_tessera(command, out / "results.json");
  std::ifstream file(out / "results.json");
  Json results = Json::parse(file);
  Json const& k = results.at("permeability").begin().value();
  Json const& performance = results.at("performance");
  bool const steps = solver == "steps";
  return {{"rock", rock.name},
          {"solver", solver},
          {"fluid_nodes", performance.at("fluid_nodes")},
          {"wall_s", wall},
          {"parts_s", performance.at("parts_s")},
          {"iterations", k.at("steps")},
          {"step_equivalents", steps ? k.at("steps") : k.at("solver").at("step_equivalents")},
          {"of_the_copy", performance.at("bandwidth_fraction")},
          {"error_estimate", k.at("error_estimate")},
          {"k_lattice", k.at("k_lattice")}};
}

void print_answer(Json const& a) {
  std::string parts;
  for (auto const& [name, seconds] : a.at("parts_s").items())
    parts += fmt::format("  {} {:.2f}", name, seconds.get<double>());
  Json const& ceiling = a.at("of_the_copy");
  fmt::print(
      "{:<16} {:>10} nodes  {:<6} {:8.2f} s  {:>6} {:<10} = {:>6.0f} steps' work, {}  k {:.6g}\n",
      a.at("rock").get<std::string>(), a.at("fluid_nodes").get<std::int64_t>(),
      a.at("solver").get<std::string>(), a.at("wall_s").get<double>(),
      a.at("iterations").get<std::int64_t>(), a.at("solver") == "steps" ? "steps" : "iterations",
      a.at("step_equivalents").get<double>(),
      ceiling.is_number() ? fmt::format("{:.0f} % of the copy", 100 * ceiling.get<double>())
                          : std::string("copy not measured"),
      a.at("k_lattice").get<double>());
  fmt::print("  s:{}\n", parts);
  std::fflush(stdout);
}

}  // namespace

int bench_answer(AnswerOptions const& options) {
  ScratchFolder const scratch;
  Json all = Json::array();
  auto const measure = [&](Rock const& rock) {
    double first = 0;
    for (std::string const& solver : options.solvers) {
      Json const one = answer(rock, solver, options, scratch);
      print_answer(one);
      double const wall = one.at("wall_s").get<double>();
      if (first > 0)
        fmt::print("  {:.1f} times as fast as {}\n", first / wall, options.solvers.front());
      if (first == 0) first = wall;
      all.push_back(one);
    }
  };
  fmt::print("one axis to {:g}, {}; the whole command, and its parts in seconds\n",
             options.tolerance, options.fields ? "fields written" : "no fields");
  if (!options.image.empty()) {
    measure({fs::path(options.image.front()).filename().string(), options.image});
  } else {
    for (std::int64_t const size : options.sizes) measure(generated(size, options, scratch));
  }
  if (!options.json.empty()) write_whole_file(options.json, all.dump(2) + "\n");
  return 0;
}

}  // namespace tessera
