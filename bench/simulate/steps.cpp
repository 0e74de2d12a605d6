// SPDX-License-Identifier: MIT
// Submits to StarPU on SimGrid what the steps of a flow submit (methods/lattice/lattice_method.cpp,
// graph/tile_graph.cpp): the same data, accesses, messages, window. No kernel runs; a task takes as
// long as it was measured to. Prints on rank 0 the time of a step.
//
//   steps CASE.json   written by simulate.py
#include <starpu_mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/simulate/share.hpp"

namespace simulate {
namespace {

/// Microseconds.
struct Costs {
  double launch = 0;         ///< of a task on the GPU
  double node = 0;           ///< of each of its nodes
  double crossing = 0;       ///< of each byte that leaves the tile or comes to it
  double submit_task = 0;    ///< on the thread that submits
  double submit_handle = 0;  ///< for each of the task's data
  double submit_message = 0;
  double submit_invalidation = 0;  ///< of an old lattice
};

Costs read_costs(nlohmann::json const& json) {
  return {.launch = json.at("launch"),
          .node = json.at("node"),
          .crossing = json.at("crossing"),
          .submit_task = json.at("submit_task"),
          .submit_handle = json.at("submit_handle"),
          .submit_message = json.at("submit_message"),
          .submit_invalidation = json.at("submit_invalidation")};
}

Costs costs;

double submission_us = 0;

void submit_for(double us) {
  if (us > 0) starpu_sleep(float(1e-6 * us));
  submission_us += us;
}

/// Counts how many tiles have finished a step, and when the last one has.
struct StepClock {
  std::size_t tiles = 0;
  std::vector<std::size_t> ended;
  std::vector<double> at;  ///< us
};
StepClock step_clock;

struct TaskArgument {
  double nodes = 0;
  double crossing = 0;  ///< bytes
};

double task_us(starpu_task* task, starpu_perfmodel_arch*, unsigned) {
  auto const* const argument = static_cast<TaskArgument const*>(task->cl_arg);
  return costs.launch + costs.node * argument->nodes + costs.crossing * argument->crossing;
}
double initialise_us(starpu_task*, starpu_perfmodel_arch*, unsigned) { return 10; }

void never_run(void**, void*) {}

starpu_codelet codelet(char const* name, starpu_perfmodel* model) {
  starpu_codelet c;
  starpu_codelet_init(&c);
  c.cuda_funcs[0] = never_run;
  c.cuda_flags[0] = STARPU_CUDA_ASYNC;
  c.nbuffers = STARPU_VARIABLE_NBUFFERS;
  c.model = model;
  c.name = name;
  return c;
}

void has_ended(void* argument) {
  auto const step = reinterpret_cast<std::size_t>(argument);
  if (++step_clock.ended[step] == step_clock.tiles) step_clock.at[step] = starpu_timing_now();
}

starpu_data_handle_t vector_of(std::size_t bytes) {
  starpu_data_handle_t handle;
  starpu_vector_data_register(&handle, -1, 0, std::uint32_t((bytes + 3) / 4), 4);
  return handle;
}

/// Both parities of a datum.
struct Pair {
  starpu_data_handle_t of[2];

  explicit Pair(std::size_t bytes) : of{vector_of(bytes), vector_of(bytes)} {}
  void unregister() const {
    for (auto* const handle : of) starpu_data_unregister_no_coherency(handle);
  }
};

class Flow {
 public:
  Flow(Share share, int rank, int window, bool both_lattices)
      : share_(std::move(share)), rank_(rank), window_(window), both_lattices_(both_lattices) {
    messages_ = share_.foreign.size();
    for (Tile const& tile : share_.tiles) {
      populations_.emplace_back(tile.bytes);
      tables_.push_back(vector_of(tile.bytes / 6));
      outboxes_.emplace_back();
      for (Outbox const& outbox : tile.outboxes) {
        outboxes_.back().emplace_back(outbox.bytes);
        messages_ += outbox.rank != rank ? 1 : 0;
      }
      arguments_.push_back({tile.nodes, tile.crossing});
    }
    for (ForeignOutbox const& outbox : share_.foreign) {
      Pair const& pair = foreign_.emplace_back(outbox.bytes);
      for (int p : {0, 1}) starpu_mpi_data_register(pair.of[p], tag(outbox.tile, p), outbox.rank);
    }
    received_.resize(share_.foreign.size(), -1);
  }

