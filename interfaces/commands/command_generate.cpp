// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/errors.hpp"
#include "interfaces/cli/image_kinds.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/fields/write_image.hpp"
#include "io/json.hpp"
#include "io/results/image_origin.hpp"
#include "io/results/results_json.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

/// The kind, and the value of each option that shapes it.
Json parameters_of(CLI::App const& kind) {
  Json generated{{"kind", kind.get_name()}};
  for (CLI::Option const* option : kind.get_options()) {
    if (option->get_lnames() == std::vector<std::string>{"out"} || option == kind.get_help_ptr())
      continue;
    std::string const text =
        option->count() > 0 ? option->as<std::string>() : option->get_default_str();
    std::string const key =
        option->get_lnames().empty() ? option->get_snames().front() : option->get_lnames().front();
    Json const value = Json::parse(text, nullptr, false);
    generated[key] = value.is_discarded() ? Json(text) : value;
  }
  return generated;
}

int write(Geometry const& geometry, std::string const& out, CLI::App const& kind,
          RunResult const& run) {
  // The labels of most published images: 0 pore, 1 solid.
  std::vector<std::uint8_t> labels(geometry.pore.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = geometry.pore[i] != 0 ? 0 : 1;
  write_image(out, geometry.shape, labels);
  write_origin(out, parameters_of(kind),
               {{"shape", {geometry.shape.x, geometry.shape.y, geometry.shape.z}},
                {"dtype", "uint8"},
                {"pore", 0},
                {"solid", 1},
                {"porosity", geometry.porosity()},
                {"run", to_json(run)},
                {"software", to_json(software_result())}});
  fmt::print("{}: {} x {} x {} voxels of uint8, 0 pore, 1 solid, porosity {:.6f}\n", out,
             geometry.shape.x, geometry.shape.y, geometry.shape.z, geometry.porosity());
  return done;
}

}  // namespace

Command add_generate_command(CLI::App& command) {
  auto const kinds = std::make_shared<ImageKinds>();
  auto const out = std::make_shared<std::string>();
  kinds->add_to(command, [&](CLI::App& kind) {
    kind.add_option("-o,--out", *out, "File to write: .raw, .npy, .npz, .tif, .vti or .vtkhdf")
        ->required();
  });
  return [kinds, out, &command] {
    RunResult const run = this_run();
    return write(kinds->make(), *out, *command.get_subcommands().front(), run);
  };
}

}  // namespace tessera
