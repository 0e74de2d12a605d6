#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How soon `import tessera` gives a first permeability, what a further one costs beside its flow, and what
arrays cost on their way in and out.

usage: PYTHONPATH=build/release/python bench/python_start.py [--size 80] [--rounds 5] [--cores 2]

Each round is an interpreter of its own: import and first permeability; what the tenth takes beside what the solver
does for the image; the part that the arrays' ways in and out have in the call, for C's and Fortran's order. Of all
rounds the best counts.
"""

import argparse
import json
import subprocess
import sys
import time

CALLS = 10
CEILINGS = {"start_s": 3.0, "tenth_beside_solver_s": 0.2, "part_c_order": 0.05, "part_fortran_order": 0.05}


def timed(call):
    begin = time.perf_counter()
    answer = call()
    return answer, time.perf_counter() - begin


def one_round(size, cores):
    """Of this interpreter, which has imported nothing yet."""
    import numpy as np
    tessera, importing = timed(lambda: __import__("tessera"))
    im = tessera.generate("spheres", size=size, radius=size / 8, porosity=0.5)

    def permeability(array):
        answer, seconds = timed(lambda: tessera.permeability(array, voxel_size=5e-6, gpus=0, cores=cores,
                                                             progress=False))
        parts = answer.to_dict()["performance"]["parts_s"]
        return seconds, parts["set-up"] + parts["flow"], parts["label"]

    calls = [permeability(im) for _ in range(CALLS)]
    found = {"import_s": importing, "start_s": importing + calls[0][0], "first_solver_s": calls[0][1],
             "tenth_s": calls[-1][0], "tenth_beside_solver_s": calls[-1][0] - calls[-1][1]}
    for name, order in (("c", np.ascontiguousarray), ("fortran", np.asfortranarray)):
        array = order(im)
        pair = permeability(array), permeability(array)
        found[f"part_{name}_order"] = min(1 - (solver + label) / whole for whole, solver, label in pair)
    print(json.dumps(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--size", type=int, default=80, help="edge of the image in voxels")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--one-round", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_round:
        one_round(arguments.size, arguments.cores)
        return 0
    rounds = []
    for _ in range(arguments.rounds):
        command = [sys.executable, __file__, "--one-round", "--size", str(arguments.size), "--cores",
                   str(arguments.cores)]
        (out, seconds) = timed(lambda: subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        rounds.append({**json.loads(out), "interpreter_s": seconds})
    status = 0
    for name in rounds[0]:
        best = min(one[name] for one in rounds)
        ceiling = CEILINGS.get(name)
        print(f"{name:22} {best:8.3f}" + (f"   at most {ceiling}" if ceiling else ""))
        if ceiling and best > ceiling:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
