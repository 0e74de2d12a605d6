# SPDX-License-Identifier: MIT
"""Several processes of MPI compute the flow of one case: what they find is, bit by bit, what one finds.
Exits with 77 where there is no mpirun."""

import shutil
import sys
import unittest

from ranks import CHANNEL, WIND, RanksTest
from command import DONE, NOT_CONVERGED, voxels

IMAGE_CASE = """
[geometry]
image = "rock.raw"
shape = [40, 26, 37]
pore = 0
periodic = ["y"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = [20, 13, 10]
radius = 5
[fluid]
relaxation-time = 0.8
[[boundary]]
on = "x-"
type = "pressure"
density = 1.01
[[boundary]]
on = "x+"
type = "pressure"
density = 1
[[boundary]]
label = 2
type = "moving-wall"
velocity = [0, 0.02, 0]
[stop]
steps = 60
[output]
fields = { at = [40] }
[[output.probe]]
name = "middle"
at = [20, 20, 20]
every = 10
[[output.force]]
name = "drag"
on = "ball"
every = 10
[run]
gpus = 0
tiles = 5
"""


class RanksRun(RanksTest):
    def test_a_case_with_all_boundaries(self):
        self.write("case.toml", CHANNEL.replace("LAST", "90").encode())
        alone = self.tessera("run", "case.toml", "--out", "alone")
        self.assertEqual(alone.returncode, NOT_CONVERGED, alone.stderr)
        one = self.results("alone")
        self.assertIsNotNone(one["stop"]["change"])
        for ranks in 2, 3, 4:  # of four one has none of the three layers of blocks
            run = self.mpirun(ranks, "run", "case.toml", "--out", f"of{ranks}")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            self.assert_same_files("alone", f"of{ranks}")
            several = self.results(f"of{ranks}")
            for part in "flow", "forces", "stop", "final":
                self.assertEqual(one[part], several[part], part)

    def test_a_case_of_an_image_of_which_each_reads_its_part(self):
        nx, ny, nz = shape = (40, 26, 37)
        pores = voxels(shape, lambda x, y, z: (x * x + 3 * y * y + 5 * z * z + x * y) % 11 < 2)
        # A wall that moves has voxels in the last layers only: some process has none.
        labels = bytearray(pores)
        for at in range(nx * ny * (nz - 4), len(labels)):
            labels[at] *= 2
        self.write_raw("rock.raw", (bytes(labels), shape))
        self.write("case.toml", IMAGE_CASE.encode())
        # As it lies, by offsets; and turned, which the first one reads for all.
        for how in [], ["--set", "geometry.axes=yxz", "--set", f"geometry.shape=[{ny}, {nx}, {nz}]"]:
            alone = self.tessera("run", "case.toml", *how, "--out", "alone")
            self.assertEqual(alone.returncode, DONE, alone.stderr)
            for ranks in 2, 3:
                run = self.mpirun(ranks, "run", "case.toml", *how, "--out", f"of{ranks}")
                self.assertEqual(run.returncode, DONE, run.stderr)
                self.assert_same_files("alone", f"of{ranks}")
                one, several = self.results("alone"), self.results(f"of{ranks}")
                for part in "flow", "final", "forces", "stop":
                    self.assertEqual(one[part], several[part], part)
                self.assertEqual(one["case"]["files"], several["case"]["files"])
                shutil.rmtree(self.path(f"of{ranks}"))
            shutil.rmtree(self.path("alone"))
        for key, says in (("label = 2", "no voxel of"), ("pore = 0", "no voxel of")):
            self.write("bad.toml", IMAGE_CASE.replace(key, key.replace("2", "7").replace("0", "9")).encode())
            self.assert_all_refuse("run", "bad.toml", "--out", "out", says=says)

    def test_any_number_goes_on_from_what_any_number_has_left(self):
        self.write("case.toml", CHANNEL.replace("LAST", "90").encode())
        self.assertEqual(self.tessera("run", "case.toml", "--out", "whole").returncode, NOT_CONVERGED)
        for first, then in (3, 1), (1, 3), (2, 3):
            self.write("part.toml", CHANNEL.replace("LAST", "50").encode())
            run = self.mpirun(first, "run", "part.toml", "--checkpoint", "60", "--out", "out")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            run = self.mpirun(then, "run", "case.toml", "--resume", "--out", "out")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            self.path("out/checkpoint.h5").unlink()
            self.assert_same_files("whole", "out")
            shutil.rmtree(self.path("out"))

    def run_wind(self, ranks, out, *options, status=DONE):
        self.write("wind.toml", WIND.encode())
        how = ["run", "wind.toml", *(word for option in options for word in ("--set", option)), "--out", out]
        run = self.mpirun(ranks, *how) if ranks > 1 else self.tessera(*how)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def test_a_gas_has_the_same_bits_as_alone(self):
        for options in (), ("time.exact=true", "model.precision=single"), ("time.cfl=", "time.dt=0.007"):
            self.run_wind(1, "alone", *options)
            one = self.results("alone")
            for ranks in (2, 3, 4) if not options else (3,):
                run = self.run_wind(ranks, f"of{ranks}", *options)
                self.assert_same_files("alone", f"of{ranks}")
                several = self.results(f"of{ranks}")
                for part in "mesh", "flow", "stop", "final", "errors":
                    self.assertEqual(one[part], several[part], part)
                self.assertEqual(len(several["run"]["ranks"]), ranks)
                self.assertEqual(len(several["performance"]["workers"]), ranks)
                self.assertEqual(run.stdout.count("all steps done"), 1, run.stdout)
                shutil.rmtree(self.path(f"of{ranks}"))
            shutil.rmtree(self.path("alone"))

    def test_any_number_goes_on_with_a_gas_that_any_number_has_left(self):
        self.run_wind(1, "whole", "stop.steps=30")
        for numbers in (1, 3, 1), (2, 1, 4):
            for ranks, last in zip(numbers, (10, 20, 30)):
                self.write("wind.toml", WIND.encode())
                how = ["run", "wind.toml", "--set", f"stop.steps={last}", "--checkpoint", "60", "--out", "out",
                       *(["--resume"] if last > 10 else [])]
                run = self.mpirun(ranks, *how)
                self.assertEqual(run.returncode, DONE, run.stderr)
            self.path("out/checkpoint.h5").unlink()
            self.assert_same_files("whole", "out")
            shutil.rmtree(self.path("out"))


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main()
