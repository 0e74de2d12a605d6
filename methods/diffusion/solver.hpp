// SPDX-License-Identifier: MIT
// Conjugate gradients as passes over the nodes:
//
//   ApplyMatrix      t = A p; <p, t>
//   MoveState        V += alpha p, r -= alpha t; the cycle's first smoothing
//   (multigrid)      H r
//   FinishCycle      z = H r; <r, z>
//   TurnDirection    p = z + beta p
//
// With the coefficients alpha and beta comes Lanczos' tridiagonal of H A, whose least eigenvalue
// bounds what K is off: <r, A^-1 r> <= <r, H r> / least.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "methods/diffusion/diffusion.hpp"
#include "methods/diffusion/equation.hpp"
#include "methods/diffusion/least_eigenvalue.hpp"
#include "methods/steady/hierarchy.hpp"
#include "methods/steady/multigrid.hpp"
#include "methods/steady/node_set.hpp"
#include "methods/steady/voxels.hpp"

namespace tessera::steady::diffusion {

/// Iterations between restarts at most.
inline constexpr int most_iterations = 500;

/// The scalars of the iteration, on the machine.
struct Scalars {
  std::int32_t step;
  std::int32_t broken;
  double product[most_iterations];     ///< <p, A p>
  double square[most_iterations + 1];  ///< <r, H r>
};

struct TakeProduct {
  Scalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->product[scalars->step] = sums.of[0];
    if (!(sums.of[0] >= 0)) scalars->broken = 1;
  }
};
struct TakeSquare {
  Scalars* scalars = nullptr;
  bool begins = false;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->step = begins ? 0 : scalars->step + 1;
    scalars->square[scalars->step] = sums.of[0];
    if (!(sums.of[0] >= 0)) scalars->broken = 1;
  }
};
struct KeepSum {
  double* sum = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    *sum = sums.of[0];
  }
};
struct TakeMeans {
  double const* inverse_nodes = nullptr;  ///< 0 for parts with an end
  double* mean = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t part, Sums<1> const& sums) const {
    mean[part] = sums.of[0] * inverse_nodes[part];
  }
};

struct Vectors {
  double* state = nullptr;  ///< V
  float* r = nullptr;
  float* x = nullptr;  ///< of the cycle
  float* z = nullptr;
  float* p = nullptr;
  float* t = nullptr;
};

struct ApplyMatrix {
  FineMatrix fine;
  Vectors of;
  static constexpr bool in_groups = true;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    ValueAt<float, At> own{};
    ValueAt<float, At> const t = fine.applied(at, of.p, own);
    store(of.t, at, t);
    return {{in_double(own) * in_double(t)}};
  }
};
struct MoveState {
  Vectors of;
  float const* diagonal = nullptr;
  Scalars const* scalars = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const {
    double const product = scalars->product[scalars->step];
    double const alpha = product > 0 ? scalars->square[scalars->step] / product : 0;
    of.state[i] += alpha * double{of.p[i]};
    float const r = of.r[i] - static_cast<float>(alpha) * of.t[i];
    of.r[i] = r;
    of.x[i] = Equation::smoothed(r, diagonal[i]);
    return {{double{r}}};
  }
};
struct FinishCycle {
  FineMatrix fine;
  Vectors of;
  std::int32_t const* parent = nullptr;
  static constexpr bool in_groups = true;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    using Value = ValueAt<float, At>;
    auto const hole = load(parent, at) < 0;
    Value z = load(of.x, at) + Equation::smoothed(fine.residual(at), load(fine.diagonal, at));
    z = chosen(hole, Value{}, z);
    store(of.z, at, z);
    return {{in_double(z) * in_double(load(of.r, at))}};
  }
};
struct TurnDirection {
  Vectors of;
  Scalars const* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    int const k = scalars->step;
    bool const goes_on = k > 0 && scalars->square[k - 1] > 0;
    float const beta =
        goes_on ? static_cast<float>(scalars->square[k] / scalars->square[k - 1]) : 0.0F;
    of.p[i] = goes_on ? of.z[i] + beta * of.p[i] : of.z[i];
  }
};

