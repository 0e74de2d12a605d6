# SPDX-License-Identifier: MIT
"""A case file in, its flow out."""

import json
import unittest

from cases import FREE, RunTest
from command import DONE, NOT_CONVERGED, SOURCE

# Ghia, Ghia, Shin, J. Comput. Phys. 48 (1982) 387, table 1, Re = 100: y, and u over that of the lid.
GHIA = [(0.0547, -0.03717), (0.1719, -0.10150), (0.2813, -0.15662), (0.4531, -0.21090),
        (0.5, -0.20581), (0.6172, -0.13641), (0.7344, 0.00332), (0.8516, 0.23151),
        (0.9531, 0.68717)]

CAVITY = """
title = "Lid-driven cavity"
[constants]
N = 40
U = 0.08
[geometry]
shape = ["N", "N", 1]
[fluid]
reynolds = 100
length = "N"
speed = "U"
[[boundary]]
on = "y+"
type = "moving-wall"
velocity = ["U", 0, 0]
[stop]
steps = STEPS
steady = { tolerance = 1e-5, every = 500 }
[output]
fields = { at = [100] }
[output.averages]
from = 200
every = 100
quantities = ["velocity", "density", "reynolds-stresses"]
[[output.probe]]
name = "middle"
at = ["N/2", "N/2", 0.5]
every = 500
[[output.line]]
name = "vertical"
from = ["N/2", 0, 0.5]
to = ["N/2", "N", 0.5]
points = 401
[[output.force]]
name = "lid"
on = "y+"
every = 100
speed = "U"
length = "N"
[run]
gpus = 0
"""


class Asking(RunTest):
    def test_check_says_what_has_been_understood_and_writes_nothing(self):
        case = self.case(CAVITY, ("STEPS", "100"))
        run = self.tessera("run", case, "--check", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("Lid-driven cavity", run.stdout)
        self.assertIn("Reynolds number 100", run.stdout)
        self.assertEqual(self.files(), ["case.toml"])

    def test_check_shows_the_values_that_are_set(self):
        case = self.case(CAVITY, ("STEPS", "100"))
        before = self.path("case.toml").read_bytes()
        run = self.tessera("run", "--set", "N=2*25", "--set", "fluid.reynolds=50", case, "--check")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("constants   N = 50, U = 0.08\n", run.stdout)
        self.assertIn("set         fluid.reynolds=50\n", run.stdout)
        self.assertIn("box         50 x 50 x 1 voxels", run.stdout)
        self.assertIn("Reynolds number 50", run.stdout)
        self.assertEqual(self.path("case.toml").read_bytes(), before)

    def test_values_of_nothing_are_refused(self):
        case = self.case(CAVITY, ("STEPS", "100"))
        self.assert_refused("run", case, "--out", "out", "--set", "Re=100",
                            says="--set Re=100: no constant of case.toml is called 'Re': expected "
                                 "one of N, U, or")
        self.assert_refused("run", case, "--out", "out", "--set", "model.colision=trt",
                            says="did you mean 'collision'?")
        self.assert_refused("run", case, "--out", "out", "--set", "N",
                            says="--set N: expected NAME=VALUE")

    def test_the_schema_is_json(self):
        run = self.tessera("run", "--schema")
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))
        self.assertIn("boundary", json.loads(run.stdout)["properties"])

    def test_what_is_wrong_is_refused(self):
        self.assert_refused("run", self.case(CAVITY, ("STEPS", "100"), ("length =", "lenght =")),
                            "--out", "out", says="did you mean 'length'")
        self.assert_refused("run", "missing.toml", "--out", "out", says="missing.toml")
        self.assert_refused("run", self.case(CAVITY, ("STEPS", "100")), says="--out")
        self.assert_refused("run", "--out", "out", says="CASE.toml")

    def test_a_model_that_is_not_there_is_refused_with_its_line_and_what_there_is(self):
        model = '[model]\nlattice = "D2Q9"\nequilibrium = "product"\n[stop]'
        case = self.case(CAVITY, ("STEPS", "100"), ("[stop]", model))
        line = self.path(case).read_text(encoding="utf-8").split("equilibrium")[0].count("\n") + 1
        says = (f'{case}:{line}: equilibrium = "product" does not go with trt on D2Q9: '
                "expected stokes or navier-stokes")
        self.assert_refused("run", case, "--out", "out", says=says)
        self.assert_refused("run", case, "--check", says=says)


