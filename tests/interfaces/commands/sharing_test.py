# SPDX-License-Identifier: MIT
"""Runs side by side: none sits on cores that others were given, or all on the first one."""

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from command import BINARY, DONE, CommandTest

CPUS = os.sched_getaffinity(0)
if len(CPUS) < 2:
    print("there is one CPU only")
    sys.exit(77)


def cpus_of(text):
    """Of a list as 0-2,5."""
    ends = [[int(end) for end in part.split("-")] for part in text.strip().split(",")]
    return {cpu for part in ends for cpu in range(part[0], part[-1] + 1)}


def workers_of(process):
    """Where each worker of StarPU may run, by its thread's name."""
    places = {}
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        name = (task / "comm").read_text(encoding="utf-8").strip()
        if name.startswith("CPU"):
            status = (task / "status").read_text(encoding="utf-8").splitlines()
            allowed = next(line for line in status if line.startswith("Cpus_allowed_list:"))
            places[name] = cpus_of(allowed.split(":")[1])
    return places


class SideBySide(CommandTest):
    def setUp(self):
        super().setUp()
        made = self.tessera("generate", "spheres", "--size", "48", "--radius", "8", "--porosity",
                            "0.4", "--out", "spheres.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)
        self.started = []
        self.addCleanup(self.end)

    def end(self):
        for process in self.started:
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stderr.close()

    def start(self, *arguments, environment=None, prefix=()):
        """A flow that never ends, once it steps."""
        unset = ("STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID",
                 "STARPU_NCPU", "STARPU_NCPUS")
        kept = {k: v for k, v in os.environ.items() if k not in unset}
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            [*prefix, BINARY, "permeability", "spheres.raw", "--shape", "48,48,48", "--periodic",
             "--tolerance", "1e-12", "--precision", "double", "--solver", "steps", "--gpus", "0", "--verbose",
             *arguments, "--out", f"out-{len(self.started)}"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
            env={**kept, **(environment or {})})
        self.started.append(process)
        for line in process.stderr:
            if ": step " in line:
                return process
        return self.fail("the flow did not start")

    def test_runs_of_one_core_are_not_bound_to_the_same_one(self):
        runs = [self.start("--cores", "1") for _ in range(2)]
        for run in runs:
            self.assertEqual(list(workers_of(run).values()), [CPUS])
        time.sleep(0.5)

    def test_a_run_that_fills_the_machine_has_a_core_for_each_worker(self):
        places = list(workers_of(self.start()).values())
        self.assertTrue(all(len(place) == 1 for place in places), places)
        self.assertEqual(len(set.union(*places)), len(places))

    def test_a_run_stays_on_the_cores_it_was_given(self):
        given = max(CPUS)
        places = workers_of(self.start("--cores", "1", prefix=["taskset", "-c", str(given)]))
        self.assertEqual(list(places.values()), [{given}])

    def test_the_users_own_binding_outweighs_ours(self):
        last = len(CPUS) - 1
        places = workers_of(
            self.start("--cores", "1", environment={"STARPU_WORKERS_CPUID": str(last)}))
        self.assertEqual(list(places.values()), [{sorted(CPUS)[last]}])
        places = workers_of(self.start("--cores", "1", environment={"STARPU_WORKERS_NOBIND": "0"}))
        self.assertEqual([len(place) for place in places.values()], [1])


if __name__ == "__main__":
    unittest.main()
