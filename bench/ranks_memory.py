#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory of the largest of several processes beside that of one: a rock of overlapping spheres, steps on cores.

usage: ranks_memory.py TESSERA [--size 256] [--ranks 1,2,4] [--case [TYPE]] [options of tessera permeability, or run]

With --case it is a case of tessera run, of an image of this type (uint8 unless said).
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

DONE, NOT_CONVERGED = 0, 3

CASE = """
[geometry]
image = "rock.npy"
threshold = "<0.5"
[fluid]
relaxation-time = 0.8
[[boundary]]
on = "x-"
type = "pressure"
density = 1.001
[[boundary]]
on = "x+"
type = "pressure"
density = 1
[stop]
steps = 4
[run]
gpus = 0
cores = 1
"""

# On few cores a process that waits must not give its turn away for each message.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_mpi_yield_when_idle": "0", "STARPU_NCPU": "1"}


def note_peak(file, command):
    """Runs a command and writes its peak of main memory, in bytes, into a file of this rank's."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, use = os.wait4(process.pid, 0)
    rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
    pathlib.Path(f"{file}.{rank}").write_text(str(1024 * use.ru_maxrss))
    # Where one ends with the status of a flow that has not settled, the launcher ends those that still write.
    return 0 if os.waitstatus_to_exitcode(status) in (DONE, NOT_CONVERGED) else 1


def peaks(ranks, command, folder):
    """Of each process, in bytes."""
    file = pathlib.Path(folder) / f"peak-{ranks}"
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)] if ranks > 1 else []
    subprocess.run([*launcher, sys.executable, __file__, "--note", str(file), *command, "--out", f"of{ranks}"],
                   cwd=folder, env={**os.environ, **ENVIRONMENT}, stderr=subprocess.DEVNULL, check=False)
    return [int(pathlib.Path(f"{file}.{rank}").read_text()) for rank in range(ranks)]


def write_case(folder, n, kind):
    import numpy as np  # for this alone
    np.save(folder / "rock.npy", np.fromfile(folder / "rock.raw", np.uint8).reshape(n, n, n).astype(kind))
    (folder / "case.toml").write_text(CASE)


def main():
    if sys.argv[1:2] == ["--note"]:
        return note_peak(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tessera", type=pathlib.Path)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--porosity", type=float, default=0.3)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--case", nargs="?", const="uint8")
    asked, options = parser.parse_known_args()
    tessera, n = asked.tessera.resolve(), asked.size
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tessera, "generate", "spheres", "--size", str(n), "--radius", "14", "--porosity", str(asked.porosity),
                        "--out", "rock.raw"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        command = [str(tessera), "permeability", "rock.raw", "--shape", f"{n},{n},{n}", "--solver", "steps", "--gpus", "0",
                   "--cores", "1", "--max-steps", "4", *options]
        if asked.case:
            write_case(pathlib.Path(folder), n, asked.case)
            command = [str(tessera), "run", "case.toml", *options]
        print("processes  largest MB  all MB  largest over one")
        one = None
        for ranks in map(int, asked.ranks.split(",")):
            of = peaks(ranks, command, folder)
            one = one or max(of)
            print(f"{ranks:9} {max(of) / 1e6:11.0f} {sum(of) / 1e6:7.0f} {max(of) / one:17.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
