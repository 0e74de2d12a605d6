# SPDX-License-Identifier: MIT
"""Numbers that a run finds of its flow: forces on solids, and figures of the last state."""

import unittest

from cases import FREE, RunTest
from command import NOT_CONVERGED, SOURCE, voxels

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
