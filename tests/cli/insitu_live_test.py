# SPDX-License-Identifier: MIT
"""A ParaView that waits sees the running flow (Catalyst Live).
Exits with 77 where there is no ParaView."""

import pathlib
import socket
import subprocess

import insitu
from command import NOT_CONVERGED

HERE = pathlib.Path(__file__).resolve().parent
CLIENT = HERE / "insitu_live_client.py"
STEERING = HERE.parent.parent / "insitu" / "paraview" / "steering.xml"

SCRIPT = insitu.HEAD + """
import time
fluid = TrivialProducer(registrationName="fluid")
layer = ExtractSubset(registrationName="layer", Input=fluid)
layer.VOI = [0, 12, 0, 10, 4, 5]
CreateSteerableParameters("TesseraSteering")
options.EnableCatalystLive = 1
options.CatalystLiveURL = "localhost:{port}"
options.CatalystLiveTrigger = "TimeStep"
def catalyst_execute(info):
    layer.UpdatePipeline(info.time)
    time.sleep(0.1)
"""


def free_port():
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]


class Live(insitu.InSituTest):
    def test_a_paraview_that_waits_sees_the_flow(self):
        server_port, live_port = free_port(), free_port()
        server = subprocess.Popen(["pvserver", f"--server-port={server_port}"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        for line in server.stdout:
            if "Accepting connection" in line:
                break
        client = subprocess.Popen(["pvpython", CLIENT, str(server_port), str(live_port), STEERING],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        self.assertEqual(client.stdout.readline(), "waits\n")
        script = self.script(SCRIPT.replace("{port}", str(live_port)))
        run = self.flow("--insitu", script, "--insitu-every", "10", "--max-steps", "600",
                        "--tolerance", "1e-6", "--out", "out")
        # The client leaves when it has seen enough; the flow goes on.
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(self.results()["permeability"]["x"]["steps"], 600)
        seen, _ = client.communicate(timeout=60)
        self.assertIn("sees 120 cells", seen)  # one layer of 12 x 10 voxels
        self.assertEqual(client.returncode, 0)


if __name__ == "__main__":
    insitu.main()
