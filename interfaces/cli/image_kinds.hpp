// SPDX-License-Identifier: MIT
// Images that can be made, and the options of each kind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geometry/geometry.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

class ImageKinds {
 public:
  /// A subcommand for each kind, one of which is to be chosen; `add` adds what they share.
  void add_to(CLI::App& command, std::function<void(CLI::App&)> const& add = {});
  /// Chooses by words, {"spheres", "--size", "100"}. Throws BadInput.
  void choose(std::vector<std::string> const& words);
  /// The image of the kind that the line has chosen. Throws BadInput. It must not have been moved
  /// since.
  Geometry make() const { return make_(); }

 private:
  std::string lattice_ = "sc";
  std::string size_ = "64";
  double solid_fraction_ = 0.216;
  double porosity_ = 0.3;
  double radius_ = 10;
  std::uint64_t seed_ = 1;
  bool overlapping_ = true;
  std::int64_t gap_ = 20;
  std::int64_t walls_ = 1;
  std::int64_t width_ = 8;
  std::int64_t a_ = 20;
  std::int64_t b_ = 20;
  double side_ = 40;
  std::int64_t length_ = 8;
  std::string axis_ = "x";
  std::function<Geometry()> make_;
};

}  // namespace tessera
