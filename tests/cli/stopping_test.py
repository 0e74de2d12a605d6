# SPDX-License-Identifier: MIT
"""A flow that ends before it has converged: exit status 3, and what there is is written."""

import os
import signal
import subprocess
import unittest

from command import BINARY, DONE, FAILED, NOT_CONVERGED, CommandTest, bent_pores, tube


class Stopping(CommandTest):
    def run_until(self, sent, *arguments):
        """Starts a flow that never converges, sends the signal once it steps, returns the status."""
        made = self.tessera("generate", "spheres", "--size", "64", "--radius", "8", "--porosity",
                            "0.4", "--out", "spheres.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)
        with subprocess.Popen(
                [BINARY, "permeability", "spheres.raw", "--shape", "64,64,64", "--periodic",
                 "--tolerance", "1e-12", "--verbose", *arguments, "--out", "out"],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                encoding="utf-8") as process:
            for line in process.stderr:
                if ": step " in line:
                    process.send_signal(sent)
                    break
            else:
                self.fail("the flow did not start")
            process.stderr.read()
            return process.wait(timeout=120)

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

    def test_ctrl_c_on_the_first_of_three_axes_leaves_the_others_out(self):
        self.assertEqual(self.run_until(signal.SIGINT, "--axis", "all"), NOT_CONVERGED)
        self.assertEqual(list(self.results()["permeability"]), ["x"])

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
