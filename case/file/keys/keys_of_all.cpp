// SPDX-License-Identifier: MIT
// The sections that cases of every method have.
#include "case/file/keys/key_tables.hpp"
#include "graph/balance/balance_names.hpp"

namespace tessera {

namespace {
using enum KeyKind;
}  // namespace

CaseKey name_key(std::string_view example) {
  return key("name", text, example, "Of the file: letters, digits, '-' and '_'. Required.");
}

CaseKey every_key(std::string_view meaning, std::string_view fallback) {
  return key("every", steps, "100", meaning).positive().otherwise(fallback);
}

CaseSection top_section() {
  return {.path = "",
          .meaning = "At the top of the file.",
          .keys = {key("title", text, "\"Lid-driven cavity\"", "What the case is, for people."),
                   key("method", word, "\"spectral\"",
                       "lattice: a liquid or slow gas on voxels; spectral: a gas at any speed on a "
                       "mesh (spectral.md).")
                       .one_of(words_of(case_method_names))
                       .otherwise("lattice")}};
}

CaseSection constants_section() {
  return {.path = "constants",
          .any_key = true,
          .meaning =
              "Names for numbers, for use in every number and formula of the file: `H = 41`, "
              "`U = \"0.1 m/s\"`, `half = \"H / 2\"`. A constant may use those above it."};
}

CaseSection checkpoint_section() {
  return {
      .path = "output.checkpoint",
      .meaning =
          "What `--resume` goes on from, as checkpoint.h5; the end of the run is written, too.",
      .keys = {every_key("Steps from one to the next."),
               key("minutes", number, "30", "Or minutes of the clock on the wall.").positive()}};
}

CaseSection insitu_section() {
  return {
      .path = "insitu",
      .meaning = "Scripts of ParaView that look at the running flow: [insitu.md](insitu.md).",
      .keys = {key("script", text, R"(["slice", "mine.py:--colour speed"])",
                   "As `--insitu`; files are looked for beside the case.")
                   .one_or_list(),
               key("every", steps, "1000", "As `--insitu-every`.").positive().otherwise("500"),
               key("pressure", word, "\"drop\"", "As `--insitu-pressure`.")
                   .one_of({"wait", "drop"})
                   .otherwise("wait"),
               key("errors", word, "\"stop\"", "As `--insitu-errors`.")
                   .one_of({"warn", "stop"})
                   .otherwise("warn"),
               key("folder", text, "\"pictures\"", "For what they write, in the folder of `--out`.")
                   .otherwise("insitu")}};
}

CaseSection run_section() {
  return {
      .path = "run",
      .meaning =
          "As the options of `tessera run` of these names, which stand above the file; nothing "
          "of it changes the results.",
      .keys = {key("tiles", whole, "16", "Number of tiles. Chosen unless said.").positive(),
               key("gpus", whole, "2",
                   "GPUs to compute on; 0: cores. All that shorten a step unless said.")
                   .not_negative(),
               key("cores", text_or_number, "8",
                   "A number, or auto: all, and beside GPUs as many as help.")
                   .otherwise("auto"),
               key("balance", word, "\"static\"", "Who decides where a tile is computed.")
                   .one_of(words_of(balance_names))
                   .otherwise("dynamic"),
               key("scheduler", text, "\"lws\"", "StarPU's policy for tasks that have no home."),
               key("steps-per-sweep", whole, "8", "Steps on a tile at a time.").positive()}};
}

}  // namespace tessera
