// SPDX-License-Identifier: MIT
#include "codelets/spectral/measure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codelets/spectral/gpu/gpu_tasks.hpp"
#include "codelets/spectral/states.hpp"
#include "graph/tasks/vector_data.hpp"
#include "models/spectral/geometry.hpp"

namespace tessera::spectral {
namespace {

/// Errors are integrated on so many more Gauss points along each axis than the solution has.
constexpr int extra_points = 3;

std::size_t index(std::integral auto i) { return static_cast<std::size_t>(i); }

constexpr PointWeights point_weights = make_point_weights();

/// The weights of a tensor grid, x fastest.
std::vector<double> tensor_weights(int dimension, std::vector<double> const& w) {
  std::vector<double> all{1};
  for (int d = 0; d < dimension; ++d) {
    std::vector<double> next;
    for (double const outer : w) {
      for (double const inner : all) next.push_back(outer * inner);
    }
    all = std::move(next);
  }
  return all;
}

/// The points of all elements of a pack, in the order that point_sums.hpp says.
template <class N>
PointSums sums_of_pack(TileView<N> const& tables, TilePack const& pack, int dimension,
                       N const* states, Gas<double> gas) {
  PointSums of_pack;
  for (int lane = 0; lane < pack.elements; ++lane) {
    PointSums of_element;
    for (int first = 0; first < sums_of_element; ++first) {
      of_element.add(
          sums_of_points(tables, pack, dimension, states, lane, first, point_weights, gas));
    }
    of_pack.add(of_element);
  }
  return of_pack;
}

/// Measures how far elements of one degree are from an exact flow, one element after the other.
class PackErrors {
 public:
  PackErrors(MeshOfGas const& of, int degree)
      : of_(of),
        maps_(of.mesh.dimension, of.mesh.map_degree, degree),
        to_fine_(interpolation(gauss_points(degree + 1 + extra_points), solution_points(degree))),
        fine_weights_(tensor_weights(of.mesh.dimension, gauss_weights(degree + 1 + extra_points))) {
  }

  void add(std::size_t element, std::vector<State<double>> const& state, ExactFlow const& exact,
           double time, PackMeasurement& result) const {
    auto const nodes = of_.mesh.nodes_of(element);
    std::array<std::vector<double>, variables> q;
    for (int v = 0; v < variables; ++v) {
      std::vector<double> values(state.size());
      std::ranges::transform(state, values.begin(), [v](State<double> const& at) { return at[v]; });
      q[index(v)] = fine(values);
    }
    std::vector<double> const fine_jacobian = fine(maps_.jacobian(nodes));
    std::vector<Point> const places = map_points(of_.mesh.dimension, of_.mesh.map_degree, nodes,
                                                 gauss_points(static_cast<int>(to_fine_.rows)));
    for (std::size_t i = 0; i < places.size(); ++i) {
      Primitive<double> const found =
          primitive(State<double>{{q[0][i], q[1][i], q[2][i], q[3][i], q[4][i]}}, of_.gas);
      Primitive<double> const expected = exact(places[i], time);
      double const error[variables] = {
          found.density - expected.density, found.velocity[0] - expected.velocity[0],
          found.velocity[1] - expected.velocity[1], found.velocity[2] - expected.velocity[2],
          found.pressure - expected.pressure};
      for (int v = 0; v < variables; ++v) {
        result.integrals.squared_errors[v] +=
            fine_weights_[i] * fine_jacobian[i] * error[v] * error[v];
        double& largest = result.extremes.largest_errors[v];
        largest = std::max(largest, std::abs(error[v]));
      }
    }
  }

 private:
  std::vector<double> fine(std::vector<double> const& field) const {
    std::vector<Matrix const*> const along(index(of_.mesh.dimension), &to_fine_);
    return tensor_product(along, field);
  }

