// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/requests.hpp"
#include "interfaces/cpp/called.hpp"
#include "io/json.hpp"
#include "io/results/results.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/fields.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/report/answer.hpp"
#include "permeability/report/flows_beside.hpp"
#include "permeability/report/report.hpp"
#include "permeability/rock_sample.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

class PermeabilityComputation : FlowUser {
 public:
  PermeabilityComputation(PermeabilityRequest const& request, Watch const& watch)
      : request_(request), flows_(request), answer_(request), watched_(watch) {}

  Permeability run(VoxelArray const& array) {
    SamplePores pores = read(array);
    ImageFlows::PoresInUse const pores_in_use(flows_);
    flows_.check_machine();
    flows_.warn_of_precision();
    std::int64_t const nodes = pore_voxels(pores.geometry);
    FlowsBeside beside(request_, flows_, answer_, watched_.stop());
    beside.check(nodes);
    answer_.performance().note_workers(flows_.choose_workers(nodes), request_.flow.balance);
    for (Axis axis : flows_.axes()) {
      watched_.show(nullptr);
      if (watched_.stop()) break;
      PreparedBox box = flows_.box(axis, pores);
      if (axis == flows_.axes().back()) pores.components.reset();  // are not needed again
      flows_.answer(std::move(box), *this);
      if (request_.refine > 0) beside.refine(pores.geometry.own);
      if (pores.image) beside.compare_thresholds(*pores.image);
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

  SamplePores read(VoxelArray const& array) {
    std::jthread const gpu = start_gpu_for(request_);
    return answer_.take_sample(label_sample(image_of(array), request_));
  }

  // FlowUser:
  PermeabilityOutcome compute(AxisFlow& flow) override {
    auto const observe = [&](PermeabilityPoint const& point) {
      Stage const stage{.axis = name_of(flow.box().axis),
                        .done = point.step,
                        .k_lattice = point.k_lattice,
                        .error = point.error_estimate,
                        .tolerance = flows_.asked().tolerance,
                        .iterations = flow.kind() == Solver::minres};
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
    if (request_.flow.for_fields && report.outcome.end != RunEnd::diverged) {
      fields = std::make_shared<StateFields>(
          shape(), field_units(flow.box().viscosity, image().voxel_size_m, request_.fluid), true);
      found.fields = arrays_of(fields, shape());
      found.write_fields = [fields](std::string const& path) {
        guarded([&] { fields->write(path); });
      };
    }
    auto const known = fields ? std::nullopt : flow.largest_speed();
    answer_.note_largest_speed(
        known ? *known
              : largest_speed([&](VisitNode const& visit) { flow.visit_nodes(visit); },
                              fields ? into(*fields, flow.box(), shape()) : VisitNode{}));
    PermeabilityResult const& result = answer_.latest();
    print_warnings(result, report);
    found.k_lattice = result.column_lattice;
    found.error = result.error_estimate;
    found.converged = result.converged;
    found_.axes.push_back(std::move(found));
  }

  PermeabilityRequest const& request_;
  ImageFlows flows_;
  PermeabilityAnswer answer_;
  Watched watched_;
  Permeability found_;
};

}  // namespace

Permeability permeability(VoxelArray const& image, PermeabilityOptions const& options,
                          Watch const& watch) {
  Permeability found;
  guarded(image.axis_names, watch, [&] {
    PermeabilityRequest request = request_of(options);
    request.image.reading.dtype = image.type;
    found = PermeabilityComputation(request, watch).run(image);
  });
  return found;
}

}  // namespace tessera
