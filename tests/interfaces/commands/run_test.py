# SPDX-License-Identifier: MIT
"""A case file in, its flow out."""

import csv
import json
import unittest

from command import DONE, NOT_CONVERGED, SOURCE, CommandTest, voxels

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

BALL = """
[geometry]
shape = [14, 14, 14]
periodic = ["x", "y", "z"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = [7, 7, 7]
radius = 4
[fluid]
relaxation-time = 0.9
[model]
precision = "double"
BOUNDARY
[force]
body = [1e-6, 0, -2e-6]
FACTOR
[stop]
steps = 1500
[output]
fields = { final = false }
[[output.force]]
name = "drag"
on = "ball"
every = 500
[run]
gpus = 0
"""


# Nothing but fluid and its own force.
FREE = """
[geometry]
shape = [4, 4, 4]
periodic = ["x", "y", "z"]
[fluid]
viscosity = 0.1
[model]
precision = "double"
[force]
body = [1e-6, 0, -2e-6]
[stop]
steps = 10
[run]
gpus = 0
"""


# Poiseuille's flow over N voxels, U in its middle, beside a plate of N/4 voxels.
PLATES = """
[constants]
N = 16
U = 0.02
nu = 0.1
[geometry]
shape = [4, "5*N/4", 1]
periodic = ["x"]
[[geometry.solid]]
shape = "box"
lower = [0, "N", 0]
upper = [4, "5*N/4", 1]
[fluid]
viscosity = "nu"
[model]
precision = "double"
[force]
body = ["8*nu*U/N^2", 0, 0]
[stop]
steps = 100000
steady = { tolerance = 1e-9, every = 500 }
[output]
fields = { final = false }
[run]
gpus = 0
"""

# The same flow between an inlet and an outlet, L voxels apart.
CHANNEL = """
[constants]
N = 16
L = 32
U = 0.02
nu = 0.1
[geometry]
shape = ["L + 1", "N", 1]
[fluid]
viscosity = "nu"
[model]
precision = "double"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["4*U*y*(N - y)/N^2", 0, 0]
[[boundary]]
on = "x+"
OUTLET
[stop]
steps = 100000
steady = { tolerance = 1e-6, every = 500 }
[output]
fields = { final = false }
[run]
gpus = 0
"""


def parabola(n, largest):
    """Speeds in the centres of n voxels."""
    return [4 * largest * (i + 0.5) * (n - i - 0.5) / n**2 for i in range(n)]


class RunTest(CommandTest):
    def case(self, text, *replaced):
        for old, new in replaced:
            text = text.replace(old, new)
        return self.write("case.toml", text.encode())

    def results(self, case, *arguments, status=DONE):
        run = self.tessera("run", case, "--out", "out", "--quiet", *arguments)
        self.assertEqual(run.returncode, status, run.stderr)
        return super().results()

    def rows(self, name):
        with open(self.path(f"out/{name}.csv"), encoding="utf-8", newline="") as file:
            return [{key: float(value) for key, value in row.items() if value}
                    for row in csv.DictReader(file)]


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


class Ball(RunTest):
    def check_balance(self, *replaced, text=BALL):
        replaced = [*replaced, ("BOUNDARY", ""), ("FACTOR", "")]
        results = self.results(self.case(text, *replaced))
        force = results["forces"]["drag"]["force_lattice"]
        nodes = results["performance"]["fluid_nodes"]
        self.assertAlmostEqual(force[0] / (1e-6 * nodes), 1, delta=2e-3)
        self.assertAlmostEqual(force[1] / (1e-6 * nodes), 0, delta=2e-3)
        self.assertAlmostEqual(force[2] / (-2e-6 * nodes), 1, delta=2e-3)
        self.assertEqual([row["step"] for row in self.rows("drag")], [500, 1000, 1500])

    def test_its_drag_balances_the_body_force(self):
        self.check_balance()

    def test_so_it_does_where_its_surface_is(self):
        self.check_balance(("BOUNDARY", '[[boundary]]\non = "ball"\ntype = "interpolated-wall"'))

    def test_so_does_that_on_a_label_of_an_image(self):
        block = voxels((14, 14, 14), lambda *at: all(4 <= a < 9 for a in at), solid=7)
        self.write("ball.raw", block)
        text = BALL.replace("[geometry]", '[geometry]\nimage = "ball.raw"')
        solid = text[text.index("[[geometry.solid]]"):text.index("[fluid]")]
        text = text.replace(solid, "").replace('on = "ball"', "label = 7")
        boundary = '[[boundary]]\nlabel = 7\ntype = "wall"'
        self.check_balance(("BOUNDARY", boundary), text=text)

    def test_so_does_that_on_two_that_share_a_label(self):
        other = ('[[geometry.solid]]\nshape = "sphere"\nlabel = "ball"\ncenter = [1, 0, 13]\n'
                 'radius = 2.5\n[fluid]')
        for wall in ("wall", "interpolated-wall"):
            with self.subTest(wall):
                boundary = f'[[boundary]]\non = "ball"\ntype = "{wall}"'
                self.check_balance(("[fluid]", other), ("BOUNDARY", boundary))

    def test_the_frequency_of_a_force_is_found(self):
        strouhal = ('[[output.strouhal]]\nname = "beat"\nof = "drag"\nsignal = "x"\nfrom = 500\n'
                    'length = 1\nspeed = 0.01\n[run]')
        results = self.results(self.case(
            BALL, ("BOUNDARY", ""), ("FACTOR", 'factor = "cos(2*pi*t/100)"'),
            ("steps = 1500", "steps = 3000"), ("every = 500", "every = 5"), ("[run]", strouhal)))
        self.assertAlmostEqual(results["strouhal"]["beat"], 1, delta=1e-3)

    def test_a_factor_multiplies_the_force(self):
        self.check_balance(("1e-6", "5e-7"), ("-2e-6", "-1e-6"),
                           ("FACTOR", 'factor = "t < 1 ? 1 : 2"'))


