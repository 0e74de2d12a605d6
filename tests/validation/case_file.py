# SPDX-License-Identifier: MIT
"""Case files of examples/ with other numbers in them, and what comes out of a run.

The environment variable TESSERA names the binary.
"""

import csv
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.path.abspath(os.environ.get("TESSERA", ROOT / "build/release/bin/tessera"))
NOT_STEADY = 3


class CaseFile:
    """A case file, and what stands in place of its values: options of `tessera run`."""

    def __init__(self, name, file="case.toml", kind="cases"):
        self.path = ROOT / "examples" / kind / name / file
        self.values = {}

    def set(self, section, **values):
        """Keys of [section]; underscores stand for dashes."""
        for key, value in values.items():
            key = key.replace("_", "-") if section != "constants" else key
            self.values[f"{section}.{key}"] = json.dumps(value)
        return self

    def constants(self, **values):
        return self.set("constants", **values)

    def without(self, section):
        self.values[section] = ""
        return self

    def options(self):
        return [word for name, value in self.values.items()
                for word in ("--set", f"{name}={value}")]


class Diverged(RuntimeError):
    """The flow did, the case file is as it should be."""


class Run:
    """A folder of results."""

    def __init__(self, folder):
        self.folder = folder
        self.results = json.loads((folder / "results.json").read_text(encoding="utf-8"))

    @property
    def steps(self):
        return self.results["stop"]["steps"]

    @property
    def steady(self):
        return self.results["stop"]["steady"]

    def table(self, name):
        """NAME.csv as lists of numbers by column, in the solid nan."""
        with open(self.folder / f"{name}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {key: [float(row[key] or "nan") for row in rows] for key in rows[0]}

    def field(self, quantity, step=None):
        """On all voxels, indices z, y, x; of a plane flow y, x. The last state unless said."""
        import h5py
        name = "fields.vtkhdf" if step is None else f"fields-{step}.vtkhdf"
        with h5py.File(self.folder / name) as file:
            values = file["VTKHDF/PointData"][quantity][:]
        plane = self.results["shape"][2] == 1
        return values[0] if plane else values  # ParaView gets a thin axis twice


def run(case, folder, gpus=None):
    """`tessera run` of a CaseFile. A flow that is not steady yet is the caller's to judge."""
    folder.mkdir(parents=True, exist_ok=True)
    if gpus is not None:
        case.set("run", gpus=gpus)
    command = [BINARY, "run", str(case.path), *case.options(), "--quiet", "--out",
               str(folder / "out")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", check=False)
    if done.returncode not in (0, NOT_STEADY):
        kind = Diverged if "the flow diverged" in done.stdout else RuntimeError
        raise kind(f"{case.path}, {folder}: status {done.returncode}: {done.stdout}")
    return Run(folder / "out")
