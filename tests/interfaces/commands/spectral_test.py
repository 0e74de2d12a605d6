# SPDX-License-Identifier: MIT
"""Cases of `method = "spectral"`: known flows, the same bits whatever computes them, pauses, bad input."""

import csv
import json
import os
import shutil
import unittest

from command import BAD_INPUT, DONE, FAILED, SOURCE, CommandTest

VORTEX = SOURCE / "examples" / "spectral" / "vortex" / "case.toml"
WAVY = SOURCE / "examples" / "spectral" / "wavy-vortex" / "case.toml"
MESHES = SOURCE / "tests" / "io" / "meshes" / "msh"

# A wind over a bump, in a mesh of its own degrees, with all kinds of sides.
CHANNEL = """
method = "spectral"
[mesh]
box = [3, 1]
cells = [12, 4]
bend = ["x", "y + 0.1*(1 - y)*exp(-10*(x - 1.5)^2)"]
degree = "2 + (x > 1)"
[initial]
density = 1
velocity = [0.5, 0]
pressure = 0.7142857142857143
[[boundary]]
on = ["y-", "y+"]
type = "slip-wall"
[[boundary]]
on = "x-"
type = "inflow"
density = 1
velocity = [0.5, 0]
pressure = 0.7142857142857143
[[boundary]]
on = "x+"
type = "outflow"
pressure = 0.7142857142857143
[stop]
steps = 60
[output]
records-every = 10
fields = { every = 30 }
checkpoint = { every = 20 }
[[output.probe]]
name = "top"
at = [1.5, 0.15]
every = 20
"""

FREE_STREAM = """
method = "spectral"
[mesh]
file = "MESH"
degree = 2
[initial]
density = 1
velocity = VELOCITY
pressure = 1
BOUNDARIES
[stop]
steps = 20
[output]
records-every = 20
"""


def far_field(sides, velocity):
    return f"[[boundary]]\non = {json.dumps(sides)}\ntype = \"far-field\"\ndensity = 1\n" \
           f"velocity = {velocity}\npressure = 1\n"


