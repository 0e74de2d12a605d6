// SPDX-License-Identifier: MIT
// Tessera as a co-processor of Palabos: a plb::CoProcessor3D that computes its domains by
// tessera::CoProcessor, by the interface of src/coProcessors/coProcessor3D.h. To be included after
// Palabos' headers; in global::defaultCoProcessor3D() it takes the place of the example. The tests
// compile it against a stand-in for that interface (tests/methods/coprocessor/palabos_test.cpp);
// docs/coprocessor.md says what was found with Palabos itself.
//
// Palabos has populations before the collision, less their weights, a cell's 19 side by side, z
// fastest; a step is BGK with one rate, then streaming. Its vectors hold the cells of a part alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "coprocessor.hpp"

namespace tessera {

template <typename T>
class PalabosCoProcessor3D : public plb::CoProcessor3D<T> {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>);

 public:
  int addDomain(plb::plint nx, plb::plint ny, plb::plint nz, T omega, int& domainHandle) override {
    return attempt([&] {
      auto& processor = of_rate_[omega];
      if (!processor) processor = std::make_unique<CoProcessor>(options(omega));
      domains_.push_back({processor.get(), processor->add_box({nx, ny, nz})});
      domainHandle = static_cast<int>(domains_.size()) - 1;
    });
  }

  int send(int domainHandle, plb::Box3D const& subDomain, std::vector<char> const& data) override {
    return attempt([&] {
      auto const& [processor, box] = domains_.at(static_cast<std::size_t>(domainHandle));
      // It is read only.
      processor->send(box, populations(subDomain, const_cast<char*>(data.data())),
                      {cells(subDomain)});
    });
  }

  int receive(int domainHandle, plb::Box3D const& subDomain,
              std::vector<char>& data) const override {
    return attempt([&] {
      auto const& [processor, box] = domains_.at(static_cast<std::size_t>(domainHandle));
      Cells const asked = cells(subDomain);
      data.resize(static_cast<std::size_t>(asked.size[0] * asked.size[1] * asked.size[2] * 19) *
                  sizeof(T));
      // What streams into the outermost layer is undefined.
      Cells const there = common(asked, processor->computed(box));
      if (there.size[0] > 0 && there.size[1] > 0 && there.size[2] > 0)
        processor->receive(box, populations(subDomain, data.data()), {there});
    });
  }

  int collideAndStream(int domainHandle) override {
    return attempt([&] {
      auto const& [processor, box] = domains_.at(static_cast<std::size_t>(domainHandle));
      processor->collide_and_stream(box);  // receive() waits for it
    });
  }

 private:
  static CoProcessorOptions options(T omega) {
    CoProcessorOptions palabos;
    palabos.order = "palabos";
    palabos.shifted = true;
    palabos.before_collision = true;
    palabos.relaxation_rate = omega;
    palabos.double_precision = std::is_same_v<T, double>;
    return palabos;
  }

  static Cells cells(plb::Box3D const& b) {
    return {{b.x0, b.y0, b.z0}, {b.x1 - b.x0 + 1, b.y1 - b.y0 + 1, b.z1 - b.z0 + 1}};
  }

  /// As if the vector held the whole domain: it begins with the first cell of the part.
  static Populations populations(plb::Box3D const& part, char* data) {
    Cells const c = cells(part);
    Populations found;
    found.strides = {c.size[1] * c.size[2] * 19, c.size[2] * 19, 19, 1};
    std::int64_t before = 0;
    for (std::size_t a = 0; a < 3; ++a) before += c.begin[a] * found.strides[a];
    found.data = reinterpret_cast<T*>(data) - before;
    found.double_precision = std::is_same_v<T, double>;
    return found;
  }

  static Cells common(Cells const& a, Cells const& b) {
    Cells both;
    for (std::size_t i = 0; i < 3; ++i) {
      std::int64_t const begin = std::max(a.begin[i], b.begin[i]);
      std::int64_t const end = std::min(a.begin[i] + a.size[i], b.begin[i] + b.size[i]);
      both.begin[i] = begin;
      both.size[i] = end - begin;
    }
    return both;
  }

  /// Palabos' codes: 1 success, 0 failure.
  template <class Work>
  static int attempt(Work const& work) {
    try {
      work();
      return 1;
    } catch (std::exception const& error) {
      std::cerr << "tessera: " << error.what() << '\n';
      return 0;
    }
  }

  std::map<T, std::unique_ptr<CoProcessor>> of_rate_;
  std::vector<std::pair<CoProcessor*, int>> domains_;
};

}  // namespace tessera
