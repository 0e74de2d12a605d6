// SPDX-License-Identifier: MIT
// ValueRanges of arrays, stored in VTK's arrays before VTK computes them.
//
// ParaView requests the ranges of all arrays of a source with every frame, of each component and of
// the magnitude, twice; VTK as Debian builds it takes seconds to compute them for 128^3 voxels. VTK
// caches them in the array, and this code fills the cache. The ranges of fields are known
// (insitu/frame_fields.hpp), other ranges are computed here.
#pragma once

#include <vtkDataArray.h>
#include <vtkInformation.h>
#include <vtkInformationDoubleVectorKey.h>
#include <vtkInformationInformationVectorKey.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "insitu/frame.hpp"

namespace tessera {

/// Ranges of the components of vectors, followed by those of their magnitudes. One pass over the
/// memory, lane by lane, for the compiler to vectorise.
template <class Value, std::size_t components>
std::array<ValueRange, components + 1> ranges_of(Value const* values, std::size_t count) {
  constexpr std::size_t at_once = 16;  // vectors
  Value least[components][at_once], most[components][at_once];
  Value least_square[at_once], most_square[at_once];
  auto const look_at = [&](std::size_t lane, Value const* vector, bool first) {
    Value square = 0;
    for (std::size_t c = 0; c < components; ++c) {
      Value const value = vector[c];
      if constexpr (components > 1) square += value * value;
      least[c][lane] = first ? value : std::min(value, least[c][lane]);
      most[c][lane] = first ? value : std::max(value, most[c][lane]);
    }
    least_square[lane] = first ? square : std::min(square, least_square[lane]);
    most_square[lane] = first ? square : std::max(square, most_square[lane]);
  };
  for (std::size_t lane = 0; lane < at_once; ++lane) look_at(lane, values, true);
  std::size_t v = 0;
  std::size_t const vectors = count / components;
  for (; v + at_once <= vectors; v += at_once) {
    for (std::size_t lane = 0; lane < at_once; ++lane)
      look_at(lane, values + components * (v + lane), false);
  }
  for (; v < vectors; ++v) look_at(0, values + components * v, false);
  auto const range = [&](Value const(&low)[at_once], Value const(&high)[at_once]) {
    return ValueRange{static_cast<double>(*std::ranges::min_element(low)),
                      static_cast<double>(*std::ranges::max_element(high))};
  };
  std::array<ValueRange, components + 1> ranges{};
  for (std::size_t c = 0; c < components; ++c) ranges[c] = range(least[c], most[c]);
  ValueRange const squares = range(least_square, most_square);
  ranges[components] = {std::sqrt(squares[0]), std::sqrt(squares[1])};
  return ranges;
}

/// Stores the ranges of the components and, for a vector, of the magnitude. All values are finite.
/// A change of the array afterwards makes VTK discard the ranges.
template <std::size_t components>
void note_ranges(vtkDataArray* array, ValueRange const* ranges) {
  vtkInformation* const information = array->GetInformation();
  for (auto* const key :
       {vtkAbstractArray::PER_COMPONENT(), vtkAbstractArray::PER_FINITE_COMPONENT()}) {
    vtkNew<vtkInformationVector> each;
    for (std::size_t c = 0; c < components; ++c) {
      vtkNew<vtkInformation> one;
      one->Set(vtkDataArray::COMPONENT_RANGE(), ranges[c].data(), 2);
      each->Append(one);
    }
    information->Set(key, each);
  }
  if constexpr (components == 3) {
    information->Set(vtkDataArray::L2_NORM_RANGE(), ranges[3].data(), 2);
    information->Set(vtkDataArray::L2_NORM_FINITE_RANGE(), ranges[3].data(), 2);
  }
}

}  // namespace tessera
