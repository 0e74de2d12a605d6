// SPDX-License-Identifier: MIT
// The texts are StarPU 1.3's own, of machines of its makers, shortened.
#include "graph/runtime/sampling_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string const bus_matrix =
    "# to 0\t\tto 1\t\tto 2\t\t\n"
    "0.000000e+00\t1.162e+01\tnan\n1.175e+01\t0.000000e+00\tnan\nnan\tnan\tnan\n";
std::string const bus_config =
    "# Current configuration\n24 # Number of CPUs\n1 # Number of NUMA nodes\n2 # Number of CUDA "
    "devices\n0 # Number of OpenCL devices\n0 # Number of MIC devices\n0 # Number of MPI devices\n";
std::string const bus_affinity = "# GPU\tNUMA0\tNUMA1\t\n0\t0\t1\t\n1\t1\t0\t\n";
std::string const bus_platform = "<?xml version='1.0'?>\n <platform version=\"4\">\n </platform>\n";
std::string const codelet_model =
    "##################\n# Performance Model Version\n45\n\n# number of combinations\n2\n"
    "# COMB_0\n# number of types devices\n1\n# device type\n0\n# device id \n0\n# number of cores "
    "\n1\n"
    "# number of implementations\n1\n# Model for cpu0_impl0 (Comb0)\n# number of entries\n1\n"
    "# sumlnx\n1e+01\t1e+02\t1e+01\t1e+02\tnan\tnan\t3\t100\t100\n# a\t\tb\t\tc\nnan\tnan\tnan\n"
    "# not multiple-regression-base\n0\n# hash\t\tsize\n"
    "492beed5\t33177600\t0.0e+00\t7.3e+04\t1.5e+04\t5.2e+06\t3.9e+11\t71\n\n"
    "# COMB_1\n1\n1\n0\n1\n1\n0\n1e+01\t1e+02\t1e+01\t1e+02\tnan\tnan\t3\t100\t100\n"
    "nan\tnan\tnan\n# n\tintercept\n1\tnan\n";

int cuts_taken(std::string_view ending, std::string const& text) {
  int taken = 0;
  for (std::size_t end = 0; end < text.size(); ++end)
    taken += is_whole_bus_file(ending, text.substr(0, end)) ? 1 : 0;
  return taken;
}

TEST(SamplingFiles, AreWholeOrCutOffAnywhere) {
  for (char const* const ending : {"latency", "bandwidth"}) {
    EXPECT_TRUE(is_whole_bus_file(ending, bus_matrix));
    EXPECT_EQ(cuts_taken(ending, bus_matrix), 0);
  }
  EXPECT_TRUE(is_whole_bus_file("platform.v4.xml", bus_platform));
  EXPECT_EQ(cuts_taken("platform.v4.xml", bus_platform), 0);
  EXPECT_TRUE(is_whole_bus_file("config", bus_config));
  EXPECT_TRUE(is_whole_bus_file("affinity", bus_affinity));
  // By whole lines: StarPU takes such a config as one of another machine.
  EXPECT_EQ(cuts_taken("config", bus_config), 2);
  EXPECT_EQ(cuts_taken("affinity", bus_affinity), 2);
  EXPECT_TRUE(is_whole_model(codelet_model));
  for (std::size_t end = 0; end < codelet_model.size(); ++end)
    EXPECT_FALSE(is_whole_model(codelet_model.substr(0, end))) << end;
  EXPECT_FALSE(is_whole_model("45\n99999999999999999\n99999999999999999\n"));
}

class SamplingFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "tessera-sampling-XXXXXX";
    folder_ = mkdtemp(name.data());
    fs::create_directories(folder_ / "bus");
    fs::create_directories(folder_ / "codelets" / "45");
    setenv("STARPU_HOSTNAME", "here", 1);
    for (auto const& [kind, text] : {std::pair{"config", bus_config},
                                     {"latency", bus_matrix},
                                     {"bandwidth", bus_matrix},
                                     {"affinity", bus_affinity},
                                     {"platform.xml", bus_platform},
                                     {"platform.v4.xml", bus_platform}})
      write(std::string("bus/here.") + kind, text);
    write("codelets/45/step.here", codelet_model);
  }
  void TearDown() override {
    unsetenv("STARPU_HOSTNAME");
    fs::remove_all(folder_);
  }
  void write(std::string const& name, std::string const& text) const {
    std::ofstream(folder_ / name) << text;
  }
  bool is_there(std::string const& name) const { return fs::exists(folder_ / name); }

  fs::path folder_;
};

TEST_F(SamplingFolder, LosesWhatIsCutOffAndNothingElse) {
  remove_cut_files(folder_);
  EXPECT_TRUE(knows_the_bus(folder_));
  EXPECT_TRUE(is_there("bus/here.affinity") && is_there("codelets/45/step.here"));
  write("bus/here.latency", bus_matrix.substr(0, 50));
  write("bus/there.latency", bus_matrix.substr(0, 50));  // of another host
  write("bus/here.affinity", bus_affinity.substr(0, bus_affinity.rfind("1\t1")));
  write("codelets/45/step.here", codelet_model.substr(0, 300));
  remove_cut_files(folder_);
  EXPECT_FALSE(is_there("bus/here.latency") || is_there("bus/here.affinity") ||
               is_there("codelets/45/step.here"));
  EXPECT_TRUE(is_there("bus/there.latency") && is_there("bus/here.bandwidth"));
  EXPECT_FALSE(knows_the_bus(folder_));
}

TEST_F(SamplingFolder, IsNotKnownWhileALineOfAGpuIsMissing) {
  write("bus/here.affinity", bus_affinity.substr(0, bus_affinity.rfind("1\t1")));
  EXPECT_FALSE(knows_the_bus(folder_));
}

TEST_F(SamplingFolder, KeepsWhatAnotherProcessIsWriting) {
  write("bus/here.config", "24 #");
  int ready[2], over[2];
  ASSERT_TRUE(pipe(ready) == 0 && pipe(over) == 0);
  pid_t const other = fork();
  if (other == 0) {
    int const file = open((folder_ / "bus/here.config").c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    char byte = fcntl(file, F_SETLK, &lock) == 0 ? 1 : 0;
    bool const told = ::write(ready[1], &byte, 1) == 1 && read(over[0], &byte, 1) == 1;
    _exit(told ? 0 : 1);
  }
  char locked = 0;
  ASSERT_EQ(read(ready[0], &locked, 1), 1);
  ASSERT_EQ(locked, 1);
  remove_cut_files(folder_);
  EXPECT_TRUE(is_there("bus/here.config"));
  EXPECT_EQ(::write(over[1], &locked, 1), 1);
  int status = 0;
  waitpid(other, &status, 0);
  remove_cut_files(folder_);
  EXPECT_FALSE(is_there("bus/here.config"));
}

TEST_F(SamplingFolder, IsFilledByOneProcessWhileTheOthersWait) {
  fs::remove(folder_ / "bus/here.config");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t const other = fork();
  if (other == 0) {
    int measured = 0;
    measure_bus_once(folder_, [&] {
      ++measured;
      write("bus/here.config", bus_config.substr(0, 30));
      if (::write(ready[1], "", 1) != 1) _exit(2);
      usleep(300000);  // with half a file there
      write("bus/here.config", bus_config);
    });
    _exit(measured == 1 ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  bool measured = false;
  measure_bus_once(folder_, [&] { measured = true; });
  EXPECT_FALSE(measured);
  EXPECT_TRUE(knows_the_bus(folder_));
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tessera
