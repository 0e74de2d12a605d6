// SPDX-License-Identifier: MIT
#include "io/results/results.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

class ResultsFile : public testing::Test {
 protected:
  std::string text() const { return test::read_bytes(path_); }
  Json json() const { return Json::parse(text()); }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "results.json";
};

PermeabilityResult column(double x, double y, double z) {
  PermeabilityResult result;
  result.column_lattice = {x, y, z};
  result.converged = true;
  result.steps = 5000;
  result.stop_reason = "error below the tolerance";
  return result;
}

Results three_axes() {
  Results results;
  results.image = {"berea.tif", {400, 300, 200}, 5.345e-6, "ab12"};
  results.porosity = {0.25, {0.24, 0.23, std::nullopt}};
  results.permeability = {column(11, 21, 31), column(12, 22, 32), column(13, 23, 33)};
  results.performance.workers = {{"CPU 0", "cpu", 10, 0.5}, {"CUDA 0", "cuda", 20, 0.25}};
  results.performance.tiles = 4;
  return results;
}

std::vector<std::string> keys_of(Json const& json) {
  std::vector<std::string> keys;
  for (auto const& item : json.items()) keys.push_back(item.key());
  return keys;
}

TEST_F(ResultsFile, HasTheStableKeysInOrder) {
  using Keys = std::vector<std::string>;
  write_results(path_, three_axes());
  Json const results = json();
  EXPECT_EQ(keys_of(results), (Keys{"run", "image", "porosity", "flow", "permeability", "warnings",
                                    "performance", "software"}));
  EXPECT_EQ(keys_of(results["run"]), (Keys{"command", "arguments", "folder", "host", "started"}));
  EXPECT_EQ(
      keys_of(results["image"]),
      (Keys{"path", "shape", "voxel_size_m", "voxel_size_from", "sha256", "dtype", "header_bytes",
            "dataset", "axes", "crop", "pore", "solid", "threshold", "outside", "generated"}));
  EXPECT_EQ(keys_of(results["porosity"]), (Keys{"total", "percolating"}));
  EXPECT_EQ(keys_of(results["flow"]),
            (Keys{"lattice", "collision", "relaxation_time", "precision", "body_force_lattice",
                  "axes", "setup", "buffer_layers", "operator", "equilibrium", "magic", "tolerance",
                  "max_steps", "kinematic_viscosity_m2_s", "density_kg_m3"}));
  EXPECT_EQ(keys_of(results["permeability"]),
            (Keys{"x", "y", "z", "tensor_lattice", "tensor_m2", "tensor_mD"}));
  EXPECT_EQ(keys_of(results["permeability"]["y"]),
            (Keys{"k_m2", "k_mD", "k_lattice", "converged", "steps", "change", "reynolds", "mach",
                  "error_estimate", "force_balance", "stop_reason", "mean_velocity_lattice",
                  "relaxation_time", "body_force_lattice", "solver"}));
  EXPECT_EQ(
      keys_of(results["performance"]),
      (Keys{"fluid_nodes", "steps", "seconds", "mflups", "bytes_per_fluid_node", "bandwidth_gbs",
            "bandwidth_fraction", "imbalance", "workers", "tiles", "prepare_seconds", "parts_s",
            "wall_seconds", "peak_memory_bytes", "balance", "checkpoints"}));
  EXPECT_EQ(keys_of(results["performance"]["checkpoints"]), (Keys{"written", "seconds", "bytes"}));
  EXPECT_EQ(keys_of(results["performance"]["balance"]),
            (Keys{"policy", "workers", "moves", "bytes_moved", "cuts", "cut_seconds", "bytes_cut",
                  "domains", "looks"}));
  EXPECT_EQ(keys_of(results["performance"]["workers"][1]),
            (Keys{"name", "kind", "tasks", "busy_s", "waiting_s", "transferring_s"}));
  EXPECT_EQ(keys_of(results["software"]),
            (Keys{"version", "commit", "starpu", "metis", "cuda", "compiler", "instruction_set"}));
}

TEST_F(ResultsFile, SaysPassesAndNothingOfTilesWhereThereAreNone) {
  Results results = three_axes();
  results.performance.tiles = 0;
  results.performance.workers = {
      {.name = "CPU 0", .kind = "CPU", .tasks = 3, .busy_s = 0.5, .passes = 7},
      {.name = "CUDA 0", .kind = "CUDA", .busy_s = 0.5}};
  results.performance.balance = {.policy = "dynamic", .workers = "why"};
  write_results(path_, results);
  Json const performance = json()["performance"];
  EXPECT_FALSE(performance.contains("tiles"));
  EXPECT_EQ(performance["balance"], Json({{"workers", "why"}}));
  EXPECT_EQ(performance["workers"][0]["tasks"], 3);
  EXPECT_EQ(performance["workers"][0]["passes"], 7);
  EXPECT_FALSE(performance["workers"][1].contains("passes"));
}

