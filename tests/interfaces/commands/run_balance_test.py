# SPDX-License-Identifier: MIT
"""What a run says of the mass of a flow is so: what goes in and out, and what walls make or take."""

import sys
import unittest

try:
    import h5py
    import numpy
except ImportError as error:
    print(error)
    sys.exit(77)

from cases import RunCase
from command import NOT_CONVERGED, voxels

END = """
[stop]
steps = 40000
steady = { tolerance = 1e-8, every = 500 }
[output]
fields = { final = false }
[run]
gpus = 0
"""

INLET = """
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["VELOCITY", 0, 0]
"""

# Half of the inlet is a step.
STEP = """
[geometry]
shape = [60, 20, 1]
[[geometry.solid]]
shape = "box"
lower = [0, 0, 0]
upper = [15, 10, 1]
[fluid]
viscosity = 0.02
[model]
precision = "double"
""" + INLET.replace("VELOCITY", "y < 10 ? 0 : 0.05*4*(y - 10)*(20 - y)/10^2") + """
[[boundary]]
on = "x+"
OUTLET
""" + END

PRESSURES = ['type = "pressure"\ndensity = 1',
             'type = "pressure"\ndensity = 1\nscheme = "anti-bounce-back"']
OUTLETS = [*PRESSURES, 'type = "pressure"\ndensity = 1\nscheme = "zou-he"', 'type = "outflow"',
           'type = "outflow"\nscheme = "extrapolate"']

# One way in, two ways out, which meet at an edge of the box; the floor slips.
JUNCTION = """
[geometry]
shape = [24, 20, 6]
periodic = ["z"]
[[geometry.solid]]
shape = "box"
lower = [0, 8, 0]
upper = [9, 20, 6]
[[geometry.solid]]
shape = "sphere"
center = [15, 4, 3]
radius = 2.2
[fluid]
viscosity = 0.05
[model]
precision = "double"
""" + INLET.replace("VELOCITY", "0.03") + """
[[boundary]]
on = "x+"
type = "pressure"
density = 1
[[boundary]]
on = "y+"
type = "pressure"
density = 0.999
[[boundary]]
on = "y-"
type = "slip"
""" + END

ROCK = """
[geometry]
image = "rock.raw"
shape = [20, 14, 12]
[fluid]
viscosity = 0.1
[model]
precision = "double"
EQUILIBRIUM
[[boundary]]
on = "x-"
type = "pressure"
scheme = "anti-bounce-back"
density = 1.01
[[boundary]]
on = "x+"
type = "pressure"
scheme = "anti-bounce-back"
density = 0.99
""" + END

# It goes along with its walls.
ALONG = """
[geometry]
shape = SHAPE
SOLID
[fluid]
viscosity = 0.1
[model]
precision = "double"
equilibrium = "stokes"
""" + INLET + """
[[boundary]]
on = "x+"
type = "pressure"
density = 1
WALLS
[initial]
velocity = ["VELOCITY", 0, 0]
""" + END
MOVED = 'velocity = ["0.02", 0, 0]\n'
SIDES = '[[boundary]]\non = ["y-", "y+"]\n' + MOVED

# Between a cylinder that turns and one that rests.
TURNING = """
[geometry]
shape = [28, 28, 1]
[[geometry.solid]]
shape = "cylinder"
label = "outer"
axis = "z"
center = [14, 14, 0]
radius = 12.4
outside = true
[[geometry.solid]]
shape = "cylinder"
label = "inner"
axis = "z"
center = [13.7, 14.2, 0]
radius = 5.3
[fluid]
viscosity = 0.05
[model]
lattice = "D2Q9"
precision = "double"
[[boundary]]
on = "inner"
type = "interpolated-wall"
velocity = ["-0.006*(y - 14.2)", "0.006*(x - 13.7)", 0]
[[boundary]]
on = "outer"
type = "interpolated-wall"
[stop]
steps = 6000
[output]
[run]
gpus = 0
"""
LID = """
[geometry]
shape = [12, 12, 1]
[fluid]
viscosity = 0.05
[model]
lattice = "D2Q9"
[[boundary]]
on = "y+"
type = "KIND"
velocity = ["SPEED", 0, 0]
[stop]
steps = 8000
[output]
fields = { final = false }
[run]
gpus = 0
"""


