// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "io/images/image.hpp"
#include "run/spread/components.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// The pores of an image whose permeability is asked for, distributed over the ranks.
struct SamplePores {
  SpreadGeometry geometry;
  /// Their connected components, if the image is periodic: then each flow's box is the image, and
  /// has the same. Other boxes have layers or a mirror image beside it.
  std::optional<SpreadComponents> components;
  /// The image itself, if k is asked for at several thresholds.
  std::shared_ptr<Image const> image{};
};

}  // namespace tessera