class Figures(RunTest):
    """Of the last state."""

    def assert_near(self, value, exact, bar):
        self.assertAlmostEqual(value / exact, 1, delta=bar)

    def test_of_a_flow_between_plates_are_exact(self):
        results = self.results(self.case(PLATES))
        figures, speeds = results["final"], parabola(16, 0.02)
        self.assert_near(figures["mean_velocity"][0], sum(speeds) / 16, 1e-6)
        self.assert_near(figures["superficial_velocity"][0], sum(speeds) / 20, 1e-6)
        self.assertAlmostEqual(figures["mean_velocity"][1], 0, delta=1e-9)
        self.assertEqual(figures["mean_velocity"][2], 0)
        self.assert_near(figures["largest_speed"], max(speeds), 1e-6)
        self.assert_near(figures["mean_density"], 1, 1e-9)
        self.assert_near(figures["mass"], results["performance"]["fluid_nodes"], 1e-9)
        self.assertEqual(figures["faces"], {})
        self.assertIsNone(results["final_si"])

    def test_free_fluid_falls_from_rest(self):
        for factor, way in ("", 10), ("factor = 't'", 50):  # t^2 / 2
            case = self.case(FREE.replace("[stop]", factor + "\n[stop]"))
            velocity = self.results(case)["final"]["mean_velocity"]
            for u, g in zip(velocity, (1e-6, 0, -2e-6)):
                self.assertAlmostEqual(u, way * g, delta=1e-11, msg=factor)

    def test_of_faces_are_what_flows_in_and_out(self):
        inflow = sum(parabola(16, 0.02))
        for outlet, bar in (('type = "pressure"\ndensity = 1', 1e-4),
                            ('type = "outflow"', 0.01)):
            with self.subTest(outlet):
                figures = self.results(self.case(CHANNEL, ("OUTLET", outlet)))["final"]
                faces = figures["faces"]
                self.assertEqual(list(faces), ["x-", "x+"])
                # From the first layer to the second, where the density is a little less.
                self.assert_near(faces["x-"]["volume_rate"], inflow, 2e-4)
                self.assert_near(faces["x+"]["mass_rate"], -faces["x-"]["mass_rate"], bar)
                # The density falls by 0.6 %.
                self.assert_near(faces["x+"]["volume_rate"], -inflow, 0.01)
                drop = faces["x-"]["mean_pressure"] - faces["x+"]["mean_pressure"]
                exact = 8 * 0.1 * 0.02 * 32 / 16**2 * figures["mean_density"]
                self.assert_near(drop, exact, 0.01)

    def test_of_a_duct_between_pressures_are_those_of_the_literature(self):
        case = SOURCE / "examples/cases/duct/case.toml"
        sizes = [word for name in "ABL" for word in ("--set", f"{name}=16")]
        results = self.results(case, *sizes, "--set", "run.gpus=0")
        # White, Viscous Fluid Flow (2006), eq. 3-48, of a square: 0.035144 a^4 dp / (rho nu L).
        exact = 0.0351443 * 16**4 * 0.02 / (0.0736713532815 * 16**2)
        faces = results["final"]["faces"]
        self.assert_near(faces["x-"]["volume_rate"], exact, 0.01)
        self.assert_near(faces["x+"]["volume_rate"], -exact, 0.01)
        self.assert_near(faces["x+"]["mass_rate"], -faces["x-"]["mass_rate"], 2e-3)
        self.assert_near(results["final"]["largest_speed"], 0.02, 0.02)

    def test_are_in_si_too_where_the_case_is(self):
        units = ("--set", "units.voxel-size=2 mm", "--set", "units.time-step=1 ms", "--set",
                 "units.density=500 kg/m3", "--set", "stop.steps=50")
        case = self.case(CHANNEL.replace("U*y*(N - y)/N^2", "U*2*y/dx*(N - y/dx)/N^2"),
                         ("OUTLET", 'type = "pressure"\ndensity = "500 kg/m3"'),
                         ('"L + 1", "N"', "33, 16"), ('viscosity = "nu"', "viscosity = 0.1"))
        results = self.results(case, *units, status=NOT_CONVERGED)
        lattice, si = results["final"], results["final_si"]
        self.assert_near(si["mean_velocity"][0], 2 * lattice["mean_velocity"][0], 1e-12)
        self.assert_near(si["largest_speed"], 2 * lattice["largest_speed"], 1e-12)
        self.assert_near(si["mass"], 500 * 8e-9 * lattice["mass"], 1e-12)
        self.assert_near(si["mean_density"], 500 * lattice["mean_density"], 1e-12)
        inlet, inlet_si = lattice["faces"]["x-"], si["faces"]["x-"]
        self.assert_near(inlet_si["volume_rate"], 2 * 4e-6 * inlet["volume_rate"], 1e-12)
        self.assert_near(inlet_si["mass_rate"], 500 * 2 * 4e-6 * inlet["mass_rate"], 1e-12)
        self.assert_near(inlet_si["mean_pressure"], 500 * 4 * inlet["mean_pressure"], 1e-12)

    def test_are_printed(self):
        outlet = ("OUTLET", 'type = "outflow"')
        run = self.tessera("run", self.case(CHANNEL, outlet), "--set", "stop.steps=50", "--out",
                           "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertRegex(run.stdout, r"(?m)^mean velocity \(.*\), largest speed .* lattice units$")
        self.assertRegex(run.stdout, r"(?m)^x-: flow rate 0\.213\d* in, mean pressure ")


if __name__ == "__main__":
    unittest.main()
