// SPDX-License-Identifier: MIT
// The published solver's routines on a core, element after element, matrices from the left.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "bench/literature/spectral/unfused.hpp"
#include "bench/literature/spectral/unfused_parts.hpp"

// For the widest vectors that there are, like the fused kernels.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_FOR_ALL_PROCESSORS \
  [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"), gnu::flatten]]
#else
#define TESSERA_FOR_ALL_PROCESSORS
#endif

namespace tessera {
namespace unfused {

using spectral::operators;

template <class U>
inline void intern_flux(U const& u) {
  for (std::int64_t e = 0; e < u.elements; ++e) {
    for (int axis = 0; axis < U::dimension; ++axis) {
      for (int v = 0; v < 5; ++v) {
        for (int f = 0; f < U::p + 2; ++f) {
          for (int line = 0; line < U::lines; ++line) {
            double sum = 0;
            for (int i = 0; i < U::n; ++i)
              sum += operators<U::p, double>.extrapolation[f][i] *
                     u.s[u.solution(e, v, U::point_of_line(axis, line, i))];
            u.f[u.flux(e, axis, v, f * U::lines + line)] = sum;
          }
        }
      }
      for (int k = U::lines; k < (U::p + 1) * U::lines; ++k) {
        typename U::State q{};
        for (int v = 0; v < 5; ++v) q[v] = u.f[u.flux(e, axis, v, k)];
        q = U::inner_flux(q, axis);
        for (int v = 0; v < 5; ++v) u.f[u.flux(e, axis, v, k)] = q[v];
      }
    }
  }
}

template <class U, class Do>
inline void at_faces(U const& u, Do&& to_do) {
  for (int axis = 0; axis < U::dimension; ++axis) {
    for (std::int64_t e = 0; e < u.elements; ++e) {
      for (int line = 0; line < U::lines; ++line) to_do(e, axis, line);
    }
  }
}

template <class U>
inline void divergence(U const& u) {
  for (std::int64_t e = 0; e < u.elements; ++e) {
    for (int v = 0; v < 5; ++v) {
      for (int axis = 0; axis < U::dimension; ++axis) {
        for (int i = 0; i < U::n; ++i) {
          for (int line = 0; line < U::lines; ++line) {
            double sum = 0;
            for (int f = 0; f < U::p + 2; ++f)
              sum += operators<U::p, double>.derivative[i][f] *
                     u.f[u.flux(e, axis, v, f * U::lines + line)];
            double& to = u.si[u.solution(e, v, U::point_of_line(axis, line, i))];
            to = axis == 0 ? sum * u.per_width : to + sum * u.per_width;
          }
        }
      }
    }
  }
}

template <class U>
inline void inner_fluxes(U const& u) {
  for (std::int64_t e = 0; e < u.elements; ++e) {
    for (int axis = 0; axis < U::dimension; ++axis) {
      for (int k = U::lines; k < (U::p + 1) * U::lines; ++k) {
        typename U::State q{};
        for (int v = 0; v < 5; ++v) {
          double sum = 0;
          for (int i = 0; i < U::n; ++i)
            sum += operators<U::p, double>.extrapolation[k / U::lines][i] *
                   u.s[u.solution(e, v, U::point_of_line(axis, k % U::lines, i))];
          q[v] = sum;
        }
        q = U::inner_flux(q, axis);
        for (int v = 0; v < 5; ++v) u.f[u.flux(e, axis, v, k)] = q[v];
      }
    }
  }
}

template <class U>
inline void update(U const& u, double step) {
  for (std::int64_t i = 0; i < U::numbers_of_states(u.elements); ++i)
    u.s[i] = u.sb[i] - step * u.si[i];
}

/// One routine of a stage.
template <int dimension, int p>
TESSERA_FOR_ALL_PROCESSORS void run_part(Unfused<dimension, p, double> const& u, UnfusedPart part,
                                         double step) {
  constexpr auto const& matrices = operators<p, double>;
  switch (part) {
    case UnfusedPart::intern_flux:
      return intern_flux(u);
    case UnfusedPart::scatter:
      return at_faces(u, [&](std::int64_t e, int a, int line) { u.scatter(e, a, line); });
    case UnfusedPart::extrapolate:
      return at_faces(
          u, [&](std::int64_t e, int a, int line) { u.extrapolate(matrices, e, a, line); });
    case UnfusedPart::riemann:
      return at_faces(u, [&](std::int64_t e, int a, int line) { u.solve(e, a, line); });
    case UnfusedPart::gather:
      return at_faces(u, [&](std::int64_t e, int a, int line) { u.gather(e, a, line); });
    case UnfusedPart::divergence:
      return divergence(u);
    case UnfusedPart::divergence_of_states:
      inner_fluxes(u);
      return divergence(u);
    case UnfusedPart::update:
      return update(u, step);
  }
}

template <int dimension, int p>
class UnfusedRunner final : public UnfusedOnCore {
  using U = Unfused<dimension, p, double>;

 public:
  explicit UnfusedRunner(UnfusedCase const& of) : of_(of) {
    std::int64_t const elements = of.elements();
    for (auto* const states : {&s_, &sb_, &si_})
      states->resize(size(U::numbers_of_states(elements)));
    f_.resize(size(U::numbers_of_fluxes(elements)));
    for (auto* const faces : {&left_, &right_, &ff_})
      faces->resize(size(U::numbers_of_faces(elements)));
    u_ = {{of.cells[0], of.cells[1], of.cells[2]},
          elements,
          of.layout,
          1,
          s_.data(),
          sb_.data(),
          si_.data(),
          f_.data(),
          left_.data(),
          right_.data(),
          ff_.data()};
    for (std::int64_t e = 0; e < elements; ++e) {
      for (int i = 0; i < U::points; ++i) {
        spectral::State<double> const q = unfused_state(of, e, i, spectral::solution_points<p>());
        for (int v = 0; v < 5; ++v) s_[size(u_.solution(e, v, i))] = q[v];
      }
    }
  }

  double run(std::int64_t stages) override {
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < stages; ++i) {
      if (i % 4 == 0) sb_ = s_;
      for (UnfusedPart const part : parts_of(of_.version)) {
        auto const part_begin = std::chrono::steady_clock::now();
        run_part<dimension, p>(u_, part, unfused_step(i));
        seconds_[size(static_cast<std::int64_t>(part))] += seconds_since(part_begin);
      }
    }
    return seconds_since(begin);
  }
  std::int64_t points() const override { return of_.points(); }
  std::vector<double> first_state() const override {
    std::vector<double> state;
    state.reserve(5);
    for (int v = 0; v < 5; ++v) state.push_back(s_[size(u_.solution(0, v, 0))]);
    return state;
  }
  double seconds_of(UnfusedPart part) const override {
    return seconds_[static_cast<std::size_t>(part)];
  }

 private:
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

  UnfusedCase of_;
  U u_{};
  std::vector<double> s_, sb_, si_, f_, left_, right_, ff_;
  std::array<double, unfused_parts> seconds_{};
};

}  // namespace unfused

template <int dimension>
std::unique_ptr<UnfusedOnCore> unfused_on_core_of(UnfusedCase const& of) {
  switch (of.degree) {
    case 1:
      return std::make_unique<unfused::UnfusedRunner<dimension, 1>>(of);
    case 2:
      return std::make_unique<unfused::UnfusedRunner<dimension, 2>>(of);
    case 3:
      return std::make_unique<unfused::UnfusedRunner<dimension, 3>>(of);
    case 4:
      return std::make_unique<unfused::UnfusedRunner<dimension, 4>>(of);
    case 5:
      return std::make_unique<unfused::UnfusedRunner<dimension, 5>>(of);
    default:
      return std::make_unique<unfused::UnfusedRunner<dimension, 6>>(of);
  }
}

}  // namespace tessera
