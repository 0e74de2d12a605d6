// SPDX-License-Identifier: MIT
#include "geometry/triangle_index.hpp"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "geometry/chord.hpp"

namespace tessera {
namespace {

struct Release {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using Device = std::unique_ptr<RTCDeviceTy, Release>;
using GeometryOfScene = std::unique_ptr<RTCGeometryTy, Release>;

void require_success(RTCDevice device) {
  RTCError const error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  throw EnvironmentError(fmt::format("Embree: error {} while triangles are sorted{}",
                                     static_cast<int>(error),
                                     error == RTC_ERROR_OUT_OF_MEMORY ? " (out of memory)" : ""));
}

/// What Embree asks about the triangles while it sorts them.
struct Boxes {
  TriangleMesh const* mesh;
  double margin;
};

void bounds_of_triangle(RTCBoundsFunctionArguments const* call) {
  auto const& boxes = *static_cast<Boxes const*>(call->geometryUserPtr);
  Triangle const t = boxes.mesh->triangle(call->primID);
  auto const lower = [&](Axis axis) {
    return static_cast<float>(std::min({t[0][axis], t[1][axis], t[2][axis]}) - boxes.margin);
  };
  auto const upper = [&](Axis axis) {
    return static_cast<float>(std::max({t[0][axis], t[1][axis], t[2][axis]}) + boxes.margin);
  };
  *call->bounds_o = {lower(Axis::x), lower(Axis::y), lower(Axis::z), 0,
                     upper(Axis::x), upper(Axis::y), upper(Axis::z), 0};
}

#if RTC_VERSION_MAJOR >= 4  // not tried yet: Debian 12 has 3
using RayContext = RTCRayQueryContext;
void prepare(RayContext& context) { rtcInitRayQueryContext(&context); }
void let_go(RTCScene scene, RTCRay& ray, RayContext& context) {
  RTCOccludedArguments arguments;
  rtcInitOccludedArguments(&arguments);
  arguments.context = &context;
  rtcOccluded1(scene, &ray, &arguments);
}
#else
using RayContext = RTCIntersectContext;
void prepare(RayContext& context) { rtcInitIntersectContext(&context); }
void let_go(RTCScene scene, RTCRay& ray, RayContext& context) {
  rtcOccluded1(scene, &context, &ray);
}
#endif

/// A ray's context, with the list of what it has met.
struct Query {
  RayContext context;  // first, so that Embree's pointer to it is one to this
  std::vector<std::uint32_t>* found;
};

/// The ray has reached the box of a triangle. It is not told of a hit, and so goes on.
void note_triangle(RTCOccludedFunctionNArguments const* call) noexcept {
  reinterpret_cast<Query*>(call->context)->found->push_back(call->primID);
}

void ignore_ray(RTCIntersectFunctionNArguments const*) {}

}  // namespace

struct TriangleIndex::Scene {
  // One thread: it takes a moment only, and TBB's threads would stay beside StarPU's.
  Device device{rtcNewDevice("threads=1")};
  std::unique_ptr<RTCSceneTy, Release> scene;
  Bounds bounds;
};

bool has_triangle_index() { return true; }

TriangleIndex::TriangleIndex(TriangleMesh const& mesh) {
  auto made = std::make_shared<Scene>();
  RTCDevice device = made->device.get();
  if (device == nullptr) throw EnvironmentError("Embree: it does not start on this machine");
  made->scene.reset(rtcNewScene(device));
  rtcSetSceneFlags(made->scene.get(), RTC_SCENE_FLAG_ROBUST);

  made->bounds = mesh.bounds();
  double largest = 1;
  for (Axis const axis : all_axes) {
    largest =
        std::max({largest, std::abs(made->bounds.lower[axis]), std::abs(made->bounds.upper[axis])});
  }
  // Rounded to single precision, ends of rays and corners of boxes move by less than this.
  double const margin = 8 * std::numeric_limits<float>::epsilon() * largest;
  for (Axis const axis : all_axes) {
    made->bounds.lower[axis] -= margin;
    made->bounds.upper[axis] += margin;
  }
  Boxes boxes{&mesh, margin};

  GeometryOfScene const geometry{rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER)};
  rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(mesh.triangles.size()));
  rtcSetGeometryUserData(geometry.get(), &boxes);
  rtcSetGeometryBoundsFunction(geometry.get(), bounds_of_triangle, nullptr);
  rtcSetGeometryIntersectFunction(geometry.get(), ignore_ray);
  rtcSetGeometryOccludedFunction(geometry.get(), note_triangle);
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometry(made->scene.get(), geometry.get());
  rtcCommitScene(made->scene.get());
  rtcSetGeometryUserData(geometry.get(), nullptr);  // `boxes` ends here
  require_success(device);
  scene_ = std::move(made);
}

void TriangleIndex::find(Vector3 from, Vector3 to, std::vector<std::uint32_t>& found) const {
  found.clear();
  // What lies outside of the mesh's box is cut off, so that rounding is that of its coordinates.
  Vector3 const way = to - from;
  Chord part{0, 1};
  for (Axis const axis : all_axes) {
    part = common(part, chord_of_slab(from[axis], way[axis], scene_->bounds.lower[axis],
                                      scene_->bounds.upper[axis]));
  }
  if (part.empty()) return;
  Vector3 const start = from + part.in * way;
  Vector3 const rest = (part.out - part.in) * way;

  Query query{};
  prepare(query.context);
  query.found = &found;
  RTCRay ray{};
  ray.org_x = static_cast<float>(start.x);
  ray.org_y = static_cast<float>(start.y);
  ray.org_z = static_cast<float>(start.z);
  ray.dir_x = static_cast<float>(rest.x);
  ray.dir_y = static_cast<float>(rest.y);
  ray.dir_z = static_cast<float>(rest.z);
  ray.tfar = 1;
  ray.mask = ~0U;
  let_go(scene_->scene.get(), ray, query.context);
}

}  // namespace tessera
