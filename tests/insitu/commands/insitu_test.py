# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst see the flow as it is, and may steer it.
Exits with 77 where there is no ParaView."""

import csv

import insitu
import insitu_extracts
from command import DONE, NOT_CONVERGED


class InSitu(insitu.InSituTest):
    # What scripts see.

    def test_extracts_are_what_is_written_and_nothing_else_changes_along_each_axis(self):
        """Two scripts, one of them with arguments; the same flows without them, bit by bit. Each axis has its own series."""
        monitor = self.script(insitu.HEAD + "TrivialProducer(registrationName='monitor')\n"
                              "open('arguments.txt', 'w').write(' '.join(catalyst.get_args()))\n",
                              "monitor.py")
        run = self.flow("--insitu", self.script(insitu.EXTRACTS), "--insitu",
                        monitor + ":--colour speed", "--insitu-every", "37", "--tiles", "3", "--axis", "all",
                        "--out", "with")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.path("arguments.txt").read_text(encoding="utf-8"), "--colour speed")
        without = self.flow("--tiles", "3", "--axis", "all", "--out", "without")
        self.assertEqual(without.returncode, DONE, without.stderr)
        results = self.results("with")
        self.assertEqual(results["permeability"], self.results("without")["permeability"])
        self.assertEqual(self.path("with/convergence.csv").read_bytes(),
                         self.path("without/convergence.csv").read_bytes())

        looks = 0
        for axis in "xyz":
            extracts, last = self.path(f"with/insitu/{axis}/extracts"), results["permeability"][axis]["steps"]
            insitu_extracts.check(self.path(f"without/fields-{axis}.vtkhdf"), extracts, last, 1e-3,
                                  "".join(other for other in "xyz" if other != axis))
            due = [*range(0, last, 37), last]
            looks += len(due)
            rows = {}
            for step in due:
                self.assertTrue((extracts / f"fluid_{step:06d}.vtpd").is_file(), self.files())
                with (extracts / f"monitor_{step:06d}.csv").open() as file:
                    rows[step] = next(csv.DictReader(file))
            self.assertEqual(rows[0]["k_m2"], "nan")
            with self.path("with/convergence.csv").open() as file:
                written = {line["step"]: float(line["k_mD"]) for line in csv.DictReader(file) if line["axis"] == axis}
            for step in due[3], last:
                measured = rows[step]["measured_at_step"]
                self.assertLessEqual(float(measured), step)
                self.assertAlmostEqual(float(rows[step]["k_mD"]) / written[measured], 1, places=4)
        report = results["insitu"]
        self.assertEqual(report["executions"], looks)
        self.assertEqual(report["errors"], [])
        self.assertEqual(report["dropped"], 0)
        self.assertGreater(report["bytes"], 0)

    def test_iterations_are_looked_at_without_changing_a_bit(self):
        solved = ("--solver", "minres", "--tolerance", "1e-4")
        run = self.flow(*solved, "--insitu", self.script(insitu.EXTRACTS), "--insitu-every", "7", "--out", "with")
        self.assertEqual(run.returncode, DONE, run.stderr)
        without = self.flow(*solved, "--out", "without")
        self.assertEqual(without.returncode, DONE, without.stderr)
        results = self.results("with")
        self.assertEqual(results["permeability"], self.results("without")["permeability"])
        last = results["permeability"]["x"]["steps"]
        due = [*range(0, last, 7), last]
        self.assertEqual(results["insitu"]["executions"], len(due))
        with self.path(f"with/insitu/extracts/monitor_{last:06d}.csv").open() as file:
            row = next(csv.DictReader(file))
        self.assertAlmostEqual(float(row["k_lattice"]) / results["permeability"]["x"]["k_lattice"], 1, delta=1e-4)

    def test_the_solver_is_chosen_as_without_scripts(self):
        fluid = self.script(insitu.HEAD + "TrivialProducer(registrationName='fluid')\n")
        # Neither of two scripts keeps the solver away.
        for options, solver, reason in ((["--insitu", fluid, "--insitu", "permeability-plot"], "minres", "fits"),
                                        (["--insitu", "tiles:--width 100"], "steps", "tiles")):
            run = self.flow("--solver", "auto", "--no-fields", *options, "--insitu-every", "500", "--out", "out", display=True)
            self.assertEqual(run.returncode, DONE, run.stderr)
            results = self.results()
            self.assertEqual(results["permeability"]["x"]["solver"]["name"], solver, options)
            self.assertIn(reason, results["permeability"]["x"]["solver"]["reason"])
            self.assertGreater(results["insitu"]["executions"], 1)
            self.assertEqual(results["insitu"]["errors"], [])

    def test_looks_may_be_left_out(self):
        # It looks for longer and longer, until it sees that looks are missing; then it is in no one's way any more.
        self.script(insitu.EXTRACTS + ("import time\nlast, pause = 0, 0.05\n"
                                       "steering = CreateSteerableParameters('TesseraSteering')\n"
                                       "def catalyst_execute(info):\n"
                                       "    global last, pause\n"
                                       "    if info.timestep > last + 10: steering.Stop, pause = 1, 0\n"
                                       "    last, pause = info.timestep, 2 * pause\n"
                                       "    time.sleep(pause)\n"))
        self.write("endless.toml", b'''
[geometry]
shape = [8, 8, 8]
[fluid]
viscosity = 0.1
[stop]
steps = 1000000000
[insitu]
script = "script.py"
every = 10
pressure = "drop"
[run]
gpus = 0
''')
        run = self.tessera("run", "endless.toml", "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        report = self.results()["insitu"]
        self.assertGreater(report["dropped"], 0)
        self.assertEqual(report["waited"], 0)

    # Steering.

    def steered(self, *changes, tolerance="1e-3"):
        text = insitu.EXTRACTS + ("steering = CreateSteerableParameters('TesseraSteering')\n"
                           "def catalyst_execute(info):\n"
                           "    if info.timestep >= 50:\n")
        text += "".join(f"        steering.{change}\n" for change in changes)
        run = self.flow("--insitu", self.script(text), "--insitu-every", "50", "--max-steps", "3000",
                        "--tolerance", tolerance, "--out", "out")
        return run, self.results()

    def test_a_script_may_stop_the_run(self):
        run, results = self.steered("Stop = 1", tolerance="1e-12")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(results["permeability"]["x"]["stop_reason"], "stopped by a script")
        self.assertEqual(results["insitu"]["errors"], [])

    def test_a_script_may_change_the_tolerance_the_force_and_the_interval(self):
        """To the tolerance that was asked for it would not come within the limit of steps. The permeability does not depend
        on the force."""
        run, results = self.steered("Tolerance = 1e-3", "BodyForceFactor = 3", "Interval = 500", tolerance="1e-12")
        self.assertEqual(run.returncode, DONE, run.stderr)
        strict = self.flow("--max-steps", "3000", "--tolerance", "1e-12", "--out", "strict")
        self.assertEqual(strict.returncode, NOT_CONVERGED, strict.stderr)
        self.flow("--out", "plain")
        steered, plain = results["permeability"]["x"], self.results("plain")["permeability"]["x"]
        self.assertLess(steered["steps"], self.results("strict")["permeability"]["x"]["steps"])
        self.assertAlmostEqual(steered["body_force_lattice"] / plain["body_force_lattice"], 3)
        self.assertAlmostEqual(steered["k_lattice"] / plain["k_lattice"], 1, places=2)
        self.assertLess(results["insitu"]["executions"], steered["steps"] // 50)


if __name__ == "__main__":
    insitu.main()
