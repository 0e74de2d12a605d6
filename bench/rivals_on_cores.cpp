// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/machine/lattice_copy.hpp"
#include "bench/bare_loop.hpp"
#include "bench/rivals.hpp"

namespace tessera {
namespace {

template <class Storage>
class RivalsOnCores : public Rivals {
 public:
  RivalsOnCores(BenchFlow const& flow, unsigned cores)
      : loop_(flow.tiling, flow.kernels, flow.model, flow.parameters, cores),
        copy_(std::size_t{4} << 20, cores) {}

  double bare_loop(std::int64_t steps) override { return loop_.run(steps); }
  double copy() override { return std::max(copy_.run(), copy_.run()); }

 private:
  BareLoop<Storage> loop_;
  LatticeCopy copy_;
};

}  // namespace

std::unique_ptr<Rivals> rivals_on_cores(BenchFlow const& flow, unsigned cores) {
  return with_storage(flow.precision, [&]<class Storage>() -> std::unique_ptr<Rivals> {
    return std::make_unique<RivalsOnCores<Storage>>(flow, cores);
  });
}

}  // namespace tessera
