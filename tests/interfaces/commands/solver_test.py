# SPDX-License-Identifier: MIT
"""permeability --solver: the steady flow found without stepping towards it."""

import csv
import unittest

from command import BAD_INPUT, DONE, NOT_CONVERGED, CommandTest, bent_pores, voxels

# Unless told, flows like these are solved for. On small ones two cores spend more than twice as much on steps as one.
STEPS = ["--solver", "steps", "--gpus", "0", "--cores", "1"]


class Solver(CommandTest):
    def setUp(self):
        super().setUp()
        self.rock = self.spheres("rock.raw", "24,22,20", 4)

    def spheres(self, name, shape, radius):
        made = self.tessera("generate", "spheres", "--size", shape, "--radius", radius, "--porosity", "0.35", "--seed", "3",
                            "--out", name)
        self.assertEqual(made.returncode, DONE, made.stderr)
        return [name, "--shape", shape]

    def permeabilities(self, *options):
        results = self.compute(*options)
        return {axis: results["permeability"][axis] for axis in "xyz" if axis in results["permeability"]}

    def test_it_agrees_with_steps_in_every_set_up(self):
        for set_up in [], ["--periodic"], ["--mirror"]:
            with self.subTest(set_up=set_up):
                flow = [*self.rock, *set_up, "--axis", "y", "--precision", "double", "--no-fields"]
                stepped = self.permeabilities(*flow, *STEPS, "--tolerance", "1e-7")["y"]
                solved = self.permeabilities(*flow, "--tolerance", "1e-7", "--solver", "minres", "--cores", "1")["y"]
                self.assertAlmostEqual(solved["k_lattice"] / stepped["k_lattice"], 1, delta=1e-6)
                loose = self.permeabilities(*flow, "--solver", "minres", "--cores", "1")["y"]
                self.assertLess(abs(loose["k_lattice"] / stepped["k_lattice"] - 1), 1e-3)
                self.assertLess(loose["solver"]["iterations"], 40)

    def test_the_tensor_is_symmetric_and_that_of_steps(self):
        flow = [*self.rock, "--periodic", "--axis", "all", "--precision", "double", "--no-fields"]
        stepped = self.compute(*flow, *STEPS, "--tolerance", "1e-6")["permeability"]["tensor_lattice"]
        solved = self.compute(*flow, "--tolerance", "1e-6", "--solver", "minres")["permeability"]["tensor_lattice"]
        for row in range(3):
            for column in range(3):
                self.assertAlmostEqual(solved[row][column], stepped[row][column], delta=2e-4 * stepped[0][0])
                self.assertAlmostEqual(solved[row][column], solved[column][row], delta=2e-4 * solved[0][0])

    def velocity(self, *options, status=DONE):
        """Over force times permeability's scale, so that the choice of the force does not matter."""
        import h5py  # Debian's
        results = self.compute(*self.rock, "--precision", "double", *options, status=status)
        flow = results["permeability"]["x"]
        viscosity = (flow["relaxation_time"] - 0.5) / 3
        with h5py.File(self.path("out/fields.vtkhdf")) as file:
            return file["VTKHDF/PointData/velocity"][()].astype(float) * viscosity / flow["body_force_lattice"]

    def test_its_fields_are_those_of_steps(self):
        # Of the mean of two: single ones carry an oscillation of odd and even that never ends, 0.4 % here.
        steps = self.velocity(*STEPS, "--tolerance", "1e-12", "--max-steps", "2000", status=NOT_CONVERGED)
        solved = self.velocity("--tolerance", "1e-6", "--solver", "minres")
        self.assertLess(abs(steps - solved).max(), 1e-5 * abs(solved).max())

    def test_both_tell_the_functional_and_the_flow_itself(self):
        for solver in ("steps", "minres"):
            found = self.permeabilities(*self.rock, "--solver", solver, "--cores", "1")["x"]
            self.assertEqual(found["k_lattice"] if solver == "steps" else found["solver"]["k_quadratic"],
                             found["solver"]["k_quadratic"])
            difference = abs(found["solver"]["k_linear"] / found["k_lattice"] - 1)
            self.assertLess(difference, 1e-3, "the fields are there, too")
        self.compute(*self.rock, *STEPS, "--collision", "mrt", "--no-fields")
        self.assertNotIn("k_quadratic", self.results()["permeability"]["x"]["solver"])

    def test_results_say_what_makes_it_believable(self):
        found = self.permeabilities(*self.rock, "--solver", "minres")["x"]
        solver = found["solver"]
        self.assertEqual(solver["name"], "minres")
        self.assertIs(solver["confirmed"], True)
        self.assertLess(abs(solver["k_quadratic"] / found["k_lattice"] - 1), 1e-3)
        self.assertLess(solver["slice_spread"], 0.3)
        self.assertAlmostEqual(found["force_balance"], 1, delta=1e-2)
        self.assertIs(found["converged"], True)
        with open(self.path("out/convergence.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertGreaterEqual(int(rows[-1]["step"]), solver["iterations"] - 2)

    def test_cores_do_not_change_a_bit(self):
        k = [self.permeabilities(*self.rock, "--solver", "minres", "--cores", cores, "--no-fields")["x"]["k_lattice"]
             for cores in "12"]
        self.assertEqual(k[0], k[1])

    def test_auto_says_why_it_takes_which(self):
        flow = [*self.rock, "--no-fields", "--cores", "1"]
        for options, name, why in (([], "minres", "fits the memory"), (["--collision", "bgk"], "steps", "creeping flow by TRT"),
                                   (["--precision", "half"], "steps", "precision"), (["--tiles", "3"], "steps", "--tiles"),
                                   (["--max-steps", "5000"], "steps", "--max-steps"), (["--checkpoint", "60"], "minres", "fits")):
            with self.subTest(options=options):
                solver = self.permeabilities(*flow, *options, "--tolerance", "1e-2")["x"]["solver"]
                self.assertEqual(solver["name"], name)
                self.assertIn(why, solver["reason"])

    def test_what_it_cannot_do_is_refused(self):
        self.assert_refused("permeability", *self.rock, "--solver", "gauss", "--out", "no", says="--solver gauss")
        for options in (["--collision", "mrt"], ["--lattice", "D3Q27"], ["--precision", "half"], ["--relaxation-time", "0.8"],
                        ["--tiles", "2"], ["--equilibrium", "navier-stokes"]):
            with self.subTest(options=options):
                self.assert_refused("permeability", *self.rock, "--solver", "minres", *options, "--out", "no", says="--solver minres")

    def test_check_says_what_it_takes(self):
        text = self.tessera("permeability", *self.rock, "--solver", "minres", "--check").stdout
        self.assertIn("solved for by minres", text)
        self.assertRegex(text, "in 40 iterations")

    def test_it_goes_on_to_the_same_bits(self):
        flow = [*self.rock, "--solver", "minres", "--cores", "1"]
        whole = self.compute(*flow)["permeability"]
        self.path("out").rename(self.path("whole"))
        self.compute(*flow, "--max-steps", "12", "--checkpoint", "60", status=NOT_CONVERGED)
        again = self.compute(*[*self.rock, "--cores", "2"], "--resume")["permeability"]  # by what the checkpoint is of
        self.assertEqual(again, whole)
        settled = self.compute(*self.rock, "--cores", "1", "--resume")["permeability"]  # what is done already
        settled["x"]["solver"]["step_equivalents"] = whole["x"]["solver"]["step_equivalents"]  # it is confirmed again
        self.assertEqual(settled, whole)
        self.assertEqual(self.path("out/convergence.csv").read_bytes(), self.path("whole/convergence.csv").read_bytes())
        import h5py  # Debian's
        with h5py.File(self.path("out/fields.vtkhdf")) as one, h5py.File(self.path("whole/fields.vtkhdf")) as other:
            for name, values in one["VTKHDF/PointData"].items():
                self.assertEqual(values[()].tobytes(), other["VTKHDF/PointData"][name][()].tobytes(), name)
        self.assert_checkpoint_refused("--solver", "steps", says="of another flow: ")
        self.assert_checkpoint_refused("--solver", "minres", "--magic", "0.25", says="of another flow: ")
        # What it cannot compute, behind a checkpoint of its own too.
        for options, why in ((["--collision", "bgk", "--relaxation-time", "3"], "creeping flow by TRT"),
                             (["--relaxation-time", "0.8"], "its relaxation time is 1"),
                             (["--equilibrium", "navier-stokes"], "creeping flow by TRT"), (["--tiles", "2"], "no tiles")):
            self.assert_checkpoint_refused(*options, says=f"--resume: [^\n]* is one of minres, but [^\n]*{why}")

    def assert_checkpoint_refused(self, *options, says):
        run = self.tessera("permeability", *self.rock, *options, "--resume", "--out", "out")
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertRegex(run.stderr, rf"\Atessera: [^\n]*{says}[^\n]*\n\Z")

    def test_what_the_voxels_leave_open_is_said_beside_what_the_solver_does(self):
        flow = [*self.rock, "--periodic", "--no-fields", "--voxel-size", "2um"]
        run = self.tessera("permeability", *flow, "--refine", "2", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertRegex(run.stdout, r"k_x = \S+ mD; voxels: \S+ \.\.\. \S+; solver: \+- \S+ %\n")
        found = self.results()["permeability"]["x"]
        voxels = found["voxels"]
        self.assertLess(voxels["lower_lattice"], found["k_lattice"])
        self.assertGreater(voxels["upper_lattice"], found["k_lattice"])
        unit = found["k_mD"] / found["k_lattice"]
        self.assertAlmostEqual(voxels["lower_mD"] / voxels["lower_lattice"] / unit, 1, delta=1e-9)
        # The literal surface by another way: the image itself, each voxel eight times, in steps.
        import numpy  # Debian's
        shape = [int(n) for n in reversed(self.rock[2].split(","))]
        image = numpy.fromfile(self.path("rock.raw"), numpy.uint8).reshape(shape)
        for axis in range(3):
            image = image.repeat(2, axis)
        self.write("fine.raw", image.tobytes())
        fine = self.permeabilities("fine.raw", "--shape", ",".join(str(n) for n in reversed(image.shape)), "--periodic",
                                   "--no-fields", "--solver", "steps")["x"]
        self.assertAlmostEqual(voxels["staircase_lattice"][0] / (fine["k_lattice"] / 4), 1, delta=2e-3)
        self.assert_refused("permeability", *self.rock, "--refine", "4", "--out", "no", says="--refine 4")
        self.assert_refused("permeability", *self.rock, "--refine", "2", "--collision", "mrt", "--out", "no", says="--refine 2")

    def test_what_the_segmentation_leaves_open_is_k_at_thresholds(self):
        import numpy  # Debian's
        shape = [int(n) for n in reversed(self.rock[2].split(","))]
        solid = numpy.fromfile(self.path("rock.raw"), numpy.uint8).reshape(shape).astype(float)
        grey = sum(numpy.roll(solid, by, axis) for axis in range(3) for by in (-1, 0, 1)) / solid.max()  # 0 to 9
        numpy.save(self.path("grey.npy"), grey.astype(numpy.float32))
        flow = ["grey.npy", "--no-fields", "--axes", "zyx"]
        run = self.tessera("permeability", *flow, "--threshold", "1.5..9.5", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertRegex(run.stdout, r"k_x = \S+ voxels\^2; thresholds 1.5 \.\.\. 9.5: \S+ \.\.\. \S+; solver: \+- \S+ %\n")
        found = self.results()["permeability"]["x"]
        open_by = found["segmentation"]
        self.assertEqual(open_by["thresholds"], [1.5, 3.5, 5.5, 7.5, 9.5])
        for at, porosity, k in zip(open_by["thresholds"], open_by["porosity"], open_by["k_lattice"]):
            if at == 9.5:
                self.assertEqual(porosity, 1)  # all is pore: walls of the box alone
            alone = self.compute(*flow, "--threshold", str(at))
            self.assertEqual(alone["porosity"]["total"], porosity)
            self.assertEqual(alone["permeability"]["x"]["k_lattice"], k)
        self.assertEqual(open_by["lower_lattice"], min(open_by["k_lattice"]))
        self.assertEqual(open_by["upper_lattice"], max(open_by["k_lattice"]))
        self.assertIsNone(open_by["upper_mD"])
        closed = self.compute(*flow, "--threshold", "-1..9")["permeability"]["x"]["segmentation"]
        self.assertEqual((closed["porosity"][0], closed["k_lattice"][0], closed["lower_lattice"]), (0, 0, 0))
        for options, why in ((["--threshold", "3..2"], "the lower of two numbers first"),
                             (["--threshold", "2..3", "--collision", "mrt"], "--threshold with a range"),
                             (["--threshold", "2..x"], "a number after the two dots")):
            self.assert_refused("permeability", *flow, *options, "--out", "no", says=why)
        self.assert_refused("rev", "grey.npy", "--threshold", "2..3", "--edges", "8", "--out", "no", says="threshold '2..3'")

    def test_the_estimate_has_what_rounding_leaves(self):
        """However long it runs."""
        self.tessera("generate", "sphere-array", "--lattice", "sc", "--solid-fraction", "0.216", "--size", "16", "--out",
                     "sc.raw")
        flow = ["sc.raw", "--shape", "16,16,16", "--periodic", "--no-fields"]
        exact = self.permeabilities(*flow, "--precision", "double", "--tolerance", "1e-11")["x"]["k_lattice"]
        stepped = self.permeabilities(*flow, "--solver", "steps", "--tolerance", "1e-7")["x"]
        error = abs(stepped["k_lattice"] / exact - 1)
        self.assertGreater(error, 1e-6)
        self.assertGreater(stepped["error_estimate"], error)
        self.assertLess(stepped["error_estimate"], 3 * error)
        with self.path("out/convergence.csv").open(encoding="utf-8") as file:
            self.assertEqual(float(list(csv.DictReader(file))[-1]["error_estimate"]), stepped["error_estimate"])
        # Of 2 x 2 pores the equations are few, and are solved to the last digit.
        tube = self.write_raw("tube.raw", (voxels((8, 4, 4), lambda x, y, z: y in (0, 3) or z in (0, 3)), (8, 4, 4)))
        for solver, precision in ("minres", "double"), ("minres", "single"), ("steps", "single"), ("steps", "double"):
            found = self.permeabilities(*tube, "--periodic", "--no-fields", "--solver", solver, "--precision", precision)["x"]
            self.assertGreater(found["error_estimate"], 1e-17)
            self.assertGreaterEqual(found["error_estimate"], abs(found["k_lattice"] / (5 / 128) - 1))

    def test_a_coarse_tolerance_is_not_called_rounding(self):
        for precision in ("single", "double"):
            run = self.tessera("permeability", *self.rock, "--no-fields", "--out", "out", "--tolerance", "0.1",
                               "--precision", precision, "--gpus", "0")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assertNotIn("rounding", run.stderr)

    def test_every_core_says_what_it_did(self):
        results = self.compute(*self.rock, "--cores", "2")
        performance = results["performance"]
        self.assertNotIn("tiles", performance)
        self.assertNotIn("policy", performance["balance"])
        # A core that others keep busy may come too late for each pass, and says nothing of any then.
        self.assertGreater(sum(worker.get("passes", 0) for worker in performance["workers"]), 0)
        # Each worker has a part of each task: pairs of iterations, confirmations.
        tasks = {worker["tasks"] for worker in performance["workers"]}
        self.assertEqual(len(tasks), 1)
        self.assertGreaterEqual(min(tasks), results["permeability"]["x"]["solver"]["iterations"] / 2 + 1)
        self.assertEqual(sum(worker.get("nodes", 0) for worker in performance["workers"]),
                         performance["fluid_nodes"] * performance["steps"])
        for worker in performance["workers"]:
            self.assertGreaterEqual(worker["busy_s"], 0)
            self.assertAlmostEqual((worker["busy_s"] + worker["waiting_s"]) / performance["seconds"], 1, delta=1e-6)

    def test_dead_ends_and_bends(self):
        image = self.write_raw("pores.raw", bent_pores())
        k = [self.permeabilities(*image, "--precision", "double", "--tolerance", "1e-6", "--solver", solver)["x"]["k_lattice"]
             for solver in ("steps", "minres")]
        self.assertAlmostEqual(k[0] / k[1], 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
