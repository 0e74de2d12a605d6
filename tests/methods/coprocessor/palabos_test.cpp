// SPDX-License-Identifier: MIT
// The adapter for Palabos, with a stand-in for Palabos: its interface, and a step of its BGK.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace plb {
using plint = std::ptrdiff_t;
struct Box3D {
  plint x0, x1, y0, y1, z0, z1;
};
template <typename T>
class CoProcessor3D {
 public:
  virtual ~CoProcessor3D() = default;
  virtual int addDomain(plint nx, plint ny, plint nz, T omega, int& domainHandle) = 0;
  virtual int send(int domainHandle, Box3D const& subDomain, std::vector<char> const& data) = 0;
  virtual int receive(int domainHandle, Box3D const& subDomain, std::vector<char>& data) const = 0;
  virtual int collideAndStream(int domainHandle) = 0;
};
}  // namespace plb

#include "examples/coprocessor/palabos.hpp"

namespace {

using plb::plint;
constexpr plint nx = 9, ny = 7, nz = 8;
constexpr double omega = 1.7;
constexpr plb::Box3D whole{0, nx - 1, 0, ny - 1, 0, nz - 1};

struct Velocity {
  std::array<int, 3> c;
  double weight;
};
std::array<Velocity, 19> const velocities = [] {
  constexpr std::array<std::array<int, 3>, 10> half{{{0, 0, 0},
                                                     {-1, 0, 0},
                                                     {0, -1, 0},
                                                     {0, 0, -1},
                                                     {-1, -1, 0},
                                                     {-1, 1, 0},
                                                     {-1, 0, -1},
                                                     {-1, 0, 1},
                                                     {0, -1, -1},
                                                     {0, -1, 1}}};
  std::array<Velocity, 19> all{};
  for (std::size_t q = 0; q < half.size(); ++q) {
    auto const [x, y, z] = half[q];
    double const weight = q == 0 ? 1.0 / 3 : q < 4 ? 1.0 / 18 : 1.0 / 36;
    all[q] = {half[q], weight};
    if (q > 0) all[q + 9] = {{-x, -y, -z}, weight};
  }
  return all;
}();

std::size_t place(plint x, plint y, plint z, std::size_t q) {
  return static_cast<std::size_t>((x * ny + y) * nz + z) * 19 + q;
}

std::vector<double> some_populations() {
  std::vector<double> f(place(nx - 1, ny - 1, nz - 1, 18) + 1);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> small(-0.01, 0.01);
  for (double& population : f) population = small(random);
  return f;
}

/// Collides all cells, then streams; what would come from outside stays.
std::vector<double> stepped(std::vector<double> const& f) {
  std::vector<double> next = f;
  for (plint x = 0; x < nx; ++x) {
    for (plint y = 0; y < ny; ++y) {
      for (plint z = 0; z < nz; ++z) {
        double rho = 1;
        std::array<double, 3> j{};
        for (std::size_t q = 0; q < 19; ++q) {
          rho += f[place(x, y, z, q)];
          for (std::size_t a = 0; a < 3; ++a) j[a] += velocities[q].c[a] * f[place(x, y, z, q)];
        }
        double const jj = j[0] * j[0] + j[1] * j[1] + j[2] * j[2];
        for (std::size_t q = 0; q < 19; ++q) {
          auto const& [c, weight] = velocities[q];
          double const cj = c[0] * j[0] + c[1] * j[1] + c[2] * j[2];
          double const equilibrium = weight * (rho - 1 + 3 * cj + (4.5 * cj * cj - 1.5 * jj) / rho);
          plint const tx = x + c[0], ty = y + c[1], tz = z + c[2];
          if (tx < 0 || ty < 0 || tz < 0 || tx >= nx || ty >= ny || tz >= nz) continue;
          double const old = f[place(x, y, z, q)];
          next[place(tx, ty, tz, q)] = old + omega * (equilibrium - old);
        }
      }
    }
  }
  return next;
}

std::vector<char> part_of(std::vector<double> const& f, plb::Box3D const& b) {
  std::vector<double> part;
  for (plint x = b.x0; x <= b.x1; ++x)
    for (plint y = b.y0; y <= b.y1; ++y)
      for (plint z = b.z0; z <= b.z1; ++z)
        for (std::size_t q = 0; q < 19; ++q) part.push_back(f[place(x, y, z, q)]);
  std::vector<char> bytes(part.size() * sizeof(double));
  std::memcpy(bytes.data(), part.data(), bytes.size());
  return bytes;
}

double largest_difference(std::vector<char> const& a, std::vector<char> const& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i + sizeof(double) <= std::min(a.size(), b.size()); i += sizeof(double)) {
    double x = 0, y = 0;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    largest = std::max(largest, std::abs(x - y));
  }
  return largest;
}

std::vector<plb::Box3D> faces(plint d) {
  plint const x = nx - 1 - d, y = ny - 1 - d, z = nz - 1 - d;
  return {{d, d, d, y, d, z}, {x, x, d, y, d, z}, {d, x, d, d, d, z},
          {d, x, y, y, d, z}, {d, x, d, y, d, d}, {d, x, d, y, z, z}};
}

TEST(PalabosAdapter, ComputesStepsOfADomainWhoseFacesTravelOneByOne) {
  tessera::PalabosCoProcessor3D<double> processor;
  int domain = -1;
  ASSERT_EQ(processor.addDomain(nx, ny, nz, omega, domain), 1);
  std::vector<double> f = some_populations();
  ASSERT_EQ(processor.send(domain, whole, part_of(f, whole)), 1);
  for (int step = 0; step < 5; ++step) {
    ASSERT_EQ(processor.collideAndStream(domain), 1);
    f = stepped(f);
    for (plb::Box3D const& face : faces(1)) {
      std::vector<char> part;
      ASSERT_EQ(processor.receive(domain, face, part), 1);
      EXPECT_LT(largest_difference(part, part_of(f, face)), 1e-15) << step;
    }
    for (plb::Box3D const& face : faces(0))
      ASSERT_EQ(processor.send(domain, face, part_of(f, face)), 1);
  }
}

TEST(PalabosAdapter, GivesTheWholeDomainButForItsOutermostLayer) {
  tessera::PalabosCoProcessor3D<double> processor;
  int domain = -1;
  ASSERT_EQ(processor.addDomain(nx, ny, nz, omega, domain), 1);
  std::vector<double> const f = some_populations();
  ASSERT_EQ(processor.send(domain, whole, part_of(f, whole)), 1);
  ASSERT_EQ(processor.collideAndStream(domain), 1);
  std::vector<char> bytes;
  ASSERT_EQ(processor.receive(domain, whole, bytes), 1);
  std::vector<double> received(bytes.size() / sizeof(double));
  std::memcpy(received.data(), bytes.data(), bytes.size());
  plb::Box3D const inside{1, nx - 2, 1, ny - 2, 1, nz - 2};
  EXPECT_LT(largest_difference(part_of(received, inside), part_of(stepped(f), inside)), 1e-15);
}

TEST(PalabosAdapter, SaysByItsCodeThatSomethingIsWrong) {
  tessera::PalabosCoProcessor3D<double> processor;
  int domain = -1;
  EXPECT_EQ(processor.addDomain(2, 2, 2, omega, domain), 0);
  ASSERT_EQ(processor.addDomain(nx, ny, nz, omega, domain), 1);
  EXPECT_EQ(processor.collideAndStream(domain), 0);  // nothing has been sent
  EXPECT_EQ(processor.collideAndStream(7), 0);
}

}  // namespace
