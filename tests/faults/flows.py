# SPDX-License-Identifier: MIT
"""Two small flows that write all that a flow can write, and what must come out of each."""

import json
import pathlib
import shutil
import subprocess
import sys
import time

try:
    import h5py
except ImportError as error:
    print(error)
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "interfaces" / "commands"))
from command import BINARY, DONE  # noqa: E402  pylint: disable=wrong-import-position

HANG_S = 240  # a flow takes some seconds


def values_of(file):
    """All values of a file of fields; the file has times in it, too."""
    with h5py.File(file) as opened:
        points = opened["VTKHDF/PointData"]
        return {name: points[name][:].tobytes() for name in points}


class Flow:
    """One that can be resumed, as its user starts it; `finished` is its status when it is whole."""

    def __init__(self, name, arguments, finished):
        self.name, self.arguments, self.finished = name, arguments, finished
        self.out = pathlib.Path(name)

    def start(self, **options):
        return subprocess.Popen([BINARY, *self.arguments, "--out", str(self.out), "--resume"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def keep_reference(self):
        """Runs undisturbed, and remembers what came out and how long it took."""
        start = time.monotonic()
        run = self.start()
        said = run.communicate(timeout=HANG_S)
        self.seconds = time.monotonic() - start
        assert run.returncode == self.finished, said
        self.files = sorted(file.name for file in self.out.iterdir())
        self.largest = max(file.stat().st_size for file in self.out.iterdir())
        self.outcome = self.read_outcome()
        self.begin()

    def begin(self):
        shutil.rmtree(self.out, ignore_errors=True)

    def read_outcome(self):
        tables = {f.name: f.read_text(encoding="utf-8") for f in self.out.glob("*.csv")}
        fields = {f.name: values_of(f) for f in self.out.glob("*.vtkhdf")}
        return tables, fields, self.answer()

    def results(self):
        """None if there are none; half a file raises."""
        file = self.out / "results.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None

    def checkpoints(self):
        return sorted(self.out.glob("checkpoint*.h5"))


class Permeability(Flow):
    def __init__(self):
        subprocess.run([BINARY, "generate", "spheres", "--size", "28", "--radius", "5",
                        "--porosity", "0.5", "--out", "spheres.raw"], check=True,
                       stdout=subprocess.DEVNULL)
        super().__init__("permeability", ["permeability", "spheres.raw", "--shape", "28,28,28",
                                          "--gpus", "0", "--tolerance", "2e-4", "--precision",
                                          "double", "--checkpoint", "0.003"], DONE)

    def answer(self):
        found = self.results()["permeability"]["x"]
        return {key: found[key] for key in ("k_lattice", "steps", "error_estimate", "converged")}

    def claims_to_be_whole(self):
        found = self.results()
        return found is not None and found["permeability"].get("x", {}).get("converged") is True


class Case(Flow):
    def __init__(self):
        shutil.copy(HERE / "case.toml", ".")
        super().__init__("case", ["run", "case.toml"], DONE)

    def answer(self):
        found = self.results()
        return {"forces": found["forces"], "flow": found["flow"], "steps": found["stop"]["steps"]}

    def claims_to_be_whole(self):
        found = self.results()
        return found is not None and found["stop"]["steps"] == self.outcome[2]["steps"]
