# SPDX-License-Identifier: MIT
"""Steps of a flow on simulated clusters: how far the simulation is from what was measured, and what limits clusters that are not at
hand. bench/simulate.sh builds what it needs and calls it."""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time

import machine as machines

HERE = pathlib.Path(__file__).resolve().parent


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
        # KiB. A node of 64 has some hundred threads of StarPU, and one for each message under way.
        "--cfg=contexts/stack-size:64",
        "--cfg=contexts/guard-size:0",
        "--cfg=smpi/shared-malloc-blocksize:33554432",
        "--log=root.threshold:critical",
    ]


def run(program, case, machine, timeout=7200):
    """One simulation; what `steps` prints, with the ranks, GFLUPS of all of them and the real seconds."""
    rock = json.loads(pathlib.Path(case["rock"]).read_text())
    ranks = math.prod(case["boxes"]) * rock["gpus"] // case["gpus_of_rank"]
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
            "STARPU_CUDA_PIPELINE": "2",
            "STARPU_MINIMUM_CLEAN_BUFFERS": "0",
            "STARPU_TARGET_CLEAN_BUFFERS": "0",
            "STARPU_MPI_NDETACHED_SEND": "1000",
            "STARPU_MPI_NREADY_PROCESS": "100",
            # Buffers are allocated in the first steps, which do not count.
            "STARPU_SIMGRID_CUDA_MALLOC_COST": "0",
            # 10 us of a GPU's thread for each task and transfer, or nothing
            "STARPU_SIMGRID_CUDA_QUEUE_COST": "1" if case["costs"]["gpu_thread"] else "0",
        }
        command = ["smpirun", "-platform", folder / "cluster.xml", "-hostfile", folder / "hosts", "-np", str(ranks)]
        command += [*simgrid_options(case["costs"]), program, folder / "case.json"]
        begin = time.monotonic()
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
        lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
        if ended.returncode != 0 or len(lines) != 1:
            raise RuntimeError(f"{case}: {ended.returncode}\n{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}")
        figures = json.loads(lines[0])
        tiles = rock["tiles"]
        copies = math.prod(case["boxes"])
        nodes = copies * case["scale"] ** 3 * sum(tile["nodes"] for tile in tiles)
        counts = {"ranks": ranks, "gpus": copies * rock["gpus"], "nodes": nodes, "tiles": copies * len(tiles)}
        return figures | counts | {"GFLUPS": 1e-3 * nodes / figures["us_per_step"], "real_s": time.monotonic() - begin}


