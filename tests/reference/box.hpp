// SPDX-License-Identifier: MIT
// The reference solver: a dense box, periodic along all axes, with solid nodes that bounce back
// half-way, and two lattices.
#pragma once

#include <cstddef>
#include <vector>

#include "base/box.hpp"
#include "tests/reference/node.hpp"

namespace tessera::reference {

template <VelocitySet Lattice>
class Box {
 public:
  struct Populations {
    double f[Lattice::size];  ///< shifted
  };

  explicit Box(Int3 shape)
      : shape_(shape),
        now_(static_cast<std::size_t>(volume(shape))),
        next_(now_.size()),
        solid_(now_.size(), 0) {}

  Int3 shape() const { return shape_; }
  void make_solid(Int3 at) { solid_[linear_index(shape_, at)] = 1; }
  bool solid(Int3 at) const { return solid_[linear_index(shape_, at)] != 0; }
  Populations& at(Int3 node) { return now_[linear_index(shape_, node)]; }

  /// Calls work(Int3) for every node.
  template <class Work>
  void for_each_node(Work work) const {
    for (std::int64_t z = 0; z < shape_.z; ++z) {
      for (std::int64_t y = 0; y < shape_.y; ++y) {
        for (std::int64_t x = 0; x < shape_.x; ++x) work(Int3{x, y, z});
      }
    }
  }

  /// Sets every node to the equilibrium of a density and a velocity.
  template <class Density, class Velocity>
  void start(Density density, Velocity velocity) {
    Set const set = set_of<Lattice>();
    for_each_node([&](Int3 node) {
      Vector const f =
          equilibrium(set, EquilibriumForm::second_order, density(node), velocity(node));
      for (std::size_t q = 0; q < f.size(); ++q) at(node).f[q] = f[q] - set.w[q];
    });
  }

  /// Collides every fluid node by collide(double (&f)[size]), then streams.
  template <class Collide>
  void step(Collide collide) {
    for_each_node([&](Int3 node) {
      if (solid(node)) return;
      Populations p = at(node);
      collide(p.f);
      for (int q = 0; q < Lattice::size; ++q) {
        Int3 const to = wrapped(node + Int3{Lattice::x(q), Lattice::y(q), Lattice::z(q)});
        if (solid(to)) {
          next_[linear_index(shape_, node)].f[Lattice::opposite(q)] = p.f[q];
        } else {
          next_[linear_index(shape_, to)].f[q] = p.f[q];
        }
      }
    });
    now_.swap(next_);
  }

  /// sum c_q f_q along axis 0, 1 or 2.
  double momentum(Int3 node, int axis) {
    double sum = 0;
    for (int q = 0; q < Lattice::size; ++q) sum += component<Lattice>(q, axis) * at(node).f[q];
    return sum;
  }

 private:
  Int3 wrapped(Int3 at) const {
    for (Axis a : all_axes) at[a] = (at[a] + shape_[a]) % shape_[a];
    return at;
  }

  Int3 shape_;
  std::vector<Populations> now_;
  std::vector<Populations> next_;
  std::vector<char> solid_;
};

}  // namespace tessera::reference
