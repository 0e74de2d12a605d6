// SPDX-License-Identifier: MIT
// Where a generated image comes from: a JSON file beside it, "pack.raw.json" for pack.raw. Images
// themselves cannot store it, raw ones least of all.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tessera {

/// The file beside an image.
std::filesystem::path origin_file(std::filesystem::path const& image);

/// Writes what generated an existing image: `generated` has the kind and the value of each option,
/// `more` is added at the top. The sha256 of the image connects the two files. Throws
/// EnvironmentError.
void write_origin(std::filesystem::path const& image, nlohmann::ordered_json const& generated,
                  nlohmann::ordered_json const& more);

/// What generated an image with this sha256: `generated` of the file beside it. Null if there is no
/// such file, or if it describes another image.
nlohmann::ordered_json origin_of(std::filesystem::path const& image, std::string const& sha256);

}  // namespace tessera
