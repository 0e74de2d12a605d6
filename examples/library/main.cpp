// SPDX-License-Identifier: MIT
// The permeability of packs of spheres, ever denser, as a program of one's own asks for it.
#include <cstdio>
#include <exception>
#include <string>
#include <tessera.hpp>

int main() try {
  tessera::PermeabilityOptions options;
  options.flow.labels.pore = "1";
  options.fields = false;
  std::puts("porosity,k_voxels2,error,converged");
  for (char const* porosity : {"0.6", "0.5", "0.4"}) {
    auto const image = tessera::generate(
        {"spheres", "--size", "48", "--radius", "6", "--porosity", porosity, "--seed", "7"});
    auto const found = tessera::permeability({image.pore.data(), image.shape}, options);
    tessera::AxisPermeability const& along_x = found.axes.front();
    std::printf("%s,%.6g,%.1e,%s\n", porosity, along_x.k_lattice[0], along_x.error.value_or(0),
                along_x.converged ? "yes" : "no");
    for (std::string const& warning : found.warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  }
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
