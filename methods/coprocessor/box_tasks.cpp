// SPDX-License-Identifier: MIT
#include "methods/coprocessor/box_tasks.hpp"

#include "graph/tasks/on_gpu.hpp"
#include "methods/coprocessor/box_codelets.hpp"

namespace tessera {
namespace {

void take_parts_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TravelArguments const*>(argument);
  BoxDescription const& box = *arguments.box;
  Travel const& travel = arguments.travel;
  BoxPointers const slabs = slabs_behind_piece(buffers, box.shape);
  auto const* const piece = vector_data<void const>(buffers, 0);
  with_box_types(box.method, [&]<class Model, class Real>() {
    auto const view = view_of<Real>(box.shape, slabs);
    auto const parameters = Model::template narrow<Real>(box.method.parameters);
    std::int64_t const cells = travel.parts.cells();
    for (std::int64_t n = 0; n < cells; ++n)
      take_cell<Model>(view, cell_of(travel.parts, n), piece, travel.cell, parameters);
  });
}

void give_parts_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TravelArguments const*>(argument);
  BoxDescription const& box = *arguments.box;
  Travel const& travel = arguments.travel;
  BoxPointers const slabs = slabs_behind_piece(buffers, box.shape);
  auto* const piece = vector_data<void>(buffers, 0);
  with_box_types(box.method, [&]<class Model, class Real>() {
    auto const view = view_of<Real const>(box.shape, slabs);
    std::int64_t const cells = travel.parts.cells();
    for (std::int64_t n = 0; n < cells; ++n)
      give_cell<typename Model::Lattice>(view, cell_of(travel.parts, n), piece, travel.cell);
  });
}

void box_step_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SlabArguments const*>(argument);
  static BoxStep const step = best_box_step();
  step(arguments.box->method, old_slabs(buffers, arguments), new_slab(buffers, arguments),
       arguments.box->shape, arguments.slab);
}

starpu_codelet& take_parts_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = "tessera_take_parts"};
  static starpu_codelet codelet = {.cpu_funcs = {take_parts_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(take_parts_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "take_parts"};
  return codelet;
}

starpu_codelet& box_step_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = "tessera_box_step"};
  static starpu_codelet codelet = {.cpu_funcs = {box_step_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(box_step_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "box_step"};
  return codelet;
}

starpu_codelet& give_parts_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = "tessera_give_parts"};
  static starpu_codelet codelet = {.cpu_funcs = {give_parts_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(give_parts_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "give_parts"};
  return codelet;
}

}  // namespace

void submit_take_parts(BoxDescription const& box, Travel const& travel, DataHandle const& piece,
                       BoxSlabs const& populations, bool all, Placement const& placement) {
  Accesses data;
  data.reads(piece);
  for (DataHandle const& slab : populations) all ? data.writes(slab) : data.updates(slab);
  submit(take_parts_codelet(), data, Argument::copy_of(TravelArguments{&box, travel}), placement);
}

void submit_box_step(BoxDescription const& box, BoxSlabs const& old, BoxSlabs const& next,
                     Placement const& placement) {
  for (std::int32_t s = 0; s < box.shape.slabs; ++s) {
    SlabArguments const arguments{&box, s};
    Accesses data;
    data.writes(next[static_cast<std::size_t>(s)]);
    for (std::int32_t o = arguments.first_old(); o <= arguments.last_old(); ++o)
      data.reads(old[static_cast<std::size_t>(o)]);
    submit(box_step_codelet(), data, Argument::copy_of(arguments), placement);
  }
}

void submit_give_parts(BoxDescription const& box, Travel const& travel, BoxSlabs const& populations,
                       DataHandle const& piece, Placement const& placement) {
  Accesses data;
  data.writes(piece);
  for (DataHandle const& slab : populations) data.reads(slab);
  submit(give_parts_codelet(), data, Argument::copy_of(TravelArguments{&box, travel}), placement);
}

}  // namespace tessera