  void submit_beginning() {
    for (std::size_t t = 0; t < share_.tiles.size(); ++t) {
      std::vector<starpu_data_descr> data{{populations_[t].of[0], STARPU_W},
                                          {tables_[t], STARPU_W}};
      for (Pair const& outbox : outboxes_[t]) data.push_back({outbox.of[0], STARPU_W});
      starpu_task_insert(&initialise_, STARPU_DATA_MODE_ARRAY, data.data(), int(data.size()),
                         STARPU_EXECUTE_ON_WORKER, worker_of(t), 0);
    }
  }

  void submit_step(int step) {
    for (std::size_t t = 0; t < share_.tiles.size(); ++t) submit_sends(t, step);
    for (std::size_t t = 0; t < share_.tiles.size(); ++t) {
      submit_receives(t, step);
      submit_task(t, step);
      if (both_lattices_) continue;
      submit_for(costs.submit_invalidation);
      starpu_data_invalidate_submit(populations_[t].of[step % 2]);
    }
    starpu_task_wait_for_n_submitted(
        unsigned((share_.tiles.size() + messages_) * std::size_t(window_)));
  }

  std::size_t messages() const { return messages_; }

  void unregister() const {
    for (Pair const& pair : populations_) pair.unregister();
    for (auto* const tables : tables_) starpu_data_unregister_no_coherency(tables);
    for (auto const& outboxes : outboxes_)
      for (Pair const& pair : outboxes) pair.unregister();
    for (Pair const& pair : foreign_) pair.unregister();
  }

 private:
  static starpu_mpi_tag_t tag(std::int64_t tile, int parity) { return 2 * tile + parity; }
  int worker_of(std::size_t t) const {
    return starpu_worker_get_by_type(STARPU_CUDA_WORKER, share_.tiles[t].gpu);
  }

  void submit_sends(std::size_t t, int step) {
    Tile const& tile = share_.tiles[t];
    int const now = step % 2;
    for (std::size_t i = 0; i < tile.outboxes.size(); ++i) {
      if (tile.outboxes[i].rank == rank_) continue;
      submit_for(costs.submit_message);
      starpu_mpi_isend_detached(outboxes_[t][i].of[now], tile.outboxes[i].rank,
                                tag(tile.number, now), MPI_COMM_WORLD, nullptr, nullptr);
    }
  }

  void submit_receives(std::size_t t, int step) {
    int const now = step % 2;
    for (std::size_t const f : share_.tiles[t].foreign) {
      if (std::exchange(received_[f], step) == step) continue;
      submit_for(costs.submit_message);
      starpu_mpi_irecv_detached(foreign_[f].of[now], share_.foreign[f].rank,
                                tag(share_.foreign[f].tile, now), MPI_COMM_WORLD, nullptr, nullptr);
    }
  }

  void submit_task(std::size_t t, int step) {
    int const now = step % 2;
    int const next = 1 - now;
    Tile const& tile = share_.tiles[t];
    std::vector<starpu_data_descr> data{{populations_[t].of[now], STARPU_RW},
                                        {populations_[t].of[next], STARPU_W},
                                        {tables_[t], STARPU_R}};
    for (Pair const& outbox : outboxes_[t]) data.push_back({outbox.of[next], STARPU_W});
    for (std::size_t const n : tile.neighbours)
      data.push_back({outboxes_[n].front().of[now], STARPU_R});
    for (std::size_t const f : tile.foreign) data.push_back({foreign_[f].of[now], STARPU_R});
    submit_for(costs.submit_task + costs.submit_handle * double(data.size()));
    starpu_task_insert(&step_, STARPU_DATA_MODE_ARRAY, data.data(), int(data.size()),
                       STARPU_EXECUTE_ON_WORKER, worker_of(t), STARPU_CL_ARGS_NFREE, &arguments_[t],
                       sizeof(TaskArgument), STARPU_CALLBACK_WITH_ARG_NFREE, has_ended,
                       reinterpret_cast<void*>(std::size_t(step)), 0);
  }

