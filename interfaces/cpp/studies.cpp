// SPDX-License-Identifier: MIT
// Several flows through one image: with inertia, and of phases that stand still.
#include <cstdint>
#include <thread>

#include "base/machine/gpu_start.hpp"
#include "interfaces/cpp/called.hpp"
#include "interfaces/cpp/tessera.hpp"
#include "io/json.hpp"
#include "permeability/studies/forchheimer_study.hpp"
#include "permeability/studies/phase_study.hpp"
#include "run/cli/log.hpp"

namespace tessera {
namespace {

/// What is to be seen while `flows` are computed; tell() is called after each.
class FlowCount {
 public:
  FlowCount(Watched& watched, std::size_t flows) : watched_(watched) {
    stage_.axis = ' ';
    stage_.of = static_cast<std::int64_t>(flows);
  }
  void tell() {
    ++stage_.done;
    watched_.show(&stage_);
  }

 private:
  Watched& watched_;
  Stage stage_;
};

template <class StudyOfOptions, class Options, class Run>
Study answer_of(Options& options, VoxelArray const& image, std::vector<std::string> const& words,
                Watch const& watch, Run const& run) {
  parse_words(words, [&](CLI::App& command) { options.add_to(command); });
  options.flow.image.dtype = image.type;
  StudyOfOptions study(options);
  std::jthread gpu = options.flow.gpus == 0 ? std::jthread() : start_gpu();
  study.take(image_of(image));
  if (gpu.joinable()) gpu.join();
  Watched watched(watch);
  run(study, watched);
  return {.results = study.results().dump(),
          .warnings = warnings_given(),
          .interrupted = watched.stop(),
          .complete = study.complete()};
}

}  // namespace

Study forchheimer(VoxelArray const& image, std::vector<std::string> const& options,
                  Watch const& watch) {
  Study found;
  guarded(watch, [&] {
    ForchheimerOptions parsed;
    found = answer_of<ForchheimerStudy>(
        parsed, image, options, watch, [](ForchheimerStudy& study, Watched& watched) {
          FlowCount count(watched, study.reynolds().size());
          study.run(watched.stop(), [&](InertialFlow const&) { count.tell(); });
        });
  });
  return found;
}

Study phases(VoxelArray const& image, std::vector<std::string> const& options, Watch const& watch) {
  Study found;
  guarded(watch, [&] {
    PhasesOptions parsed;
    found = answer_of<PhaseStudy>(parsed, image, options, watch,
                                  [](PhaseStudy& study, Watched& watched) {
                                    FlowCount count(watched, study.flows());
                                    study.run(watched.stop(), [&] { count.tell(); });
                                  });
  });
  return found;
}

}  // namespace tessera
