// SPDX-License-Identifier: MIT
// Several flows through one image: with inertia, of phases that stand still, by diffusion.
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/requests.hpp"
#include "interfaces/cpp/called.hpp"
#include "io/json.hpp"
#include "permeability/studies/diffusion_study.hpp"
#include "permeability/studies/forchheimer_study.hpp"
#include "permeability/studies/phase_study.hpp"
#include "run/console/log.hpp"

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

template <class StudyOfRequest, class Request, class Run>
Study answer_of(Request request, VoxelArray const& image, Watch const& watch, Run const& run) {
  request.flow.image.reading.dtype = image.type;
  StudyOfRequest study(request);
  std::jthread gpu = start_gpu_for(request.flow);
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

Study forchheimer(VoxelArray const& image, ForchheimerOptions const& options, Watch const& watch) {
  Study found;
  guarded(image.axis_names, watch, [&] {
    found = answer_of<ForchheimerStudy>(
        request_of(options), image, watch, [](ForchheimerStudy& study, Watched& watched) {
          FlowCount count(watched, study.reynolds().size());
          study.run(watched.stop(), [&](InertialFlow const&) { count.tell(); });
        });
  });
  return found;
}

Diffusion diffusion(VoxelArray const& image, DiffusionOptions const& options, Watch const& watch) {
  Diffusion found;
  DiffusionStudy::TakeFields take_fields;
  if (options.fields) {
    take_fields = [&](DiffusionAnswer const& answer, DiffusionStudy::Fields fields) {
      auto const kept = std::make_shared<DiffusionStudy::Fields const>(std::move(fields));
      found.fields.push_back({.axis = name_of(answer.axis),
                              .shape = image.shape,
                              .concentration = kept->concentration.data(),
                              .flux = kept->flux.data(),
                              .keeper = kept});
    };
  }
  guarded(image.axis_names, watch, [&] {
    static_cast<Study&>(found) = answer_of<DiffusionStudy>(
        request_of(options), image, watch, [&](DiffusionStudy& study, Watched& watched) {
          FlowCount count(watched, study.answers().size());
          study.run(watched.stop(), take_fields, [&](DiffusionAnswer const&) { count.tell(); });
          study.refine(watched.stop());
        });
  });
  return found;
}

Study phases(VoxelArray const& image, PhasesOptions const& options, Watch const& watch) {
  Study found;
  guarded(image.axis_names, watch, [&] {
    found = answer_of<PhaseStudy>(request_of(options), image, watch,
                                  [](PhaseStudy& study, Watched& watched) {
                                    FlowCount count(watched, study.flows());
                                    study.run(watched.stop(), [&] { count.tell(); });
                                  });
  });
  return found;
}

}  // namespace tessera
