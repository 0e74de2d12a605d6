# SPDX-License-Identifier: MIT
"""Several processes of MPI compute one flow: what they find is, bit by bit, what one finds.
Exits with 77 where there is no mpirun."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from unittest import mock

import h5py
import numpy as np

from command import BAD_INPUT, BINARY, DONE, FAILED, NOT_CONVERGED, CommandTest, tube, voxels

# More processes than cores: one that waits gives its turn away. And mpirun waits two seconds where a job ends with
# a status other than 0, in case that somebody does not end.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_odls_base_sigkill_timeout": "0", "STARPU_NCPU": "1"}

SOLVED = ["--cores", "1", "--gpus", "0"]
SOLVED_SHAPE = (24, 16, 16)  # whoever is solved for needs no blocks

STEPS = ["--solver", "steps", "--tiles", "7", "--cores", "1", "--gpus", "0"]

CHANNEL = """
[constants]
N = 16
U = 0.05
[geometry]
shape = ["3*N", "N", 20]
periodic = ["z"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = ["0.8*N", "N/2", 10]
radius = 4.3
[fluid]
reynolds = 10
length = 9
speed = "U"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["U", 0, 0]
factor = "1+0.1*sin(2*pi*t/50)"
[[boundary]]
on = "x+"
type = "outflow"
scheme = "extrapolate"
[[boundary]]
on = "y-"
type = "slip"
[[boundary]]
on = "y+"
type = "moving-wall"
velocity = ["U", 0, 0]
[[boundary]]
on = "ball"
type = "interpolated-wall"
[stop]
steps = LAST
steady = { tolerance = 1e-9, every = 30 }
[output]
fields = { at = [40] }
[output.averages]
from = 20
every = 10
quantities = ["velocity", "density", "reynolds-stresses"]
[[output.probe]]
name = "behind"
at = ["1.5*N", "N/2", 10]
every = 10
[[output.probe]]
name = "between"  # blocks, and perhaps processes
at = ["0.3*N", 7.9, 8.1]
every = 7
[[output.line]]
name = "across"
from = ["N", 3, 0]
to = ["2*N", 14, 20]
points = 23
every = 25
[[output.force]]
name = "drag"
on = "ball"
every = 10
[run]
gpus = 0
tiles = 7
"""

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

# Curved, of unlike degrees, with all kinds of sides.
WIND = """
method = "spectral"
[mesh]
box = [3, 1, 1]
cells = [12, 4, 4]
bend = ["x", "y + 0.1*(1 - y)*exp(-10*(x - 1.5)^2)", "z + 0.05*sin(2*pi*z)*sin(2*pi*x)"]
degree = "1 + (x > 1) + (z > 0.5)"
periodic = ["z"]
[initial]
density = "1 + 0.05*sin(2*pi*x)"
velocity = [0.5, 0, 0.1]
pressure = 0.7
[[boundary]]
on = ["y-", "y+"]
type = "slip-wall"
[[boundary]]
on = "x-"
type = "inflow"
density = 1
velocity = [0.5, 0, "0.1*y"]
pressure = 0.7
[[boundary]]
on = "x+"
type = "outflow"
pressure = 0.7
[time]
cfl = 0.9
[stop]
time = 0.2
[output]
records-every = 5
fields = { every = 10 }
[output.exact]
density = 1
velocity = [0.5, 0, 0]
pressure = 0.7
[[output.probe]]
name = "behind"
at = [2, 0.5, 0.3]
every = 3
[run]
gpus = 0
tiles = 9
"""


def rock(shape=(40, 24, 20)):
    """A pore space that leads through along all axes, without symmetry, of several blocks along each, and its shape."""
    return voxels(shape, lambda x, y, z: (x * x + 3 * y * y + 5 * z * z + x * y + 2 * y * z) % 11 < 3
                  and (y % 7 > 1 or z % 5 > 1)), shape


def contents(file):
    """All that is in a file of HDF5, by name."""
    found = {}
    with h5py.File(file) as hdf5:
        hdf5.visititems(lambda name, item: found.update({name: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
    return found


def mpirun(ranks):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)]


class Ranks(CommandTest):
    def mpirun(self, ranks, *arguments, **options):
        return self.tessera(*arguments, environment=ENVIRONMENT, launcher=mpirun(ranks), **options)

    def assert_same_files(self, one, other):
        names = sorted(p.name for p in self.path(one).iterdir())
        self.assertEqual(names, sorted(p.name for p in self.path(other).iterdir()))
        for name in names:
            if name.endswith(".csv"):
                self.assertEqual(self.path(one).joinpath(name).read_text(),
                                 self.path(other).joinpath(name).read_text(), name)
            if name.endswith(".vtkhdf"):
                if (self.path(one) / name).read_bytes() == (self.path(other) / name).read_bytes():
                    continue
                first, second = contents(self.path(one) / name), contents(self.path(other) / name)
                self.assertEqual(first.keys(), second.keys())
                self.assertTrue(any(field.endswith("/tile") for field in first), f"{name}: not the same bytes")
                for field, values in first.items():
                    if not field.endswith("/tile"):  # of whom a voxel is, depends on the cut
                        self.assertTrue(np.array_equal(values, second[field]), f"{name} {field}")

    def test_the_same_bits_as_alone(self):
        image = self.write_raw("rock.raw", rock())
        # In a ring two are each other's neighbours twice, and of four some are none.
        for setup, numbers in ([], (1, 2, 3, 4)), (["--periodic"], (2, 4)), (["--mirror"], (3,)):
            how = ["permeability", *image, *STEPS, *setup, "--max-steps", "60", "--out"]
            alone = self.tessera(*how, "alone")
            self.assertEqual(alone.returncode, NOT_CONVERGED, alone.stderr)
            for ranks in numbers:
                run = self.mpirun(ranks, *how, f"of{ranks}")
                self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
                self.assert_same_files("alone", f"of{ranks}")
                one, several = self.results("alone"), self.results(f"of{ranks}")
                self.assertEqual(one["permeability"], several["permeability"])
                self.assertEqual(len(several["run"].get("ranks", [])), ranks if ranks > 1 else 0)
                workers = several["performance"]["workers"]
                self.assertEqual(sum(w["nodes"] for w in workers),
                                 several["performance"]["fluid_nodes"] * several["performance"]["steps"])
                shutil.rmtree(self.path(f"of{ranks}"))
            shutil.rmtree(self.path("alone"))

    def test_they_stop_where_one_stops(self):
        image = self.write_raw("rock.raw", rock((40, 16, 16)))
        how = ["permeability", *image, *STEPS, "--tolerance", "0.02", "--axis", "all", "--out"]
        alone = self.tessera(*how, "alone")
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        run = self.mpirun(2, *how, "of2")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assert_same_files("alone", "of2")
        self.assertIn("2 processes, ", run.stdout)
        self.assertEqual(run.stdout.count("k_x = "), 1)

    def test_they_solve_together(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        for ranks, how in ((3, []), (2, ["--solver", "minres", "--axis", "all"]),
                           (2, ["--solver", "minres", "--refine", "2", "--crop", "0:15,0:14,0:16"]),
                           (4, ["--solver", "minres", "--periodic", "--precision", "double"]),
                           (2, ["--solver", "minres", "--mirror", "--fields-format", "vti"]),
                           (2, ["--solver", "minres", "--report", "--no-fields"])):
            alone = self.tessera("permeability", *image, *SOLVED, *how, "--out", "alone")
            self.assertEqual(alone.returncode, DONE, alone.stderr)
            run = self.mpirun(ranks, "permeability", *image, *SOLVED, *how, "--out", "together")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assert_same_files("alone", "together")
            one, several = self.results("alone"), self.results("together")
            self.assertEqual(one["permeability"], several["permeability"])
            self.assertEqual(one["permeability"]["x"]["solver"]["name"], "minres")
            workers = several["performance"]["workers"]
            self.assertEqual([w["name"] for w in workers], [f"rank {r} CPU 0" for r in range(ranks)])
            self.assertEqual(several["performance"]["fluid_nodes"], one["performance"]["fluid_nodes"])
            shutil.rmtree(self.path("alone"))
            shutil.rmtree(self.path("together"))

    def test_they_solve_together_on_gpus(self):
        image = self.write_raw("rock.raw", rock())
        how = ["permeability", *image, "--solver", "minres", "--gpus", "1", "--cores", "0", "--out"]
        alone = self.tessera(*how, "alone")
        if alone.returncode == BAD_INPUT:
            self.skipTest(alone.stderr)
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        for ranks in 2, 3:  # which share it, where there is one
            run = self.mpirun(ranks, *how, f"of{ranks}")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assert_same_files("alone", f"of{ranks}")
            one, several = self.results("alone"), self.results(f"of{ranks}")
            self.assertEqual(one["permeability"], several["permeability"])
            self.assertEqual([w["name"] for w in several["performance"]["workers"]],
                             [f"rank {r} CUDA 0" for r in range(ranks)])

    def test_they_say_what_each_has_of_a_flow_that_they_solve(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        run = self.mpirun(3, "permeability", *image, *SOLVED, "--solver", "minres", "--verbose", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        shares = re.findall(r"rank (\d): (\d+) nodes and (\d+) of others beside them; .* MB at most", run.stderr)
        self.assertEqual([rank for rank, _, _ in shares], ["0", "1", "2"])
        self.assertEqual(sum(int(nodes) for _, nodes, _ in shares), self.results()["performance"]["fluid_nodes"])
        self.assertTrue(all(int(others) > 0 for _, _, others in shares))

    def test_any_number_iterates_on_from_what_any_number_has_left(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        how = ["permeability", *image, *SOLVED, "--solver", "minres"]
        self.assertEqual(self.tessera(*how, "--out", "whole").returncode, DONE)
        for first, then in (3, 1), (1, 2), (2, 3):
            run = self.mpirun(first, *how, "--max-steps", "12", "--checkpoint", "60", "--out", "out")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            run = self.mpirun(then, "permeability", *image, *SOLVED, "--resume", "--out", "out")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.path("out/checkpoint.h5").unlink()
            self.assert_same_files("whole", "out")
            self.assertEqual(self.results("whole")["permeability"], self.results("out")["permeability"])
            shutil.rmtree(self.path("out"))

    def test_they_write_the_fields_of_a_part_of_an_image_together(self):
        (image, shape) = (self.write_raw("rock.raw", rock()), rock()[1])
        turned = self.path("turned.raw")
        voxels_zyx = np.frombuffer(self.path("rock.raw").read_bytes(), np.uint8).reshape(shape[::-1])
        turned.write_bytes(np.ascontiguousarray(voxels_zyx.T).tobytes())
        for ranks, how in ((3, [*image, "--crop", "1:40,2:23,0:20"]),
                           (2, ["turned.raw", "--shape", ",".join(map(str, shape[::-1])), "--axes", "zyx"]),
                           (2, [*image, "--fields-format", "xdmf"]), (3, [*image, "--fields-format", "npz"])):
            how = ["permeability", *how, *STEPS, "--max-steps", "60", "--out"]
            for out, run in (("alone", self.tessera(*how, "alone")), ("together", self.mpirun(ranks, *how, "together"))):
                self.assertEqual(run.returncode, NOT_CONVERGED, f"{out}: {run.stderr}")
            self.assert_same_files("alone", "together")
            shutil.rmtree(self.path("alone"))
            shutil.rmtree(self.path("together"))

    def test_a_rank_that_cannot_write_its_fields_is_named(self):
        image = self.write_raw("rock.raw", rock())
        how = [BINARY, "permeability", *image, *STEPS, "--max-steps", "60", "--out", "out"]
        # Files of 50 kB at most, which results.json is, too.
        full = ["-np", "1", "sh", "-c", 'ulimit -f 100; exec "$0" "$@"', *how]
        for whose, job in ((0, [*full, ":", "-np", "1", *how]), (1, ["-np", "1", *how, ":", *full])):
            run = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", *job], cwd=self.folder, text=True,
                                 capture_output=True, timeout=120, check=False,
                                 # Memory that processes share is a file, too.
                                 env={**os.environ, **ENVIRONMENT, "OMPI_MCA_btl": "self,tcp"})
            self.assertEqual(run.returncode, FAILED, run.stderr)
            ours = [line for line in run.stderr.splitlines() if "fields.vtkhdf" in line]
            self.assertEqual(len(ours), 1, run.stderr)
            self.assertRegex(ours[0], rf"rank {whose}: .*File too large")
            self.assertIn("k_x = ", run.stdout)
            self.assertEqual(sorted(p.name for p in self.path("out").iterdir()), ["convergence.csv", "results.json"])
            shutil.rmtree(self.path("out"))

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

    def test_bench_measures_a_step_and_its_messages(self):
        how = ["bench", "ranks", "--size", "32", "--gpus", "0", "--tiles", "6", "--seconds", "0.05", "--repeats", "1"]
        run = self.mpirun(2, *how, "--cores", "1", "--json", "of2.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        alone = self.tessera(*how, "--cores", "2", "--json", "alone.json", environment={"STARPU_NCPU": "2"})
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        several, one = (json.loads(self.path(name).read_text())["rocks"] for name in ("of2.json", "alone.json"))
        self.assertEqual([rock["rock"] for rock in several], ["strong", "weak"])
        for rock, same in zip(several, one):
            self.assertEqual(rock["mean_velocity"], same["mean_velocity"])
            self.assertEqual(sum(rank["nodes"] for rank in rock["ranks"]), same["nodes"])
            first, second = rock["ranks"]
            self.assertGreater(first["bytes_sent"], 0)
            self.assertEqual((first["bytes_sent"], second["bytes_sent"]),
                             (second["bytes_received"], first["bytes_received"]))
            for time_of in "step_s", "without_messages_s", "messages_alone_s", "model_s":
                self.assertGreater(rock[time_of], 0)
        self.assertNotIn("hidden", one[0])

    def assert_all_refuse(self, *arguments, says, status=BAD_INPUT, ranks=2):
        before = self.files()
        start = time.monotonic()
        run = self.mpirun(ranks, *arguments)
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(run.returncode, status, run.stderr)
        ours = [line for line in run.stderr.splitlines() if line.startswith("tessera: ")]
        self.assertEqual(len(ours), 1, run.stderr)
        self.assertIn(says, ours[0])
        self.assertEqual(self.files(), before)

    def test_bad_input_is_one_line_of_all(self):
        image = self.write_raw("rock.raw", rock())
        self.assert_all_refuse("permeability", "none.raw", "--shape", "8,8,8", "--out", "out", says="no such file")
        self.assert_all_refuse("permeability", *image, "--tollerance", "1", "--out", "out", says="--tolerance")
        self.assert_all_refuse("permeability", *image, "--trace", "t", "--out", "out",
                               says="--trace: expected a single process, not 2 of MPI")
        # That is so before any image is read.
        self.assert_all_refuse("permeability", "missing.raw", "--trace", "t", "--out", "out", says="--trace: expected a single")
        self.assert_all_refuse("bench", "cuts", says="bench: expected a single process, not 2 of MPI")
        self.assert_all_refuse("info", *image, says="info: expected a single process")
        self.write("wind.toml", WIND.replace("[12, 4, 4]", "[2, 1, 1]").encode())
        self.assert_all_refuse("run", "wind.toml", "--out", "out", ranks=3,
                               says="packs of 8 elements are too few for 3 processes")
        self.write("wind.toml", WIND.replace("[12, 4, 4]", "[-2, 1, 1]").encode())
        self.assert_all_refuse("run", "wind.toml", "--out", "out", says="cells")
        small = self.write_raw("small.raw", tube())
        self.assert_all_refuse("permeability", *small, *STEPS, "--out", "out", says="too few for 2 processes")

    def assert_refused_apart(self, *nodes, says):
        """Two ranks with a folder each, as on nodes that share none."""
        jobs = [["-np", "1", "-wdir", str(self.path(f"node{rank}")), BINARY, *words] for rank, words in enumerate(nodes)]
        before = self.files()
        run = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", *jobs[0], ":", *jobs[1]], text=True,
                             capture_output=True, timeout=120, check=False, env={**os.environ, **ENVIRONMENT})
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        ours = [line for line in run.stderr.splitlines() if line.startswith("tessera: ")]
        self.assertEqual(len(ours), 1, run.stderr)
        self.assertRegex(ours[0], says)
        self.assertEqual(self.files(), before)

    def test_ranks_that_are_given_different_things_say_so(self):
        pores, shape = tube()
        for node, solid in ("node0", 1), ("node1", 2):
            self.path(node).mkdir()
            self.write_raw(f"{node}/rock.raw", (pores.replace(b"\1", bytes([solid])), shape))
            self.write(f"{node}/case.toml", CHANNEL.replace("LAST", str(90 + solid)).encode())
        how = ["permeability", "rock.raw", "--shape", ",".join(map(str, shape)), "--solver", "minres", *SOLVED, "--out", "out"]
        self.assert_refused_apart(how, how, says=r"rock\.raw: another one is there for rank 1 \(.+\) than for rank 0: exp")
        self.assert_refused_apart(how, [*how, "--axis", "y"],
                                  says=r"options: others for rank 1 \(.+\) than for rank 0, '--axis' in place of nothing: exp")
        case = ["run", "case.toml", "--out", "out"]
        self.assert_refused_apart(case, case, says=r"case\.toml: another one is there for rank 1 \(")
        # A checkpoint that the second one does not see.
        shutil.copy(self.path("node0/rock.raw"), self.path("node1/rock.raw"))
        alone = subprocess.run([BINARY, *how, "--checkpoint", "60", "--max-steps", "4"], cwd=self.path("node0"), check=False,
                               capture_output=True, timeout=120)
        self.assertEqual(alone.returncode, NOT_CONVERGED, alone.stderr)
        # For each process its own cores.
        self.assert_refused_apart([*how, "--resume"], [*how[:-4], "--gpus=0", "--out", "out", "--resume"],
                                  says=r"out/checkpoint\.h5: none is there for rank 1 \(.+\), but one for rank 0: exp")

    def test_a_folder_that_cannot_be_made(self):
        image = self.write_raw("rock.raw", rock())
        self.write("taken", b"")
        self.assert_all_refuse("permeability", *image, *STEPS, "--out", "taken/out", status=FAILED, says="rank 0")

    def test_a_limit_of_silence_that_is_none(self):
        image = self.write_raw("rock.raw", rock())
        with mock.patch.dict(ENVIRONMENT, TESSERA_RANK_TIMEOUT="soon"):
            self.assert_all_refuse("permeability", *image, "--out", "out", says="TESSERA_RANK_TIMEOUT=soon: expected")


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main()