class Cavity(RunTest):
    def test_it_flows_as_in_the_literature(self):
        results = self.results(self.case(CAVITY, ("STEPS", "100000")))
        self.assertTrue(results["stop"]["steady"])
        self.assertLess(results["stop"]["change"], 1e-5)
        line = self.rows("vertical")
        for y, u in GHIA:
            at = min(line, key=lambda row, y=y: abs(row["y"] - 40 * y))
            self.assertAlmostEqual(at["ux"] / 0.08, u, delta=0.02, msg=f"at y = {y}")
        # What the lid drags along it does not give back.
        lid = self.rows("lid")
        self.assertEqual([row["step"] for row in lid[:3]], [100, 200, 300])
        self.assertLess(lid[-1]["cx"], 0)
        self.assertAlmostEqual(results["forces"]["lid"]["coefficients"][0] / lid[-1]["cx"], 1,
                               delta=1e-6)
        middle = self.rows("middle")
        self.assertEqual([row["step"] for row in middle[:3]], [0, 500, 1000])
        self.assertEqual(middle[0]["ux"], 0)
        self.assertAlmostEqual(middle[-1]["ux"] / 0.08, -0.20581, delta=0.02)
        self.assertEqual([name for name in self.files() if "fields" in name],
                         ["out/fields-100.vtkhdf", "out/fields.vtkhdf"])
        self.assertTrue(self.path("out/averages.vtkhdf").is_file())

    def test_water_that_has_come_to_rest_is_steady(self):
        """Under its weight, where rounding moves it a little, and after a flow that dies down."""
        weight = '[force]\nbody = [0, 0, -1e-5]\n'
        stirred = '[initial]\nvelocity = ["0.01*sin(2*pi*y/ny)", 0, 0]\n'
        for moved, precision in (weight, "single"), (weight, "double"), (stirred, "single"):
            self.write("rest.toml", ('[geometry]\nshape = [4, 6, 5]\n[fluid]\nviscosity = 0.4\n' + moved +
                                     f'[model]\nprecision = "{precision}"\n[stop]\nsteps = 20000\n'
                                     'steady = { tolerance = 1e-6, every = 100 }\n[run]\ngpus = 0\n').encode())
            stop = self.results("rest.toml")["stop"]
            self.assertTrue(stop["steady"])
            self.assertLess(stop["change"], 1e-6)
            self.assertLess(stop["steps"], 5000)

    def test_a_flow_that_is_not_steady_yet_says_so(self):
        results = self.results(self.case(CAVITY, ("STEPS", "700")), status=NOT_CONVERGED)
        self.assertFalse(results["stop"]["steady"])
        self.assertEqual(results["stop"]["steps"], 700)
        self.assertEqual(self.rows("lid")[-1]["step"], 700)

    def test_values_that_are_set_are_as_good_as_the_files(self):
        of_file = self.results(self.case(CAVITY, ("STEPS", "700"), ("N = 40", "N = 24"),
                                         ("reynolds = 100", "reynolds = 50")),
                               status=NOT_CONVERGED)
        line = self.rows("vertical")
        self.assertEqual(of_file["constants"], {"N": 24, "U": 0.08})
        self.assertEqual(of_file["case"]["set"], [])
        sets = ["N=3 * 8", "fluid.reynolds=50", "stop.steps=700"]
        case = self.case(CAVITY, ("STEPS", "1"))
        results = self.results(case, *(word for text in sets for word in ("--set", text)),
                               status=NOT_CONVERGED)
        self.assertEqual(results["case"]["set"], sets)
        for key in ("constants", "shape", "flow", "stop", "forces"):
            self.assertEqual(results[key], of_file[key], key)
        self.assertEqual(self.rows("vertical"), line)

    def test_two_runs_and_other_tiles_give_the_same(self):
        first = self.results(self.case(CAVITY, ("STEPS", "700")), status=NOT_CONVERGED)
        cut = ("gpus = 0", "gpus = 0\ntiles = 4")
        second = self.results(self.case(CAVITY, ("STEPS", "700"), cut), status=NOT_CONVERGED)
        self.assertEqual(first["stop"], second["stop"])
        self.assertEqual(first["forces"], second["forces"])


class Machine(RunTest):
    """Options say what the section [run] says, and count where both do."""

    def test_options_stand_above_the_file(self):
        of_file = self.results(self.case(FREE), "--cores", "1")
        found = self.results(self.case(FREE, ("gpus = 0", "gpus = 0\ntiles = 2\nbalance = \"free\"")), "--cores", "1",
                             "--tiles", "3", "--balance", "static", "--steps-per-sweep", "1", "--scheduler", "eager")
        self.assertEqual(found["performance"]["tiles"], 1)  # there is one block
        self.assertEqual(found["performance"]["balance"]["policy"], "static")
        self.assertEqual(len(found["performance"]["workers"]), 1)
        self.assertEqual(found["final"], of_file["final"])

    def test_what_is_wrong_is_refused_by_the_name_of_the_option(self):
        case = self.case(FREE)
        for words, says in ((("--tiles", "0"), "--tiles 0: expected 1 or more"),
                            (("--balance", "fair"), "--balance fair: expected static, dynamic or free"),
                            (("--cores", "many"), "--cores many: expected a number of cores"),
                            (("--steps-per-sweep", "0"), "--steps-per-sweep 0: expected 1 or more"),
                            (("--gpus", "99"), "--gpus 99: expected at most")):
            self.assert_refused("run", case, "--out", "out", *words, says=says)

    def test_a_gas_takes_no_sweeps(self):
        case = SOURCE / "examples" / "spectral" / "vortex" / "case.toml"
        self.assert_refused("run", case, "--out", "out", "--steps-per-sweep", "2",
                            says="--steps-per-sweep: expected a case of a lattice")


if __name__ == "__main__":
    unittest.main()
