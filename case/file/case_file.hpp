// SPDX-License-Identifier: MIT
// What a case file says, whatever the method of its flow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/file/formula.hpp"
#include "case/file/toml_tree.hpp"
#include "graph/balance/balance_names.hpp"

namespace tessera {

struct CaseFile {
  std::filesystem::path file;
  std::vector<std::string> overrides;  ///< values that replace those of the file: "N=64"
  TomlNode input;                      ///< the file as a table, with these values in their places
  std::string title;
  Constants constants;  ///< [constants]; in SI if the case is

  struct Checkpoint {
    std::optional<std::int64_t> every;  ///< steps
    std::optional<double> minutes;
  };

  // [insitu], [run]: words are those of the options of the same names.

  struct InSitu {
    std::vector<std::string> scripts;  ///< files beside the case with their folder
    std::int64_t every = 0;
    std::string pressure;
    std::string errors;
    std::string folder;  ///< in the folder of the output
  };
  InSitu insitu;

  struct Run {
    std::optional<int> tiles;
    int gpus = -1;      ///< -1: all there are
    std::string cores;  ///< a number or auto
    Balance balance = Balance::dynamic;
    std::string scheduler;  ///< empty: the usual
    std::optional<int> steps_per_sweep;
  };
  Run run;
};

}  // namespace tessera
