// SPDX-License-Identifier: MIT
// A case file in, its flow out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/errors.hpp"
#include "case/file/case.hpp"
#include "case/file/gas_case.hpp"
#include "case/file/keys/schema.hpp"
#include "case/lattice/case_in_situ.hpp"
#include "case/lattice/case_setup.hpp"
#include "case/lattice/lattice_job.hpp"
#include "interfaces/cli/permeability_options.hpp"
#include "interfaces/commands/case_command.hpp"
#include "interfaces/commands/commands.hpp"
#include "interfaces/commands/run_options.hpp"
#include "io/json.hpp"
#include "run/console/log.hpp"
#include "run/console/streams.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/interrupt.hpp"

namespace tessera {
namespace {

void add_options(CLI::App& command, RunOptions& options) {
  command.option_defaults()->group("Case");
  command.add_option("CASE.toml", options.file, "What flows, in what, how: docs/case-files.md");
  command
      .add_option("--set", options.set,
                  "A value in place of the file's: N=64 for one of [constants], "
                  "model.collision=mrt for another key; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--check", options.check, "Say what has been understood, and compute nothing");
  command.add_flag("--schema", options.schema, "Print a JSON schema of case files, for editors");
  command.option_defaults()->group("Stopping");
  add_checkpoint_options(command, options.checkpoint_minutes, options.resume);
  options.machine.add_to(command);
  command.option_defaults()->group("Output");
  command.add_option("-o,--out", options.out, "Folder for the results; made if need be");
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

int run_case_of_lattice(Case const& c, RunOptions const& options) {
  CaseSetup const setup = set_up(c);
  InSituOptions in_situ = in_situ_options(c);
  check_in_situ(in_situ);
  if (options.check) {
    fmt::print("{}", describe(c));
    for (std::string const& warning : setup.box.warnings) fmt::print("warning     {}\n", warning);
    return done;
  }
  for (std::string const& warning : c.warnings) log_warning(warning);
  for (std::string const& warning : setup.box.warnings) log_warning(warning);
  return run_by<LatticeJob>(c, setup, std::move(in_situ), options);
}

int run(RunOptions const& options) {
  if (options.schema) {
    fmt::print("{}\n", case_schema().dump(2));
    return done;
  }
  if (options.file.empty()) throw BadInput("run: expected a case file, CASE.toml");
  if (options.out.empty() && !options.check)
    throw BadInput("run: expected --out DIR for the results, or --check");
  // Before the reading, which takes time: a run that is asked to end then ends cleanly, too.
  std::optional<Interrupt> interrupt;
  if (!options.check) interrupt.emplace();
  auto read = read_any_case(options.file, options.set);
  std::visit([&](auto& of_any_method) { options.machine.override_in(of_any_method.run); }, read);
  if (auto const* gas = std::get_if<GasCase>(&read)) return run_case_of_gas(*gas, options);
  return run_case_of_lattice(std::get<Case>(read), options);
}

}  // namespace

Command add_run_command(CLI::App& command) {
  auto const options = std::make_shared<RunOptions>();
  add_options(command, *options);
  return [options] {
    set_up_log(options->quiet ? Verbosity::quiet : Verbosity::normal);
    survive_broken_pipes();
    return run(*options);
  };
}

}  // namespace tessera
