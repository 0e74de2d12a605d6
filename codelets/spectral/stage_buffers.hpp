// SPDX-License-Identifier: MIT
// The one place that knows the order of a stage's data, on cores and GPUs.
#pragma once

#include "codelets/spectral/stage.hpp"
#include "graph/tasks/vector_data.hpp"

namespace tessera::spectral {

class StageBuffers {
 public:
  StageBuffers(void** buffers, StageArguments const& arguments)
      : buffers_(buffers), arguments_(arguments) {}

  static Accesses accesses(StageHandles const& handles, StageArguments const& arguments) {
    Accesses data;
    data.updates(handles.state);
    if (arguments.stage.first) {
      data.writes(handles.kept);
    } else if (arguments.stage.low_storage) {
      data.updates(handles.kept);
    } else {
      data.reads(handles.kept);
    }
    data.reads(handles.traces)
        .writes(handles.next_traces)
        .reads(handles.tables)
        .reads(handles.clock);
    if (arguments.with_speeds) data.writes(handles.speeds);
    for (DataHandle const* const outbox : handles.outboxes) data.writes(*outbox);
    for (DataHandle const* const inbox : handles.inboxes) data.reads(*inbox);
    return data;
  }

  std::byte const* tables() const { return vector_data<std::byte const>(buffers_, 4); }
  Clock const* clock() const { return vector_data<Clock const>(buffers_, 5); }
  std::size_t inboxes() const {
    return static_cast<std::size_t>(starpu_task_get_current()->nbuffers) - first_inbox();
  }
  /// The own traces, then the inboxes, as Link::source numbers them.
  template <class N>
  std::vector<N const*> sources() const {
    std::vector<N const*> found = vectors_data<N const>(buffers_, first_inbox(), inboxes());
    found.insert(found.begin(), vector_data<N const>(buffers_, 2));
    return found;
  }
  /// The outboxes, as Leaving::outbox numbers them.
  template <class N>
  std::vector<N*> outboxes() const {
    return vectors_data<N>(buffers_, first_outbox(), count_of_outboxes());
  }
  template <class N>
  StageData<N> data(N* const* outboxes, N const* const* sources) const {
    return {view_of<N>(arguments_.counts, tables()),
            vector_data<N>(buffers_, 0),
            vector_data<N>(buffers_, 1),
            vector_data<N>(buffers_, 3),
            outboxes,
            sources,
            arguments_.with_speeds ? vector_data<double>(buffers_, 6) : nullptr};
  }

 private:
  std::size_t count_of_outboxes() const {
    return static_cast<std::size_t>(arguments_.counts.outboxes);
  }
  std::size_t first_outbox() const { return arguments_.with_speeds ? 7 : 6; }
  std::size_t first_inbox() const { return first_outbox() + count_of_outboxes(); }

  void** buffers_;
  StageArguments const& arguments_;
};

/// The order of a publication's data, of which only state and tables are read.
class PublicationBuffers {
 public:
  PublicationBuffers(void** buffers, StageArguments const& arguments)
      : buffers_(buffers), arguments_(arguments) {}

  static Accesses accesses(StageHandles const& handles) {
    Accesses data;
    data.reads(handles.state)
        .writes(handles.kept)
        .writes(handles.next_traces)
        .reads(handles.tables)
        .writes(handles.speeds);
    for (DataHandle const* const outbox : handles.outboxes) data.writes(*outbox);
    return data;
  }

  template <class N>
  std::vector<N*> outboxes() const {
    return vectors_data<N>(buffers_, 5, static_cast<std::size_t>(arguments_.counts.outboxes));
  }
  template <class N>
  StageData<N> data(N* const* outboxes) const {
    return {view_of<N>(arguments_.counts, vector_data<std::byte const>(buffers_, 3)),
            vector_data<N>(buffers_, 0),
            vector_data<N>(buffers_, 1),
            vector_data<N>(buffers_, 2),
            outboxes,
            nullptr,
            vector_data<double>(buffers_, 4)};
  }

 private:
  void** buffers_;
  StageArguments const& arguments_;
};

}  // namespace tessera::spectral
