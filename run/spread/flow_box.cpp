// SPDX-License-Identifier: MIT
#include "run/spread/flow_box.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

/// Along z the box has other layers than the image: these travel to who has them there.
Geometry layers_in_box(SpreadGeometry const& image, FlowBoxShape const& box, LayerRange wanted) {
  Geometry own{.shape = {box.shape.x, box.shape.y, wanted.count()},
               .pore = {},
               .of_grey = image.own.of_grey};
  own.pore.assign(static_cast<std::size_t>(volume(own.shape)), 1);
  auto const layer = static_cast<std::size_t>(box.shape.x * box.shape.y);
  auto const place = [layer](std::int64_t z, LayerRange layers) {
    return static_cast<std::size_t>(z - layers.lower) * layer;
  };
  AllToAll exchange([&](AllToAll::Bytes piece) {
    for (PieceReader reader(piece); !reader.at_end();) {
      auto const z = reader.take<std::int64_t>();
      auto const to = std::as_writable_bytes(std::span(own.pore));
      std::ranges::copy(reader.take_bytes(layer), to.subspan(place(z, wanted), layer).begin());
    }
  });
  std::span<std::uint8_t const> const voxels(image.own.pore);
  for (std::int64_t z = 0; z < box.shape.z; ++z) {
    auto const from = box.in_image(z);
    if (!from || *from < image.layers.lower || *from >= image.layers.upper) continue;
    exchange.add(rank_of_layer(z, box.shape.z), z,
                 voxels.subspan(place(*from, image.layers), layer));
  }
  exchange.finish();
  return own;
}

}  // namespace

SpreadGeometry pores_in_box(SpreadGeometry const& image, FlowBoxShape const& box) {
  SpreadGeometry pores{.own = {},
                       .shape = box.shape,
                       .layers = {0, box.shape.z},
                       .everywhere = image.everywhere,
                       .outside = box.copies() * image.outside};
  if (!image.everywhere) pores.layers = layers_of_rank(Ranks::rank(), box.shape.z);
  if (box.shape == image.shape) {
    pores.own = image.own;
  } else if (box.axis == Axis::z && !image.everywhere) {
    pores.own = layers_in_box(image, box, pores.layers);
  } else {
    pores.own = pores_in_box(image.own, box);
  }
  pores.set_periodic(box.periodic);
  return pores;
}

}  // namespace tessera