class Balance(RunCase):
    """Mass rates of a steady flow add up to nothing."""

    def assert_balanced(self, results, bar):
        rates = [face["mass_rate"] for face in results["final"]["faces"].values()]
        self.assertTrue(results["stop"]["steady"])
        self.assertGreater(max(rates), 0)
        self.assertLess(abs(sum(rates)) / max(rates), bar, rates)

    def test_behind_a_step(self):
        for outlet in PRESSURES:
            with self.subTest(outlet):
                results = self.run_case(STEP, ("OUTLET", outlet), ("1e-8", "1e-7"))
                # What the inlet's formula says, on its ten nodes.
                inflow = sum(0.2 * (i + 0.5) * (9.5 - i) / 100 for i in range(10))
                inlet = results["final"]["faces"]["x-"]
                self.assertAlmostEqual(inlet["volume_rate"] / inflow, 1, delta=0.02)
                self.assert_balanced(results, 1e-7)

    def test_in_a_junction(self):
        results = self.run_case(JUNCTION, ("1e-8", "1e-6"))
        self.assertLess(results["final"]["faces"]["x+"]["mass_rate"], 0)
        self.assertLess(results["final"]["faces"]["y+"]["mass_rate"], 0)
        self.assert_balanced(results, 1e-7)

    def mass_inside(self):
        """Of the voxels behind none of the junction's openings."""
        with h5py.File(self.path("out/fields.vtkhdf")) as file:
            data = file["VTKHDF/PointData"]
            fluid = numpy.array(data["solid"]) == 0
            density = numpy.where(fluid, numpy.array(data["density"], dtype=float) - 1, 0)
        self.assertEqual(density.shape, (6, 20, 24))
        return density[:, :19, 1:23].sum()

    def test_is_what_the_fluid_gains_while_it_sets_off(self):
        for outlet in OUTLETS:
            with self.subTest(outlet):
                masses = []
                for steps in (61, 60):
                    results = self.run_case(
                        JUNCTION, ('type = "pressure"\ndensity = 1\n', outlet + "\n"),
                        ("40000", str(steps)), ("final = false", "final = true"),
                        status=NOT_CONVERGED)
                    masses.append(self.mass_inside())
                rates = [face["mass_rate"] for face in results["final"]["faces"].values()]
                # Densities are written in single precision.
                self.assertGreater(abs(sum(rates)), 0.01)
                self.assertAlmostEqual(masses[0] - masses[1], sum(rates), delta=5e-6)

    def test_in_rock(self):
        grains = ((3, 2, 3), (4, 11, 4), (9, 6, 8), (10, 0, 1), (15, 11, 10), (16, 3, 4), (18, 9, 1))
        self.write("rock.raw", voxels((20, 14, 12), lambda x, y, z: any(
            (x - a)**2 + (y - b)**2 + (z - c)**2 < 20 for a, b, c in grains)))
        for equilibrium in ("stokes", "navier-stokes"):
            with self.subTest(equilibrium):
                results = self.run_case(
                    ROCK, ("EQUILIBRIUM", f'equilibrium = "{equilibrium}"'), ("1e-8", "1e-6"))
                self.assert_balanced(results, 1e-7)


