// SPDX-License-Identifier: MIT
// Reference for the cavity with a lid: D3Q19 by the two schemes of Obrecht, Kuznik,
// Tourancheau, Roux, Comput. Math. Appl. 61 (2011) 3628, sections 7.1 and 7.2, on dense arrays in
// double precision. Slow, and of the kernels it has nothing but the table of velocities.
// Populations are shifted, f - w: in double precision the weights add up to 1 - 6e-17, by which
// LBGK would lose mass in each step.
//
// The paper does not say how the lid moves the fluid. Here its plane, the face y+, is a wall like
// the others, and what comes back from it gains 2 w c.u / c_s^2 (Ladd, J. Fluid Mech. 271 (1994)
// 285) at density 1. Its edges belong to the walls at the sides, which are at rest.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/box.hpp"
#include "models/lattice/d3q19.hpp"
#include "tests/reference/operators.hpp"

namespace tessera::reference {

/// M^-1 S M of a collision with one relaxation time, which does not depend on M.
inline Matrix lbgk_relaxation(double tau) {
  Matrix relaxation(D3Q19::size, Vector(D3Q19::size, 0.0));
  for (std::size_t q = 0; q < relaxation.size(); ++q) relaxation[q][q] = 1 / tau;
  return relaxation;
}

/// M^-1 S M of a collision with many relaxation times.
inline Matrix mrt_relaxation(MrtRates<double> const& rates) {
  Set const set = set_of<D3Q19>();
  std::vector<Polynomial> polynomials;
  Vector s;
  for (GroupedMoment const& moment : mrt_moments(set.name)) {
    polynomials.push_back(moment.p);
    s.push_back(rate_of(moment.group, rates));
  }
  Matrix const m = orthogonalised(moment_matrix(set, polynomials), Vector(set.size(), 1.0));
  Matrix const back = inverse(m);
  Matrix relaxation(set.size(), Vector(set.size(), 0.0));
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t j = 0; j < set.size(); ++j) {
      for (std::size_t k = 0; k < set.size(); ++k) relaxation[i][j] += back[i][k] * s[k] * m[k][j];
    }
  }
  return relaxation;
}

/// A box of nodes, at rest at density 1 until the lid begins to move along x. The two schemes are
/// derived from it.
class Cavity {
 public:
  struct State {
    double density_shift = 0;  ///< rho - 1
    std::array<double, 3> velocity{};
  };

  Int3 shape() const { return shape_; }
  /// State of a node in its last collision; solid nodes are at rest.
  State const& state(Int3 at) const { return states_[index(at)]; }

 protected:
  using Populations = std::array<double, D3Q19::size>;

  Cavity(Int3 shape, double lid_speed, Matrix const& relaxation)
      : shape_(shape), lid_speed_(lid_speed), states_(static_cast<std::size_t>(volume(shape))) {
    for (std::size_t i = 0; i < D3Q19::size; ++i) {
      for (std::size_t j = 0; j < D3Q19::size; ++j) columns_[j][i] = relaxation[i][j];
    }
  }

  static std::size_t opposite(std::size_t q) {
    return static_cast<std::size_t>(D3Q19::opposite(static_cast<int>(q)));
  }
  static Int3 c(std::size_t q) {
    int const i = static_cast<int>(q);
    return {D3Q19::x(i), D3Q19::y(i), D3Q19::z(i)};
  }
  static double weight(std::size_t q) { return D3Q19::weight(static_cast<int>(q)); }
  std::size_t index(Int3 at) const { return linear_index(shape_, at); }
  bool inside(Int3 at, Axis a) const { return at[a] >= 0 && at[a] < shape_[a]; }
  bool inside(Int3 at) const {
    return inside(at, Axis::x) && inside(at, Axis::y) && inside(at, Axis::z);
  }
  bool at_border(Int3 at) const {
    bool border = false;
    for (Axis a : all_axes) border = border || at[a] == 0 || at[a] == shape_[a] - 1;
    return border;
  }
  template <class Work>
  void for_each_node(Work work) const {
    for (std::int64_t z = 0; z < shape_.z; ++z) {
      for (std::int64_t y = 0; y < shape_.y; ++y) {
        for (std::int64_t x = 0; x < shape_.x; ++x) work(Int3{x, y, z});
      }
    }
  }

  /// What population q gains from the lid: 2 w c.u / c_s^2.
  double gained_from_lid(std::size_t q) const {
    return 2 * weight(q) * static_cast<double>(c(q).x) * lid_speed_ * 3;
  }
  /// What population q of a border node gains if it enters the box through the lid; else 0.
  double gained_from_outside(Int3 at, std::size_t q) const {
    Int3 const from = at - c(q);
    bool const through_lid = from.y == shape_.y && inside(from, Axis::x) && inside(from, Axis::z);
    return through_lid ? gained_from_lid(q) : 0;
  }

  /// f - M^-1 S M (f - f_eq), eq. 3.
  void collide(Int3 at, Populations& f) {
    State s;
    for (std::size_t q = 0; q < f.size(); ++q) {
      s.density_shift += f[q];
      for (Axis a : all_axes) s.velocity[index_of(a)] += static_cast<double>(c(q)[a]) * f[q];
    }
    double const density = 1 + s.density_shift;
    for (double& u : s.velocity) u /= density;
    states_[index(at)] = s;
    Populations off{};
    for (std::size_t q = 0; q < f.size(); ++q) {
      double cu = 0;
      for (Axis a : all_axes) cu += static_cast<double>(c(q)[a]) * s.velocity[index_of(a)];
      double const beyond_rest = 3 * cu + 4.5 * cu * cu - 1.5 * dot(s.velocity, s.velocity);
      off[q] = f[q] - weight(q) * (s.density_shift + density * beyond_rest);
    }
    // By columns: subtractions of one row in turn would each wait for the one before.
    for (std::size_t j = 0; j < f.size(); ++j) {
      for (std::size_t i = 0; i < f.size(); ++i) f[i] -= columns_[j][i] * off[j];
    }
  }