TEST_F(ResultsFile, ConvertsVoxelsSquaredToSquareMetresAndMillidarcy) {
  Results results = three_axes();
  results.permeability = {column(0.046981, 0, 0), std::nullopt, std::nullopt};
  write_results(path_, results);
  Json const x = json()["permeability"]["x"];
  // Berea, 5.345 um: 1360 mD = 1.3422e-12 m^2 = 0.046981 voxels squared.
  EXPECT_DOUBLE_EQ(x["k_lattice"], 0.046981);
  EXPECT_NEAR(x["k_m2"], 1.3422e-12, 1e-16);
  EXPECT_NEAR(x["k_mD"], 1360, 0.05);
}

TEST_F(ResultsFile, PutsVelocitiesInRowsAndForcesInColumnsOfTheTensor) {
  write_results(path_, three_axes());
  Json const permeability = json()["permeability"];
  EXPECT_EQ(permeability["tensor_lattice"], Json::parse("[[11,12,13],[21,22,23],[31,32,33]]"));
  EXPECT_EQ(permeability["tensor_m2"][1][1], permeability["y"]["k_m2"]);
  EXPECT_EQ(permeability["tensor_mD"][2][2], permeability["z"]["k_mD"]);
  EXPECT_DOUBLE_EQ(permeability["tensor_m2"][0][2], 13 * 5.345e-6 * 5.345e-6);
}

TEST_F(ResultsFile, HasNoTensorWithoutAllThreeAxes) {
  Results results = three_axes();
  results.permeability[1].reset();
  write_results(path_, results);
  EXPECT_EQ(keys_of(json()["permeability"]), (std::vector<std::string>{"x", "z"}));
}

TEST_F(ResultsFile, HasNullForWhatIsAbsentOrNotANumber) {
  Results results = three_axes();
  results.image.voxel_size_m.reset();
  results.permeability[0]->reynolds = std::numeric_limits<double>::quiet_NaN();
  results.permeability[0]->change = std::numeric_limits<double>::infinity();
  write_results(path_, results);
  Json const permeability = json()["permeability"];
  for (char const* key : {"k_m2", "k_mD", "reynolds", "change", "error_estimate"}) {
    EXPECT_TRUE(permeability["x"][key].is_null()) << key;
  }
  EXPECT_TRUE(permeability["tensor_m2"].is_null());
  EXPECT_TRUE(json()["porosity"]["percolating"]["z"].is_null());
  EXPECT_EQ(text().find("nan"), std::string::npos);
}

TEST_F(ResultsFile, KeepsEveryDigitOfADouble) {
  double const k = 7.384392326e-4 / 3;
  Results results = three_axes();
  results.permeability[0] = column(k, 0, 0);
  write_results(path_, results);
  EXPECT_EQ(json()["permeability"]["x"]["k_lattice"].get<double>(), k);
}

TEST_F(ResultsFile, TakesFileNamesThatAreNotUtf8) {
  Results results = three_axes();
  results.image.path = "K\xf6ln.tif";
  write_results(path_, results);
  EXPECT_EQ(json()["image"]["path"], "K\xef\xbf\xbdln.tif");
}

TEST_F(ResultsFile, IsNotBegunInAFolderThatIsMissing) {
  EXPECT_THROW(write_results(folder_ / "none/results.json", three_axes()), EnvironmentError);
}

TEST_F(ResultsFile, HasItsHistoryAsCommaSeparatedValues) {
  std::vector<ConvergenceSample> const samples{
      {100, Axis::x, 0.5, std::nullopt, std::nullopt, 1},
      {200, Axis::z, 0.25, 0.125, std::numeric_limits<double>::quiet_NaN(), 1, 0.2}};
  write_convergence_csv(path_, samples, std::nullopt);
  EXPECT_EQ(text(),
            "step,axis,k_lattice,k_mD,error_estimate,force_balance,mass,k_linear\n"
            "100,x,0.5,,,,1,\n"
            "200,z,0.25,,0.125,,1,0.2\n");
}

TEST_F(ResultsFile, GivesTheHistoryInMillidarcyWhereTheVoxelSizeIsKnown) {
  ConvergenceSample sample;
  sample.axis = Axis::y;
  sample.k_lattice = 9.869233e-16;
  write_convergence_csv(path_, std::vector{sample}, 1.0);
  EXPECT_NE(text().find("0,y,9.869233e-16,1,"), std::string::npos) << text();
}

}  // namespace
}  // namespace tessera
