// SPDX-License-Identifier: MIT
// The oracle: steps of the lattice as plain loops over voxels with the node update of
// models/lattice/, and the matrix of the symmetric form put together from the same steps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "geometry/geometry.hpp"
#include "models/lattice/collision.hpp"
#include "models/lattice/d3q19.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera::test {

using Node = std::array<double, 19>;

/// Populations after the collision, on all voxels (solid ones stay 0).
class PlainFlow {
 public:
  PlainFlow(Geometry geometry, Axis axis, double magic, double tau = 1)
      : geometry_(std::move(geometry)), axis_(axis) {
    double const a = tau - 0.5;
    parameters_ = {1 / tau, 1 / (magic / a + 0.5), {0, 0, 0}};
    parameters_.force[index_of(axis)] = 1;
    viscosity_ = a / 3;
    g_.resize(static_cast<std::size_t>(volume(geometry_.shape)));
    sources_.resize(g_.size());
    for_each_voxel(geometry_.shape, [&](Int3 at) {
      if (!geometry_.is_pore(at)) return;
      nodes_.push_back(at);
      sources_[index(at)] = sources_of(at);
      for (int q = 0; q < 19; ++q) {
        double const c = component(q);
        g_[index(at)][static_cast<std::size_t>(q)] = 1.5 * D3Q19::weight(q) * c;
      }
    });
  }

  /// The populations that stream to a voxel.
  Node pulled(std::vector<Node> const& g, Int3 at) const {
    Node f;
    Sources const& sources = sources_[index(at)];
    for (std::size_t q = 0; q < 19; ++q) f[q] = g[sources[q].voxel][sources[q].direction];
    return f;
  }

  void step() {
    std::vector<Node> next(g_.size());
    for (Int3 const at : nodes_) {
      Node const f = pulled(g_, at);
      double values[19];
      std::copy(f.begin(), f.end(), values);
      collide<EquilibriumForm::linear>(values, parameters_);
      std::copy(values, values + 19, next[index(at)].begin());
    }
    g_.swap(next);
  }

  /// Sum of the velocities along the axis.
  double velocity_sum() const {
    double sum = 0;
    for (Int3 const at : nodes_) sum += velocity(at, axis_);
    return sum;
  }
  double velocity(Int3 at, Axis axis) const {
    double sum = axis == axis_ ? -0.5 : 0;
    for (int q = 0; q < 19; ++q) {
      double const c = axis == Axis::x ? D3Q19::x(q) : axis == Axis::y ? D3Q19::y(q) : D3Q19::z(q);
      sum += c * g_[index(at)][static_cast<std::size_t>(q)];
    }
    return sum;
  }
  double density(Int3 at) const {
    double sum = 0;
    for (double const f : g_[index(at)]) sum += f;
    return sum;
  }

  /// Steps until the flow stands still, or 200000 of them. Times nu, it does not depend on tau.
  double settle() {
    double before = 0;
    double two_before = 0;
    for (int n = 0; n < 200000; ++n) {
      step();
      if (n % 100 != 98 && n % 100 != 99) continue;
      double const sum = velocity_sum();
      if (n % 100 == 99) {
        double const mean = (sum + before) / 2;
        if (std::abs(mean - two_before) < 1e-14 * std::abs(mean)) break;
        two_before = mean;
      }
      before = sum;
    }
    return two_before;
  }
  double viscosity() const { return viscosity_; }
  std::vector<Int3> const& nodes() const { return nodes_; }

  /// <a, b> = sum a_q b_q / w_q.
  double product(std::vector<Node> const& a, std::vector<Node> const& b) const {
    double sum = 0;
    for (Int3 const at : nodes_) {
      for (int q = 0; q < 19; ++q) {
        auto const k = static_cast<std::size_t>(q);
        sum += a[index(at)][k] * b[index(at)][k] / D3Q19::weight(q);
      }
    }
    return sum;
  }

  /// M g = P g - R C^-1 g for a relaxation time other than 1: C^-1 by the modes of lattice/.
  std::vector<Node> apply(std::vector<Node> const& g) const {
    std::vector<Node> result(g.size());
    double const even = 1 / (1 - parameters_.omega_plus);
    double const odd = 1 / (1 - parameters_.omega_minus);
    for (Int3 const at : nodes_) {
      Node const streamed = pulled(g, at);  // R P g
      Node const& own = g[index(at)];
      double rho = 0;
      double j[3] = {};
      for (int q = 0; q < 19; ++q) {
        double const value = own[static_cast<std::size_t>(q)];
        rho += value;
        j[0] += D3Q19::x(q) * value;
        j[1] += D3Q19::y(q) * value;
        j[2] += D3Q19::z(q) * value;
      }
      for (int q = 0; q < 19; ++q) {
        auto const k = static_cast<std::size_t>(q);
        auto const opposite = static_cast<std::size_t>(D3Q19::opposite(q));
        double const w = D3Q19::weight(q);
        double const even_eq = w * rho;
        double const odd_eq =
            3 * w * (D3Q19::x(q) * j[0] + D3Q19::y(q) * j[1] + D3Q19::z(q) * j[2]);
        double const even_half = (own[k] + own[opposite]) / 2;
        double const odd_half = (own[k] - own[opposite]) / 2;
        double const back =
            even_eq + even * (even_half - even_eq) - (odd_eq + odd * (odd_half - odd_eq));
        result[index(at)][k] = streamed[opposite] - back;
      }
    }
    return result;
  }
  std::vector<Node> const& populations() const { return g_; }
  std::size_t index(Int3 at) const { return linear_index(geometry_.shape, at); }
  /// The force's populations.
  std::vector<Node> force() const {
    std::vector<Node> f(g_.size());
    for (Int3 const at : nodes_) {
      for (int q = 0; q < 19; ++q)
        f[index(at)][static_cast<std::size_t>(q)] = 3 * D3Q19::weight(q) * component(q);
    }
    return f;
  }

 private:
  /// A population.
  struct Source {
    std::size_t voxel;
    std::size_t direction;
  };
  using Sources = std::array<Source, 19>;

  /// Half-way bounce-back.
  Sources sources_of(Int3 at) const {
    Sources sources;
    for (int q = 0; q < 19; ++q) {
      auto const from = follow(geometry_, at, Int3{-D3Q19::x(q), -D3Q19::y(q), -D3Q19::z(q)});
      bool const wall = !from || !geometry_.is_pore(*from);
      sources[static_cast<std::size_t>(q)] =
          wall ? Source{index(at), static_cast<std::size_t>(D3Q19::opposite(q))}
               : Source{index(*from), static_cast<std::size_t>(q)};
    }
    return sources;
  }

  double component(int q) const {
    return axis_ == Axis::x ? D3Q19::x(q) : axis_ == Axis::y ? D3Q19::y(q) : D3Q19::z(q);
  }

  Geometry geometry_;
  Axis axis_;
  CollisionParameters<double> parameters_{};
  double viscosity_ = 0;
  std::vector<Int3> nodes_;
  std::vector<Sources> sources_;  ///< by voxel: looked up once, as steps are many
  std::vector<Node> g_;
};

}  // namespace tessera::test
