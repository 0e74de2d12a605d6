// SPDX-License-Identifier: MIT
// The command `tessera`.
#include "insitu/crash_guard.hpp"
#include "interfaces/cli/program.hpp"
#include "interfaces/commands/commands.hpp"
#include "run/performance.hpp"

int main(int argc, char** argv) {
  using namespace tessera;
  CommandEntry const commands[] = {
      {"permeability", "Permeability of an image along one axis or all", add_permeability_command,
       true},
      {"rev", "Permeabilities of many sub-volumes: how large is representative", add_rev_command,
       true},
      {"phases", "Relative permeabilities of fluids that stand still against each other",
       add_phases_command, true},
      {"diffusion", "Effective diffusivity or conductivity, formation factor and tortuosity",
       add_diffusion_command, true},
      {"forchheimer", "Flow with inertia: permeabilities at several Reynolds numbers, and beta",
       add_forchheimer_command},
      {"run", "The flow of a case file: geometry, fluid, boundary conditions, outputs",
       add_run_command, true},
      {"info", "What is in an image: labels, porosity, connectivity", add_info_command},
      {"generate", "Make an image: sphere arrays and packings, plates, ducts",
       add_generate_command},
      {"bench", "How fast the step runs, beside what the memory allows", add_bench_command},
      {"tune", "Find the best tiles for this machine, and keep them for later runs",
       add_tune_command}};
  become_bench_if_asked(argv);
  leave(run_program(commands, argc, argv, describe_software));
}
