# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst see the flow as it is, and may steer it.
Exits with 77 where there is no ParaView."""

import csv
import pathlib
import subprocess

import insitu
from command import DONE, NOT_CONVERGED

READ_BACK = pathlib.Path(__file__).resolve().parent / "insitu_extracts.py"


class InSitu(insitu.InSituTest):
    # What scripts see.

    def test_extracts_are_what_is_written_and_nothing_else_changes(self):
        """Two scripts, one of them with arguments; the same flow without them, bit by bit."""
        monitor = self.script(insitu.HEAD + "TrivialProducer(registrationName='monitor')\n"
                              "open('arguments.txt', 'w').write(' '.join(catalyst.get_args()))\n",
                              "monitor.py")
        run = self.flow("--insitu", self.script(insitu.EXTRACTS), "--insitu",
                        monitor + ":--colour speed", "--insitu-every", "37", "--tiles", "3",
                        "--out", "with")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.path("arguments.txt").read_text(encoding="utf-8"), "--colour speed")
        without = self.flow("--tiles", "3", "--out", "without")
        self.assertEqual(without.returncode, DONE, without.stderr)
        results = self.results("with")
        self.assertEqual(results["permeability"], self.results("without")["permeability"])
        self.assertEqual(self.path("with/convergence.csv").read_bytes(),
                         self.path("without/convergence.csv").read_bytes())

        extracts, last = self.path("with/insitu/extracts"), results["permeability"]["x"]["steps"]
        end = f"{last:06d}"
        seen = subprocess.run(
            ["pvpython", READ_BACK, "without/fields.vtkhdf",
             extracts / f"fluid_{end}/fluid_{end}_0.vti", extracts / f"walls_{end}/walls_{end}_0.vtp",
             extracts / f"tiles_{end}/tiles_{end}_0.vtu", "1e-3"],
            cwd=self.folder, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8", check=False)
        self.assertTrue(seen.stdout.endswith("ok\n"), seen.stdout)
        due = [*range(0, last, 37), last]
        rows = {}
        for step in due:
            with (extracts / f"monitor_{step:06d}.csv").open() as file:
                rows[step] = next(csv.DictReader(file))
        self.assertEqual(rows[0]["k_m2"], "nan")
        with self.path("with/convergence.csv").open() as file:
            written = {line["step"]: float(line["k_mD"]) for line in csv.DictReader(file)}
        for step in due[3], last:
            measured = rows[step]["measured_at_step"]
            self.assertLessEqual(float(measured), step)
            self.assertAlmostEqual(float(rows[step]["k_mD"]) / written[measured], 1, places=4)
        report = results["insitu"]
        self.assertEqual(report["executions"], len(due))
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
        for options, solver, reason in ((["--insitu", fluid], "minres", "fits"), (["--insitu", "tiles"], "steps", "tiles"),
                                        (["--insitu", "permeability-plot"], "minres", "fits")):
            run = self.flow("--solver", "auto", "--no-fields", *options, "--out", "out", display=True)
            self.assertEqual(run.returncode, DONE, run.stderr)
            results = self.results()
            self.assertEqual(results["permeability"]["x"]["solver"]["name"], solver, options)
            self.assertIn(reason, results["permeability"]["x"]["solver"]["reason"])
            self.assertGreater(results["insitu"]["executions"], 1)
            self.assertEqual(results["insitu"]["errors"], [])

    def test_each_axis_has_its_own_series(self):
        run = self.flow("--insitu", self.script(insitu.EXTRACTS), "--insitu-every", "100", "--axis", "all",
                        "--max-steps", "100", "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        for axis in "xyz":
            for step in 0, 100:
                self.assertTrue(self.path(f"out/insitu/{axis}/extracts/fluid_{step:06d}.vtpd").is_file(),
                                self.files())

    def test_looks_may_be_left_out(self):
        # It looks for longer and longer, until it sees that looks are missing.
        self.script(insitu.EXTRACTS + ("import time\nlast, pause = 0, 0.05\n"
                                       "steering = CreateSteerableParameters('TesseraSteering')\n"
                                       "def catalyst_execute(info):\n"
                                       "    global last, pause\n"
                                       "    if info.timestep > last + 10: steering.Stop = 1\n"
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

    def test_a_script_may_change_the_tolerance(self):
        run, results = self.steered("Tolerance = 0.2")
        self.assertEqual(run.returncode, DONE, run.stderr)
        strict = self.flow("--out", "strict")
        self.assertEqual(strict.returncode, DONE, strict.stderr)
        self.assertLess(results["permeability"]["x"]["steps"],
                        self.results("strict")["permeability"]["x"]["steps"])

    def test_a_script_may_change_the_force_and_the_interval(self):
        """The permeability does not depend on the force."""
        run, results = self.steered("BodyForceFactor = 3", "Interval = 500")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.flow("--out", "plain")
        steered, plain = results["permeability"]["x"], self.results("plain")["permeability"]["x"]
        self.assertAlmostEqual(steered["body_force_lattice"] / plain["body_force_lattice"], 3)
        self.assertAlmostEqual(steered["k_lattice"] / plain["k_lattice"], 1, places=2)
        self.assertLess(results["insitu"]["executions"], steered["steps"] // 50)


if __name__ == "__main__":
    insitu.main()
