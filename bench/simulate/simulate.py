# SPDX-License-Identifier: MIT
"""Runs bench/simulate/steps on simulated clusters."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import machine as machines


def simgrid_options(costs):
    """SMPI's network is that of a cluster with TCP, and its factors are laid on the links inside a host as well: above 64 KiB the
    latency of each transfer between GPUs would be twelve times what it is. All factors are 1 here."""
    return [
        "--cfg=smpi/lat-factor:0:1",
        "--cfg=smpi/bw-factor:0:1",
        "--cfg=network/TCP-gamma:-1",
        "--cfg=network/weight-S:0",
        "--cfg=network/crosstraffic:0",
        # A message keeps the thread that speaks MPI for a while, a look for one hardly.
        f"--cfg=smpi/ois:0:{1e-6 * costs['mpi_message'] / 2}:0",
        f"--cfg=smpi/or:0:{1e-6 * costs['mpi_message'] / 2}:0",
        "--cfg=smpi/test:1e-6",
        "--cfg=smpi/iprobe:1e-6",
        "--cfg=smpi/grow-injected-times:no",
        "--cfg=smpi/simulate-computation:no",
        "--cfg=smpi/privatization:yes",
        "--cfg=smpi/async-small-thresh:0",
        "--cfg=contexts/stack-size:256",
        "--log=root.threshold:critical",
    ]


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def run(program, case, machine, timeout=3600):
    """One simulation; what `steps` prints, with the ranks and the real seconds."""
    rock_gpus = json.loads(pathlib.Path(case["rock"]).read_text())["gpus"]
    ranks = product(case["boxes"]) * rock_gpus // case["gpus_of_rank"]
    with tempfile.TemporaryDirectory(prefix="simulate-") as folder:
        folder = pathlib.Path(folder)
        machines.write_bus(folder, case["gpus_of_rank"], machine)
        machines.write_cluster(folder / "cluster.xml", ranks, case["gpus_of_rank"], machine)
        (folder / "hosts").write_text("".join(f"rank{rank}\n" for rank in range(ranks)))
        (folder / "case.json").write_text(json.dumps(case))
        environment = os.environ | {
            "STARPU_HOME": str(folder),
            "STARPU_HOSTNAME": machines.HOST,
            "STARPU_NCPU": "0",
            "STARPU_NCUDA": str(case["gpus_of_rank"]),
            "STARPU_SCHED": "lws",
            "STARPU_SILENT": "1",
            "STARPU_CUDA_PIPELINE": "4",
            "STARPU_MINIMUM_CLEAN_BUFFERS": "0",
            "STARPU_TARGET_CLEAN_BUFFERS": "0",
            "STARPU_MPI_NDETACHED_SEND": "1000",
            "STARPU_MPI_NREADY_PROCESS": "100",
            # Buffers are allocated in the first steps, which do not count.
            "STARPU_SIMGRID_CUDA_MALLOC_COST": "0",
        }
        command = ["smpirun", "-platform", folder / "cluster.xml", "-hostfile", folder / "hosts", "-np", str(ranks)]
        command += [*simgrid_options(case["costs"]), program, folder / "case.json"]
        begin = time.monotonic()
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
        lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
        if ended.returncode != 0 or len(lines) != 1:
            raise RuntimeError(f"{case}: {ended.returncode}\n{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}")
        return json.loads(lines[0]) | {"ranks": ranks, "real_s": time.monotonic() - begin}
