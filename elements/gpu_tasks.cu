// SPDX-License-Identifier: MIT
#include <algorithm>

#include "elements/gpu_kernels.hpp"
#include "elements/gpu_tasks.hpp"
#include "elements/stage_buffers.hpp"
#include "tasks/gpu_call.hpp"
#include "tasks/gpu_streams.hpp"

namespace tessera::spectral {

void stage_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StageArguments const*>(argument);
  StageBuffers const stage(buffers, arguments);
  with_numbers(arguments.numbers, [&]<class N>() {
    GpuStage<N> to_do{.data = stage.data<N>(nullptr, nullptr),
                      .sources = {},
                      .outboxes = {},
                      .parameters = arguments.parameters,
                      .stage = arguments.stage,
                      .dt = &stage.clock()->dt,
                      .task = PackTask::stage};
    std::ranges::copy(stage.sources<N>(), to_do.sources);
    std::ranges::copy(stage.outboxes<N>(), to_do.outboxes);
    SideStreams const streams;
    check_gpu(launch(arguments.counts, to_do, streams.get().halo));
  });
}

}  // namespace tessera::spectral