class Simulation:
    """The program, the folder of rocks that `tessera bench tiles` has cut, and the table of measurements."""

    def __init__(self, program, rocks, table):
        self.program, self.rocks, self.table = program, pathlib.Path(rocks), table

    def rock(self, size, gpus, tiles):
        return self.rocks / f"{size}-{gpus}-{tiles}.json"

    def steps(self, rock, boxes, boxes_of_rank, gpus_of_rank, steps, scale=1.0, without=(), host=None, both_lattices=None):
        """Steps of copies of a rock, with some costs left out, on hosts of a kind of their own."""
        other = self.table["hosts"][host] if host else {"costs": {}, "machine": {}}
        costs = self.table["costs"] | other["costs"]
        machine = {name: dict(link) for name, link in (self.table["machine"] | other["machine"]).items()}
        for term in without:
            TERMS[term](costs, machine)
        case = {"rock": str(rock), "scale": scale, "boxes": boxes, "boxes_of_rank": boxes_of_rank, "gpus_of_rank": gpus_of_rank}
        case |= {"window": 4, "warm_steps": max(3, steps // 2), "steps": steps, "costs": costs}
        case["both_lattices"] = gpus_of_rank > 1 if both_lattices is None else both_lattices  # as in run/plan/tile_count.hpp
        return run(self.program, case, machine)

    def ideal_us(self, figures):
        """Of a step of GPUs that never wait."""
        costs = self.table["costs"]
        return (costs["launch"] * figures["tiles"] + costs["node"] * figures["nodes"]) / figures["gpus"]

    def loads_us(self, figures):
        """What a step asks of each of a process's resources, from the simulation's own counts."""
        us_of_byte = 1e-3 / self.table["machine"]["network"]["GB/s"]
        return {
            "submission": figures["submission_us"],
            "MPI thread": self.table["costs"]["mpi_message"] * figures["sent_messages_of_rank"],
            "network": us_of_byte * figures["sent_bytes_of_rank"],
        }


def no_submission(costs, _):
    costs |= {"submit_task": 0, "submit_handle": 0, "submit_message": 0, "submit_invalidation": 0}


def no_mpi_thread(costs, _):
    costs["mpi_message"] = 0


def no_network(_, machine):
    machine["network"] = {"GB/s": 1e5, "us": 0.01}


def no_gpu_threads(costs, _):
    costs["gpu_thread"] = 0


def no_bus(_, machine):
    for link in "bus", "peer":
        machine[link] = {"GB/s": 1e5, "us": 0.01}


def no_compute(costs, _):
    costs |= {"launch": 0.1, "node": 0, "crossing": 0}


TERMS = {
    "compute": no_compute,
    "submission": no_submission,
    "MPI thread": no_mpi_thread,
    "network": no_network,
    "GPU threads": no_gpu_threads,
    "buses": no_bus,
}


def calibrate(simulation, _):
    """One host, against what was measured."""
    print("| box | GPUs | tiles | measured GFLUPS | simulated | |\n|---|--:|--:|--:|--:|--:|")
    for row in simulation.table["measured"]:
        copies, ranks, size = row.get("copies", 1), row.get("processes", 1), row["size"]
        # A box of twice the edge as one of once the edge, whose lengths count twice: as long to cut as an eighth.
        scale = 2 if isinstance(size, int) and size > 1000 else 1
        rock = simulation.rock(size // scale if isinstance(size, int) else size, row["gpus"], row["tiles"])
        gpus = copies * row["gpus"]
        of_rank = [1, 1, max(1, copies // ranks)]
        figures = simulation.steps(rock, [1, 1, copies], of_rank, gpus // ranks, 24, scale, (), row.get("host"), row.get("both_lattices", False))
        off = 100 * (figures["GFLUPS"] / row["GFLUPS"] - 1)
        box = (f"{size}³" if isinstance(size, int) else size) + (f" × {copies}" if copies > 1 else "")
        processes = f" in {ranks} processes" if ranks > 1 else ""
        print(f"| {box} | {gpus}{processes} | {figures['tiles']} | {row['GFLUPS']} | {figures['GFLUPS']:.1f} | {off:+.1f} % |", flush=True)


def grid_of(number):
    """The most compact box of so many."""
    sides = [(x, y, number // x // y) for x in range(1, number + 1) if number % x == 0 for y in range(1, number + 1) if number // x % y == 0]
    return sorted(min(sides, key=lambda side: (max(side) / min(side), side)))


def report(simulation, rock, nodes, options, reference=None, copies=True):
    """One row; returns the efficiency against GPUs that never wait. The rock is that of a process, of which the cluster has copies, or
    that of all nodes, whose lengths count twice."""
    ranks = nodes * options.gpus // options.gpus_of_rank
    boxes, scale = (grid_of(ranks), 1.0) if copies else ([1, 1, 1], 2.0)

    def steps(*without):
        return simulation.steps(rock, boxes, [1, 1, 1], options.gpus_of_rank, options.steps, scale, without)

    figures = steps()
    us = figures["us_per_step"]
    ideal = simulation.ideal_us(figures)
    gains = {}
    if nodes <= options.terms_to:
        gains = {term: us - steps(term)["us_per_step"] for term in TERMS}
        # Whichever of these two is left out, the other one lasts nearly as long.
        pair = "submission", "MPI thread"
        gains[" with ".join(pair)] = us - steps(*pair)["us_per_step"]
        gains["order"] = steps(*(term for term in TERMS if term != "compute"))["us_per_step"] - ideal
    named = ", ".join(f"{term} {gain / us:.0%}" for term, gain in sorted(gains.items(), key=lambda x: -x[1]) if gain > 0.01 * us)
    loads = {"GPUs": ideal} | simulation.loads_us(figures)
    busy = ", ".join(f"{what} {load / us:.0%}" for what, load in sorted(loads.items(), key=lambda x: -x[1]) if load > 0.005 * us)
    efficiency = ideal / us
    weak = "" if reference is None else f"{efficiency / reference:.1%}"
    print(
        f"| {nodes} × {options.gpus} | {figures['nodes'] / figures['gpus'] / 1e6:.1f} M | {figures['messages_of_rank']}"
        f" | {1e-3 * us:.2f} | {figures['GFLUPS']:.0f} | {efficiency:.1%} | {weak} | {busy} | {named} | {figures['real_s']:.0f} s |",
        flush=True,
    )
    return efficiency


HEAD = """| nodes × GPUs | nodes a GPU | messages a process | ms a step | GFLUPS | of GPUs that never wait | of one node | of a step, each alone would take | a step is shorter without | took |
|---|--:|--:|--:|--:|--:|--:|---|---|--:|"""


def rock_of(simulation, name, gpus, options, tiles=None):
    return simulation.rock(name, gpus, (options.tiles if tiles is None else tiles) * gpus)


def weak(simulation, options):
    print(HEAD)
    reference = None
    for nodes in options.nodes:
        rock = rock_of(simulation, options.size, options.gpus_of_rank, options)
        efficiency = report(simulation, rock, nodes, options, reference)
        reference = reference or efficiency


def strong(simulation, options):
    """The box of one node's GPUs on ever more of them: part8 is a process's box on 8 nodes."""
    print(HEAD)
    for nodes in options.nodes:
        report(simulation, rock_of(simulation, f"part{nodes}", options.gpus_of_rank, options), nodes, options)


def whole(simulation, options):
    """A rock as large as the cluster, cut over its processes as a run cuts it."""
    print(HEAD)
    for nodes in options.nodes:
        rock = rock_of(simulation, f"whole{options.gpus_of_rank}", nodes * options.gpus, options, options.tiles or 8)
        report(simulation, rock, nodes, options, copies=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=["calibrate", "weak", "strong", "whole"])
    parser.add_argument("--program", required=True, help="bench/simulate/steps")
    parser.add_argument("--rocks", required=True, help="folder of rocks, SIZE-GPUS-TILES.json")
    parser.add_argument("--table", default=HERE / "measured.json")
    parser.add_argument("--size", default="box", help="name of the rock of one process")
    parser.add_argument("--tiles", type=int, default=0, help="of a GPU; 0: as many as a run chooses")
    parser.add_argument("--nodes", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2, 8])
    parser.add_argument("--gpus", type=int, default=8, help="of a node")
    parser.add_argument("--gpus-of-rank", type=int, default=8)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--terms-to", type=int, default=0, help="up to how many nodes each cost is left out in turn")
    options = parser.parse_args()
    simulation = Simulation(options.program, options.rocks, json.loads(pathlib.Path(options.table).read_text()))
    {"calibrate": calibrate, "weak": weak, "strong": strong, "whole": whole}[options.mode](simulation, options)


if __name__ == "__main__":
    main()
