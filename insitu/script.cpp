// SPDX-License-Identifier: MIT
#include "insitu/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/errors.hpp"
#include "insitu/pipelines.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(std::string const& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string read_text(fs::path const& file, std::string const& asked_by) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    throw BadInput(fmt::format("{} {}: cannot be read: expected a Python script for Catalyst",
                               asked_by, file.string()));
  }
  return text;
}

bool is_package(fs::path const& file) {
  std::error_code ignored;
  return fs::is_directory(file, ignored) || file.extension() == ".zip";
}

Pipeline const* find_pipeline(std::string_view name) {
  auto const all = pipelines();
  auto const found = std::ranges::find(all, name, &Pipeline::name);
  return found == all.end() ? nullptr : &*found;
}

/// Without the lines that are comments as a whole.
std::string code_of(std::string const& text) {
  static std::regex const comment(R"((^|\n)[ \t]*#[^\n]*)");
  return std::regex_replace(text, comment, "$1");
}

}  // namespace

std::string pipeline_names() {
  std::string names;
  for (Pipeline const& pipeline : pipelines()) {
    if (!names.empty()) names += ", ";
    names += pipeline.name;
  }
  return names;
}

Script parse_script(std::string const& text, std::string const& asked_by) {
  std::error_code no_name;  // a script with its arguments may be longer than a name can be
  // A colon may be part of a file's name.
  std::size_t const colon = fs::exists(text, no_name) ? std::string::npos : text.find(':');
  Script script{.name = text.substr(0, colon)};
  if (colon != std::string::npos) script.arguments = words_of(text.substr(colon + 1));
  if (Pipeline const* const pipeline = find_pipeline(script.name)) {
    script.text = pipeline->text;
    return script;
  }
  script.file = script.name;
  if (!fs::exists(script.file, no_name)) {
    throw BadInput(
        fmt::format("{} {}: no such file: expected a Python script for Catalyst or one of {}",
                    asked_by, script.name, pipeline_names()));
  }
  script.file = fs::absolute(script.file);
  if (!is_package(script.file)) script.text = read_text(script.file, asked_by);
  return script;
}

void place_script(Script& script, fs::path const& folder, bool writes) {
  if (!script.file.empty()) return;
  script.file = fs::absolute(folder / (script.name + ".py"));
  if (writes) write_whole_file(script.file, script.text);
}

bool draws(Script const& script) {
  if (script.text.empty()) return false;
  static std::regex const drawing(
      R"(\b(SaveScreenshot|SaveAnimation|WriteImage|Render|RenderAllViews|Interact)\s*\()"
      R"(|\bCreateExtractor\s*\(\s*['"](PNG|JPG|TIFF|BMP|Cinema|CinemaDatabase)['"])");
  return std::regex_search(code_of(script.text), drawing);
}

bool may_use(Script const& script, std::string_view channel) {
  if (script.text.empty()) return true;
  auto const mentions = [&](std::string const& text) {
    return text.find(channel) != std::string::npos;
  };
  return mentions(code_of(script.text)) || std::ranges::any_of(script.arguments, mentions);
}

}  // namespace tessera