/// The potential's drop along a link of a node, in double.
struct Drops {
  Links links;
  double const* conductivity = nullptr;
  double const* state = nullptr;
  int axis = 0;
  /// Calls visit(q, conductance, drop, share) for links that conduct; `drop`: V there less V here;
  /// `share`: the part of the link that is counted here, half unless it ends at an end of the box.
  template <class Visit>
  TESSERA_HOST_DEVICE void for_each(std::int64_t i, Visit const& visit) const {
    for (int q = 1; q <= Links::size; ++q) {
      std::int32_t const j = links(q, i);
      double const step = step_along(q, axis);
      if (j >= 0) {
        visit(q, between(conductivity[i], conductivity[j]), step + state[j] - state[i], 0.5);
      } else if (j == Links::open_end) {
        visit(q, 2 * conductivity[i], step / 2 - state[i], 1.0);
      }
    }
  }
};
/// r of the state, rounded; the energy at the node, of whose links it has half; the cycle's first
/// smoothing.
struct TakeResidual {
  Drops drops;
  Vectors of;
  float const* diagonal = nullptr;
  TESSERA_HOST_DEVICE Sums<2> operator()(std::int64_t i) const {
    double flux = 0;
    double energy = 0;
    drops.for_each(i, [&](int /*q*/, double g, double drop, double share) {
      flux += g * drop;
      energy += share * g * drop * drop;
    });
    auto const r = static_cast<float>(flux);
    of.r[i] = r;
    of.x[i] = Equation::smoothed(r, diagonal[i]);
    return {{energy, double{r}}};
  }
};
/// Half the fluxes through opposite faces, added; a wall lets nothing through.
struct TakeFluxes {
  Drops drops;
  Four<float>* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double flux[3] = {0, 0, 0};
    drops.for_each(i, [&](int q, double g, double drop, double) {
      int const along = (q - 1) / 2;
      flux[along] += (q % 2 == 1 ? 0.5 : -0.5) * g * drop;
    });
    to[i] = {static_cast<float>(drops.state[i]), static_cast<float>(flux[0]),
             static_cast<float>(flux[1]), static_cast<float>(flux[2])};
  }
};

/// The conductivities of the nodes of an aggregate.
struct TakeConductivities {
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  double const* of_label = nullptr;
  std::uint8_t const* labels = nullptr;  ///< nullptr: `values` has them
  double const* values = nullptr;
  double* exact = nullptr;
  float* rounded = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for_each_node(grid, place_of[a], part_of[a], [&](Voxel at, int rank) {
      std::int64_t const voxel = grid.linear(at);
      std::int64_t const slot = first_slot[a] + rank;
      exact[slot] = labels != nullptr ? of_label[labels[voxel]] : values[voxel];
      rounded[slot] = static_cast<float>(exact[slot]);
    });
  }
};
/// Links out of the box along the open axis, which end at its ends.
struct OpenEnds {
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  int axis = 0;
  std::int32_t* table = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for_each_node(grid, place_of[a], part_of[a], [&](Voxel at, int rank) {
      std::int32_t const own = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
      std::int32_t const last = (axis == 0   ? grid.shape.x
                                 : axis == 1 ? grid.shape.y
                                             : grid.shape.z) -
                                1;
      std::int64_t const slot = first_slot[a] + rank;
      if (own == last) table[Links::index(2 * axis + 1, slot)] = Links::open_end;
      if (own == 0) table[Links::index(2 * axis + 2, slot)] = Links::open_end;
    });
  }
};
struct FillOnes {
  float* values = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = 1; }
};
struct SumWalls {
  float const* wall = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const { return {{double{wall[i]}}}; }
};

/// A conductor on a machine.
template <class Machine>
struct Space {
  template <class T>
  using Array = typename Machine::template Array<T>;
  Machine machine;
  NodeSet<Machine, Equation::links> set;
  Array<double> exact;        ///< conductivities, for the energy and the residual in double
  Array<float> conductivity;  ///< rounded, for the iteration; 1 in holes
  Array<float> diagonal, wall;
  Array<double> partial;  ///< 2 sums of each chunk
  Array<double> inverse_nodes;
  Hierarchy<Machine, Equation> hierarchy;
  std::optional<Axis> open;

  Edges edges() const { return {set.links(), conductivity.get()}; }
};

template <class Machine>
class Solver final : public DiffusionSolver {
 public:
  Solver(Space<Machine>& space, Axis axis)
      : space_(space),
        machine_(space.machine),
        set_(space.set),
        axis_(static_cast<int>(index_of(axis))),
        multigrid_(machine_, set_, space.hierarchy),
        state_(of_slots<double>()),
        r_(of_slots<float>()),
        x_(of_slots<float>()),
        z_(of_slots<float>()),
        p_(of_slots<float>()),
        t_(of_slots<float>()),
        scalars_(machine_.template array<Scalars>(1)),
        mean_(machine_.template array<double>(static_cast<std::size_t>(set_.parts))),
        sum_(machine_.template array<double>(1)) {
    begin();
    first_square_ = scalars().square[0];
    take_estimate();
  }

  DiffusionEstimate iterate(int count) override {
    for (int k = 0; k < count && !estimate_.broken; ++k) {
      if (step_ == most_iterations || is_worn_) confirm();
      machine_.repeat(graphs_, 0, [this] { iteration(); });
      ++step_;
    }
    take_estimate();
    return estimate_;
  }

