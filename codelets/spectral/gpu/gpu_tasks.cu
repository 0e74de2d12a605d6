// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codelets/spectral/gpu/gpu_kernels.hpp"
#include "codelets/spectral/gpu/gpu_tasks.hpp"
#include "codelets/spectral/stage_buffers.hpp"
#include "graph/tasks/gpu_call.hpp"
#include "graph/tasks/gpu_streams.hpp"

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
