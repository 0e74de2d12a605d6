// SPDX-License-Identifier: MIT
// The box in which the flow runs, made from the image.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "geometry/geometry.hpp"

namespace tessera {

/// The boundary conditions at the faces of the image. An image of a single layer along z is a
/// picture: whatever the set-up, it wraps along z, and the flow is plane, as in case files.
enum class FlowSetup : std::uint8_t {
  sealed,  ///< like a core holder: solid sides, layers of fluid at inlet and outlet, wrapped along
           ///< the flow
  periodic,  ///< the image wraps along all axes
  mirrored,  ///< the image and its mirror image along the flow, wrapped along the flow; solid sides
};

/// "sealed", "periodic", "mirrored".
std::string_view name_of(FlowSetup setup);

/// A box without its voxels.
struct FlowBoxShape {
  Axis axis = Axis::x;  ///< of the flow
  FlowSetup setup = FlowSetup::periodic;
  Int3 shape;
  std::array<bool, 3> periodic{};  ///< along the flow at least
  Int3 sample_lower;               ///< the sample in the box: averages are taken over it
  Int3 sample_upper;
  /// Measurement length over box length. The force acts along the whole box, the resistance lies in
  /// the sample: the pressure gradient over the sample is the force divided by this.
  double sample_share = 1;

  /// The coordinate in the image of a coordinate of the box along the flow; nothing in a layer of
  /// fluid.
  std::optional<std::int64_t> in_image(std::int64_t along) const;
  /// How many times the image is in the box.
  std::int64_t copies() const { return setup == FlowSetup::mirrored ? 2 : 1; }
};

struct FlowBox : FlowBoxShape {
  Geometry geometry;
};

/// Layers of fluid at each end of a sealed sample (Valderhaug, Lattice Boltzmann Simulation on
/// Multi-GPU Systems, 2011).
inline constexpr std::int64_t default_buffer_layers = 5;

/// The box around an image for a flow along `axis`. `buffer_layers` matters only to sealed.
FlowBoxShape flow_box_shape(Int3 image, Axis axis, FlowSetup setup,
                            std::int64_t buffer_layers = default_buffer_layers);
/// The box around an image, as flow_box_shape(), with its voxels.
FlowBox flow_box(Geometry const& image, Axis axis, FlowSetup setup,
                 std::int64_t buffer_layers = default_buffer_layers);
/// The voxels of such a box; of some of its layers, from these layers of the image, unless the flow
/// is along z.
Geometry pores_in_box(Geometry const& image, FlowBoxShape const& box);

}  // namespace tessera
