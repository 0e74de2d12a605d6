// SPDX-License-Identifier: MIT
// The size of a voxel as ImageJ and OME write it into a TIFF's description. Not for use outside
// io/.
#pragma once

#include "io/images/image.hpp"
#include "io/images/tiff/tiff_file.hpp"

namespace tessera {

/// The number in the line "key=..." of ImageJ's description, or `fallback` where there is no such
/// line.
double imagej_number(std::string_view description, std::string_view key, double fallback);

/// Notes the edges in the image. The resolution tags alone are not used, as they are meant for
/// printers.
void note_tiff_edges(Image& image, TiffFile const& file);

}  // namespace tessera
