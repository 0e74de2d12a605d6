# SPDX-License-Identifier: MIT
"""Signals end a flow that scripts of ParaView look at as they end any other, though ParaView's
logger and Python have handlers for them. Exits with 77 where there is no ParaView."""

import os
import signal
import subprocess
import time

import insitu
from command import BINARY, NOT_CONVERGED
from stopping_test import CASE

INSITU = """
[insitu]
script = "script.py"
every = 50
"""


class InSituSignals(insitu.InSituTest):
    def stopped_by(self, sent, *command):
        """The flow is asked to end once the script has looked at it a second time."""
        self.script(insitu.HEAD + "TrivialProducer(registrationName='monitor')\n"
                    "def catalyst_execute(info):\n"
                    "    if info.timestep > 0:\n        open('seen', 'w').close()\n")
        environment = {**os.environ, "DISPLAY": ""}
        with subprocess.Popen([BINARY, *command, "--checkpoint", "60", "--out", "out"],
                              cwd=self.folder, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, encoding="utf-8") as process:
            while not self.path("seen").exists():
                self.assertIsNone(process.poll(), "the flow has ended")
                time.sleep(0.05)
            process.send_signal(sent)
            said = process.stderr.read()
            self.assertEqual(process.wait(timeout=120), NOT_CONVERGED, said)
        self.assertIn(f"{sent.name}: stopping after step", said)
        self.assertTrue(self.path("out/checkpoint.h5").exists())
        self.assertTrue(self.path("out/fields.vtkhdf").exists())
        return self.results()

    def of_permeability(self, sent):
        made = self.tessera("generate", "spheres", "--size", "48", "--radius", "8", "--porosity",
                            "0.4", "--out", "spheres.raw")
        self.assertEqual(made.returncode, 0, made.stderr)
        found = self.stopped_by(sent, "permeability", "spheres.raw", "--shape", "48,48,48",
                                "--periodic", "--tolerance", "1e-12", "--insitu", "script.py",
                                "--insitu-every", "10")
        self.assertEqual(found["permeability"]["x"]["stop_reason"], "interrupted")
        self.assertGreater(found["permeability"]["x"]["k_lattice"], 0)

    def test_sigterm_ends_a_permeability(self):
        self.of_permeability(signal.SIGTERM)

    def test_ctrl_c_ends_a_permeability(self):
        self.of_permeability(signal.SIGINT)

    def test_sigterm_and_ctrl_c_end_a_case(self):
        for sent in signal.SIGTERM, signal.SIGINT:
            case = self.write("case.toml", (CASE + INSITU).encode())
            self.assertEqual(self.stopped_by(sent, "run", case)["stop"]["reason"], "interrupted")
            self.path("seen").unlink()


if __name__ == "__main__":
    insitu.main()