  DiffusionEstimate confirm() override {
    before_ += step_;
    begin();
    take_estimate();
    return estimate_;
  }

  Uninitialised<DiffusionState> fields() override {
    auto fluxes = machine_.template array_of<Four<float>>(set_.slots, 0, {&set_.near});
    machine_.refresh(set_.near, state_.get());
    machine_.for_each(set_.slots, TakeFluxes{drops(), fluxes.get()});
    Uninitialised<Four<float>> const of_slots = on_host(machine_, fluxes.get(), set_.slots);
    return at_nodes<DiffusionState>(machine_, set_, [&](std::size_t i) {
      Four<float> const& f = of_slots[i];
      return DiffusionState{f.s, f.x, f.y, f.z};
    });
  }

 private:
  template <class T>
  using Array = typename Machine::template Array<T>;
  template <class T>
  Array<T> of_slots() const {
    return machine_.template array_of<T>(set_.slots, 0, {&set_.near});
  }
  Vectors vectors() const {
    return {state_.get(), r_.get(), x_.get(), z_.get(), p_.get(), t_.get()};
  }
  FineMatrix fine() const {
    return {space_.edges(),    space_.diagonal.get(),
            space_.wall.get(), set_.chunk_part.get(),
            mean_.get(),       r_.get(),
            x_.get()};
  }
  Drops drops() const { return {set_.links(), space_.exact.get(), state_.get(), axis_}; }
  Scalars scalars() {
    Scalars host{};
    machine_.download(&host, scalars_.get(), 1);
    return host;
  }

  /// Begins with the residual and the energy of the state.
  void begin() {
    machine_.refresh(set_.near, state_.get());
    machine_.template sum_chunks<2>(
        set_.chunks, TakeResidual{drops(), vectors(), space_.diagonal.get()}, space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    KeepSum{sum_.get()});
    machine_.download(&energy_, sum_.get(), 1);
    take_means(space_.partial.get() + set_.chunks.count);
    precondition(true);
    step_ = 0;
  }
  void iteration() {
    machine_.template sum_chunks<1>(set_.chunks, ApplyMatrix{fine(), vectors()},
                                    space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeProduct{scalars_.get()});
    machine_.template sum_chunks<1>(set_.chunks,
                                    MoveState{vectors(), space_.diagonal.get(), scalars_.get()},
                                    space_.partial.get());
    take_means(space_.partial.get());
    precondition(false);
  }
  void take_means(double const* partial) {
    machine_.template add_chunks<1>(set_.parts, set_.part_chunks.get(), set_.chunks.count, partial,
                                    TakeMeans{space_.inverse_nodes.get(), mean_.get()});
  }
  void precondition(bool begins) {
    multigrid_.correct(fine(), x_.get());
    machine_.template sum_chunks<1>(set_.chunks, FinishCycle{fine(), vectors(), set_.parent.get()},
                                    space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeSquare{scalars_.get(), begins});
    machine_.for_each(set_.slots, TurnDirection{vectors(), scalars_.get()});
    machine_.refresh(set_.near, p_.get());
  }

  void take_estimate() {
    Scalars const s = scalars();
    auto const n = static_cast<std::size_t>(s.step);
    double energy = energy_;
    for (std::size_t k = 0; k < n; ++k)
      energy -= s.product[k] > 0 ? s.square[k] * s.square[k] / s.product[k] : 0;
    least_ = std::min(least_, least_eigenvalue({s.product, n}, {s.square, n + 1}));
    double const size =
        static_cast<double>(set_.grid.shape.x) * set_.grid.shape.y * set_.grid.shape.z;
    constexpr double safety = 2;  // the least eigenvalue is not found at once
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    double const least_square = *std::ranges::min_element(s.square, s.square + n + 1);
    is_worn_ = s.square[n] < 1e-10 * s.square[0] || s.square[n] > 1e3 * least_square;
    DiffusionEstimate e;
    e.since_restart = s.step;
    e.iterations = before_ + s.step;
    e.conductivity = energy / size;
    e.residual = first_square_ > 0 ? std::sqrt(s.square[n] / first_square_) : 0;
    e.error_estimate = safety * s.square[n] / (least_ * energy) + rounding;
    e.broken = s.broken != 0 || !std::isfinite(energy) || !(energy > 0);
    if (e.broken) e.error_estimate = std::numeric_limits<double>::infinity();
    estimate_ = e;
  }

