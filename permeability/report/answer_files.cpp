// SPDX-License-Identifier: MIT
#include "permeability/report/answer_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "run/console/log.hpp"

namespace tessera {

namespace fs = std::filesystem;

AnswerFiles::AnswerFiles(fs::path folder, std::vector<Axis> axes, FieldFormat format)
    : folder_(std::move(folder)), axes_(std::move(axes)), format_(format) {}

std::string AnswerFiles::suffix_of(Axis axis) const {
  return axes_.size() == 1 ? "" : fmt::format("-{}", name_of(axis));
}

fs::path AnswerFiles::checkpoint(Axis axis) const {
  return in_folder(fmt::format("checkpoint{}.h5", suffix_of(axis)));
}

std::string AnswerFiles::fields_name(Axis axis) const {
  return fmt::format("fields{}.{}", suffix_of(axis), name_in(field_format_names, format_));
}

fs::path AnswerFiles::fields(Axis axis) const { return in_folder(fields_name(axis)); }

void AnswerFiles::write(Results const& results) {
  if (!Ranks::is_root()) return;
  try {
    write_results(in_folder("results.json"), results);
    kept_ = true;
  } catch (std::exception const& error) {
    if (kept_) log_error(reason(error));  // once is enough
    kept_ = false;
  }
}

void AnswerFiles::write_beside(std::vector<ConvergenceSample> const& history,
                               Results const& results, std::vector<Axis> const& of) {
  fs::path const file = in_folder("convergence.csv");
  if (!Ranks::is_root()) return;
  losses_.attempt(file.string(),
                  [&] { write_convergence_csv(file, history, results.image.voxel_size_m); });
  remove_other_fields(of);
}

void AnswerFiles::remove_other_fields(std::vector<Axis> const& of) const {
  std::vector<fs::path> kept;
  for (Axis const axis : of) {
    kept.push_back(fields(axis));
    if (format_ == FieldFormat::xdmf) kept.push_back(fields(axis).replace_extension(".vtkhdf"));
  }
  for (char const* suffix : {"", "-x", "-y", "-z"}) {
    for (auto const& [ending, format] : field_format_names) {
      fs::path const earlier = in_folder(fmt::format("fields{}.{}", suffix, ending));
      std::error_code ignored;
      if (std::ranges::find(kept, earlier) == kept.end()) fs::remove(earlier, ignored);
    }
  }
}

}  // namespace tessera
