# SPDX-License-Identifier: MIT
"""One of several processes of MPI is killed, falls silent, or finds its disk full: the job goes on
or ends, and the last checkpoint is there. Exits with 77 where there is no mpirun."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py

from ranks import CHANNEL, ENVIRONMENT, STEPS, mpirun, rock
from command import BINARY, DONE, FAILED, NOT_CONVERGED, CommandTest

# Ranks of tests/ranks/watch/, which fall silent as they are told.
WATCHED = str(Path(BINARY).with_name("rank_watch"))


class RankFaults(CommandTest):
    def test_the_job_ends_with_a_process_that_is_killed(self):
        image = self.write_raw("rock.raw", rock((70, 30, 20)))
        job = subprocess.Popen([*mpirun(3), BINARY, "permeability",
                                *image, *STEPS, "--tolerance", "1e-12", "--precision", "double", "--out", "out"],
                               cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **ENVIRONMENT})
        self.addCleanup(job.kill)
        deadline = time.monotonic() + 60
        while len(ranks := self.children_of(job.pid)) < 3 or not self.path("out").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        time.sleep(0.5)
        os.kill(ranks[-1], signal.SIGKILL)
        _, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 128 + signal.SIGKILL, errors)

    def start(self, ranks, *command, limit):
        """A job whose ranks are noticed if they are silent for so many seconds; its ranks once they are there."""
        job = subprocess.Popen([*mpirun(ranks), *command], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **ENVIRONMENT, "TESSERA_RANK_TIMEOUT": str(limit)})
        self.addCleanup(job.kill)
        deadline = time.monotonic() + 60
        while len(found := self.children_of(job.pid, command[0])) < ranks:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        return job, sorted(found)

    def wait_for(self, name):
        deadline = time.monotonic() + 60
        while not self.path(name).exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def assert_ends_with(self, job, line):
        _, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, FAILED, errors)
        ours = [said for said in errors.splitlines() if said.startswith("tessera: rank")]
        self.assertEqual(len(ours), 1, errors)
        self.assertRegex(ours[0], line)

    def test_a_rank_that_is_stopped_ends_the_job_and_the_checkpoint_goes_on(self):
        image = self.write_raw("rock.raw", rock((70, 30, 20)))
        how = ["permeability", *image, *STEPS, "--precision", "double", "--checkpoint", "0.01", "--out", "out"]
        for silent in 0, 1:
            job, ranks = self.start(2, BINARY, *how, "--tolerance", "1e-12", limit=2)
            self.wait_for("out/checkpoint.h5")
            os.kill(ranks[silent], signal.SIGSTOP)
            self.assert_ends_with(job, rf"rank {silent} \(.*\) has been silent for \d+ s: it is stopped")
            run = self.tessera(*how, "--resume", "--max-steps", "1", "--verbose")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            self.assertIn("goes on after step", run.stderr + run.stdout)
            shutil.rmtree(self.path("out"))

    def test_a_rank_that_is_stopped_before_it_has_said_a_word_ends_the_job(self):
        stopped = ["sh", "-c", 'kill -STOP $$; exec "$0" "$@"', BINARY]
        job = subprocess.Popen(["mpirun", "--oversubscribe", "--bind-to", "none", "-np", "1", BINARY, "--version", ":",
                                "-np", "1", *stopped, "--version"], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **ENVIRONMENT, "TESSERA_RANK_TIMEOUT": "1"})
        self.addCleanup(job.kill)
        self.assert_ends_with(job, r"rank 0 \(.*\) has waited \d+ s for the others to start: one of them is stopped")

    def test_a_rank_that_hangs_in_a_step_ends_the_job(self):
        for hangs in 0, 2:
            job, _ = self.start(3, WATCHED, "hang", str(hangs), limit=1)
            self.assert_ends_with(job, rf"rank {hangs} hangs: no process has come on for \d+ s")

    def test_what_takes_long_but_is_no_step_is_no_silence(self):
        job, _ = self.start(2, WATCHED, "pause", "2", limit=1)
        self.assertEqual((job.communicate(timeout=60)[1], job.returncode), ("", DONE))

    def test_a_rank_that_hangs_outside_steps_ends_the_job_but_long_work_does_not(self):
        limit = 1  # ten times as long outside steps
        jobs = {what: self.start(2, WATCHED, what, number, limit=limit)[0]
                for what, number in (("stall", "1"), ("read", "13"), ("compute", "13"))}
        self.assert_ends_with(jobs["stall"], r"rank 1 hangs: no process has computed, read or written for 1\d s")
        for what in "read", "compute":
            self.assertEqual((jobs[what].communicate(timeout=120)[1], jobs[what].returncode), ("", DONE), what)

    def test_a_job_that_was_asleep_goes_on(self):
        job, ranks = self.start(2, WATCHED, "work", "2", limit=1)
        time.sleep(0.7)
        for rank in ranks:
            os.kill(rank, signal.SIGSTOP)
        time.sleep(2.5)
        for rank in ranks:
            os.kill(rank, signal.SIGCONT)
        self.assertEqual((job.communicate(timeout=60)[1], job.returncode), ("", DONE))

    def test_a_disk_that_is_full_for_one_leaves_the_last_checkpoint(self):
        image = self.write_raw("rock.raw", rock((70, 30, 20)))
        how = ["permeability", *image, *STEPS, "--precision", "double", "--tolerance", "1e-12", "--no-fields"]
        for limited in 0, 1:
            job, ranks = self.start(3, BINARY, *how, "--checkpoint", "0.005", "--out", "out", limit=60)
            self.wait_for("out/checkpoint.h5")
            # From now on its files may not grow beyond that, as if its quota were spent.
            resource.prlimit(ranks[limited], resource.RLIMIT_FSIZE, (65536, 65536))
            line = self.line_with(job, "no checkpoint after step")
            written = self.path("out/checkpoint.h5").read_bytes()
            self.assertRegex(line, rf"rank {limited}: cannot write the file: File too large; the run goes on"
                             if limited else r"after step \d+: .*; the run goes on")
            time.sleep(0.5)
            for rank in ranks:
                os.kill(rank, signal.SIGTERM)
            errors = job.communicate(timeout=60)[1]
            self.assertEqual(job.returncode, NOT_CONVERGED, errors)
            self.assertEqual(self.path("out/checkpoint.h5").read_bytes(), written)
            self.assertEqual([name for name in self.files() if name.startswith("out/checkpoint")],
                             ["out/checkpoint.h5"])
            self.assert_goes_on(how)
            shutil.rmtree(self.path("out"))

    def test_a_disk_that_is_full_for_one_leaves_the_last_checkpoint_of_a_case(self):
        self.write("case.toml", CHANNEL.replace("LAST", "1000000").encode())
        how = ["run", "case.toml", "--checkpoint", "0.005", "--out", "out"]
        for limited in 0, 1:
            job, ranks = self.start(3, BINARY, *how, limit=60)
            self.wait_for("out/checkpoint.h5")
            resource.prlimit(ranks[limited], resource.RLIMIT_FSIZE, (65536, 65536))
            self.assertIn("; the run goes on", self.line_with(job, "no checkpoint after step"))
            written = self.path("out/checkpoint.h5").read_bytes()
            for rank in ranks:
                os.kill(rank, signal.SIGTERM)
            errors = job.communicate(timeout=60)[1]
            self.assertIn(job.returncode, (NOT_CONVERGED, FAILED), errors)  # its other files may be too large
            self.assertEqual(self.path("out/checkpoint.h5").read_bytes(), written)
            run = self.tessera(*how, "--resume", "--set", "stop.steps=1")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            shutil.rmtree(self.path("out"))

    def assert_goes_on(self, how):
        """By two processes, as one would have come that far at once."""
        with h5py.File(self.path("out/checkpoint.h5")) as checkpoint:
            step = json.loads(checkpoint["text"][:].tobytes())["step"] + 7
        run = self.tessera(*how, "--max-steps", step, "--resume", "--out", "out", environment=ENVIRONMENT,
                           launcher=mpirun(2))
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        run = self.tessera(*how, "--max-steps", step, "--out", "whole")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(self.results("out")["permeability"], self.results("whole")["permeability"])

    def line_with(self, job, words):
        """The next line that the job says with these words."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            line = job.stderr.readline()
            if words in line:
                return line
        return self.fail(words)

    @staticmethod
    def children_of(pid, name="permeability"):
        found = subprocess.run(["pgrep", "-P", str(pid), "-f", name], stdout=subprocess.PIPE, text=True, check=False)
        return [int(word) for word in found.stdout.split()]


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main()
