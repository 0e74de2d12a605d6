# SPDX-License-Identifier: MIT
"""What several processes of MPI cannot compute they refuse in one line, and so they do where they are given different things.
Exits with 77 where there is no mpirun."""

import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from ranks import CHANNEL, ENVIRONMENT, SOLVED, STEPS, WIND, RanksTest, rock
from command import BAD_INPUT, BINARY, FAILED, NOT_CONVERGED, tube


class RanksRefused(RanksTest):
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
