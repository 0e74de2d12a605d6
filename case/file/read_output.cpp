// SPDX-License-Identifier: MIT
// [stop], [output], [insitu] and [run].
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <system_error>
#include <vector>

#include "base/errors.hpp"
#include "case/file/case_parts.hpp"
#include "case/file/case_words.hpp"
#include "io/images/spelling.hpp"
#include "io/nearest_word.hpp"

namespace tessera {

std::string read_name(SectionReader const& section) {
  std::string name = section.text("name");
  bool const plain = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (!plain) section.refuse_value("name", "letters, digits, '-' and '_', as it names a file");
  return name;
}

Case::Schedule read_schedule(SectionReader const& section) {
  Case::Schedule schedule;
  if (section.given("every")) schedule.every = section.steps("every");
  schedule.last = section.flag("final");
  return schedule;
}

namespace {

Case::Double3 read_point(SectionReader const& section, std::string_view key, Int3 shape) {
  Case::Double3 const point = section.three(key);
  for (Axis a : all_axes) {
    auto const n = static_cast<double>(shape[a]);
    double const rounding = 1e-9 * n;
    if (point[index_of(a)] < -rounding || point[index_of(a)] > n + rounding)
      section.refuse_value(
          key, fmt::format("a point in the box of {} x {} x {} voxels", shape.x, shape.y, shape.z));
  }
  return point;
}

Case::Schedule read_fields(CaseReading const& reading) {
  SectionReader const section(reading, "output.fields");
  Case::Schedule schedule = read_schedule(section);
  if (!section.given("at")) return schedule;
  if (schedule.every)
    section.refuse("at", "'every' and 'at' exclude each other: expected one of them");
  schedule.at = section.steps_list("at");
  std::ranges::sort(schedule.at);
  schedule.at.erase(std::unique(schedule.at.begin(), schedule.at.end()), schedule.at.end());
  return schedule;
}

Case::Line read_line(SectionReader const& section, Int3 shape) {
  Case::Line line;
  line.name = read_name(section);
  line.from = read_point(section, "from", shape);
  line.to = read_point(section, "to", shape);
  double const length =
      std::hypot(line.to[0] - line.from[0], line.to[1] - line.from[1], line.to[2] - line.from[2]);
  if (length == 0) section.refuse_value("to", "another point than 'from'");
  line.points = section.given("points") ? section.whole("points")
                                        : static_cast<std::int64_t>(std::ceil(length - 1e-9)) + 1;
  constexpr std::int64_t most_points = 10'000'000;
  if (line.points < 2) section.refuse_value("points", "2 points or more");
  if (line.points > most_points) {
    section.refuse(
        section.given("points") ? "points" : "to",
        fmt::format("{} points on a line: expected at most {}", line.points, most_points));
  }
  line.schedule = read_schedule(section);
  return line;
}

Case::ForceOutput read_force_output(SectionReader const& section, Case const& c) {
  Case::ForceOutput force;
  force.name = read_name(section);
  force.on = section.given("label") ? place_of_label(section, c.geometry)
                                    : place_named(section, c.geometry, section.text("on"));
  force.every = section.steps("every");
  force.speed = section.number_if_given("speed");
  force.area = section.number_if_given("area");
  if (section.given("length")) {
    if (force.area)
      section.refuse("length", "'area' and 'length' exclude each other: expected one of them");
    force.area = section.number("length") * static_cast<double>(c.geometry.shape.z);
  }
  if (section.given("about")) force.about = section.three("about");
  if (force.speed.has_value() != force.area.has_value()) {
    section.refuse("name",
                   "coefficients need a reference speed and area: expected both 'speed' "
                   "and one of 'area' and 'length', or none of them");
  }
  return force;
}

Case::Averages read_averages(SectionReader const& section) {
  Case::Averages a;
  a.from = section.steps("from");
  a.every = section.steps("every");
  for (std::string_view const quantity : section.words("quantities"))
    a.*named(average_names, quantity).value() = true;
  return a;
}

Case::Strouhal read_strouhal(SectionReader const& section, Case::Output const& output) {
  Case::Strouhal s;
  s.name = read_name(section);
  s.of = section.text("of");
  s.signal = section.word_in(signal_names, "signal");
  bool const probe =
      std::ranges::find(output.probes, s.of, &Case::Probe::name) != output.probes.end();
  bool const force =
      std::ranges::find(output.forces, s.of, &Case::ForceOutput::name) != output.forces.end();
  if (!probe && !force) {
    std::vector<std::string_view> names;
    names.reserve(output.probes.size());
    for (auto const& one : output.probes) names.emplace_back(one.name);
    for (auto const& one : output.forces) names.emplace_back(one.name);
    section.refuse("of", fmt::format("of = \"{}\": there is no such probe or force: expected the "
                                     "name of an [[output.probe]] or [[output.force]]{}",
                                     s.of, did_you_mean(s.of, names)));
  }
  if (force && s.signal == Case::Signal::density)
    section.refuse_value("signal", "x, y or z, as a force has no density");
  s.from = section.steps("from");
  s.length = section.number("length");
  s.speed = section.number("speed");
  return s;
}

/// Names are those of files.
class UniqueNames {
 public:
  void add(SectionReader const& section, std::string const& name) {
    if (std::ranges::find(names_, name) != names_.end())
      section.refuse("name", fmt::format("name = \"{}\" stands twice: expected another one for "
                                         "each output",
                                         name));
    names_.push_back(name);
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

Case::Stop read_stop(CaseReading const& reading) {
  SectionReader const section(reading, "stop");
  Case::Stop stop;
  if (section.given("steps")) stop.steps = section.steps("steps");
  SectionReader const steady(reading, "stop.steady");
  if (steady.there())
    stop.steady =
        Case::Steady{.tolerance = steady.number("tolerance"), .every = steady.steps("every")};
  if (!stop.steps && !stop.steady) {
    reading.refuse(section.line(),
                   "nothing says when to stop: expected [stop] with steps = 20000, "
                   "or steady = { tolerance = 1e-6, every = 1000 }, or both");
  }
  return stop;
}

Case::Output read_output(CaseReading const& reading, Case const& c) {
  Int3 const shape = c.geometry.shape;
  Case::Output output;
  UniqueNames names;
  SectionReader const whole(reading, "output");
  output.fields_format = whole.word_in(field_format_names, "fields-format");
  try {
    check_field_format(output.fields_format, "fields-format");
  } catch (BadInput const& error) {
    whole.refuse("fields-format", error.what());
  }
  output.fields = read_fields(reading);
  for (SectionReader const& section : SectionReader::all(reading, "output.probe")) {
    output.probes.push_back({.name = read_name(section),
                             .at = read_point(section, "at", shape),
                             .every = section.steps("every")});
    names.add(section, output.probes.back().name);
  }
  for (SectionReader const& section : SectionReader::all(reading, "output.line")) {
    output.lines.push_back(read_line(section, shape));
    names.add(section, output.lines.back().name);
  }
  for (SectionReader const& section : SectionReader::all(reading, "output.force")) {
    output.forces.push_back(read_force_output(section, c));
    names.add(section, output.forces.back().name);
  }
  SectionReader const averages(reading, "output.averages");
  if (averages.there()) output.averages = read_averages(averages);
  for (SectionReader const& section : SectionReader::all(reading, "output.strouhal")) {
    output.strouhal.push_back(read_strouhal(section, output));
    names.add(section, output.strouhal.back().name);
  }
  output.checkpoint = read_checkpoint(reading);
  return output;
}

Case::Checkpoint read_checkpoint(CaseReading const& reading) {
  SectionReader const section(reading, "output.checkpoint");
  Case::Checkpoint checkpoint;
  if (section.given("every")) checkpoint.every = section.steps("every");
  checkpoint.minutes = section.number_if_given("minutes");
  return checkpoint;
}

Case::InSitu read_insitu(CaseReading const& reading, std::filesystem::path const& folder) {
  SectionReader const section(reading, "insitu");
  Case::InSitu insitu{.scripts = {},
                      .every = section.steps("every"),
                      .pressure = section.text("pressure"),
                      .errors = section.text("errors"),
                      .folder = section.text("folder")};
  section.word("pressure");  // one of the table's
  section.word("errors");
  if (!section.there()) return insitu;
  for (std::string const& script : section.texts("script")) {
    std::size_t const colon = script.find(':');
    std::filesystem::path const beside = folder / script.substr(0, colon);
    std::error_code error;
    bool const is_file = std::filesystem::exists(beside, error);
    std::string const arguments = colon == std::string::npos ? "" : script.substr(colon);
    insitu.scripts.push_back(is_file ? beside.string() + arguments : script);
  }
  return insitu;
}

Case::Run read_run(CaseReading const& reading) {
  SectionReader const section(reading, "run");
  Case::Run run;
  auto const small = [&](std::string_view key) {
    std::int64_t const value = section.whole(key);
    constexpr std::int64_t most = 1'000'000;
    if (value > most) section.refuse_value(key, fmt::format("at most {}", most));
    return static_cast<int>(value);
  };
  if (section.given("tiles")) run.tiles = small("tiles");
  if (section.given("gpus")) run.gpus = small("gpus");
  if (section.given("steps-per-sweep")) run.steps_per_sweep = small("steps-per-sweep");
  if (section.given("scheduler")) run.scheduler = section.text("scheduler");
  run.cores = section.text("cores");
  auto const cores = number_in<int>(run.cores);
  if (run.cores != "auto" && (!cores || *cores < 0))
    section.refuse_value("cores", "a number of cores, or auto");
  run.balance = section.word_in(balance_names, "balance");
  return run;
}

}  // namespace tessera
