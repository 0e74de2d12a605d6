// SPDX-License-Identifier: MIT
// Ranges of arrays, told to VTK before it looks for them.
//
// ParaView asks for the ranges of all arrays of a source with every frame, of each component and of
// the magnitude, twice; VTK as Debian builds it takes seconds for those of 128^3 voxels. It keeps
// them with the array: they are put there.
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
#include <limits>
#include <type_traits>

namespace tessera {

/// Smallest and largest.
using Range = std::array<double, 2>;

template <class Value>
Range range_of(Value const* values, std::size_t count, std::size_t stride) {
  Value least = values[0], most = values[0];
  for (std::size_t i = 0; i < count; i += stride) {
    least = std::min(least, values[i]);
    most = std::max(most, values[i]);
  }
  return {static_cast<double>(least), static_cast<double>(most)};
}

inline Range range_of_magnitudes(float const* vectors, std::size_t count) {
  float least = std::numeric_limits<float>::max(), most = 0;
  for (std::size_t i = 0; i < count; i += 3) {
    float const square =
        vectors[i] * vectors[i] + vectors[i + 1] * vectors[i + 1] + vectors[i + 2] * vectors[i + 2];
    least = std::min(least, square);
    most = std::max(most, square);
  }
  return {std::sqrt(static_cast<double>(least)), std::sqrt(static_cast<double>(most))};
}

/// The values are finite. Whoever changes the array afterwards makes VTK forget the ranges.
template <class Value>
void note_ranges(vtkDataArray* array, Value const* values, std::size_t count) {
  if (count == 0) return;
  auto const components = static_cast<std::size_t>(array->GetNumberOfComponents());
  vtkInformation* const information = array->GetInformation();
  for (auto* const key :
       {vtkAbstractArray::PER_COMPONENT(), vtkAbstractArray::PER_FINITE_COMPONENT()}) {
    vtkNew<vtkInformationVector> ranges;
    for (std::size_t c = 0; c < components; ++c) {
      vtkNew<vtkInformation> one;
      one->Set(vtkDataArray::COMPONENT_RANGE(), range_of(values + c, count - c, components).data(),
               2);
      ranges->Append(one);
    }
    information->Set(key, ranges);
  }
  if constexpr (std::is_same_v<Value, float>) {
    if (components != 3) return;
    Range const range = range_of_magnitudes(values, count);
    information->Set(vtkDataArray::L2_NORM_RANGE(), range.data(), 2);
    information->Set(vtkDataArray::L2_NORM_FINITE_RANGE(), range.data(), 2);
  }
}

}  // namespace tessera
