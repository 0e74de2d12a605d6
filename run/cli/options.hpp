// SPDX-License-Identifier: MIT
// Values as they are written on the command line. All parsers throw BadInput with one line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/storage.hpp"
#include "geometry/geometry.hpp"
#include "graph/domain.hpp"
#include "io/images/image.hpp"
#include "io/images/labels.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

/// "64,64,64": three positive integers. `option` names the culprit in messages.
Int3 parse_shape(std::string const& option, std::string const& text);
/// "x0:x1,y0:y1,z0:z1", upper ends exclusive.
Crop parse_crop(std::string const& text);
/// "2.25um", "5.345e-6 m", "200nm", "0.1mm": metres.
double parse_length(std::string const& option, std::string const& text);
/// "x", "y", "z", "all".
std::vector<Axis> parse_axes(std::string const& text);
/// Throws BadInput unless value is a positive finite number.
void require_positive(std::string const& option, double value);
/// Throws BadInput unless lowest <= value <= highest. `unit` goes into the message.
void require_between(std::string const& option, double value, double lowest, double highest,
                     std::string_view unit = {});

/// "half", "single", "double".
Precision parse_precision(std::string const& text);
/// "static", "dynamic", "free".
Balance parse_balance(std::string const& text);
/// The number of GPUs to use: `asked_for`, or all there are if that is negative. Throws BadInput if
/// there are fewer.
int choose_gpus(int asked_for);

/// --checkpoint MINUTES and --resume.
void add_checkpoint_options(CLI::App& command, std::optional<double>& minutes, bool& resume);
/// Throws BadInput "--checkpoint ...".
void check_checkpoint_minutes(std::optional<double> minutes);

/// The options that say how to read an image, shared by the commands that read one.
struct ImageOptions {
  std::string path;
  std::string shape;
  std::string dtype = "uint8";
  std::int64_t header_bytes = 0;
  std::string dataset;
  std::string axes = "xyz";
  std::string crop;
  std::optional<std::string> pore;
  std::string solid;
  std::string threshold;

  void add_to(CLI::App& command);
  /// But for what is pore and what solid.
  void add_to_read(CLI::App& command);
  /// How it is to be read. Throws BadInput.
  ReadOptions reading() const;
  Image read() const { return read_image(path, reading()); }
  PoreRule rule() const;
};

}  // namespace tessera
