// SPDX-License-Identifier: MIT
// A case of `method = "spectral"`: the flow of a gas on a mesh of quadrilaterals or hexahedra, as
// read from its file, checked and complete; docs/spectral.md explains the keys. All numbers are in
// the units of the file, which must be of one system.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "case/file/case.hpp"
#include "case/file/case_file.hpp"
#include "models/spectral/boundary.hpp"
#include "models/spectral/riemann.hpp"
#include "models/spectral/runge_kutta.hpp"

namespace tessera {

struct GasCase : CaseFile {
  using Velocity = Case::Velocity;

  /// A box of cells, bent or not, or a file.
  struct Mesh {
    std::filesystem::path file;  ///< of Gmsh, which exists; empty: the box
    int dimension = 2;           ///< of the box
    std::array<double, 3> origin{};
    std::array<double, 3> size{1, 1, 1};
    std::array<std::int32_t, 3> cells{1, 1, 1};
    std::array<bool, 3> periodic{};
    std::optional<Velocity> bend;  ///< where a point of the box goes
    int map_degree = 1;
    SpaceFormula degree = 3;  ///< at the middle of an element, in the box before it is bent
    int line = 1;             ///< of the file
    int line_of_degree = 1;
  };
  Mesh mesh;

  struct Gas {
    double gamma = 1.4;         ///< ratio of the heat capacities
    std::optional<double> r{};  ///< gas constant: pressure = density r temperature
  };
  Gas gas;

  struct Model {
    spectral::RiemannSolver riemann = spectral::RiemannSolver::roe;
    double entropy_fix = 0;
    Precision precision = Precision::double_precision;
  };
  Model model;

  struct State {
    SpaceFormula density = 1;
    Velocity velocity;
    SpaceFormula pressure = 1;
  };
  State initial;

  struct Boundary {
    std::vector<std::string> on;
    spectral::BoundaryKind kind = spectral::BoundaryKind::slip_wall;
    State state;   ///< the quantities that the kind takes
    int line = 1;  ///< of the file
  };
  std::vector<Boundary> boundaries;

  struct Time {
    spectral::Integrator integrator = spectral::Integrator::carpenter_kennedy;
    double cfl = 0.5;          ///< of the longest stable step, unless there is `step`
    std::optional<double> dt;  ///< a step
    bool exact = false;        ///< from the state that a step begins with, not the one before
  };
  Time time;

  struct Stop {
    std::optional<double> time;  ///< given, or `steps` is; exactly reached
    std::optional<std::int64_t> steps;
  };
  Stop stop;

  /// The exact flow, for the errors.
  struct Exact {
    FieldFormula density;
    std::array<FieldFormula, 3> velocity;
    FieldFormula pressure;
  };
  struct Output {
    Case::Schedule fields;
    std::int64_t records_every = 100;  ///< steps
    std::optional<Exact> exact;
    std::vector<Case::Probe> probes;
    Case::Checkpoint checkpoint;
  };
  Output output;
};

/// Reads and checks a case of this method, as read_case() does for the lattice Boltzmann method.
GasCase read_gas_case(std::filesystem::path const& path,
                      std::vector<std::string> const& overrides = {},
                      std::filesystem::path const& folder = {});

/// Reads and checks a case of the method that its file names.
std::variant<Case, GasCase> read_any_case(std::filesystem::path const& path,
                                          std::vector<std::string> const& overrides = {});

/// The text that `--check` prints.
std::string describe(GasCase const& c);

}  // namespace tessera
