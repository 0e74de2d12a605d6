#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How soon `import tessera` gives a first permeability, what a further one costs beside its flow, and what
arrays cost on their way in and out.

usage: PYTHONPATH=build/release/python bench/python_start.py [--starts 4] [--calls 10] [--size 80] [--cores 2]

Each start is an interpreter of its own: import and first permeability, of all starts the best counts. The last one goes on:
what the tenth call takes beside what the solver does for the image; the part that the arrays' ways in and out have in a
call, for C's and Fortran's order. Forty seconds on two quiet cores.
"""

import argparse
import json
import subprocess
import sys
import time

CEILINGS = {"start_s": 3.0, "tenth_beside_solver_s": 0.2, "part_c_order": 0.05, "part_fortran_order": 0.05}


def timed(call):
    begin = time.perf_counter()
    answer = call()
    return answer, time.perf_counter() - begin


def one_start(size, cores, calls):
    """Of this interpreter, which has imported nothing yet."""
    import numpy as np
    tessera, importing = timed(lambda: __import__("tessera"))
    im = tessera.generate("spheres", size=size, radius=size / 8, porosity=0.5)

    def permeability(array):
        answer, seconds = timed(lambda: tessera.permeability(array, voxel_size=5e-6, gpus=0, cores=cores,
                                                             progress=False))
        parts = answer.to_dict()["performance"]["parts_s"]
        return seconds, parts["set-up"] + parts["flow"], parts["label"]

    seconds, solver, _ = permeability(im)
    found = {"import_s": importing, "start_s": importing + seconds, "first_solver_s": solver}
    if calls > 1:
        for _ in range(calls - 1):
            seconds, solver, _ = permeability(im)
        found.update(tenth_s=seconds, tenth_beside_solver_s=seconds - solver)
        for name, order in (("c", np.ascontiguousarray), ("fortran", np.asfortranarray)):
            array = order(im)
            pair = permeability(array), permeability(array)
            found[f"part_{name}_order"] = min(1 - (solver + label) / whole for whole, solver, label in pair)
    print(json.dumps(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--size", type=int, default=80, help="edge of the image in voxels")
    parser.add_argument("--starts", type=int, default=4, help="interpreters")
    parser.add_argument("--calls", type=int, default=10, help="permeabilities of the last one")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--one-start", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_start:
        one_start(arguments.size, arguments.cores, arguments.calls)
        return 0
    best, status = {}, 0
    for start in range(arguments.starts):
        last = start == arguments.starts - 1
        command = [sys.executable, __file__, "--one-start", "--size", str(arguments.size), "--cores",
                   str(arguments.cores), "--calls", str(arguments.calls if last else 1)]
        found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        print(f"start {start + 1}: {found['start_s']:.3f} s, of it the solver {found['first_solver_s']:.3f} s", flush=True)
        best.update({name: min(value, best.get(name, value)) for name, value in found.items()})
    for name, value in best.items():
        ceiling = CEILINGS.get(name)
        print(f"{name:22} {value:8.3f}" + (f"   at most {ceiling}" if ceiling else ""))
        if ceiling and value > ceiling:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
