// SPDX-License-Identifier: MIT
#include "permeability/studies/rev.hpp"

#include <thread>

#include "base/machine/gpu_start.hpp"
#include "interfaces/cpp/called.hpp"
#include "interfaces/cpp/tessera.hpp"
#include "io/json.hpp"
#include "run/cli/log.hpp"

namespace tessera {

SubVolumes sub_volumes(VoxelArray const& image, std::vector<std::string> const& options,
                       Watch const& watch) {
  SubVolumes found;
  guarded(watch, [&] {
    RevOptions parsed;
    parse_words(options, [&](CLI::App& command) { parsed.add_to(command); });
    parsed.flow.image.dtype = image.type;
    std::jthread gpu = parsed.flow.gpus == 0 ? std::jthread() : start_gpu();
    RevStudy study(parsed, image_of(image));
    if (gpu.joinable()) gpu.join();
    Watched watched(watch);
    Stage stage{.axis = ' ', .of = static_cast<std::int64_t>(study.sub_volumes())};
    study.run(watched.stop(), [&](SubVolumeAnswer const&) {
      ++stage.done;
      watched.show(&stage);
    });
    found = {.csv = rev_csv(study.answers(), study.image().voxel_size_m),
             .results = study.results().dump(),
             .warnings = warnings_given(),
             .interrupted = watched.stop()};
  });
  return found;
}

}  // namespace tessera