  MeshOfGas const& of_;
  ElementMaps maps_;
  Matrix to_fine_;
  std::vector<double> fine_weights_;
};

/// Adds the errors of a pack at a time to the result. `state`: the pack's state.
template <class N>
void add_errors(GasMeasureArguments const& arguments, std::int32_t pack, N const* state,
                double time, PackMeasurement& result) {
  Pack const& elements = arguments.of->packs.packs[index(pack)];
  PackErrors const errors(*arguments.of, elements.degree);
  PackShape const shape{arguments.counts.dimension, elements.degree};
  for (std::int32_t lane = 0; lane < elements.elements; ++lane)
    errors.add(index(elements.element[index(lane)]), lane_of(shape, state, lane), arguments.exact,
               time, result);
}

/// The state's time, and the length of the step that led there.
Clock when(Clock const& clock, TimeOfState const& which) {
  Clock const& step = which.known ? *which.known : clock;
  if (!which.is_end) return {step.time, 0};
  return {step.time + step.dt, step.dt};
}

bool is_finite(GasIntegrals const& sums) {
  double magnitude = std::abs(sums.entropy);
  for (double const sum : sums.conserved) magnitude += std::abs(sum);
  return std::isfinite(magnitude);
}

/// Buffers: 0 R state; 1 R tables; 2 R clock; 3 W measured.
void measure_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<GasMeasureArguments> const arguments(static_cast<GasMeasureArguments*>(argument));
  double const time = when(*vector_data<Clock const>(buffers, 2), arguments->time).time;
  auto* const measured = vector_data<PackMeasurement>(buffers, 3);
  with_numbers(arguments->numbers, [&]<class N>() {
    TileView<N> const view =
        view_of<N>(arguments->counts, vector_data<std::byte const>(buffers, 1));
    auto const* const states = vector_data<N const>(buffers, 0);
    for (std::size_t i = 0; i < arguments->packs->size(); ++i) {
      measured[i] = {};
      sums_of_pack(view, view.packs[i], arguments->counts.dimension, states, arguments->of->gas)
          .put_into(measured[i]);
      if (arguments->exact)
        add_errors(*arguments, (*arguments->packs)[i], states + view.packs[i].state, time,
                   measured[i]);
    }
  });
}

/// Buffers: 0 R clock; then R measured of each tile.
void collect_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<GasCollectArguments> const arguments(static_cast<GasCollectArguments*>(argument));
  Clock const now = when(*vector_data<Clock const>(buffers, 0), arguments->time);
  GasSums result{.step = arguments->step, .time = now.time, .dt = now.dt};
  for (std::size_t t = 0; t < arguments->packs.size(); ++t) {
    auto const* const measured = vector_data<PackMeasurement const>(buffers, 1 + t);
    for (std::size_t i = 0; i < arguments->packs[t]->size(); ++i) {
      std::int32_t const pack = (*arguments->packs[t])[i];
      if (!is_finite(measured[i].integrals) &&
          (result.broken_pack < 0 || pack < result.broken_pack))
        result.broken_pack = pack;
      result.sums.add(measured[i].integrals);
      result.extremes.include(measured[i].extremes);
    }
  }
  arguments->deliver(result);
}

starpu_codelet& measure_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {measure_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(measure_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = 4,
                                   .modes = {STARPU_R, STARPU_R, STARPU_R, STARPU_W},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "measure_gas"};
  return codelet;
}

starpu_codelet& collect_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {collect_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "collect_gas"};
  return codelet;
}

}  // namespace

void GasExtremes::include(GasExtremes const& other) {
  least_density = std::min(least_density, other.least_density);
  least_pressure = std::min(least_pressure, other.least_pressure);
  largest_speed = std::max(largest_speed, other.largest_speed);
  largest_mach = std::max(largest_mach, other.largest_mach);
  for (int v = 0; v < variables; ++v)
    largest_errors[v] = std::max(largest_errors[v], other.largest_errors[v]);
}

void submit_gas_measure(DataHandle const& state, DataHandle const& tables, DataHandle const& clock,
                        DataHandle const& measured, GasMeasureArguments arguments,
                        Placement const& placement) {
  Accesses data;
  data.reads(state).reads(tables).reads(clock).writes(measured);
  // The exact flow is a function of the user's, which only cores can call.
  Placement const where = arguments.exact ? on_cores(placement) : placement;
  submit(measure_codelet(), data,
         std::make_unique<GasMeasureArguments>(std::move(arguments)).release(), where);
}

void submit_gas_collect(DataHandle const& clock, std::span<DataHandle const* const> measured,
                        GasCollectArguments arguments) {
  Accesses data;
  data.reads(clock);
  for (DataHandle const* const of_tile : measured) data.reads(*of_tile);
  submit(collect_codelet(), data,
         std::make_unique<GasCollectArguments>(std::move(arguments)).release(),
         {.kinds = STARPU_CPU});
}

}  // namespace tessera::spectral
