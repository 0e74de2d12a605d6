// SPDX-License-Identifier: MIT
#include "codelets/spectral/stage.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "codelets/spectral/gpu/gpu_tasks.hpp"
#include "codelets/spectral/stage_buffers.hpp"
#include "codelets/spectral/states.hpp"
#include "graph/tasks/size_class.hpp"

namespace tessera::spectral {
namespace {

std::uint32_t footprint(starpu_task* task) {
  auto const& arguments = *static_cast<StageArguments const*>(task->cl_arg);
  return 2 * size_class(static_cast<std::uint64_t>(arguments.counts.points)) +
         static_cast<std::uint32_t>(arguments.numbers);
}

void stage_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StageArguments const*>(argument);
  StageBuffers const stage(buffers, arguments);
  with_numbers(arguments.numbers, [&]<class N>() {
    auto const outboxes = stage.outboxes<N>();
    auto const sources = stage.sources<N>();
    arguments.kernels->run<N>(
        PackTask::stage, arguments.counts, stage.data<N>(outboxes.data(), sources.data()),
        facts_of<N>(arguments.parameters, arguments.stage, stage.clock()->dt));
  });
}

void publish_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StageArguments const*>(argument);
  PublicationBuffers const publication(buffers, arguments);
  with_numbers(arguments.numbers, [&]<class N>() {
    auto const outboxes = publication.outboxes<N>();
    StageData<N> const data = publication.data<N>(outboxes.data());
    std::copy_n(data.state, arguments.counts.state_numbers, data.kept);
    arguments.kernels->run<N>(PackTask::begin, arguments.counts, data,
                              facts_of<N>(arguments.parameters, {}, 0));
  });
}

/// Buffers: 0 W state; 1 R tables.
void fill_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<InitialArguments> const arguments(static_cast<InitialArguments*>(argument));
  with_numbers(arguments->numbers, [&]<class N>() {
    TileView<N> const view =
        view_of<N>(arguments->counts, vector_data<std::byte const>(buffers, 1));
    for (std::size_t i = 0; i < arguments->packs->size(); ++i)
      set_state(*arguments->of, (*arguments->packs)[i], arguments->at,
                vector_data<N>(buffers, 0) + view.packs[i].state);
  });
}

/// Buffers: as StageBuffers says.
starpu_codelet& stage_codelet() {
  static starpu_perfmodel model = {
      .type = STARPU_HISTORY_BASED, .footprint = footprint, .symbol = "tessera_gas_stage"};
  static starpu_codelet codelet = {.cpu_funcs = {stage_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(stage_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "gas_stage"};
  return codelet;
}

/// Buffers: as PublicationBuffers says.
starpu_codelet& publication_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {publish_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "publish_gas"};
  return codelet;
}

starpu_codelet& fill_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {fill_on_core},
                                   .nbuffers = 2,
                                   .modes = {STARPU_W, STARPU_R},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "initial_gas"};
  return codelet;
}

}  // namespace

void submit_gas_stage(StageHandles const& handles, StageArguments const& arguments,
                      Placement const& placement, Callback const& callback) {
  submit(stage_codelet(), StageBuffers::accesses(handles, arguments), &arguments, placement,
         callback);
}

void submit_publication(StageHandles const& handles, StageArguments const& arguments,
                        Placement const& placement) {
  submit(publication_codelet(), PublicationBuffers::accesses(handles), &arguments,
         on_cores(placement));
}

void submit_initial_state(DataHandle const& state, DataHandle const& tables,
                          InitialArguments arguments, Placement const& placement) {
  Accesses data;
  data.writes(state).reads(tables);
  submit(fill_codelet(), data, std::make_unique<InitialArguments>(std::move(arguments)).release(),
         on_cores(placement));
}

}  // namespace tessera::spectral
