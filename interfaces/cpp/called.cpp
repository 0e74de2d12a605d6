// SPDX-License-Identifier: MIT
#include "interfaces/cpp/called.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string_view>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/npy/npy_array.hpp"
#include "run/cli/log.hpp"
#include "run/cli/unknown_word.hpp"

namespace tessera {
namespace {

constexpr char const* image_name = "the array";

/// Of the commands: they say how a file is read, or name what would be written.
constexpr std::array<std::string_view, 16> about_files{
    "--shape", "--dtype",   "--header-bytes", "--axes",         "--crop",   "--out",
    "--trace", "--insitu",  "--report",       "--checkpoint",   "--resume", "--check",
    "--quiet", "--verbose", "--dataset",      "--fields-format"};

}  // namespace

void guarded(Watch const& watch, std::function<void()> const& work) {
  static std::timed_mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  constexpr std::chrono::milliseconds between_looks(50);
  while (!lock.try_lock_for(between_looks)) {
    if (watch && !watch(nullptr)) throw std::runtime_error("stopped before its turn came");
  }
  SilentLog const log;
  try {
    work();
  } catch (BadInput const& error) {
    throw std::invalid_argument(error.what());
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    throw std::runtime_error(error.what());
  }
}

void parse_words(std::vector<std::string> const& words, std::function<void(CLI::App&)> const& add) {
  for (std::string const& word : words) {
    std::string const name = word.substr(0, word.find('='));
    if (std::ranges::find(about_files, name) != about_files.end())
      throw BadInput(fmt::format("{}: expected nothing about files with an array", name));
  }
  CLI::App app("", "tessera");
  app.set_help_flag();
  add(app);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  if (CLI::Option* const image = app.get_option_no_throw("image")) image->required(false);
  if (CLI::Option* const out = app.get_option_no_throw("--out")) out->required(false);
  try {
    app.parse(std::move(reversed));
  } catch (CLI::ParseError const& error) {
    throw BadInput(unknown_word(app).value_or(error.what()));
  }
}

FlowFields arrays_of(std::shared_ptr<StateFields const> const& fields, Int3 shape) {
  return {.shape = {shape.z, shape.y, shape.x},
          .velocity = fields->velocity().data(),
          .pressure = fields->pressure().data(),
          .density = fields->density().data(),
          .keeper = fields};
}

Image image_of(VoxelArray const& array) {
  auto const type = element_type_named(array.type);
  if (!type)
    throw BadInput(fmt::format("{} of {}: expected elements of {}", image_name, array.type,
                               names_of_element_types(", ")));
  auto const* from = static_cast<std::byte const*>(array.data);
  return image_of_array(
      *type, {array.shape[2], array.shape[1], array.shape[0]}, array.first_axis_fastest,
      [&](void* to, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        from += bytes;
      },
      image_name);
}

}  // namespace tessera
