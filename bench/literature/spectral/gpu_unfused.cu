// SPDX-License-Identifier: MIT
// The published solver's kernels: a thread a flux point, a solution point or a face point; states,
// fluxes and matrices in shared memory; several small elements a CUDA block.
#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"
#include "bench/literature/spectral/gas_runner.hpp"
#include "bench/literature/spectral/unfused.hpp"

namespace tessera {
namespace {

using spectral::Operators;

/// Elements a block: tables 2 to 5 of the report; beyond degree 6, one.
constexpr int elements_a_block(int dimension, int p, bool divergence) {
  constexpr int flux_plane[] = {32, 16, 8, 8, 2, 3, 2};
  constexpr int flux_space[] = {16, 8, 7, 2, 1, 1, 1};
  constexpr int solution_plane[] = {64, 16, 14, 8, 5, 7, 5};
  constexpr int solution_space[] = {64, 16, 7, 2, 1, 1, 1};
  if (p > 6) return 1;
  if (dimension == 2) return divergence ? solution_plane[p] : flux_plane[p];
  return divergence ? solution_space[p] : flux_space[p];
}
constexpr int face_threads = 192;

template <class U, class N>
__device__ void fetch_states(U const& u, N* shared, std::int64_t first, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count * 5 * U::points;
       i += static_cast<int>(blockDim.x)) {
    if (first + i / (5 * U::points) < u.elements) shared[i] = u.s[first * 5 * U::points + i];
  }
}

/// The place of an element's value in what fetch_states() fetched.
template <class U>
__device__ int here(U const& u, int element, int v, int i) {
  return static_cast<int>(u.at(element, U::points, v, i));
}

template <class U, class N, int count>
__global__ void __launch_bounds__(count* U::fluxes)
    intern_flux(U const u, __grid_constant__ Operators<U::p, N> const matrices) {
  __shared__ N states[count * 5 * U::points];
  __shared__ N extrapolation[U::p + 2][U::p + 1];
  std::int64_t const first = std::int64_t{blockIdx.x} * count;
  fetch_states(u, states, first, count);
  for (int i = static_cast<int>(threadIdx.x); i < (U::p + 2) * (U::p + 1); i += blockDim.x)
    extrapolation[i / U::n][i % U::n] = matrices.extrapolation[i / U::n][i % U::n];
  __syncthreads();
  int const element = static_cast<int>(threadIdx.x) / U::fluxes;
  if (first + element >= u.elements) return;
  int const k = static_cast<int>(threadIdx.x) % U::fluxes;
  int const f = k / U::lines;
  int const line = k % U::lines;
  for (int axis = 0; axis < U::dimension; ++axis) {
    typename U::State q;
    for (int v = 0; v < 5; ++v) {
      N sum{};
      for (int i = 0; i < U::n; ++i)
        sum += extrapolation[f][i] * states[here(u, element, v, U::point_of_line(axis, line, i))];
      q[v] = sum;
    }
    if (f > 0 && f < U::p + 1) q = U::inner_flux(q, axis);
    for (int v = 0; v < 5; ++v) u.f[u.flux(first + element, axis, v, k)] = q[v];
  }
}

enum class FaceTask : std::uint8_t { scatter, extrapolate, solve, gather };

template <class U, class N, FaceTask task>
__global__ void __launch_bounds__(face_threads)
    at_faces(U const u, __grid_constant__ Operators<U::p, N> const matrices) {
  std::int64_t const i = std::int64_t{blockIdx.x} * face_threads + threadIdx.x;
  if (i >= U::dimension * u.elements * U::lines) return;
  auto const line = static_cast<int>(i % U::lines);
  std::int64_t const e = i / U::lines % u.elements;
  auto const axis = static_cast<int>(i / U::lines / u.elements);
  if constexpr (task == FaceTask::scatter) u.scatter(e, axis, line);
  if constexpr (task == FaceTask::extrapolate) u.extrapolate(matrices, e, axis, line);
  if constexpr (task == FaceTask::solve) u.solve(e, axis, line);
  if constexpr (task == FaceTask::gather) u.gather(e, axis, line);
}

/// Five passes, one for each variable.
template <class U, class N, int count>
__global__ void __launch_bounds__(count* U::points)
    divergence(U const u, __grid_constant__ Operators<U::p, N> const matrices) {
  __shared__ N fluxes[count][U::dimension][U::fluxes];
  std::int64_t const first = std::int64_t{blockIdx.x} * count;
  int const element = static_cast<int>(threadIdx.x) / U::points;
  int const point = static_cast<int>(threadIdx.x) % U::points;
  for (int v = 0; v < 5; ++v) {
    for (int i = static_cast<int>(threadIdx.x); i < count * U::dimension * U::fluxes;
         i += static_cast<int>(blockDim.x)) {
      int const of = i / (U::dimension * U::fluxes);
      int const axis = i / U::fluxes % U::dimension;
      if (first + of < u.elements)
        fluxes[of][axis][i % U::fluxes] = u.f[u.flux(first + of, axis, v, i % U::fluxes)];
    }
    __syncthreads();
    if (first + element < u.elements) {
      N sum{};
      int stride = 1;
      for (int axis = 0; axis < U::dimension; ++axis, stride *= U::n) {
        int const i = point / stride % U::n;
        int const line = point % stride + point / (stride * U::n) * stride;
        for (int f = 0; f < U::p + 2; ++f)
          sum += matrices.derivative[i][f] * fluxes[element][axis][f * U::lines + line];
      }
      u.si[u.solution(first + element, v, point)] = sum * u.per_width;
    }
    __syncthreads();
  }
}

/// Version 1: the inner fluxes are found here, those at the ends in F.
template <class U, class N, int count>
__global__ void __launch_bounds__(count* U::points)
    divergence_of_states(U const u, __grid_constant__ Operators<U::p, N> const matrices) {
  __shared__ N states[count * 5 * U::points];
  __shared__ N fluxes[count][5][U::fluxes];
  std::int64_t const first = std::int64_t{blockIdx.x} * count;
  int const element = static_cast<int>(threadIdx.x) / U::points;
  int const point = static_cast<int>(threadIdx.x) % U::points;
  fetch_states(u, states, first, count);
  __syncthreads();
  N sum[5] = {};
  int stride = 1;
  for (int axis = 0; axis < U::dimension; ++axis, stride *= U::n) {
    for (int t = static_cast<int>(threadIdx.x); t < count * U::fluxes;
         t += static_cast<int>(blockDim.x)) {
      int const of = t / U::fluxes;
      int const k = t % U::fluxes;
      int const f = k / U::lines;
      if (first + of >= u.elements) continue;
      typename U::State q;
      if (f == 0 || f == U::p + 1) {
        for (int v = 0; v < 5; ++v) q[v] = u.f[u.flux(first + of, axis, v, k)];
      } else {
        for (int v = 0; v < 5; ++v) {
          N value{};
          for (int i = 0; i < U::n; ++i)
            value += matrices.extrapolation[f][i] *
                     states[here(u, of, v, U::point_of_line(axis, k % U::lines, i))];
          q[v] = value;
        }
        q = U::inner_flux(q, axis);
      }
      for (int v = 0; v < 5; ++v) fluxes[of][v][k] = q[v];
    }
    __syncthreads();
    int const i = point / stride % U::n;
    int const line = point % stride + point / (stride * U::n) * stride;
    for (int v = 0; v < 5; ++v) {
      for (int f = 0; f < U::p + 2; ++f)
        sum[v] += matrices.derivative[i][f] * fluxes[element][v][f * U::lines + line];
    }
    __syncthreads();
  }
  if (first + element >= u.elements) return;
  for (int v = 0; v < 5; ++v) u.si[u.solution(first + element, v, point)] = sum[v] * u.per_width;
}

template <class U, class N>
__global__ void __launch_bounds__(256) update(U const u, N const step) {
  std::int64_t const i = std::int64_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < U::numbers_of_states(u.elements)) u.s[i] = u.sb[i] - step * u.si[i];
}

