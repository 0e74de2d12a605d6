// SPDX-License-Identifier: MIT
// The files of an answer: results.json first, and what stands beside it. What cannot be written is
// said, and takes nothing else along.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/fields/field_files.hpp"
#include "io/results/results.hpp"
#include "run/losses.hpp"

namespace tessera {

class AnswerFiles {
 public:
  /// In a folder that is there. `axes`: those that are asked for.
  AnswerFiles(std::filesystem::path folder, std::vector<Axis> axes, FieldFormat format);

  std::filesystem::path in_folder(std::string const& name) const { return folder_ / name; }
  /// What tells the files of several axes apart: "", or "-x".
  std::string suffix_of(Axis axis) const;
  std::filesystem::path checkpoint(Axis axis) const;
  std::filesystem::path fields(Axis axis) const;

  /// Writes results.json: what is known so far.
  void write(Results const& results);
  /// Whether that could be done when it was last tried.
  bool kept() const { return kept_; }
  /// Writes convergence.csv, and removes fields of an earlier run: they would stand beside results
  /// that are not theirs. `of`: the axes whose fields are, or will be, written.
  void write_beside(std::vector<ConvergenceSample> const& history, Results const& results,
                    std::vector<Axis> const& of);
  /// Removes fields of an earlier run, but those of these axes, which are, or will be, written.
  void remove_other_fields(std::vector<Axis> const& of) const;
  /// Another file or a few.
  bool attempt(std::string const& what, std::function<void()> const& write) {
    return losses_.attempt(what, write);
  }
  /// All: one that all write together.
  void attempt_together(std::string const& what, std::function<void()> const& write) {
    losses_.attempt_together(what, write);
  }
  /// Whether all have been written.
  bool complete() const { return kept_ && !losses_.any(); }

 private:
  std::string fields_name(Axis axis) const;

  std::filesystem::path folder_;
  std::vector<Axis> axes_;
  FieldFormat format_;
  bool kept_ = true;
  Losses losses_;
};

}  // namespace tessera
