// SPDX-License-Identifier: MIT
#include "interfaces/commands/by_first.hpp"

#include <optional>

#include "base/ranks/ranks.hpp"
#include "graph/runtime/host_share.hpp"
#include "run/interrupt.hpp"
#include "run/rank_report.hpp"

namespace tessera {

bool is_one_flow_for_first(WorkersAsked const& asked) {
  bool const of_its_own = asked.cores >= 0 || asked.gpus > 0;
  return !Ranks::alone() && !of_its_own && are_on_one_host();
}

bool are_flows_for_first(WorkersAsked const& asked) {
  HostShare const& own = host_share();
  return is_one_flow_for_first(asked) && Ranks::any(own.gpus.empty() || own.gpu_is_shared);
}

int run_by_first(std::function<int()> const& command) {
  // A signal that asks for an end comes to all ranks, and rank 0 answers it.
  std::optional<Interrupt> while_waiting;
  if (!Ranks::is_root()) while_waiting.emplace();
  note_ranks_left_to_first(Ranks::count());
  return first_with_all(command);
}

}  // namespace tessera
