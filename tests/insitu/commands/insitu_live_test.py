# SPDX-License-Identifier: MIT
"""A ParaView that waits sees the running flow (Catalyst Live).
Exits with 77 where there is no ParaView."""

import pathlib
import socket
import subprocess
import time

import insitu
from command import NOT_CONVERGED, bent_pores

HERE = pathlib.Path(__file__).resolve().parent
CLIENT = HERE / "insitu_live_client.py"
STEERING = HERE.parents[2] / "insitu" / "paraview" / "steering.xml"

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
    open("looked-at.txt", "a").write(f"{info.timestep}\\n")
    time.sleep(0.1)
"""

# Between plates, driven along x.
CASE = """
[geometry]
shape = [12, 10, 8]
periodic = ["x", "y"]
[fluid]
viscosity = 0.1
[force]
body = [1e-5, 0, 0]
[stop]
steps = 100000
[insitu]
script = "script.py"
every = 100
"""


def free_port():
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]


class Live(insitu.InSituTest):
    def setUp(self):
        super().setUp()
        self.live_port = str(free_port())
        self.script(SCRIPT.replace("{port}", self.live_port))

    def wait_for_a_flow(self, *settings):
        """Starts a ParaView that waits for a flow with script.py, and returns its process."""
        server_port = free_port()
        server = subprocess.Popen(["pvserver", f"--server-port={server_port}"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        for line in server.stdout:
            if "Accepting connection" in line:
                break
        client = subprocess.Popen(
            ["pvpython", CLIENT, str(server_port), self.live_port, STEERING, *settings],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8")
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        self.assertEqual(client.stdout.readline(), "waits\n")
        return client

    def assert_saw_the_layer(self, client):
        seen, _ = client.communicate(timeout=150)
        self.assertIn("sees 120 cells", seen)  # one layer of 12 x 10 voxels
        self.assertEqual(client.returncode, 0)

    def looks(self):
        """How often the script has looked at the flow."""
        return self.path("looked-at.txt").read_text(encoding="utf-8").count("\n")

    def test_a_paraview_that_waits_sees_the_flow(self):
        """The client leaves when it has seen enough; the flow goes on."""
        client = self.wait_for_a_flow()
        image = self.write_raw("pores.raw", bent_pores())
        with subprocess.Popen([insitu.BINARY, "permeability", *image, "--solver", "steps", "--insitu", "script.py",
                               "--insitu-every", "10", "--tolerance", "1e-12", "--precision", "double",
                               "--insitu-errors", "stop", "--out", "out"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            self.addCleanup(run.kill)
            self.assert_saw_the_layer(client)
            seen = self.looks()
            while self.looks() < seen + 5:
                self.assertIsNone(run.poll())
                time.sleep(0.1)
            run.terminate()
            said = run.communicate(timeout=150)
        self.assertEqual(run.returncode, NOT_CONVERGED, said)
        self.assertEqual(self.results()["permeability"]["x"]["stop_reason"], "interrupted")

    def test_another_one_steers_the_flow_of_a_case(self):
        self.write("case.toml", CASE.encode())
        first = self.wait_for_a_flow()
        with subprocess.Popen([insitu.BINARY, "run", "case.toml", "--out", "out"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            self.addCleanup(run.kill)
            self.assert_saw_the_layer(first)
            second = self.wait_for_a_flow("Fields=1", "Stop=1")
            said = run.communicate(timeout=150)
        self.assertEqual(run.returncode, NOT_CONVERGED, said)
        self.assertEqual(self.results()["stop"]["reason"], "stopped by a script")
        self.assertTrue([name for name in self.files() if name.startswith("out/fields-")])
        self.assert_saw_the_layer(second)


if __name__ == "__main__":
    insitu.main()
