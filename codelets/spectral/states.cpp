// SPDX-License-Identifier: MIT
#include "codelets/spectral/states.hpp"

#include "models/spectral/geometry.hpp"

namespace tessera::spectral {

template <class N>
void set_state(MeshOfGas const& of, std::int32_t pack,
               std::function<Primitive<double>(Point const&)> const& at, N* state) {
  Pack const& of_pack = of.packs.packs[static_cast<std::size_t>(pack)];
  PackShape const shape{of.mesh.dimension, of_pack.degree};
  ElementMaps const maps(of.mesh.dimension, of.mesh.map_degree, of_pack.degree);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    auto const element = static_cast<std::size_t>(of_pack.element[lane]);
    std::vector<Point> const places = maps.places(of.mesh.nodes_of(element));
    for (int i = 0; i < shape.points(); ++i) {
      State<double> const q = conserved(at(places[static_cast<std::size_t>(i)]), of.gas);
      for (int v = 0; v < variables; ++v)
        state[static_cast<std::size_t>(shape.state_at(v, i)) + lane] = static_cast<N>(q[v]);
    }
  }
}

template <class N>
std::vector<State<double>> lane_of(PackShape shape, N const* state, std::int32_t lane) {
  std::vector<State<double>> found(static_cast<std::size_t>(shape.points()));
  for (int i = 0; i < shape.points(); ++i) {
    for (int v = 0; v < variables; ++v)
      found[static_cast<std::size_t>(i)][v] =
          static_cast<double>(state[shape.state_at(v, i) + lane]);
  }
  return found;
}

template void set_state<double>(MeshOfGas const&, std::int32_t,
                                std::function<Primitive<double>(Point const&)> const&, double*);
template void set_state<float>(MeshOfGas const&, std::int32_t,
                               std::function<Primitive<double>(Point const&)> const&, float*);
template std::vector<State<double>> lane_of<double>(PackShape, double const*, std::int32_t);
template std::vector<State<double>> lane_of<float>(PackShape, float const*, std::int32_t);

}  // namespace tessera::spectral
