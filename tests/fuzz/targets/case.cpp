// SPDX-License-Identifier: MIT
// Case files and what is set beside them. Behind a byte 0 stands one override, behind the next
// another.
#include <array>

#include "case/file/gas_case.hpp"
#include "case/file/keys/schema.hpp"
#include "tests/fuzz/target.hpp"

std::vector<std::string> tessera::fuzz::seeds() {
  std::string const channel = R"([constants]
N = 16
U = 0.05
[geometry]
shape = ["2*N", "N", 1]
[fluid]
viscosity = 0.1
[model]
collision = "mrt"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["4*U*y*(N-y)/N^2", 0, 0]
[[boundary]]
on = "x+"
type = "pressure"
density = 1
[stop]
steps = 100
)";
  std::string const units = R"([units]
voxel = "1 um"
step = "1e-7 s"
[geometry]
shape = [16, 12, 8]
periodic = ["x"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = ["nx/2", 6, 4]
radius = 3
[fluid]
viscosity = 0.1
[force]
body = [1e-6, 0, 0]
[stop]
steady = { tolerance = 1e-6, every = 500 }
[[output.probe]]
name = "wake"
at = [12, 6, 4]
[[output.line]]
name = "centre"
from = [0, 6, 4]
to = [16, 6, 4]
[[output.force]]
name = "drag"
on = "ball"
)";
  std::string const gas = R"gas(method = "spectral"
[formulas]
X = "x - t"
X2 = "X^2 + X"
[mesh]
box = [10, 4]
cells = [5, 2]
degree = "2 + (x > 5)"
periodic = ["x"]
bend = ["x + y/10", "y"]
[initial]
density = "1 + X2/100"
pressure = 1
[[boundary]]
on = ["y-", "y+"]
type = "slip-wall"
[stop]
time = 2
[output.exact]
density = "1 + X2"
pressure = 1
[[output.probe]]
name = "a"
at = [5, 2]
)gas";
  using namespace std::string_literals;
  return {channel, channel + "\0N=32"s,     channel + "\0model.collision=trt\0stop.steps="s, units,
          gas,     gas + "\0mesh.degree=3"s};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace tessera;
  std::string_view rest(reinterpret_cast<char const*>(data), size);
  std::vector<std::string> parts;
  for (;;) {
    std::size_t const end = rest.find('\0');
    parts.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  std::filesystem::path const file = fuzz::file_with(parts.front(), "case.toml");
  parts.erase(parts.begin());
  fuzz::answer_of([&] { read_any_case(file, parts); });
  return 0;
}
