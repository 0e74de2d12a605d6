// SPDX-License-Identifier: MIT
#include "run/plan/kept_figures.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json read_kept() {
  std::ifstream file(kept_figures_file());
  auto kept = nlohmann::ordered_json::parse(file, nullptr, false);
  return kept.is_object() ? kept : nlohmann::ordered_json::object();
}

}  // namespace

fs::path kept_figures_file() {
  constexpr std::pair<char const*, char const*> places[] = {
      {"TESSERA_CACHE", ""}, {"XDG_CACHE_HOME", "tessera"}, {"HOME", ".cache/tessera"}};
  for (auto const& [variable, below] : places) {
    if (char const* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      return fs::path(folder) / below / "machine.json";
  }
  return fs::temp_directory_path() / fmt::format("tessera-{}", getuid()) / "machine.json";
}

std::string figure_key(std::string const& what) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return fmt::format("{}, {}", host, what);
}

std::string figure_key(std::string const& what, Precision precision) {
  constexpr char const* names[] = {"single", "double", "half"};
  return figure_key(fmt::format("{}, D3Q19, {}", what, names[static_cast<int>(precision)]));
}

std::optional<double> kept_figure(std::string const& key) {
  nlohmann::ordered_json const kept = read_kept();
  auto const found = kept.find(key);
  if (found == kept.end() || !found->is_number()) return std::nullopt;
  auto const figure = found->get<double>();
  if (!(figure > 0)) return std::nullopt;  // sizes, numbers and speeds: somebody else's hand
  return figure;
}

bool keep_figure(std::string const& key, double value) {
  nlohmann::ordered_json kept = read_kept();
  kept[key] = value;
  try {
    fs::create_directories(kept_figures_file().parent_path());
    write_whole_file(kept_figures_file(), kept.dump(2) + "\n");
  } catch (std::exception const&) {
    return false;
  }
  return true;
}

}  // namespace tessera
