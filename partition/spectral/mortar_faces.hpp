// SPDX-License-Identifier: MIT
// Faces of a tile between unlike degrees, in the order that a GPU takes them: like faces side by
// side, whichever packs they are of.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

class MortarFaces {
 public:
  /// Adds a face; faces come pack by pack, side by side, lane by lane.
  void add(int degree, int other, MortarFace const& face) {
    of_degrees_[{degree, other}].push_back(face);
  }

  /// All faces, group by group. Notes in `counts` where each group begins.
  std::vector<MortarFace> in_groups(TileCounts& counts) const {
    std::vector<MortarFace> all;
    counts.mortar_groups = 0;
    for (auto const& [degrees, faces] : of_degrees_) {
      counts.mortar_group[counts.mortar_groups++] = {degrees.first, degrees.second,
                                                     static_cast<std::int32_t>(all.size()),
                                                     static_cast<std::int32_t>(faces.size())};
      std::vector<MortarFace> const sorted = along_fuller_sides(faces);
      all.insert(all.end(), sorted.begin(), sorted.end());
    }
    return all;
  }

 private:
  /// Numbers of adjacent lanes come together from memory. So where single elements are of another
  /// degree, faces follow the packs of these, all lanes of whose sides are faces, and not the packs
  /// of the elements around, of which few lanes are.
  static std::vector<MortarFace> along_fuller_sides(std::vector<MortarFace> faces) {
    std::set<std::int64_t> own;
    std::set<std::pair<std::int32_t, std::int64_t>> others;
    for (MortarFace const& face : faces) {
      own.insert(face.trace / lanes);
      others.insert({face.link.source, face.link.begin / lanes});
    }
    if (others.size() <= own.size())
      std::ranges::stable_sort(faces, {}, [](MortarFace const& face) {
        return std::pair{face.link.source, face.link.begin};
      });
    return faces;
  }

  std::map<std::pair<int, int>, std::vector<MortarFace>> of_degrees_;
};

}  // namespace tessera::spectral