class Spectral(CommandTest):
    def run_case(self, case, *options, out="out", status=DONE):
        done = self.tessera("run", case, "--out", out, "--quiet", *options)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(self.path(f"{out}/results.json").read_text()) if status == DONE else done.stderr

    def rows(self, name):
        return list(csv.DictReader(self.path(name).read_text().splitlines()))

    def same(self, *pairs):
        for one, other in pairs:
            with self.subTest(one=one, other=other):
                self.assertEqual(self.path(one).read_bytes(), self.path(other).read_bytes())

    def test_the_vortex_has_the_error_of_another_implementation(self):
        # A prototype in NumPy, 10 x 10 elements, after one turn; degree: steps, L2 error of the density.
        for degree, cells, steps, error in ((2, 10, 240, 5.871567e-3), (4, 5, 200, 2.503218e-3)):
            with self.subTest(degree=degree):
                results = self.run_case(VORTEX, "--set", f"p={degree}", "--set", f"N={cells}", "--set",
                                        f"steps={steps}")
                self.assertAlmostEqual(results["errors"]["density"]["l2"] / error, 1, delta=1e-5)
                self.assertEqual(results["stop"]["steps"], steps)
        rows = self.rows("out/records.csv")
        for total in ("mass", "momentum_x", "energy"):
            self.assertAlmostEqual(float(rows[0][total]) / float(rows[-1][total]), 1, delta=1e-12)

    def test_a_curved_mesh_of_mixed_degrees_has_it_too(self):
        results = self.run_case(WAVY)
        self.assertAlmostEqual(results["errors"]["density"]["l2"] / 7.455624e-4, 1, delta=1e-5)
        self.assertEqual(results["mesh"]["elements_by_degree"], {"3": 50, "4": 50})

    def test_the_end_is_reached_exactly_by_any_rule_of_the_step(self):
        for options in (("time.dt=", "time.cfl=0.9"), ("time.dt=", "time.exact=true"), ("time.dt=0.03",)):
            with self.subTest(options=options):
                results = self.run_case(VORTEX, "--set", "N=10", "--set", "steps=240", "--set", "stop.time=1",
                                        *(word for option in options for word in ("--set", option)))
                self.assertEqual(results["stop"]["time"], 1)
                self.assertEqual(float(self.rows("out/records.csv")[-1]["time"]), 1)
                self.assertEqual(int(self.rows("out/records.csv")[-1]["step"]), results["stop"]["steps"])

    def test_tiles_and_workers_change_no_bit(self):
        case = self.write("case.toml", CHANNEL.encode())
        self.run_case(case, "--set", "run.tiles=1", "--set", "run.cores=1", out="one")
        self.run_case(case, "--set", "run.tiles=5", "--set", "run.cores=2", out="many")
        self.same(*((f"one/{name}", f"many/{name}")
                    for name in ("records.csv", "top.csv", "fields.vtkhdf", "fields-30.vtkhdf")))

    def test_a_run_in_parts_is_the_run_in_one(self):
        case = self.write("case.toml", CHANNEL.encode())
        self.run_case(case, out="whole")
        self.run_case(case, "--set", "stop.steps=40", out="parts")
        results = self.run_case(case, "--resume", "--set", "run.tiles=3", out="parts")
        self.assertEqual(results["stop"]["resumed_after_step"], 40)
        self.same(*((f"whole/{name}", f"parts/{name}") for name in ("top.csv", "fields.vtkhdf")))
        whole, parts = self.rows("whole/records.csv"), self.rows("parts/records.csv")
        self.assertEqual(whole, parts)

    def test_a_run_that_has_ended_goes_on_to_a_later_end(self):
        case = self.write("case.toml", CHANNEL.replace("[12, 4]", "[6, 2]").replace("steps = 60", "time = 0.2").encode())
        cases = (("time.cfl=0.5", ("time.cfl=0.5",), "stop.time=0.4"),  # of which the last step is cut
                 ("time.exact=true", ("time.exact=true",), "stop.time=0.4"),
                 ("time.dt=0.007", ("time.dt=0.007",), "stop.time=0.4"), ("time.dt=0.01", ("time.dt=0.01",), "stop.time=0.4"),
                 ("time.dt=0.01", ("time.dt=0.004",), "stop.time=0.3"), ("time.dt=0.01", (), "stop.time=0.25"),
                 ("time.cfl=0.5", ("time.cfl=0.5",), "stop.time=0.21"))  # within what would be a step
        for before, now, end in cases:
            with self.subTest(before=before, now=now, end=end):
                first = self.run_case(case, "--set", before)["stop"]
                self.assertAlmostEqual(first["time"], 0.2, delta=1e-12)
                options = [word for option in (*now, end) for word in ("--set", option)]
                then = self.run_case(case, "--resume", *options)["stop"]
                self.assertAlmostEqual(then["time"], float(end.split("=")[1]), delta=1e-12)
                self.assertEqual(then["resumed_after_step"], first["steps"])
                again = self.run_case(case, "--resume", *options)["stop"]
                self.assertEqual((again["steps"], again["time"]), (then["steps"], then["time"]))
                self.assertEqual(float(self.rows("out/records.csv")[-1]["time"]), then["time"])
                self.assertEqual(int(self.rows("out/records.csv")[-1]["step"]), then["steps"])
                shutil.rmtree(self.path("out"))
        # No step leads beyond the end, though the earlier run had none in sight.
        self.run_case(case, "--set", "stop.time=", "--set", "stop.steps=10")
        there = float(self.rows("out/records.csv")[-1]["time"])
        then = self.run_case(case, "--resume", "--set", f"stop.time={there + 0.001}")["stop"]
        self.assertAlmostEqual(then["time"], there + 0.001, delta=1e-12)

    def test_a_checkpoint_of_another_flow_is_refused(self):
        case = self.write("case.toml", CHANNEL.encode())
        self.run_case(case, "--set", "stop.steps=20")
        shutil.copy(self.path("out/checkpoint.h5"), self.path("kept.h5"))
        for change, message in (("mesh.degree=3", "of another geometry: expected the mesh of this flow"),
                                ("model.precision=single", "of another flow: precision")):
            with self.subTest(change=change):
                self.assertIn(message, self.run_case(case, "--resume", "--set", change, status=BAD_INPUT))

    def test_a_free_stream_stays_one_in_meshes_of_gmsh(self):
        for name, velocity, sides in (("quad2-msh4-binary", "[0.3, 0.2]", ["floor", "roof"]),
                                      ("quad3-msh4-text", "[0.3, 0.2]", ["floor", "roof"]),
                                      ("hex3-msh4-binary", "[0.3, 0.2, 0.1]", ["sides"])):
            with self.subTest(mesh=name):
                shutil.copy(MESHES / f"{name}.msh", self.folder)
                text = FREE_STREAM.replace("MESH", f"{name}.msh").replace("VELOCITY", velocity)
                case = self.write("case.toml", text.replace("BOUNDARIES", far_field(sides, velocity)).encode())
                results = self.run_case(case)
                extremes = results["final"]
                self.assertAlmostEqual(extremes["least_density"], 1, delta=1e-12)
                self.assertAlmostEqual(extremes["least_pressure"], 1, delta=1e-12)
                self.assertEqual(results["mesh"]["sides"], sides)

    def test_fields_are_cells_of_high_order(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        self.run_case(self.write("case.toml", CHANNEL.encode()))
        with h5py.File(self.path("out/fields.vtkhdf")) as file:
            root = file["VTKHDF"]
            self.assertEqual(root.attrs["Type"], b"UnstructuredGrid")
            self.assertEqual(set(root["Types"]), {70})
            # Maps are of degree 3, and so are the cells of degree 2 on them.
            self.assertEqual(root["NumberOfPoints"][0], 48 * 16)
            self.assertEqual(root["PointData/velocity"].shape, (48 * 16, 3))
            self.assertEqual(sorted(set(root["CellData/degree"])), [2, 3])

    def test_a_flow_that_blows_up_ends_with_a_clear_line(self):
        case = self.write("case.toml", CHANNEL.encode())
        for options in (), ("stop.steps=", "stop.time=100"):
            error = self.run_case(case, "--set", "time.cfl=9",
                                  *(word for option in options for word in ("--set", option)), status=FAILED)
            self.assertEqual(error.count("the flow diverged before step "), 1, error)
            results = json.loads(self.path("out/results.json").read_text())
            self.assertEqual(results["stop"]["reason"], "diverged")
            self.assertIsNone(results["final"])

    def test_bad_input_is_one_line_and_leaves_nothing(self):
        for change, message in (
                ("mesh.degree=2.5", "degree = 2.5: expected a whole number from 0 to 8, or a formula"),
                ("mesh.degree=2 + x", "degree is 2.125 at (0.125, 0.125, 0): expected a whole number from 0 to 8"),
                ("mesh.bend=[\"-x\", \"y\"]", "element"),
                ("initial.density=x - 1", "[initial] at"),
                ("run.gpus=99", "gpus"),
                ("mesh.periodic=[\"x\"]", "[[boundary]] on \"x-\": there is no such side: expected one of y- or y+")):
            with self.subTest(change=change):
                case = self.write("case.toml", CHANNEL.encode())
                error = self.run_case(case, "--set", change, status=BAD_INPUT, out="none")
                self.assertIn(message, error)
                self.assertEqual(error.count("\n"), 1, error)
                self.assertNotIn("none", os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main()
