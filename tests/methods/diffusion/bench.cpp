#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "methods/diffusion/diffusion.hpp"
using namespace tessera;
// bench FILE nx ny nz axis tol periodic threads s0 s1 s2
int main(int argc, char** argv) {
  Conductor c;
  c.geometry.shape = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])};
  auto n = (size_t)volume(c.geometry.shape);
  c.labels.resize(n);
  std::ifstream(argv[1], std::ios::binary).read((char*)c.labels.data(), (long)n);
  Axis axis = (Axis)(argv[5][0] - 'x');
  double tol = atof(argv[6]);
  bool periodic = atoi(argv[7]);
  SteadyOptions o;
  o.threads = atoi(argv[8]);
  for (int k = 9; k < argc; ++k) c.of_label[(size_t)(k - 9)] = (float)atof(argv[k]);
  c.geometry.pore.resize(n);
  for (size_t i = 0; i < n; ++i) c.geometry.pore[i] = c.of_label[c.labels[i]] > 0;
  if (periodic) c.geometry.periodic = {true, true, true};
  auto t0 = std::chrono::steady_clock::now();
  auto s = make_diffusion_space(c, periodic ? std::nullopt : std::optional(axis), o);
  auto t1 = std::chrono::steady_clock::now();
  auto solver = s->solver(axis);
  if (getenv("TRACE")) {
    for (int k = 0; k < 60; ++k) {
      auto e = solver->iterate(1);
      printf("%d K %.12g est %.3g res %.3g\n", e.iterations, e.conductivity, e.error_estimate,
             e.residual);
      if (e.error_estimate < tol) break;
    }
    auto e = solver->confirm();
    printf("confirmed K %.14g est %.3g\n", e.conductivity, e.error_estimate);
    return 0;
  }
  auto r = solve(*solver, tol, 2000);
  auto t2 = std::chrono::steady_clock::now();
  printf(
      "K %.12g iterations %d error %.3g confirmed %d nodes %ld B/node %.0f setup %.3f solve %.3f\n",
      r.estimate.conductivity, r.estimate.iterations, r.estimate.error_estimate, r.confirmed,
      s->nodes(), s->bytes_per_node(), std::chrono::duration<double>(t1 - t0).count(),
      std::chrono::duration<double>(t2 - t1).count());
}