  Share share_;
  int rank_;
  int window_;
  bool both_lattices_;
  std::size_t messages_ = 0;  ///< a step
  std::vector<Pair> populations_;
  std::vector<starpu_data_handle_t> tables_;
  std::vector<std::vector<Pair>> outboxes_;
  std::vector<Pair> foreign_;
  std::vector<int> received_;  ///< by foreign outbox: in which step last
  std::vector<TaskArgument> arguments_;
  starpu_perfmodel step_model_{
      .type = STARPU_PER_ARCH, .arch_cost_function = task_us, .symbol = "step"};
  starpu_perfmodel initialise_model_{
      .type = STARPU_PER_ARCH, .arch_cost_function = initialise_us, .symbol = "initialise"};
  starpu_codelet step_ = codelet("step", &step_model_);
  starpu_codelet initialise_ = codelet("initialise", &initialise_model_);
};

int run(nlohmann::json const& json) {
  costs = read_costs(json.at("costs"));
  std::ifstream file(json.at("rock").get<std::string>());
  Rock const rock = read_rock(nlohmann::json::parse(file), json.at("scale"));
  Arrangement const arrangement{json.at("boxes"), json.at("boxes_of_rank"),
                                json.at("gpus_of_rank")};
  int const rank = starpu_mpi_world_rank();
  Flow flow(share_of(rock, arrangement, rank), rank, json.at("window"), json.at("both_lattices"));
  int const warm = json.at("warm_steps");
  int const steps = warm + int(json.at("steps"));
  Share const share = share_of(rock, arrangement, rank);
  step_clock = {share.tiles.size(), std::vector<std::size_t>(std::size_t(steps), 0),
                std::vector<double>(std::size_t(steps), 0)};
  flow.submit_beginning();
  for (int step = 0; step < steps; ++step) flow.submit_step(step);
  starpu_mpi_wait_for_all(MPI_COMM_WORLD);
  if (rank == 0) {
    double nodes = 0;
    double bytes = 0;
    std::size_t sent = 0;
    std::size_t handles = 0;
    for (Tile const& tile : share.tiles) {
      nodes += tile.nodes;
      handles += 3 + tile.outboxes.size() + tile.neighbours.size() + tile.foreign.size();
      for (Outbox const& outbox : tile.outboxes)
        if (outbox.rank != rank) {
          bytes += double(outbox.bytes);
          ++sent;
        }
    }
    double const us =
        (step_clock.at[std::size_t(steps) - 1] - step_clock.at[std::size_t(warm) - 1]) /
        (steps - warm);
    std::printf("%s\n",
                nlohmann::json{{"us_per_step", us},
                               {"nodes_of_rank", nodes},
                               {"tiles_of_rank", share.tiles.size()},
                               {"handles_per_task", double(handles) / double(share.tiles.size())},
                               {"messages_of_rank", flow.messages()},
                               {"sent_messages_of_rank", sent},
                               {"sent_bytes_of_rank", bytes},
                               {"submission_us", submission_us / steps}}
                    .dump()
                    .c_str());
    std::fflush(stdout);
  }
  flow.unregister();
  return 0;
}

}  // namespace
}  // namespace simulate

int main(int argc, char** argv) {
  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.catch_signals = 0;
  if (argc != 2 || starpu_mpi_init_conf(&argc, &argv, 0, MPI_COMM_WORLD, &conf) != 0) return 2;
  // Nobody reads what messages carry: one piece of memory stands in for all of it.
  starpu_malloc_on_node_set_default_flags(
      STARPU_MAIN_RAM,
      STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT | int(STARPU_MALLOC_SIMULATION_FOLDED));
  int status = 1;
  try {
    std::ifstream file(argv[1]);
    status = simulate::run(nlohmann::json::parse(file));
  } catch (std::exception const& e) {
    std::fprintf(stderr, "steps: %s\n", e.what());
  }
  starpu_mpi_shutdown();
  return status;
}