  /// The border nodes are fluid. What enters the box is what streams in against it, before the
  /// collision: so the node has no momentum along the normal (eq. 4). Along edges of the box both
  /// may come from outside; then each is what left the node, half-way. `sent`: what the node sent.
  void complete_at_border(Int3 at, Populations& f, Populations const& sent) const {
    Populations const read = f;
    for (std::size_t q = 0; q < f.size(); ++q) {
      if (inside(at - c(q))) continue;
      bool const reflected_is_read = inside(at + c(q));
      f[q] = (reflected_is_read ? read : sent)[opposite(q)] + gained_from_outside(at, q);
    }
  }

 private:
  Int3 shape_;
  double lid_speed_;
  std::array<Populations, D3Q19::size> columns_{};  ///< of the relaxation
  std::vector<State> states_;
};

/// The split scheme: populations move along x as they are read, along y and z as they are written.
class SplitCavity : public Cavity {
 public:
  /// On-grid bounce-back: border nodes are solid and return what comes in. Then comes LBGK; the
  /// paper does not say whether to the solid nodes as well.
  enum class BorderNodes { solid, collide };

  SplitCavity(Int3 shape, double lid_speed, Matrix const& relaxation, BorderNodes border)
      : Cavity(shape, lid_speed, relaxation),
        border_(border),
        moved_(static_cast<std::size_t>(volume(shape)), nothing()),
        written_(moved_),
        sent_(moved_.size()) {
    // Populations that solid nodes return to a fluid at rest are under way.
    for_each_node([&](Int3 at) { write(at, solid(at) ? returned(at, {}) : Populations{}); });
    moved_.swap(written_);
  }

  bool solid(Int3 at) const { return border_ == BorderNodes::solid && at_border(at); }

  void step() {
    written_.assign(written_.size(), nothing());
    for_each_node([&](Int3 at) {
      Populations f = read(at);
      if (solid(at)) {
        write(at, returned(at, f));
        return;
      }
      complete_at_border(at, f, sent_[index(at)]);
      collide(at, f);
      sent_[index(at)] = f;
      write(at, f);
    });
    moved_.swap(written_);
  }

 private:
  /// NaN for all that comes from outside the box: nobody may use it.
  static Populations nothing() {
    Populations f{};
    f.fill(std::numeric_limits<double>::quiet_NaN());
    return f;
  }

  Populations read(Int3 at) const {
    Populations f = nothing();
    for (std::size_t q = 0; q < f.size(); ++q) {
      Int3 const from = at - Int3{c(q).x, 0, 0};
      if (inside(from)) f[q] = moved_[index(from)][q];
    }
    return f;
  }

  void write(Int3 at, Populations const& f) {
    for (std::size_t q = 0; q < f.size(); ++q) {
      Int3 const to = at + Int3{0, c(q).y, c(q).z};
      if (inside(to)) written_[index(to)][q] = f[q];
    }
  }

  Populations returned(Int3 at, Populations const& f) const {
    Int3 const top = shape() - Int3{1, 1, 1};
    bool const of_lid = at.y == top.y && at.x > 0 && at.x < top.x && at.z > 0 && at.z < top.z;
    Populations back{};
    for (std::size_t q = 0; q < f.size(); ++q)
      back[q] = f[opposite(q)] + (of_lid ? gained_from_lid(q) : 0);
    return back;
  }

  BorderNodes border_;
  std::vector<Populations> moved_;  ///< moved along y and z, still to move along x
  std::vector<Populations> written_;
  std::vector<Populations> sent_;  ///< populations after the collision
};

/// The reversed scheme: populations move as they are read, and are written where the node is.
class ReversedCavity : public Cavity {
 public:
  /// Mid-grid bounce-back: the wall stands half-way behind the border nodes, and what they sent
  /// comes back to them. But the paper has border nodes at rest with f_i = f_j (eq. 4), which may
  /// as well mean an f_j that has been read; then the wall stands in the nodes.
  enum class Wall { half_way, in_nodes };

  ReversedCavity(Int3 shape, double lid_speed, Matrix const& relaxation, Wall wall)
      : Cavity(shape, lid_speed, relaxation),
        wall_(wall),
        now_(static_cast<std::size_t>(volume(shape))),
        next_(now_) {}

  static bool solid(Int3) { return false; }

  void step() {
    for_each_node([&](Int3 at) {
      Populations const& sent = now_[index(at)];
      Populations f{};
      for (std::size_t q = 0; q < f.size(); ++q) {
        Int3 const from = at - c(q);
        f[q] = inside(from) ? now_[index(from)][q] : sent[opposite(q)] + gained_from_outside(at, q);
      }
      if (wall_ == Wall::in_nodes) complete_at_border(at, f, sent);
      collide(at, f);
      next_[index(at)] = f;
    });
    now_.swap(next_);
  }

 private:
  Wall wall_;
  std::vector<Populations> now_;
  std::vector<Populations> next_;
};

}  // namespace tessera::reference