  Space<Machine>& space_;
  Machine& machine_;
  NodeSet<Machine, Equation::links> const& set_;
  int axis_ = 0;
  Multigrid<Equation, float, Machine> multigrid_;
  Array<double> state_;
  Array<float> r_, x_, z_, p_, t_;
  Array<Scalars> scalars_;
  Array<double> mean_, sum_;
  typename Machine::Graphs graphs_;
  int step_ = 0;
  int before_ = 0;     ///< iterations before the last restart
  double energy_ = 0;  ///< of the state there
  double first_square_ = 0;
  double least_ = 1;  ///< eigenvalue of H A that was found
  /// The vectors have lost their orthogonality: in single precision the residual falls no further,
  /// and rises again where conductivities differ by many orders of magnitude.
  bool is_worn_ = false;
  DiffusionEstimate estimate_;
};

template <class Machine>
class MachineSpace final : public DiffusionSpace {
 public:
  MachineSpace(Conductor const& conductor, std::optional<Axis> open, SteadyOptions const& options)
      : space_{.machine = Machine(options), .open = open} {
    Machine& machine = space_.machine;
    space_.set = make_nodes<Equation::links>(machine, conductor.geometry);
    auto& set = space_.set;
    take_conductivities(conductor);
    if (open) {
      machine.for_each(
          set.aggregates,
          OpenEnds{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                   static_cast<int>(index_of(*open)), set.table.get()});
    }
    space_.diagonal = machine.template array_of<float>(set.slots);
    space_.wall = machine.template array_of<float>(set.slots);
    machine.for_each(set.slots,
                     FineDiagonal{space_.edges(), space_.diagonal.get(), space_.wall.get()});
    space_.partial = machine.template array<double>(2 * static_cast<std::size_t>(set.chunks.count));
    find_parts_without_ends();
    space_.hierarchy = make_hierarchy<Equation>(machine, set, space_.edges(), options.small_level);
  }

  std::int64_t nodes() const override { return space_.set.nodes; }
  Uninitialised<std::int64_t> voxels() override { return voxels_of(space_.machine, space_.set); }
  double bytes_per_node() const override {
    double coarse = 0;
    for (auto const& level : space_.hierarchy.levels)
      coarse +=
          8.0 * static_cast<double>(level.entries) + 36.0 * static_cast<double>(level.size.count);
    constexpr double slot = 4.0 * Links::size + 4 + 3 * 4 + 2 * 8 + 5 * 4;
    return (slot * static_cast<double>(space_.set.slots.count) + coarse) /
           static_cast<double>(nodes());
  }
  std::vector<CoreUse> uses() const override {
    if constexpr (Machine::is_gpu)
      return {};
    else
      return space_.machine.uses();
  }
  std::unique_ptr<DiffusionSolver> solver(Axis axis) override {
    if (space_.open != axis && !space_.set.grid.periodic[index_of(axis)])
      throw BadInput(std::string("diffusion: expected a box that is open or wraps around along ") +
                     name_of(axis));
    return std::make_unique<Solver<Machine>>(space_, axis);
  }

 private:
  void take_conductivities(Conductor const& conductor) {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    typename Machine::template Input<double> const of_label(machine, conductor.of_label.data(),
                                                            256);
    bool const by_label = conductor.values.empty();
    typename Machine::template Input<std::uint8_t> const labels(machine, conductor.labels.data(),
                                                                conductor.labels.size());
    typename Machine::template Input<double> const values(machine, conductor.values.data(),
                                                          conductor.values.size());
    auto const slots = static_cast<std::size_t>(set.slots.count);
    space_.conductivity = machine.template array<float>(slots);
    space_.exact = machine.template array<double>(slots);
    machine.for_each(set.slots.count, FillOnes{space_.conductivity.get()});
    // All aggregates, on each process: so nodes of others beside the own ones have theirs.
    machine.for_each(
        set.aggregates.count,
        TakeConductivities{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                           of_label.get(), by_label ? labels.get() : nullptr, values.get(),
                           space_.exact.get(), space_.conductivity.get()});
  }
  void find_parts_without_ends() {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    auto const parts = static_cast<std::size_t>(set.parts);
    auto sums = machine.template array<double>(parts);
    space_.inverse_nodes = machine.template array<double>(parts);
    std::vector<double> inverse(parts, 1.0);
    machine.upload(space_.inverse_nodes.get(), inverse.data(), parts);
    machine.template sum_chunks<1>(set.chunks, SumWalls{space_.wall.get()}, space_.partial.get());
    machine.template add_chunks<1>(set.parts, set.part_chunks.get(), set.chunks.count,
                                   space_.partial.get(),
                                   TakeMeans{space_.inverse_nodes.get(), sums.get()});
    std::vector<double> walls(parts);
    machine.download(walls.data(), sums.get(), parts);
    for (std::size_t part = 0; part < parts; ++part)
      inverse[part] = walls[part] > 0 ? 0.0 : 1 / static_cast<double>(set.part_nodes[part]);
    machine.upload(space_.inverse_nodes.get(), inverse.data(), parts);
  }

  Space<Machine> space_;
};

}  // namespace tessera::steady::diffusion