unsigned blocks(std::int64_t items, int each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

template <int dimension, int p, class N>
class Runner final : public GasRunner {
  using U = Unfused<dimension, p, N>;

 public:
  explicit Runner(UnfusedCase const& of)
      : of_(of),
        s_(size(U::numbers_of_states(of.elements()))),
        sb_(s_.size()),
        si_(s_.size()),
        f_(size(U::numbers_of_fluxes(of.elements()))),
        left_(size(U::numbers_of_faces(of.elements()))),
        right_(left_.size()),
        ff_(left_.size()) {
    u_ = {{of.cells[0], of.cells[1], of.cells[2]},
          of.elements(),
          of.layout,
          N{1},
          s_.get(),
          sb_.get(),
          si_.get(),
          f_.get(),
          left_.get(),
          right_.get(),
          ff_.get()};
    std::vector<N> states(s_.size());
    for (std::int64_t e = 0; e < of.elements(); ++e) {
      for (int i = 0; i < U::points; ++i) {
        State<double> const q = unfused_state(of, e, i, spectral::solution_points<p>());
        for (int v = 0; v < 5; ++v) states[size(u_.solution(e, v, i))] = static_cast<N>(q[v]);
      }
    }
    s_.upload(states.data());
  }

  double run(std::int64_t stages) override {
    return timer_.seconds(stream_.get(), [&] {
      for (std::int64_t i = 0; i < stages; ++i) {
        if (i % 4 == 0) {
          check_cuda(cudaMemcpyAsync(sb_.get(), s_.get(), s_.bytes(), cudaMemcpyDeviceToDevice,
                                     stream_.get()),
                     "copying states");
        }
        stage(static_cast<N>(unfused_step(i)));
      }
      check_cuda(cudaGetLastError(), "launching a routine");
    });
  }
  std::int64_t points() const override { return of_.points(); }
  std::vector<double> first_state() const override {
    std::vector<double> state;
    for (int v = 0; v < 5; ++v)
      state.push_back(static_cast<double>(s_.value(size(u_.solution(0, v, 0)))));
    return state;
  }

 private:
  template <class T>
  using State = spectral::State<T>;
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

  template <FaceTask task>
  void run_at_faces() {
    at_faces<U, N, task><<<blocks(dimension * of_.elements() * U::lines, face_threads),
                           face_threads, 0, stream_.get()>>>(u_, spectral::operators<p, N>);
  }

  void stage(N step) {
    constexpr int for_fluxes = elements_a_block(dimension, p, false);
    constexpr int for_points = elements_a_block(dimension, p, true);
    constexpr auto const& matrices = spectral::operators<p, N>;
    if (of_.version == 2) {
      intern_flux<U, N, for_fluxes>
          <<<blocks(of_.elements(), for_fluxes), for_fluxes * U::fluxes, 0, stream_.get()>>>(
              u_, matrices);
      run_at_faces<FaceTask::scatter>();
    } else {
      run_at_faces<FaceTask::extrapolate>();
    }
    run_at_faces<FaceTask::solve>();
    run_at_faces<FaceTask::gather>();
    if (of_.version == 2) {
      divergence<U, N, for_points>
          <<<blocks(of_.elements(), for_points), for_points * U::points, 0, stream_.get()>>>(
              u_, matrices);
    } else {
      // Fewer elements, as it holds all variables.
      constexpr int few = p == 1 ? 4 : for_points > 2 ? 2 : 1;
      divergence_of_states<U, N, few>
          <<<blocks(of_.elements(), few), few * U::points, 0, stream_.get()>>>(u_, matrices);
    }
    update<U, N>
        <<<blocks(U::numbers_of_states(of_.elements()), 256), 256, 0, stream_.get()>>>(u_, step);
  }

  UnfusedCase of_;
  U u_{};
  DeviceArray<N> s_, sb_, si_, f_, left_, right_, ff_;
  GpuStream stream_;
  GpuTimer timer_;
};

template <int p>
std::unique_ptr<GasRunner> make(UnfusedCase const& of) {
  if (of.dimension == 2) return std::make_unique<Runner<2, p, double>>(of);
  return std::make_unique<Runner<3, p, double>>(of);
}

}  // namespace

std::unique_ptr<GasRunner> unfused_on_gpu(UnfusedCase const& of) {
  switch (of.degree) {
    case 1:
      return make<1>(of);
    case 2:
      return make<2>(of);
    case 3:
      return make<3>(of);
    case 4:
      return make<4>(of);
    case 5:
      return make<5>(of);
    default:
      return make<6>(of);
  }
}

}  // namespace tessera