class AlongWalls(RunCase):
    """Walls that move along themselves take fluid through the faces."""

    def assert_rates(self, nodes, speed, *replaced):
        faces = self.run_case(ALONG, *replaced)["final"]["faces"]
        for face, sign in (("x-", 1), ("x+", -1)):
            self.assertAlmostEqual(faces[face]["volume_rate"] / (sign * speed * nodes), 1,
                                   delta=1e-6)

    def test_plug_flow_is_that_of_all_nodes(self):
        channel = ("SHAPE", "[16, 10, 1]")
        floor = ('[[geometry.solid]]\nshape = "box"\nlabel = "floor"\nlower = [0, 0, 0]\n'
                 'upper = [16, 1.8, 1]\n')
        tube = ('[[geometry.solid]]\nshape = "cylinder"\nlabel = "tube"\naxis = "x"\n'
                'center = [0, 6.2, 5.9]\nradius = 4.7\noutside = true\n')
        within = sum((y - 5.7)**2 + (z - 5.4)**2 < 4.7**2 for y in range(12) for z in range(12))
        on = '[[boundary]]\non = "{}"\ntype = "{}"\n' + MOVED
        for nodes, *replaced in (
                (10, channel, ("SOLID", ""), ("WALLS", SIDES + 'type = "moving-wall"')),
                # Half of each outer voxel is behind the wall.
                (9, channel, ("SOLID", ""), ("WALLS", SIDES + 'type = "on-node-wall"')),
                (8, channel, ("SOLID", ""),
                 ("WALLS", SIDES + 'type = "on-node-wall"\nscheme = "full-way"')),
                (8, channel, ("SOLID", floor),
                 ("WALLS", on.format("floor", "interpolated-wall") + on.format("y+", "moving-wall"))),
                *((within, ("SHAPE", "[8, 12, 12]"), ("SOLID", tube),
                   ("WALLS", on.format("tube", kind)))
                  for kind in ("moving-wall", "interpolated-wall"))):
            with self.subTest(replaced):
                self.assert_rates(nodes, 0.02, *replaced, ("VELOCITY", "0.02"),
                                  ("every = 500", "every = 100"))

    def test_couette_flow_is_half_of_it(self):
        for kind, lower, upper in (("moving-wall", 0, 10), ("on-node-wall", 0.5, 9.5)):
            with self.subTest(kind):
                self.assert_rates(
                    upper - lower, 0.01, ("SHAPE", "[16, 10, 1]"), ("SOLID", ""),
                    ("VELOCITY", f"0.02*(y - {lower})/{upper - lower}"),
                    ("WALLS", SIDES.replace("0.02", "y < 5 ? 0 : 0.02") + f'type = "{kind}"'))


class Closed(RunCase):
    """Walls make or take mass, and where nothing is open it comes back."""

    def assert_kept(self, given_back, *replaced):
        """`given_back`: over the mass, as much as was made before it came back."""
        results = self.run_case(*replaced)
        final = results["final"]
        self.assertAlmostEqual(final["mean_density"], 1, delta=1e-5)
        self.assertAlmostEqual(final["mass_given_back"] / final["mass"], given_back,
                               delta=0.15 * abs(given_back))
        self.assertEqual(results["warnings"], [])

    def test_between_turning_interpolated_walls(self):
        self.assert_kept(-0.0161, TURNING)
        whole = self.path("out/fields.vtkhdf").read_bytes()
        parts = TURNING.replace("[run]", "[run]\ntiles = 3")
        self.run_case(parts, ("steps = 6000", "steps = 2700"), ("[output]", "[output]\ncheckpoint = { every = 900 }"))
        self.run_case(parts, options=["--resume"])
        self.assertEqual(self.path("out/fields.vtkhdf").read_bytes(), whole)

    def test_below_lids(self):
        for kind, speed, given_back in (("on-node-wall", "0.04", -4.3e-4),
                                        ("moving-wall", "0.04*x/12", -0.3395)):
            with self.subTest(kind):
                self.assert_kept(given_back, LID, ("KIND", kind), ("SPEED", speed))

    def test_what_a_piston_makes_stays(self):
        results = self.run_case(LID, ("KIND", "moving-wall"), ('["SPEED", 0, 0]', "[0, -1e-5, 0]"))
        self.assertEqual(results["final"]["mass_given_back"], 0)
        # Two of its links end in the side walls, which rest: a sixth of a voxel each.
        made = 8000 * 1e-5 * (12 - 2 / 6) / 144
        self.assertAlmostEqual(results["final"]["mean_density"], 1 + made, delta=1e-6)
        self.assertIn("the fluid has gained 0.65 % of its mass", results["warnings"][0])


if __name__ == "__main__":
    unittest.main()
