// SPDX-License-Identifier: MIT
#include "io/unread_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string>

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Signature {
  std::string_view magic;  ///< so long that voxels do not begin so by chance
  std::string_view name;
  std::size_t at = 0;
};
constexpr std::array signatures{
    Signature{"\x89PNG"sv, "PNG"},
    Signature{"\x89HDF"sv, "HDF5"},
    Signature{"MATLAB "sv, "MATLAB"},
    Signature{"# AmiraMesh"sv, "Amira"},
    Signature{"# Avizo"sv, "Avizo"},
    Signature{"DICM"sv, "DICOM", 128},
    Signature{"NRRD0"sv, "NRRD"},
    Signature{"ObjectType"sv, "MetaImage"},
    Signature{"# vtk DataFile"sv, "VTK"},
    Signature{"<?xml"sv, "VTK XML"},
    Signature{"<VTKFile"sv, "VTK XML"},
    Signature{"n+1\0"sv, "NIfTI", 344},
    Signature{"ni1\0"sv, "NIfTI", 344},
    Signature{"\xff\xd8\xff"sv, "JPEG"},
    Signature{"GIF8"sv, "GIF"},
    Signature{"CDF\1"sv, "NetCDF"},
    Signature{"CDF\2"sv, "NetCDF"},
    Signature{"CDF\5"sv, "NetCDF"},
    Signature{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "Zeiss"},
};

struct Extension {
  std::string_view ending;
  std::string_view name;
};
constexpr std::array extensions{
    Extension{".png", "PNG"},      Extension{".bmp", "BMP"},       Extension{".jpg", "JPEG"},
    Extension{".jpeg", "JPEG"},    Extension{".jp2", "JPEG 2000"}, Extension{".gif", "GIF"},
    Extension{".h5", "HDF5"},      Extension{".hdf5", "HDF5"},     Extension{".hdf", "HDF5"},
    Extension{".nc", "NetCDF"},    Extension{".mat", "MATLAB"},    Extension{".am", "Amira"},
    Extension{".dcm", "DICOM"},    Extension{".dicom", "DICOM"},   Extension{".nrrd", "NRRD"},
    Extension{".nhdr", "NRRD"},    Extension{".mhd", "MetaImage"}, Extension{".mha", "MetaImage"},
    Extension{".vti", "VTK XML"},  Extension{".vtk", "VTK"},       Extension{".vtkhdf", "VTK HDF"},
    Extension{".nii", "NIfTI"},    Extension{".nii.gz", "NIfTI"},  Extension{".hdr", "Analyze"},
    Extension{".vgi", "VGStudio"}, Extension{".txm", "Zeiss"},     Extension{".txrm", "Zeiss"},
    Extension{".czi", "Zeiss"},    Extension{".mrc", "MRC"}};

}  // namespace

std::optional<std::string_view> unread_format(fs::path const& path) {
  std::string start(512, '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  for (Signature const& known : signatures) {
    if (start.substr(known.at).starts_with(known.magic)) return known.name;
  }
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (Extension const& known : extensions) {
    if (name.ends_with(known.ending)) return known.name;
  }
  return std::nullopt;
}

}  // namespace tessera
