// SPDX-License-Identifier: MIT
// A case: what `tessera run CASE.toml` is asked to compute. Everything is in lattice units (voxels,
// steps, density 1 at rest), whatever the file is written in, checked and complete;
// docs/case-files.md says what the keys mean.
//
// Lengths are in voxels from the lower corner of the box: the centre of the first voxel is at 0.5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/storage.hpp"
#include "case/file/boundary_types.hpp"
#include "case/file/case_file.hpp"
#include "case/file/case_units.hpp"
#include "io/fields/field_files.hpp"
#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "models/lattice/flow_model.hpp"

namespace tessera {

struct Case : CaseFile {
  using Double3 = std::array<double, 3>;
  using Velocity = std::array<SpaceFormula, 3>;

  CaseUnits units;

  // [geometry]

  enum class SolidShape : std::uint8_t { sphere, cylinder, box, stl };
  struct Solid {
    SolidShape shape = SolidShape::sphere;
    std::string label;             ///< empty if it has none; several may share it
    bool outside = false;          ///< what is outside of the shape is solid, not what is inside
    Double3 center{};              ///< sphere, cylinder
    double radius = 0;             ///< sphere, cylinder
    Axis axis = Axis::z;           ///< cylinder
    std::optional<double> length;  ///< cylinder, center in the middle; else it never ends
    Double3 lower{};               ///< box
    Double3 upper{};               ///< box
    std::filesystem::path stl;     ///< stl: a file that exists
    double scale = 1;              ///< stl: voxels that the file's unit is long
    Double3 translate{};           ///< stl: voxels, after the scaling
    int line = 0;                  ///< of the file
  };
  struct Geometry {
    Int3 shape;  ///< of the box; with an image, the image's shape
    /// The image, and which of its labels are pore; labels that have a condition are among the
    /// solid ones.
    std::shared_ptr<Image const> image;
    PoreRule pore;
    std::array<bool, 3> periodic{};  ///< z also where nz = 1
    std::vector<Solid> solids;
  };
  Geometry geometry;

  // [fluid]

  struct Fluid {
    double viscosity = 0;
    double relaxation_time = 0;    ///< of the shear stresses
    std::optional<double> length;  ///< reference, for the Reynolds number
    std::optional<double> speed;   ///< reference, for the Reynolds number
    std::optional<double> reynolds;
  };
  Fluid fluid;

  // [model]

  /// The relaxation_rates that the file gives, by name; the others are chosen.
  using Rates = std::map<std::string_view, double>;
  struct Model {
    LatticeKind lattice = LatticeKind::d3q19;
    CollisionOperator collision = CollisionOperator::trt;
    EquilibriumForm equilibrium = EquilibriumForm::second_order;
    double magic = 3.0 / 16.0;          ///< trt and mrt
    std::optional<double> smagorinsky;  ///< the constant C
    Precision precision = Precision::single_precision;
    Rates rates;
  };
  Model model;

  // [[boundary]]

  enum class Face : std::uint8_t { x_lower, x_upper, y_lower, y_upper, z_lower, z_upper };
  enum class PlaceKind : std::uint8_t { face, solid, image_label };
  /// Where a condition holds, or a force is taken.
  struct Place {
    PlaceKind kind = PlaceKind::face;
    Face face = Face::x_lower;
    std::size_t solid = 0;         ///< the first of geometry.solids that has the label
    std::int64_t image_label = 0;  ///< of voxels of the image
    std::string text;              ///< as written: "x-", "ball", "7"
  };
  using BoundaryType = tessera::BoundaryType;
  using Scheme = BoundaryScheme;
  /// Faces and solids that have no condition are walls.
  struct Boundary {
    Place place;
    BoundaryType type = BoundaryType::wall;
    Scheme scheme = Scheme::none;
    Velocity velocity;         ///< walls and velocity
    SpaceFormula density = 1;  ///< pressure
    TimeFormula factor;        ///< of the velocity, or of the density less 1
    int line = 0;              ///< of the file
  };
  std::vector<Boundary> boundaries;

