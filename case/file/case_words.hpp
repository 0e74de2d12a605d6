// SPDX-License-Identifier: MIT
// Words of the case file that only cases have. The words of models are in
// models/lattice/model_names.hpp, the words of conditions in case/file/boundary_types.hpp.
#pragma once

#include "base/name_list.hpp"
#include "case/file/case.hpp"

namespace tessera {

inline constexpr NameList<Axis, 3> axis_names{{{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}};

inline constexpr NameList<Case::Face, 6> face_names{{{"x-", Case::Face::x_lower},
                                                     {"x+", Case::Face::x_upper},
                                                     {"y-", Case::Face::y_lower},
                                                     {"y+", Case::Face::y_upper},
                                                     {"z-", Case::Face::z_lower},
                                                     {"z+", Case::Face::z_upper}}};

inline constexpr NameList<Case::SolidShape, 4> solid_shape_names{
    {{"sphere", Case::SolidShape::sphere},
     {"cylinder", Case::SolidShape::cylinder},
     {"box", Case::SolidShape::box},
     {"stl", Case::SolidShape::stl}}};

inline constexpr NameList<Case::Signal, 4> signal_names{{{"x", Case::Signal::x},
                                                         {"y", Case::Signal::y},
                                                         {"z", Case::Signal::z},
                                                         {"density", Case::Signal::density}}};

inline constexpr NameList<bool Case::Averages::*, 3> average_names{
    {{"velocity", &Case::Averages::velocity},
     {"density", &Case::Averages::density},
     {"reynolds-stresses", &Case::Averages::reynolds_stresses}}};

/// In place of a type of condition: a jump of the density where a periodic axis wraps.
inline constexpr std::string_view periodic_type = "periodic";

}  // namespace tessera
