# SPDX-License-Identifier: MIT
"""What fails beside an answer does not take it along: disks that fill up, streams that are closed,
names that are no UTF-8, memory that is used up."""

import os
import re
import resource
import socket
import subprocess
import time
import unittest
from unittest import mock

from command import BAD_INPUT, BINARY, DONE, FAILED, StartedBefore, bent_pores, tube

# A channel with a probe, fields every 20 steps.
CASE = """
title = "channel"
[geometry]
shape = [64, 32, 16]
periodic = ["x", "z"]
[fluid]
relaxation-time = 0.8
[force]
body = [1e-6, 0, 0]
[stop]
steps = 60
[output.fields]
every = 20
[[output.probe]]
name = "middle"
at = [32, 16, 8]
every = 10
[run]
gpus = 0
"""


def limit_files(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class AnswerTest(StartedBefore):
    def case(self):
        return self.write("case.toml", CASE.encode())

    def spheres(self):
        made = self.tessera("generate", "spheres", "--size", "32", "--radius", "6", "--porosity",
                            "0.5", "--out", "spheres.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)
        return ["spheres.raw", "--shape", "32,32,32", "--tolerance", "0.01"]

    def assert_k(self, out="out", axes="x"):
        found = self.results(out)["permeability"]
        for axis in axes:
            self.assertGreater(found[axis]["k_lattice"], 0)
            self.assertIs(found[axis]["converged"], True)


class FullDisk(AnswerTest):
    def test_a_checkpoint_that_does_not_fit_is_a_warning_said_again_at_the_end(self):
        run = self.tessera("permeability", *self.spheres(), "--checkpoint", "1e-4", "--no-fields",
                           "--out", "out", preexec_fn=limit_files(100_000))
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assert_k()
        lines = re.findall(r"^tessera: no checkpoint after step (\d+): (.*)$", run.stderr, re.M)
        self.assertGreater(len(lines), 2)
        self.assertEqual(lines[-1][0], lines[-2][0])
        for _, why in lines:
            self.assertIn("File too large", why)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["convergence.csv", "results.json"])

    def test_a_case_goes_on_without_checkpoints_and_fields_and_keeps_the_rest(self):
        run = self.tessera("run", self.case(), "--set", "output.checkpoint.every=30", "--out",
                           "out", preexec_fn=limit_files(50_000))
        self.assertEqual(run.returncode, FAILED, run.stderr)
        for step in 20, 40, 60:
            self.assertIn(f"out/fields-{step}.vtkhdf", run.stderr)
        self.assertIn("tessera: not written: out/fields-20.vtkhdf and 2 more", run.stderr)
        self.assertIn("out/fields.vtkhdf", run.stderr)
        self.assertEqual(len(re.findall("^tessera: no checkpoint after", run.stderr, re.M)), 3)
        self.assertEqual(self.results()["stop"]["reason"], "all steps done")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["middle.csv", "results.json"])
        whole = self.tessera("run", self.case(), "--out", "whole")
        self.assertEqual(whole.returncode, DONE, whole.stderr)
        self.assertEqual(self.results()["final"], self.results("whole")["final"])
        self.assertEqual(self.path("out/middle.csv").read_bytes(),
                         self.path("whole/middle.csv").read_bytes())

    def test_fields_of_one_axis_that_do_not_fit_leave_the_other_axes_alone(self):
        run = self.tessera("permeability", *self.spheres(), "--axis", "all", "--quiet", "--out",
                           "out", preexec_fn=limit_files(100_000))
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assert_k(axes="xyz")
        self.assertEqual(len(re.findall(r"fields-[xyz]\.vtkhdf", run.stderr)), 3)

    def test_a_permeability_that_cannot_be_written_is_printed_even_if_quiet(self):
        run = self.tessera("permeability", *self.spheres(), "--quiet", "--out", "out",
                           preexec_fn=limit_files(1000))
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertRegex(run.stderr, r"\Atessera: cannot write out/results.json: [^\n]*\n\Z")
        self.assertRegex(run.stdout, r"\nk_x = [0-9.]+ voxels\^2\n")

    def test_a_folder_that_takes_no_files_is_found_before_the_work(self):
        image = self.spheres()
        for command in (["permeability", *image[:3], "--max-steps", "1000000000",
                         "--tolerance", "1e-15", "--precision", "double"],
                        ["run", self.case(), "--set", "stop.steps=1000000000"]):
            self.assert_refused(*command, "--out", "out", status=FAILED, says="out/results.json",
                                preexec_fn=limit_files(0))

    def test_a_disk_that_is_full_is_full_no_longer_than_needed(self):
        """A real one, where we may mount it: nothing of failed checkpoints keeps its room."""
        self.path("disk").mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none",
                                  self.path("disk")], stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode != 0:
            self.skipTest("only root may mount a file system")
        self.addCleanup(subprocess.run, ["umount", self.path("disk")], check=True)
        # Populations 2.5 MB, fields some 100 kB.
        run = self.tessera("run", self.case(), "--set", "output.checkpoint.every=7", "--out",
                           "disk/out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("No space left on device", run.stderr)
        self.assertEqual(sorted(os.listdir(self.path("disk/out"))),
                         ["fields-20.vtkhdf", "fields-40.vtkhdf", "fields-60.vtkhdf", "fields.vtkhdf",
                          "middle.csv", "results.json"])


class Streams(AnswerTest):
    def run_shell(self, redirection, *arguments):
        return subprocess.run(["sh", "-c", f'exec "$0" "$@" {redirection}', BINARY, *arguments],
                              cwd=self.folder, timeout=300, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", check=False)

    def test_closed_and_full_streams_change_nothing(self):
        image = self.write_raw("pores.raw", bent_pores())
        case = self.case()
        for number, redirection in enumerate(("2>&-", ">&-", ">&- 2>&-", "2>/dev/full",
                                              ">/dev/full", ">/dev/full 2>/dev/full",
                                              "<&- >&- 2>&-")):
            out = f"out{number}"
            for arguments in (["permeability", *image, "--verbose"], ["run", case]):
                run = self.run_shell(redirection, *arguments, "--out", out)
                self.assertEqual(run.returncode, DONE, redirection)
            self.results(out)
            run = self.run_shell(redirection, "permeability", *image, "--out", out)
            self.assertEqual(run.returncode, DONE, redirection)
            self.assert_k(out)

    def test_what_is_wrong_is_told_by_the_status_where_nothing_can_be_said(self):
        for redirection in "2>&-", "2>/dev/full":
            self.assertEqual(self.run_shell(redirection, "permeability", "none.raw", "--out",
                                            "out").returncode, BAD_INPUT, redirection)

    def test_readers_that_go_away_change_nothing(self):
        image = self.write_raw("pores.raw", bent_pores())
        for stream in "stdout", "stderr":
            reading, writing = os.pipe()
            os.close(reading)
            with subprocess.Popen([BINARY, "permeability", *image, "--verbose", "--out", stream],
                                  cwd=self.folder, **{"stdout": subprocess.DEVNULL,
                                                      "stderr": subprocess.DEVNULL,
                                                      stream: writing}) as process:
                os.close(writing)
                self.assertEqual(process.wait(timeout=120), DONE, stream)
            self.assert_k(stream)


class Names(AnswerTest):
    def test_names_that_are_no_utf_8_are_written_down_with_what_can_be(self):
        name = os.fsdecode(b"caf\xe9")
        content, shape = bent_pores()
        self.write(name + ".raw", content)
        self.write(name + ".toml", CASE.encode())
        for arguments in (["permeability", name + ".raw", "--shape", "12,10,8"],
                          ["run", name + ".toml"]):
            run = subprocess.run([BINARY, *arguments, "--checkpoint", "60", "--out", name],
                                 cwd=self.folder, timeout=300, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, check=False)
            self.assertEqual(run.returncode, DONE, run.stderr)
            found = self.results(name)
            said = found["image"]["path"] if "image" in found else found["case"]["file"]
            self.assertIn("caf\ufffd", said)
            self.path(name + "/checkpoint.h5").unlink()


class Memory(AnswerTest):
    def most_address_space(self, *arguments):
        """Of a run without limits, in bytes; most of it goes into the last measurement."""
        most = 0
        with subprocess.Popen([BINARY, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                    found = re.search(r"VmPeak:\s+(\d+) kB", file.read())
                most = max(most, 1024 * int(found[1]) if found else 0)
                time.sleep(0.002)
        return most

    def test_none_left_for_the_measurement_of_the_bandwidth_is_a_warning(self):
        image = self.write_raw("tube.raw", tube())
        # How many heaps of 64 MB the threads of a run open is chance: all of them use one.
        one_heap = {"MALLOC_ARENA_MAX": "1"}
        with mock.patch.dict(os.environ, one_heap, TESSERA_CACHE=str(self.path("first"))):  # nothing is kept in it
            most = self.most_address_space("permeability", *image, "--out", "out")
        self.path("out/results.json").unlink()
        limit = most - (50 << 20)  # the arrays that are copied take 160 MB
        run = self.tessera("permeability", *image, "--out", "out",
                           environment={**one_heap, "TESSERA_CACHE": str(self.path("second"))},
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("the bandwidth was not measured: out of memory", run.stderr)
        self.assert_k()
        self.assertIsNone(self.results()["performance"]["bandwidth_fraction"])


class Leftovers(AnswerTest):
    def test_what_a_killed_run_left_is_removed_by_the_next_and_nothing_else(self):
        self.path("out").mkdir()
        with subprocess.Popen(["true"]) as ended:
            ended.wait()
        dead = f"out/.tessera-{socket.gethostname()}-{ended.pid}-1-0.part"
        alive = f"out/.tessera-{socket.gethostname()}-{os.getpid()}-"
        with open("/proc/self/stat", encoding="ascii") as file:
            alive += file.read().rsplit(")", 1)[1].split()[19] + "-0.part"
        mine = ["out/fields-mine.vtkhdf", "out/fields-12-3.vtkhdf", "out/notes.part", "out/fields-"]
        runs = ["out/fields-700.vtkhdf", "out/averages.vtkhdf"]
        for name in dead, alive, *mine, *runs:
            self.write(name, b"before")
        run = self.tessera("run", self.case(), "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        for name in alive, *mine:
            self.assertEqual(self.path(name).read_bytes(), b"before", name)
        for name in dead, *runs:
            self.assertFalse(self.path(name).exists(), name)

    def test_a_run_that_is_killed_while_it_writes_leaves_nothing_that_looks_finished(self):
        """A few times at whatever it is doing; fields are most of that."""
        case = self.case()
        for _ in range(5):
            with subprocess.Popen([BINARY, "run", case, "--quiet", "--out", "out", "--set",
                                   "stop.steps=1000000", "--set", "output.fields.every=1"],
                                  cwd=self.folder) as process:
                while not self.path("out/fields-3.vtkhdf").exists():
                    time.sleep(0.01)
                process.kill()
            for name in os.listdir(self.path("out")):
                self.assertRegex(name, r"\A(fields-\d+\.vtkhdf|\.tessera-.*\.part)\Z")
                if name.startswith("fields"):
                    self.assertEqual(self.path(f"out/{name}").read_bytes()[:4], b"\x89HDF", name)
            self.path("out/fields-3.vtkhdf").unlink()
        run = self.tessera("run", case, "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual([n for n in os.listdir(self.path("out")) if n.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
