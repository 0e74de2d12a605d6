#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wall time of a command on growing parts of a machine: more cores, GPUs or processes should never take longer.

usage: set_ups.py [--repeats 3] [--timeout 300] [--from-cores 1] [--no-cores] TESSERA COMMAND... (without --cores, --gpus and --out)

Each line is a set-up: 1, 2, 4, ... cores (from --from-cores on); the GPUs without and with the cores; processes on the cores and on
the GPUs. Behind the time stands its ratio to that of the set-up which it grew from, with an exclamation mark where it is more than
1.05. --no-cores: set-ups with GPUs alone.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

NOISE = 1.05  # within which times repeat


def gpus_present():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout.count("GPU ")
    except FileNotFoundError:
        return 0


def set_ups(fewest, cores, gpus):
    """Name, processes, options, and the name of the set-up that it grew from."""
    counts = [min(fewest, cores)]
    while counts[-1] < cores:
        counts.append(min(2 * counts[-1], cores))
    grown = [(f"{c} cores", 1, ["--gpus", "0", "--cores", str(c)], f"{b} cores" if b else None)
             for b, c in zip([None, *counts], counts)]
    everything = f"{cores} cores"
    processes = [p for p in (2, 4, 8) if p <= cores]
    grown += [(f"{p} processes on {cores} cores", p, ["--gpus", "0"], everything) for p in processes]
    for g in sorted({1, gpus} if gpus else ()):
        alone = f"{g} GPU" + ("s" if g > 1 else "")
        grown.append((alone, 1, ["--gpus", str(g), "--cores", "0"], "1 GPU" if g > 1 else None))
        grown.append((f"{alone} and {cores} cores", 1, ["--gpus", str(g)], alone))
    if gpus:
        usual = f"{gpus} GPU{'s' if gpus > 1 else ''} and {cores} cores"
        grown += [(f"{p} processes on {usual}", p, [], usual) for p in processes[:2]]
    return grown


def seconds_of(command, repeats, limit):
    """Their median; None if it takes longer than the limit or fails."""
    times = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            try:
                run = subprocess.run([*command, "--out", folder + "/out"], capture_output=True, text=True, timeout=limit,
                                     check=False)
            except subprocess.TimeoutExpired:
                return None
            if run.returncode not in (0, 3):
                print(run.stderr.strip().splitlines()[-1:], file=sys.stderr)
                return None
            times.append(time.monotonic() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--from-cores", type=int, default=1)
    parser.add_argument("--no-cores", action="store_true")
    parser.add_argument("tessera")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print("tessera " + " ".join(asked.command))
    taken = {}
    slower = []
    for name, processes, options, before in set_ups(asked.from_cores, cores, gpus_present()):
        if asked.no_cores and "GPU" not in name:
            continue
        start = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(processes)] if processes > 1 else []
        taken[name] = seconds_of([*start, asked.tessera, *asked.command, *options], asked.repeats, asked.timeout)
        line = f"{name:34}" + (f"{taken[name]:9.2f} s" if taken[name] else "        - s")
        if before and taken[name] and taken.get(before):
            ratio = taken[name] / taken[before]
            line += f"   {ratio:5.2f} of {before}"
            if ratio > NOISE:
                line += " !"
                slower.append(name)
        print(line, flush=True)
    print("never slower" if not slower else "slower: " + ", ".join(slower))


if __name__ == "__main__":
    main()
