# SPDX-License-Identifier: MIT
"""A checkpoint of another flow is refused, and so is one that is damaged or that no run has written: in one line."""

import contextlib
import json
import random
import shutil
import sys
import unittest
import zlib

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(error)
    sys.exit(77)

from checkpoints import CheckpointTest
from command import BAD_INPUT, NOT_CONVERGED, bent_pores

SEAL = 512


def sealed(rest):
    """Bytes of a checkpoint with the seal that docs/checkpoints.md describes."""
    text = f"Tessera checkpoint\nversion 2\nbytes {SEAL + len(rest)}\ncrc32 {zlib.crc32(rest):08x}\n"
    return text.encode().ljust(SEAL, b"\0") + rest


def set_in_text(checkpoint, path, value):
    text = json.loads(checkpoint["text"][:].tobytes())
    inner = text
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    del checkpoint["text"]
    checkpoint["text"] = np.frombuffer(json.dumps(text).encode(), np.uint8)


class Refused(CheckpointTest):
    def refused(self, *arguments):
        """What is said of a permeability in the folder `out`, one line."""
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--out", "out", *arguments)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        said = [line for line in done.stderr.splitlines()
                if line.startswith("tessera: ") and "is forgotten" not in line]
        self.assertEqual(len(said), 1, done.stderr)
        return said[0]

    @contextlib.contextmanager
    def resealed(self):
        """The checkpoint as it was written, to be changed, under a seal that is right again."""
        file = self.path("out/checkpoint.h5")
        whole = self.path("whole.h5")
        if not whole.exists():
            shutil.copy(file, whole)
        shutil.copy(whole, file)
        with h5py.File(file, "r+") as opened:
            yield opened
        file.write_bytes(sealed(file.read_bytes()[SEAL:]))

    def test_refuses_what_belongs_to_another_flow(self):
        self.run_case("out", 30)
        for change, complaint in (
                (('"double"', '"single"'), "of another flow: precision double -> single"),
                (("radius = 3", "radius = 4"), "of another geometry"),
                (("radius = 3", "radius = 3.0001"), "of another geometry"),  # of the same voxels
                (("[34, 18, 9]", "[34, 19, 9]"), "of another flow: shape (34, 18, 9) -> (34, 1"),
                (('"on-node-wall"', '"slip"'), "of another flow: boundary y- on-node-wall bounce"),
                (('on = "y-"', 'on = "y+"'), "of another flow: boundary y"),
                (("[fluid]", 'periodic = ["z"]\n[fluid]'), "of another flow: periodic axes (fals"),
                (("[model]", '[model]\nlattice = "D3Q27"'), "of another flow: lattice D3Q19 -> D3")):
            if "periodic" in change[1]:
                change = ("[34, 18, 9]", '[34, 18, 9]\nperiodic = ["z"]')
            done = self.run_case("out", 40, "--resume", status=BAD_INPUT, change=change)
            said = done.stderr.splitlines()[-1]  # behind warnings
            self.assertIn("tessera: out/checkpoint.h5: " + complaint, said)
        done = self.run_case("out", 40, "--checkpoint", "0", status=BAD_INPUT)
        self.assertIn("--checkpoint 0: expected a positive number of minutes", done.stderr)

    def test_the_commands_refuse_the_checkpoints_of_each_other(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        done = self.run_case("out", 40, "--resume", status=BAD_INPUT)
        self.assertIn("tessera: out/checkpoint.h5: of tessera permeability: expected a checkpoint of "
                      "tessera run", done.stderr)
        self.run_case("case", 30)
        self.path("case/checkpoint.h5").rename(self.path("out/checkpoint.h5"))
        done = self.refused("--resume")
        self.assertIn("tessera: out/checkpoint.h5: of tessera run: expected a checkpoint of tessera "
                      "permeability", done)

    def test_a_permeability_refuses_another_axis_and_another_set_up(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        before = self.path("out/results.json").read_bytes()
        for arguments, said in (
                (["--axis", "y"], "axis x -> y"),
                (["--periodic"], "set-up sealed -> periodic"),
                (["--mirror"], "set-up sealed -> mirrored"),
                (["--buffer-layers", 4], "shape (22, 10, 8) -> (20, 10, 8)"),
                (["--lattice", "D3Q27"], "lattice D3Q19 -> D3Q27"),
                (["--precision", "double"], "precision single -> double")):
            self.assertIn("tessera: out/checkpoint.h5: of another flow: " + said,
                          self.refused("--resume", *arguments))
        # Along the flow alone, nothing of its box tells a sealed sample from one that wraps.
        self.permeability("out", "--buffer-layers", 0, "--checkpoint", 60)
        self.assertIn("set-up sealed -> periodic", self.refused("--resume", "--periodic"))
        self.assertNotEqual(before, self.path("out/results.json").read_bytes())

    def test_another_flow_needs_steps_of_its_own(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--max-steps", 100, "--checkpoint", 60, status=NOT_CONVERGED)
        said = self.refused("--resume", "--relaxation-time", 2, "--max-steps", 100)
        self.assertIn("--max-steps 100: expected more than the 100 steps that the flow has taken with "
                      "other parameters", said)

    def test_a_damaged_checkpoint_is_refused_in_one_line(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        file = self.path("out/checkpoint.h5")
        whole = file.read_bytes()
        self.assertEqual(sealed(whole[SEAL:]), whole)
        chance = random.Random(7)
        for _ in range(6):
            place = chance.randrange(SEAL, len(whole))
            flipped = bytes([whole[place] ^ 1 << chance.randrange(8)])
            file.write_bytes(whole[:place] + flipped + whole[place + 1:])
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"))
        file.write_bytes(whole[:4096] + bytes(512) + whole[4608:])
        self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"))
        for content, said in ((whole[:-1], "damaged"), (b"half", "no checkpoint"), (b"", "no check"),
                              (whole[SEAL:], "of version 1, or no checkpoint: expected")):
            file.write_bytes(content)
            self.assertIn("tessera: out/checkpoint.h5: " + said, self.refused("--resume"))

    def test_values_that_no_run_writes_are_refused_though_their_checksum_is_right(self):
        """A series that no step would ever reach, steps below 0, and whatever else JSON can hold."""
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--max-steps", 150, "--checkpoint", 60, status=NOT_CONVERGED)
        for path, value in ((["step"], -1), (["step"], 1e300), (["step"], 2**64 - 1), (["step"], 2**53),
                            (["run"], 7), (["flow"], []), (["parameters"], None), (["command"], None),
                            (["history"], [1]), (["history"], None), (["run", "next"], 0), (["run", "next"], 2**62),
                            (["run", "next"], "7"), (["run", "spacing"], 0),
                            (["run", "spacing"], 2**60), (["run", "taken"], 3),
                            (["run", "body_force_factor"], None), (["run", "body_force_factor"], 0),
                            (["run", "convergence"], {}), (["run", "convergence", "values"], ["x"]),
                            (["run", "convergence", "values"], [None]), (["run", "convergence", "values"], 99 * [1]),
                            (["run", "convergence", "good_in_a_row"], -1)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            self.assertIn("tessera: out/checkpoint.h5: ", self.refused("--resume"), path)
        with self.resealed() as opened:  # rows of steps that were never taken
            opened["arrays/history"][0] = 1e6
        self.assertIn("tessera: out/checkpoint.h5: damaged: 'history'", self.refused("--resume"))

    def test_states_that_no_iteration_leaves_are_refused(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        begun = self.tessera("permeability", *self.image, "--gpus", 0, "--solver", "minres", "--max-steps", 6,
                             "--checkpoint", 60, "--out", "out")
        self.assertEqual(begun.returncode, NOT_CONVERGED, begun.stderr)
        for values in slice(None), slice(-10, None), slice(-10, -8):  # all of them, counts and norms, the counts
            with self.resealed() as opened:
                populations = opened["populations"][:]
                populations[values] = 1e30
                opened["populations"][:] = populations
            self.assertIn("out/checkpoint.h5: damaged: its state is none that 6 iterations lead to", self.refused("--resume"))
        for path, value in ((["step"], 5), (["run", "iterations", 0], 1e300), (["run", "body_force_factor"], 0)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"), path)

    def test_records_that_no_case_leaves_are_refused(self):
        self.run_case("out", 60)
        for path, value in ((["run", "largest_speed"], -1), (["run", "records", "averages", "states"], 2**40),
                            (["run", "records", "averages", "last"], 61), (["run", "change"], -1)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            done = self.run_case("out", 80, "--resume", status=BAD_INPUT)
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", done.stderr, path)
        with self.resealed() as opened:
            opened["arrays/table-drag"][0] = -1e300
        self.assertIn("damaged: 'drag' has no rows", self.run_case("out", 80, "--resume", status=BAD_INPUT).stderr)


if __name__ == "__main__":
    unittest.main()
