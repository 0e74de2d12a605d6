// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/machine/gpu_start.hpp"
#include "interfaces/cpp/called.hpp"
#include "interfaces/cpp/tessera.hpp"
#include "io/json.hpp"
#include "io/results/results.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/fields.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/report/answer.hpp"
#include "permeability/report/report.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/voxel_interval.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

class PermeabilityComputation : FlowUser {
 public:
  PermeabilityComputation(PermeabilityOptions const& options, Watch const& watch)
      : options_(options), flows_(options), answer_(options), watched_(watch) {}

  Permeability run(VoxelArray const& array) {
    SpreadGeometry const geometry = read(array);
    flows_.check_machine();
    flows_.warn_of_precision();
    std::int64_t const nodes = pore_voxels(geometry);
    if (options_.refine > 0)
      check_refinement(flows_.asked(), flows_.plan(nodes).workers, nodes, options_.refine);
    answer_.performance().note_workers(flows_.choose_workers(nodes),
                                       options_.balance.value_or("dynamic"));
    for (Axis axis : flows_.axes()) {
      watched_.show(nullptr);
      if (watched_.stop()) break;
      flows_.answer(prepare_box(geometry, axis, flows_.asked()), *this);
      if (options_.refine > 0 && answer_.latest().converged) refine(axis, geometry.own);
    }
    found_.interrupted = watched_.stop();
    found_.warnings = answer_.updated_results().warnings;
    found_.results = to_json(answer_.results()).dump();
    found_.convergence = convergence_csv(answer_.history(), image().voxel_size_m);
    return std::move(found_);
  }

 private:
  ImageResult const& image() const { return answer_.results().image; }
  Int3 shape() const { return image().shape; }

  SpreadGeometry read(VoxelArray const& array) {
    std::jthread const gpu = options_.gpus == 0 ? std::jthread() : start_gpu();
    return answer_.take_sample(
        label_sample(image_of(array), options_, flows_.asked(), flows_.axes()));
  }

  // FlowUser:
  PermeabilityOutcome compute(AxisFlow& flow) override {
    bool const iterates = flow.unit() != std::string_view("step");
    auto const observe = [&](PermeabilityPoint const& point) {
      Stage const stage{.axis = name_of(flow.box().axis),
                        .done = point.step,
                        .k_lattice = point.k_lattice,
                        .error = point.error_estimate,
                        .tolerance = flows_.asked().tolerance,
                        .iterations = iterates};
      watched_.show(&stage);
    };
    return flow.run(observe, {.stop = &watched_.stop(),
                              .stepped = [&](std::int64_t /*step*/) { watched_.show(nullptr); }});
  }

  void keep(AxisFlow& flow, PermeabilityOutcome outcome, std::string const& why) override {
    answer_.add(flow, std::move(outcome), flows_.asked(), why);
    AxisReport const& report = answer_.reports().back();
    AxisPermeability found{.axis = name_of(report.axis)};
    std::shared_ptr<StateFields> fields;
    if (options_.fields && report.outcome.end != RunEnd::diverged) {
      fields = std::make_shared<StateFields>(
          shape(), field_units(flow.box().viscosity, image().voxel_size_m, options_.fluid), true);
      found.fields = arrays_of(fields, shape());
      found.write_fields = [fields](std::string const& path) {
        guarded([&] { fields->write(path); });
      };
    }
    answer_.note_largest_speed(
        largest_speed([&](VisitNode const& visit) { flow.visit_nodes(visit); },
                      fields ? into(*fields, flow.box(), shape()) : VisitNode{}));
    PermeabilityResult const& result = answer_.latest();
    print_warnings(result, report);
    found.k_lattice = result.column_lattice;
    found.error = result.error_estimate;
    found.converged = result.converged;
    found_.axes.push_back(std::move(found));
  }

  void refine(Axis axis, Geometry const& geometry) {
    PermeabilityResult& result = answer_.latest();
    result.voxels =
        voxel_interval(geometry, axis, result.column_lattice[index_of(axis)], flows_.asked(),
                       flows_.workers(), options_.refine, watched_.stop());
  }

  PermeabilityOptions const& options_;
  ImageFlows flows_;
  PermeabilityAnswer answer_;
  Watched watched_;
  Permeability found_;
};

}  // namespace

Permeability permeability(VoxelArray const& image, std::vector<std::string> const& options,
                          Watch const& watch) {
  Permeability found;
  guarded(watch, [&] {
    PermeabilityOptions parsed;
    parse_words(options, [&](CLI::App& command) { parsed.add_to(command); });
    parsed.image.dtype = image.type;
    found = PermeabilityComputation(parsed, watch).run(image);
  });
  return found;
}

}  // namespace tessera
