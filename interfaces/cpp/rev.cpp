// SPDX-License-Identifier: MIT
#include "permeability/studies/rev.hpp"

#include <thread>

#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/requests.hpp"
#include "interfaces/cpp/called.hpp"
#include "io/json.hpp"
#include "run/console/log.hpp"

namespace tessera {

SubVolumes sub_volumes(VoxelArray const& image, RevOptions const& options, Watch const& watch) {
  SubVolumes found;
  guarded(image.axis_names, watch, [&] {
    RevRequest request = request_of(options);
    request.flow.image.reading.dtype = image.type;
    std::jthread gpu = start_gpu_for(request.flow);
    RevStudy study(request, image_of(image));
    if (gpu.joinable()) gpu.join();
    Watched watched(watch);
    Stage stage{.axis = ' ', .of = static_cast<std::int64_t>(study.sub_volumes())};
    study.run(watched.stop(), [&](SubVolumeAnswer const&) {
      ++stage.done;
      watched.show(&stage);
    });
    found = {.csv = rev_csv(study.answers(), study.units()),
             .results = study.results().dump(),
             .warnings = warnings_given(),
             .interrupted = watched.stop()};
  });
  return found;
}

}  // namespace tessera
