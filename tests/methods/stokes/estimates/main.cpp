// SPDX-License-Identifier: MIT
// stokes_estimates [EVERY [THREADS]]
// Is a permeability that is called converged right? Solves pore spaces whose pressure settles
// slowly, and packings, with each set-up, precision and tolerance, beside the same in double to a
// residual of 1e-9. Prints, for each family and tolerance, how many lie more than half a tolerance
// beyond it; the exit status is 1 if any does. EVERY: each so many-th pore space alone.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "geometry/flow_setup.hpp"
#include "methods/stokes/stokes.hpp"
#include "tests/methods/stokes/estimates/pore_spaces.hpp"
#include "tests/methods/stokes/flows.hpp"

namespace {

using namespace tessera;

constexpr double tolerances[] = {1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5};
constexpr FlowSetup setups[] = {FlowSetup::sealed, FlowSetup::periodic, FlowSetup::mirrored};

/// Results of one family of pore spaces and one tolerance.
struct Tally {
  int runs = 0;
  int beyond = 0;  ///< called converged, and more than 1.5 tolerances off
  int unconfirmed = 0;
  long iterations = 0;
  int most_iterations = 0;
  double worst = 0;  ///< error over tolerance
  std::string worst_of;
};

class Table {
 public:
  void add(test::PoreSpace const& pores, FlowSetup setup, Precision precision, double tolerance,
           double exact, StokesResult const& result) {
    double const error = std::abs(result.estimate.quadratic / exact - 1);
    bool const beyond = result.confirmed && !(error <= 1.5 * tolerance);  // NaN counts as beyond
    std::lock_guard const lock(mutex_);
    Tally& tally = tallies_[{pores.family, -tolerance}];
    ++tally.runs;
    tally.iterations += result.estimate.iterations;
    tally.most_iterations = std::max(tally.most_iterations, result.estimate.iterations);
    if (!result.confirmed) ++tally.unconfirmed;
    if (error / tolerance > tally.worst) {
      tally.worst = error / tolerance;
      tally.worst_of = pores.name;
    }
    if (!beyond) return;
    ++tally.beyond;
    std::printf("beyond: %s %s, %s, %s, tolerance %.0e: error %.2e, estimate %.2e\n",
                pores.family.c_str(), pores.name.c_str(), std::string(name_of(setup)).c_str(),
                precision == Precision::double_precision ? "double" : "single", tolerance, error,
                result.estimate.error_estimate);
  }

  /// Prints the table; returns how many runs lie beyond.
  int print() const {
    std::printf("%-12s %9s %5s %6s %11s %10s %4s %s\n", "family", "tolerance", "runs", "beyond",
                "unconfirmed", "iterations", "most", "largest error / tolerance");
    int beyond = 0;
    for (auto const& [key, t] : tallies_) {
      std::printf("%-12s %9.0e %5d %6d %11d %10.1f %4d %.2f (%s)\n", key.first.c_str(), -key.second,
                  t.runs, t.beyond, t.unconfirmed, static_cast<double>(t.iterations) / t.runs,
                  t.most_iterations, t.worst, t.worst_of.c_str());
      beyond += t.beyond;
    }
    return beyond;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, double>, Tally> tallies_;  ///< largest tolerance first
};

void solve_to_all(test::PoreSpace const& pores, FlowSetup setup, Table& table) {
  Geometry const geometry =
      test::leading_through(flow_box(pores.make(), Axis::x, setup).geometry, Axis::x);
  if (geometry.pore_voxels() == 0) return;  // nothing leads through
  double const exact = test::settled(geometry);
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    auto const space = make_stokes_space(geometry, test::stokes_options(precision));
    for (double const tolerance : tolerances) {
      auto const solver = space->solver(Axis::x);
      table.add(pores, setup, precision, tolerance, exact, solve(*solver, tolerance, 1000));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t const every = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  std::size_t const threads =
      argc > 2 ? std::strtoul(argv[2], nullptr, 10) : std::thread::hardware_concurrency();
  if (every == 0 || threads == 0) {
    std::fprintf(stderr, "stokes_estimates [EVERY [THREADS]]: expected numbers from 1\n");
    return 2;
  }
  std::vector<test::PoreSpace> const all = test::pore_spaces();
  Table table;
  std::atomic<std::size_t> next{0};
  std::size_t const flows = (all.size() + every - 1) / every * std::size(setups);
  auto const work = [&] {
    for (std::size_t k = next++; k < flows; k = next++)
      solve_to_all(all[k / std::size(setups) * every], setups[k % std::size(setups)], table);
  };
  std::vector<std::thread> team;
  team.reserve(threads);
  for (std::size_t t = 0; t < threads; ++t) team.emplace_back(work);
  for (std::thread& thread : team) thread.join();
  return table.print() == 0 ? 0 : 1;
}