  /// type = "periodic": the density at the lower face less that at the upper one, 0 where there is
  /// no jump. geometry.periodic says that the axis wraps.
  std::array<double, 3> density_drop{};

  // [force], [initial], [stop]

  struct Force {
    Double3 body{};  ///< per mass
    TimeFormula factor;
  };
  Force force;

  struct Initial {
    SpaceFormula density = 1;
    Velocity velocity;
  };
  Initial initial;

  struct Steady {
    double tolerance = 0;    ///< relative change of the velocities
    std::int64_t every = 0;  ///< steps between the states compared
  };
  struct Stop {
    std::optional<std::int64_t> steps;  ///< this or `steady` is there
    std::optional<Steady> steady;
  };
  Stop stop;

  // [output]

  /// Steps at which something is written.
  struct Schedule {
    std::optional<std::int64_t> every;
    std::vector<std::int64_t> at;  ///< ascending
    bool last = true;              ///< after the last step
  };
  struct Probe {
    std::string name;
    Double3 at{};
    std::int64_t every = 1;
  };
  struct Line {
    std::string name;
    Double3 from{};
    Double3 to{};
    std::int64_t points = 2;
    Schedule schedule;
  };
  struct ForceOutput {
    std::string name;
    Place on;
    std::int64_t every = 1;
    std::optional<double> speed;   ///< for coefficients F / (rho U^2 A / 2), with the area
    std::optional<double> area;    ///< reference area; in plane flows a length times one voxel
    std::optional<Double3> about;  ///< place that the torque is taken about
  };
  struct Averages {
    std::int64_t from = 0;   ///< first step
    std::int64_t every = 1;  ///< steps from one state to the next
    bool velocity = false;
    bool density = false;
    bool reynolds_stresses = false;
  };
  enum class Signal : std::uint8_t { x, y, z, density };
  /// The frequency of a probe's or a force's signal times length over speed.
  struct Strouhal {
    std::string name;
    std::string of;  ///< name of a probe or a force
    Signal signal = Signal::y;
    std::int64_t from = 0;
    double length = 1;
    double speed = 1;
  };
  struct Output {
    FieldFormat fields_format = FieldFormat::vtkhdf;  ///< of the averages, too
    Schedule fields;
    std::vector<Probe> probes;
    std::vector<Line> lines;
    std::vector<ForceOutput> forces;
    std::optional<Averages> averages;
    std::vector<Strouhal> strouhal;
    Checkpoint checkpoint;
  };
  Output output;

  // Results of the checks.

  /// Mach number of the greatest speed that the case prescribes; 0 if it prescribes none.
  double mach = 0;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads and checks a case. The image is read, too, for its shape and labels; files are looked for
/// beside the case. `overrides` stand in place of values of the file: "N=64" for a constant that it
/// has, "model.collision=mrt" for a key of a section that stands once; the value as in TOML, or
/// text, or nothing to leave it out. Throws BadInput "FILE:LINE: ..." or "--set N=64: ...", one
/// line, for all that is wrong. `folder`: where files are looked for instead.
Case read_case(std::filesystem::path const& path, std::vector<std::string> const& overrides = {},
               std::filesystem::path const& folder = {});

/// The case as it has been understood, in some lines: what `--check` prints.
std::string describe(Case const& c);

/// Names as the case file spells them.
std::string_view name_of(LatticeKind lattice);
std::string_view name_of(CollisionOperator collision);
std::string_view name_of(EquilibriumForm form);
std::string_view name_of(Precision precision);
std::string_view name_of(Case::BoundaryType type);
std::string_view name_of(Case::Scheme scheme);
std::string_view name_of(Case::Face face);
constexpr Axis axis_of(Case::Face face) {
  return static_cast<Axis>(static_cast<unsigned>(face) / 2);
}
constexpr bool is_upper(Case::Face face) { return static_cast<unsigned>(face) % 2 == 1; }

}  // namespace tessera
