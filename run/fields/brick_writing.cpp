// SPDX-License-Identifier: MIT
#include "run/fields/brick_writing.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/machine/thread_team.hpp"
#include "base/ranks/gathering.hpp"
#include "base/ranks/ranks.hpp"
#include "io/atomic_file.hpp"
#include "io/fields/field_files.hpp"
#include "io/fields/vtkhdf.hpp"
#include "run/fields/shared_writing.hpp"
#include "run/fields/whole_fields.hpp"
#include "run/losses.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Packed bricks of the fields that are written in bricks.
class PackedBricks {
 public:
  PackedBricks(Int3 shape, std::span<Field const> own)
      : shape_(shape),
        bricks_(shape),
        own_(own_bricks(bricks_)),
        fields_(own),
        packed_(own.size()),
        places_(own.size()) {}

  /// Packs the bricks of this rank.
  void pack() {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (!is_cut(shape_, fields_[f])) continue;
      packed_[f].resize(static_cast<std::size_t>(own_.count()));
      in_parallel(own_.count(), [&](std::int64_t b) {
        std::int64_t const brick = own_.lower + b;
        packed_[f][static_cast<std::size_t>(b)] =
            packed_brick(shape_, bricks_.extents(brick), fields_[f],
                         bricks_.voxels_before(brick) - bricks_.voxels_before(own_.lower));
      });
    }
  }

  /// Collective: bytes of each brick of all ranks.
  BrickBytes sizes() const {
    BrickBytes sizes(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (!is_cut(shape_, fields_[f])) continue;
      sizes[f].resize(static_cast<std::size_t>(bricks_.count()));
      std::ranges::transform(packed_[f], sizes[f].begin() + own_.lower, [](auto const& brick) {
        return static_cast<std::int64_t>(brick.size());
      });
      Ranks::sum(sizes[f]);
    }
    return sizes;
  }

  /// Collective: broadcasts the places of all bricks in the file, which rank 0 knows.
  void take_places(BrickPlaces of_first) {
    places_ = std::move(of_first);
    places_.resize(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (!is_cut(shape_, fields_[f])) continue;
      places_[f].resize(static_cast<std::size_t>(bricks_.count()));
      Ranks::broadcast(std::as_writable_bytes(std::span(places_[f])));
    }
  }

  /// Writes the bricks of this rank.
  void write(fs::path const& path) const {
    SharedFile file(path);
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      for (std::size_t b = 0; b < packed_[f].size(); ++b)
        file.write(places_[f][static_cast<std::size_t>(own_.lower) + b], packed_[f][b]);
    }
    file.finish();
  }

  /// Collective: rank 0 writes the bricks of all ranks. Returns why it cannot, else nothing.
  std::string write_through_first(fs::path const& path) const {
    std::optional<SharedFile> file;
    std::string failed;
    if (Ranks::is_root()) failed = why_not([&] { file.emplace(path); });
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      std::size_t brick = 0;
      Gathering gathering(packed_[f].size(), [&](std::span<std::byte const> bytes) {
        // After a failure the other ranks still send: their bricks are dropped.
        if (failed.empty()) failed = why_not([&] { file->write(places_[f][brick++], bytes); });
      });
      for (auto const& packed : packed_[f]) gathering.add(packed);
      gathering.finish();
    }
    if (file && failed.empty()) failed = why_not([&] { file->finish(); });
    return failed;
  }

 private:
  Int3 shape_;
  Bricks bricks_;
  LayerRange own_;
  std::span<Field const> fields_;
  std::vector<std::vector<std::vector<std::byte>>> packed_;  ///< by field and own brick
  BrickPlaces places_;
};

/// Collective: gathers, on rank 0, the fields that `wanted` says. Returns whether that worked.
template <class Wanted>
bool gather(WholeFields& whole, Wanted const& wanted) {
  std::string failed;
  for (std::size_t f = 0; f < whole.fields().size(); ++f) {
    if (!wanted(whole.fields()[f])) continue;
    std::string const why = why_not([&] { whole.gather(f); });
    if (failed.empty()) failed = why;
  }
  return all_well(failed);
}

void write_bricks(fs::path const& path, Int3 shape, Spacing const& spacing,
                  std::span<Field const> own) {
  std::optional<AtomicFile> target;
  std::optional<MarkedFile> made;
  std::string const unmade = why_not([&] {
    if (!Ranks::is_root()) return;
    target.emplace(path);
    made = marked(target->temporary_path());
  });
  if (!all_well(unmade)) return;
  MarkedFile const file = *file_of_first(made);
  bool const together = all_can_write_to(file);
  PackedBricks bricks(shape, own);
  if (!all_well(why_not([&] { bricks.pack(); }))) return;
  BrickBytes const sizes = bricks.sizes();
  WholeFields whole(shape, own);
  if (!gather(whole, [&](Field const& field) { return !is_cut(shape, field); })) return;
  BrickPlaces places;
  std::string const unlaid = why_not([&] {
    if (Ranks::is_root()) places = lay_out_vtkhdf(file.path, shape, spacing, whole.fields(), sizes);
  });
  if (!all_well(unlaid)) return;
  bricks.take_places(std::move(places));
  if (!all_well(together ? why_not([&] { bricks.write(file.path); })
                         : bricks.write_through_first(file.path)))
    return;
  if (target) target->commit();
}

}  // namespace

void write_spread_fields(fs::path const& path, Int3 shape, Spacing const& spacing,
                         std::span<Field const> own) {
  if (auto const data = file_of_bricks(path)) {
    write_bricks(*data, shape, spacing, own);
    if (Ranks::is_root()) describe_fields(path, shape, spacing, own);
    return;
  }
  WholeFields whole(shape, own);
  if (gather(whole, [](Field const&) { return true; }) && Ranks::is_root())
    write_fields(path, shape, spacing, whole.fields());
}

}  // namespace tessera
