// SPDX-License-Identifier: MIT
// The lines that `--check` shows. For case/file/ alone.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "case/file/case.hpp"

namespace tessera {

class Description {
 public:
  void line(std::string_view name, std::string const& text);
  std::string const& text() const { return text_; }

  // What cases of every method have:
  void begin(std::string const& title, Constants const& constants,
             std::vector<std::string> const& overrides);
  void end(Case::Checkpoint const& checkpoint, Case::InSitu const& insitu);

 private:
  std::string text_;
};

std::string in_words(std::array<double, 3> const& point);
/// A formula as written, a number in lattice units.
std::string in_words(SpaceFormula const& formula);
std::string in_words(Case::Velocity const& v);
std::string in_words(Case::Schedule const& schedule);

}  // namespace tessera
