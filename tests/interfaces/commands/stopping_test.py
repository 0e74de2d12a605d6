# SPDX-License-Identifier: MIT
"""A flow that ends before it has converged: exit status 3, and what there is is written."""

import contextlib
import gzip
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from command import BINARY, DONE, FAILED, NOT_CONVERGED, CommandTest, bent_pores, tube


# A ball in a box, for as long as nobody ends it.
CASE = """
[geometry]
shape = [32, 32, 32]
periodic = ["x", "y", "z"]
[[geometry.solid]]
shape = "sphere"
center = [16, 16, 16]
radius = 8
[fluid]
relaxation-time = 0.8
[force]
body = [1e-6, 0, 0]
[stop]
steps = 1000000000
[output.fields]
every = 100
[run]
gpus = 0
"""


class Stopping(CommandTest):
    def spheres(self):
        """An image, and a flow through it that never converges."""
        if not self.path("spheres.raw").exists():
            made = self.tessera("generate", "spheres", "--size", "64", "--radius", "8",
                                "--porosity", "0.4", "--out", "spheres.raw")
            self.assertEqual(made.returncode, DONE, made.stderr)
        return ["spheres.raw", "--shape", "64,64,64", "--periodic", "--solver", "steps", "--tolerance", "1e-12"]

    @contextlib.contextmanager
    def flow(self, *arguments, **options):
        """A flow that steps, in the folder out; ends with the block."""
        with subprocess.Popen(
                [BINARY, "permeability", *self.spheres(), "--verbose", *arguments, "--out", "out"],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                encoding="utf-8", **options) as process:
            self.assertTrue(any(": step " in line for line in process.stderr),
                            "the flow did not start")
            try:
                yield process
            finally:
                process.kill()

    def end(self, process):
        """The status of a process that has been asked to end, and the rest of what it said."""
        said = process.stderr.read()
        return process.wait(timeout=120), said

    def run_until(self, sent, *arguments):
        """Starts a flow that never converges, sends the signal once it steps, returns the status."""
        with self.flow(*arguments) as process:
            process.send_signal(sent)
            return self.end(process)[0]

    def test_ctrl_c_writes_what_there_is(self):
        self.assertEqual(self.run_until(signal.SIGINT), NOT_CONVERGED)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["convergence.csv", "fields.vtkhdf", "results.json"])
        found = self.results()["permeability"]["x"]
        self.assertIs(found["converged"], False)
        self.assertEqual(found["stop_reason"], "interrupted")
        self.assertGreater(found["steps"], 0)
        self.assertGreater(found["k_lattice"], 0)
        rows = self.path("out/convergence.csv").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(rows), 1)

    def test_the_end_signal_of_a_batch_system_does_the_same(self):
        self.assertEqual(self.run_until(signal.SIGTERM), NOT_CONVERGED)
        self.assertEqual(self.results()["permeability"]["x"]["stop_reason"], "interrupted")

    def test_the_warnings_of_batch_systems_do_too_and_are_answered_in_one_line(self):
        for sent in signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU:
            with self.flow() as process:
                process.send_signal(sent)
                status, said = self.end(process)
            self.assertEqual(status, NOT_CONVERGED, sent)
            answers = re.findall(r"^tessera: (\w+): stopping after step \d+, .*$", said, re.M)
            self.assertEqual(answers, [sent.name], said)
            self.assertEqual(self.results()["permeability"]["x"]["stop_reason"], "interrupted")

    def test_a_case_ends_by_each_of_them(self):
        case = self.write("case.toml", CASE.encode())
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
                     signal.SIGXCPU):
            out = f"out-{sent.name}"
            with subprocess.Popen([BINARY, "run", case, "--out", out, "--checkpoint", "60"],
                                  cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, encoding="utf-8") as process:
                while not self.path(f"{out}/fields-100.vtkhdf").exists():
                    self.assertIsNone(process.poll())
                    time.sleep(0.05)
                process.send_signal(sent)
                status, said = self.end(process)
            self.assertEqual(status, NOT_CONVERGED, said)
            self.assertRegex(said, rf"\Atessera: {sent.name}: stopping after step \d+, [^\n]*\n\Z")
            self.assertEqual(self.results(out)["stop"]["reason"], "interrupted")
            self.assertTrue(self.path(f"{out}/checkpoint.h5").exists())

    def test_the_same_signal_twice_within_milliseconds_is_one(self):
        """As `timeout` sends it: to the process and to its group."""
        with self.flow() as process:
            for _ in range(2):
                process.send_signal(signal.SIGTERM)
                time.sleep(0.005)
            self.assertEqual(self.end(process)[0], NOT_CONVERGED)

    def test_under_nohup_a_closed_terminal_ends_nothing(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with self.flow(preexec_fn=ignore) as process:
            process.send_signal(signal.SIGHUP)
            self.assertTrue(any(": step " in line for line in process.stderr), "it has ended")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(self.end(process)[0], NOT_CONVERGED)

    def test_a_folder_belongs_to_one_run_at_a_time(self):
        image = self.spheres()
        case = self.write("case.toml", CASE.encode())
        with self.flow() as process:
            for second in (["permeability", *image, "--precision", "double"],
                           ["run", case, "--set", "stop.steps=3"]):
                self.assert_refused(*second, "--out", "out", says="--out out: another run")
                self.assert_refused(*second, "--out", "./out/", says="another run")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(self.end(process)[0], NOT_CONVERGED)
        self.assertEqual(self.results()["permeability"]["x"]["stop_reason"], "interrupted")
        self.assertEqual(self.tessera("run", case, "--set", "stop.steps=3", "--out",
                                      "out").returncode, DONE)

    def test_ctrl_c_on_the_first_of_three_axes_leaves_the_others_out(self):
        self.assertEqual(self.run_until(signal.SIGINT, "--axis", "all"), NOT_CONVERGED)
        self.assertEqual(list(self.results()["permeability"]), ["x"])

    def test_a_refinement_that_is_cut_off_is_not_converged(self):
        image = self.spheres()[:4]
        with subprocess.Popen([BINARY, "permeability", *image, "--crop", "0:24,0:24,0:24", "--no-fields", "--refine", "3",
                               "--out", "out"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8") as process:
            self.addCleanup(process.kill)
            self.assertTrue(any("converged after" in line for line in process.stdout))
            process.send_signal(signal.SIGTERM)  # which refines for seconds yet
            status, said = self.end(process)
        self.assertEqual(status, NOT_CONVERGED, said)
        self.assertIn("SIGTERM: stopping the refinement along x: what the voxels leave open is not known\n", said)
        found = self.results()
        self.assertIs(found["permeability"]["x"]["converged"], True)
        self.assertNotIn("voxels", found["permeability"]["x"])
        self.assertIn("refinement", "".join(found["warnings"]))

    @staticmethod
    def has_open(process, name):
        """Whether a process has a file of this name open."""
        with contextlib.suppress(FileNotFoundError):  # the process or the file is no longer there
            for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    if os.readlink(descriptor).endswith(name):
                        return True
        return False

    def ask_to_end_while_open(self, name, *command):
        """Starts a command and asks it to end while it has this file open; returns its status and what it said.

        On a busy machine this test may be served too late. A start counts only if the file is open before the signal
        and after it."""
        for _ in range(50):
            with subprocess.Popen([BINARY, *command], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  encoding="utf-8", preexec_fn=lambda: os.nice(10)) as process:
                try:
                    late = time.monotonic() + 5
                    while process.poll() is None and time.monotonic() < late:
                        if self.has_open(process, name):
                            process.send_signal(signal.SIGTERM)
                            if self.has_open(process, name):
                                return self.end(process)
                            break
                finally:
                    process.kill()
        return self.fail(f"no start was seen to have {name} open")

    def test_a_signal_while_the_image_is_read_ends_the_run_cleanly(self):
        """It takes a moment to be unpacked."""
        slab = bytes([0] * 8 + [1] * 152) * 160 + bytes([1]) * 160 * 160  # a slit, walls
        with gzip.open(self.path("slits.raw.gz"), "wb", 1) as file:
            file.write(slab * 80)
        self.write("slits.toml", b"""
[geometry]
image = "slits.raw.gz"
shape = [160, 160, 160]
[fluid]
viscosity = 0.1
[stop]
steps = 1000000000
[output.fields]
final = false
[run]
gpus = 0
""")
        for command in ["permeability", "slits.raw.gz", "--shape", "160,160,160", "--axis", "y"], ["run", "slits.toml"]:
            status, said = self.ask_to_end_while_open("slits.raw.gz", *command, "--out", command[0])
            self.assertEqual(status, NOT_CONVERGED, said)
            self.assertRegex(said, "SIGTERM: stopping after step [0-2], writing what there is")
            self.assertTrue(self.path(f"{command[0]}/results.json").exists())

    def test_too_few_steps_are_not_converged(self):
        image = self.write_raw("pores.raw", bent_pores())
        for steps in 1, 2, 20, 30:
            found = self.compute(*image, "--max-steps", steps, status=NOT_CONVERGED)
            found = found["permeability"]["x"]
            self.assertIs(found["converged"], False)
            self.assertEqual(found["stop_reason"], "step limit reached")
            self.assertLessEqual(found["steps"], max(steps, 2))

    def test_too_few_steps_are_warned_of_in_one_line_even_when_quiet(self):
        run = self.tessera("permeability", *self.write_raw("tube.raw", tube()), "--quiet",
                           "--max-steps", "10", "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED)
        self.assertRegex(run.stderr, r"\A[^\n]*not converged[^\n]*\n\Z")

    def test_a_flow_that_diverges_fails_and_gives_no_permeability(self):
        run = self.tessera("permeability", *self.write_raw("tube.raw", tube()), "--equilibrium",
                           "navier-stokes", "--body-force", "10", "--quiet", "--out", "out")
        self.assertEqual(run.returncode, FAILED)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]*diverged[^\n]*\n\Z")
        found = self.results()["permeability"]["x"]
        self.assertIs(found["converged"], False)
        self.assertEqual(found["stop_reason"], "diverged")
        self.assertIsNone(found["k_lattice"])
        self.assertFalse(self.path("out/fields.vtkhdf").exists())


if __name__ == "__main__":
    unittest.main()
