// SPDX-License-Identifier: MIT
// The options that say which image, how to read it, and what of it is pore.
#pragma once

#include <cstdint>
#include <string>

#include "interfaces/api/tessera.hpp"
#include "io/images/image_request.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

struct ImageOptions {
  std::string path;
  std::string shape;
  std::string dtype = "uint8";
  std::int64_t header_bytes = 0;
  std::string dataset;
  std::string axes = "xyz";
  std::string crop;

  /// How to read it, and `labels`.
  void add_to(CLI::App& command, Labels& labels);
  void add_to_read(CLI::App& command);
  static void add_outside(CLI::App& command, Labels& labels);
  /// Which file, and how to read it. Throws BadInput.
  void add_file_to(ImageRequest& request) const;
  /// The file, and what of it is pore. Throws BadInput.
  ImageRequest request(Labels const& labels) const;
};

/// What of an image is pore; which image is not said. Throws BadInput.
ImageRequest image_request(Labels const& labels);

}  // namespace tessera
