// SPDX-License-Identifier: MIT
// What of a diffusing substance, of heat or of a current an image lets through.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/ranks/ranks.hpp"
#include "interfaces/cli/requests.hpp"
#include "interfaces/cli/study_options.hpp"
#include "interfaces/cli/values.hpp"
#include "interfaces/commands/by_first.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/report/answer_files.hpp"
#include "permeability/studies/diffusion_study.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/streams.hpp"
#include "run/interrupt.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

int diffusion(DiffusionCommand const& options, DiffusionRequest const& request,
              FieldFormat format) {
  DiffusionStudy study(request);
  RunTrace trace(request.flow.trace);
  Interrupt const interrupt;
  std::jthread gpu = start_gpu_for(request.flow);
  study.take(request.flow.image.read());
  if (gpu.joinable()) gpu.join();
  OutputFolder const folder(options.out);
  trace.prepare_folder(folder);
  warn_of_ranks_left_to_first();
  AnswerFiles files(folder.path(), request.flow.axes, format);
  if (Ranks::is_root())
    files.remove_other_fields(options.fields ? request.flow.axes : std::vector<Axis>{});
  auto const write_results = [&] {
    std::string const file = files.in_folder("results.json").string();
    files.attempt(file, [&] { write_json(file, study.results()); });
  };
  DiffusionStudy::TakeFields write_fields;
  if (options.fields) {
    write_fields = [&](DiffusionAnswer const& answer, DiffusionStudy::Fields const& fields) {
      std::filesystem::path const file = files.fields(answer.axis);
      files.attempt(file.string(), [&] { study.write(file, fields); });
    };
  }
  study.run(Interrupt::requested(), write_fields, [&](DiffusionAnswer const& answer) {
    if (!answer.converged) log_warning("along {}: not converged", axis_name(answer.axis));
    write_results();
    if (!options.quiet) print_all([&] { fmt::print("{}", study.line(answer)); });
  });
  trace.write("", {.workers = study.workers()});
  bool const refined = study.refine(Interrupt::requested());
  write_results();
  if (!options.quiet) {
    print_all([&] {
      for (DiffusionAnswer const& answer : study.answers())
        fmt::print("{}", DiffusionStudy::voxels_line(answer));
    });
  }
  if (!options.quiet) print_all([&] { fmt::print("written to {}\n", folder.path().string()); });
  if (Ranks::any(!files.complete())) return failed;
  return study.complete() && refined ? done : not_converged;
}

}  // namespace

Command add_diffusion_command(CLI::App& command) {
  auto const options = std::make_shared<DiffusionCommand>();
  options->add_to(command);
  command.alias("conduction");  // of heat and of a current: the same problem
  return [options] {
    set_up_log(options->verbosity());
    survive_broken_pipes();
    FieldFormat const format =
        parse_name("fields-format", options->fields_format, field_format_names);
    check_field_format(format, setting_name("fields-format"));
    DiffusionRequest const request = options->request();
    auto const run = [&] { return diffusion(*options, request, format); };
    return is_one_flow_for_first(request.flow.workers) ? run_by_first(run) : run();
  };
}

}  // namespace tessera
