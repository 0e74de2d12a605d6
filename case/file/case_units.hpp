// SPDX-License-Identifier: MIT
// Conversion between lattice units and the units of a case file. A Case has lattice units only:
// formulas in SI take voxels and steps and give lattice units, too.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "case/file/formula.hpp"
#include "io/quantity.hpp"

namespace tessera {

/// Voxel, step and density 1 in SI. All are 1 where the case is in lattice units.
struct CaseUnits {
  bool si = false;
  double voxel_m = 1;
  double step_s = 1;
  double density_kg_m3 = 1;

  /// The lattice unit of a dimension in SI.
  double lattice_unit(Dimension d) const {
    return std::pow(voxel_m, d.length + 3 * d.mass) * std::pow(step_s, d.time) *
           std::pow(density_kg_m3, d.mass);
  }
};

/// A number that may depend on the place.
class SpaceFormula {
 public:
  SpaceFormula(double constant = 0) : offset_(constant) {}  // NOLINT: a number is one
  /// `voxel`: increment of the formula's x from voxel to voxel; `factor`: from its value to lattice
  /// units.
  SpaceFormula(Formula formula, double voxel, double factor)
      : formula_(std::move(formula)), voxel_(voxel), factor_(factor) {}

  /// The value in lattice units, at a place in voxels: the centre of the first voxel is 0.5, 0.5,
  /// 0.5.
  double at(double x, double y, double z) const {
    if (!formula_) return offset_;
    std::array const place{voxel_ * x, voxel_ * y, voxel_ * z};
    return offset_ + factor_ * (*formula_)(place);
  }
  bool varies() const { return formula_ && formula_->varies(); }
  /// a + b times this.
  SpaceFormula mapped(double a, double b) const {
    SpaceFormula other = *this;
    other.offset_ = a + b * offset_;
    other.factor_ = b * factor_;
    return other;
  }
  /// The formula as written, or nothing.
  std::string text() const { return formula_ ? formula_->text() : std::string{}; }

 private:
  std::optional<Formula> formula_;
  double voxel_ = 1;
  double factor_ = 1;
  double offset_ = 0;
};

/// A number that may depend on place and time, in the units of the case.
class FieldFormula {
 public:
  FieldFormula(double constant = 0) : constant_(constant) {}       // NOLINT
  FieldFormula(Formula formula) : formula_(std::move(formula)) {}  // NOLINT

  double at(std::array<double, 3> const& place, double time) const {
    if (!formula_) return constant_;
    return (*formula_)(std::array{place[0], place[1], place[2], time});
  }

 private:
  std::optional<Formula> formula_;
  double constant_ = 0;
};

/// A factor that may depend on the time; 1 unless said.
class TimeFormula {
 public:
  TimeFormula(double constant = 1) : constant_(constant) {}  // NOLINT: a number is one
  TimeFormula(Formula formula, double step) : formula_(std::move(formula)), step_(step) {}

  /// The factor at a step, or between two.
  double at(double step) const {
    if (!formula_) return constant_;
    std::array const time{step_ * step};
    return (*formula_)(time);
  }
  bool varies() const { return formula_ && formula_->varies(); }
  std::string text() const { return formula_ ? formula_->text() : std::string{}; }

 private:
  std::optional<Formula> formula_;
  double step_ = 1;
  double constant_ = 1;
};

}  // namespace tessera
