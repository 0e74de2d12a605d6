# SPDX-License-Identifier: MIT
"""Where the results cannot be written: one line, exit status 1, and no half-written file."""

import os
import re
import resource
import subprocess
import unittest

from command import BAD_INPUT, BINARY, DONE, FAILED, NOT_CONVERGED, CommandTest, StartedBefore, tube

SOUND = """
method = "spectral"
[mesh]
box = [1, 1, 1]
cells = [8, 8, 8]
degree = 3
periodic = ["x", "y", "z"]
[initial]
density = "1 + 0.01*sin(2*pi*x)"
velocity = [0.5, 0, 0]
pressure = 0.7
[time]
cfl = 0.4
[stop]
steps = 5
[run]
gpus = 0
"""


class UnwritablePlace(CommandTest):
    def setUp(self):
        super().setUp()
        self.image = self.write_raw("tube.raw", tube())

    def fail(self, out, says):
        self.assert_refused("permeability", *self.image, "--out", out, status=FAILED, says=says)

    def test_a_file_where_the_folder_should_be_is_kept(self):
        self.write("taken", b"mine")
        self.fail("taken", says="--out taken: cannot make this folder")
        self.fail("taken/below", says="--out taken/below: cannot make this folder")
        self.assertEqual(self.path("taken").read_bytes(), b"mine")

    def test_a_name_that_no_folder_can_have_is_refused(self):
        self.path("round").symlink_to("about")
        self.path("about").symlink_to("round")
        for out, why in ((300 * "a", "File name too long"), ("new/" + 300 * "a", "File name too long"),
                         (2000 * "ab/", "File name too long"), ("round", "Too many levels of symbolic links"),
                         ("round/out", "Too many levels of symbolic links")):
            self.assert_refused("permeability", *self.image, "--out", out,
                                says=f"--out {out}: {why}: expected the name of a folder")
        self.assert_refused("run", "round", "--out", "out", says="round: cannot be read")
        self.assert_refused("info", "round", says="tessera: round: ")

    def test_a_folder_in_the_place_of_fields_is_kept(self):
        self.path("out/fields.vti").mkdir(parents=True)
        self.write("out/fields.vti/mine", b"mine")
        run = self.tessera("permeability", *self.image, "--mirror", "--no-fields", "--quiet", "--out", "out")
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))
        self.assertEqual(self.path("out/fields.vti/mine").read_bytes(), b"mine")

    def test_a_device_is_no_folder(self):
        self.fail("/dev/full", says="/dev/full")

    def test_a_place_that_takes_no_folders_is_reported(self):
        self.fail("/proc/tessera", says="/proc/tessera")

    def test_a_folder_without_permission_is_reported(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        self.path("locked").mkdir(mode=0o500)
        self.fail("locked/out", says="locked/out")

    def test_a_folder_in_the_place_of_a_result_is_reported(self):
        self.path("out/results.json").mkdir(parents=True)
        self.fail("out", says="results.json: a folder")

    def test_an_image_is_not_generated_into_a_missing_folder(self):
        self.assert_refused("generate", "plates", "--out", "none/plates.raw", status=FAILED,
                            says="no folder none")


class FullDisk(StartedBefore):
    """A limit on the size of files stands in for a disk that fills up while a file is written."""

    def run_limited(self, size, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return self.tessera(*arguments, preexec_fn=limit)

    def assert_failed(self, run):
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]+\n\Z")

    def test_a_flow_whose_fields_do_not_fit_leaves_no_file(self):
        image = self.write_raw("tube.raw", tube())
        for size in 0, 1000, 5000:
            run = self.run_limited(size, "permeability", *image, "--mirror", "--quiet", "--out", "out")
            self.assert_failed(run)
            self.assertNotIn("fields.vtkhdf", " ".join(self.files()))

    def test_the_answer_survives_where_the_fields_do_not_fit(self):
        image = self.write_raw("tube.raw", tube())
        run = self.run_limited(5000, "permeability", *image, "--mirror", "--quiet", "--out", "out")
        self.assert_failed(run)
        self.assertIn("out/fields.vtkhdf", run.stderr)
        self.assertTrue(self.path("out/results.json").exists())

    def test_a_flow_without_fields_leaves_no_half_written_results(self):
        image = self.write_raw("tube.raw", tube())
        run = self.run_limited(100, "permeability", *image, "--mirror", "--quiet", "--no-fields", "--out",
                               "out")
        self.assert_failed(run)
        self.assertEqual(self.files(), ["out", "tube.raw"])

    def test_older_results_survive(self):
        image = self.write_raw("tube.raw", tube())
        run = self.tessera("permeability", *image, "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        names = "convergence.csv", "fields.vtkhdf", "results.json"
        before = [self.path(f"out/{name}").read_bytes() for name in names]
        self.assert_failed(self.run_limited(0, "permeability", *image, "--quiet", "--out", "out"))
        self.assertEqual(sorted(os.listdir(self.path("out"))), sorted(names))
        self.assertEqual([self.path(f"out/{name}").read_bytes() for name in names], before)

    def test_images_that_do_not_fit_are_not_generated(self):
        for name in "plates.raw", "plates.tif":
            self.assert_failed(self.run_limited(100, "generate", "plates", "--out", name))
            self.assertEqual(self.files(), [])


class StarpuHome(CommandTest):
    """StarPU keeps its measurements in a folder, and calls abort() where it cannot."""

    def assert_done_or_one_line(self, home):
        image = self.write_raw("tube.raw", tube())
        for name in "STARPU_HOME", "XDG_CACHE_HOME":  # the second one outweighs the first
            run = self.tessera("permeability", *image, "--quiet", "--out", "out",
                               environment={name: home})
            self.assertIn(run.returncode, (DONE, FAILED), run.stderr)
            self.assertRegex(run.stderr, r"\A(tessera: [^\n]+\n)?\Z")

    def test_a_home_that_cannot_be_written_is_no_crash(self):
        self.assert_done_or_one_line("/proc/tessera")

    def test_a_home_with_a_long_name_is_no_crash(self):
        """StarPU cuts such names off."""
        home = self.path("long") / ("a" * 200) / ("b" * 200)
        home.mkdir(parents=True)
        self.assert_done_or_one_line(str(home))

    def test_several_can_start_for_the_first_time_at_once(self):
        """One of them measures the machine for StarPU, and the others wait for it."""
        flow = ["permeability", *self.write_raw("tube.raw", tube()), "--solver", "steps", "--max-steps", "2", "--quiet",
                "--no-fields", "--out"]
        for attempt in range(2):
            home = str(self.path(f"home{attempt}"))
            os.mkdir(home)
            runs = [subprocess.Popen([BINARY, *flow, f"out{attempt}.{number}"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                     env={**os.environ, "STARPU_HOME": home, "XDG_CACHE_HOME": home})
                    for number in range(8)]
            for run in runs:
                errors = run.communicate(timeout=120)[1]
                self.assertEqual(run.returncode, NOT_CONVERGED, errors)

    def test_a_full_home_is_said_in_one_line(self):
        image = self.write_raw("tube.raw", tube())
        self.path("home").mkdir()
        full = dict.fromkeys(("STARPU_HOME", "XDG_CACHE_HOME", "TMPDIR"), str(self.path("home")))
        run = self.tessera("permeability", *image, "--gpus", "0", "--solver", "steps", "--quiet", "--out", "out",
                           environment=full,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]* set STARPU_HOME [^\n]*\n\Z")

    def test_files_that_a_killed_run_or_a_full_home_has_cut_off_are_made_anew(self):
        """StarPU calls abort() on them. With one policy it reads what it knows of codelets, too."""
        flow = ["permeability", *self.write_raw("tube.raw", tube()), "--solver", "steps", "--scheduler", "dmda",
                "--max-steps", "20", "--no-fields", "--gpus", "0", "--quiet", "--out", "out"]
        home = {"STARPU_HOME": str(self.path("home")), "XDG_CACHE_HOME": str(self.path("home"))}

        def files():
            return [path for path in self.path("home").rglob("*") if path.is_file()]

        self.assertEqual(self.tessera(*flow, environment=home).returncode, NOT_CONVERGED)
        whole = {path: path.read_bytes() for path in files()}
        self.assertTrue([path for path in whole if "codelets" in path.parts], whole)
        for part in 2, 1.01:
            for path, content in whole.items():
                path.write_bytes(content[:int(len(content) / part)])
            run = self.tessera(*flow, environment=home)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (NOT_CONVERGED, 1), run.stderr)
            self.assertEqual({path.name for path in files()}, {path.name for path in whole})


class StarpuSettings(CommandTest):
    """The user's settings of StarPU: where it would abort, crash or stand still, one line instead."""

    def test_a_value_that_starpu_would_abort_on_is_refused(self):
        image = self.write_raw("tube.raw", tube())
        for name, value in (("STARPU_NCPU", "-1"), ("STARPU_NCPU", "many"),
                            ("STARPU_NCPU", "100000"), ("STARPU_NCPUS", "-1"),
                            ("STARPU_NCUDA", "-1"), ("STARPU_NCUDA", "abc"),
                            ("STARPU_LIMIT_CPU_MEM", "-1"), ("STARPU_LIMIT_CPU_MEM", "much"),
                            ("STARPU_NTHREADS_PER_CORE", "0"), ("STARPU_NTHREADS_PER_CORE", "77"),
                            ("STARPU_WORKERS_CPUID", "abc"), ("STARPU_WORKERS_CPUID", ""),
                            ("STARPU_WORKERS_COREID", "-1"), ("STARPU_WORKERS_NOBIND", "yes"),
                            ("STARPU_MAIN_THREAD_CPUID", "99999"), ("STARPU_CALIBRATE", "1.5"),
                            ("STARPU_HOSTNAME", "a/b"), ("STARPU_PERF_MODEL_DIR", "/proc/none"),
                            ("STARPU_SCHED_ALPHA", "high"), ("STARPU_WATCHDOG_TIMEOUT", "1 s")):
            with self.subTest(variable=name, value=value):
                self.assert_refused("permeability", *image, "--gpus", "0", "--quiet", "--out",
                                    "out", says=f"{name}={value} ", environment={name: value})

    def test_reserved_cores_are_left_and_one_has_to_compute(self):
        flow = ["permeability", *self.write_raw("tube.raw", tube()), "--solver", "steps", "--gpus", "0", "--max-steps",
                "20", "--no-fields", "--quiet"]
        self.assert_refused(*flow, "--out", "out", says="STARPU_RESERVE_NCPU=3 in the environment: expected 0 to 2, ",
                            environment={"STARPU_NCPU": "3", "STARPU_RESERVE_NCPU": "3"})
        for cores, reserved, workers in ([], "1", 2), (["--cores", "1"], "2", 1):
            run = self.tessera(*flow, *cores, "--out", "out",
                               environment={"STARPU_NCPU": "3", "STARPU_RESERVE_NCPU": reserved})
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            self.assertEqual(len(self.results()["performance"]["workers"]), workers)

    def test_an_unknown_scheduling_policy_is_refused(self):
        self.assert_refused("permeability", *self.write_raw("tube.raw", tube()), "--quiet", "--out",
                            "out", says="'nonsense' is unknown",
                            environment={"STARPU_SCHED": "nonsense"})

    def generate_plates(self):
        made = self.tessera("generate", "plates", "--gap", "46", "--width", "48", "--out",
                            "plates.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)

    def test_a_limit_of_memory_below_what_the_flow_needs_is_refused(self):
        """StarPU would wait for ever for room."""
        self.generate_plates()
        for name in "STARPU_LIMIT_CPU_MEM", "STARPU_LIMIT_CPU_NUMA_MEM":
            run = self.tessera("permeability", "plates.raw", "--shape", "47,48,48", "--axis", "y", "--gpus", "0",
                               "--solver", "steps", "--quiet", "--out", "out", environment={name: "1"})
            self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
            self.assertRegex(run.stderr, rf"\Atessera: {name}=1 [^\n]* at least \d+ [^\n]*\n\Z")

    def test_a_gas_in_too_little_memory_is_refused_and_runs_in_what_the_refusal_names(self):
        self.write("gas.toml", SOUND.encode())
        run = self.tessera("run", "gas.toml", "--quiet", "--out", "sound", environment={"STARPU_LIMIT_CPU_MEM": "1"})
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        enough = re.search(r"at least (\d+)", run.stderr).group(1)
        run = self.tessera("run", "gas.toml", "--quiet", "--out", "sound", environment={"STARPU_LIMIT_CPU_MEM": enough})
        self.assertEqual(run.returncode, DONE, run.stderr)

    def test_a_limit_of_memory_that_the_refusal_names_is_enough(self):
        self.generate_plates()
        flow = ["permeability", "plates.raw", "--shape", "47,48,48", "--axis", "y", "--gpus", "0", "--quiet",
                "--max-steps", "40", "--solver", "steps", "--no-fields", "--out", "out"]
        refusal = self.tessera(*flow, environment={"STARPU_LIMIT_CPU_MEM": "1"}).stderr
        enough = re.search(r"at least (\d+)", refusal).group(1)
        run = self.tessera(*flow, environment={"STARPU_LIMIT_CPU_MEM": enough})
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)


class Homeless(CommandTest):
    """Neither a home nor a cache can be written."""

    def test_a_flow_needs_neither(self):
        flow = ["permeability", *self.write_raw("tube.raw", tube()), "--mirror", "--quiet", "--out", "out"]
        nowhere = dict.fromkeys(("HOME", "STARPU_HOME", "TESSERA_CACHE", "XDG_CACHE_HOME"),
                                "/proc/none")
        run = self.tessera(*flow, environment=nowhere)
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))
        unset = {k: v for k, v in os.environ.items() if k not in nowhere}
        run = subprocess.run([BINARY, *flow], cwd=self.folder, env=unset, timeout=300,
                             capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (DONE, b""))


class MissingBinary(unittest.TestCase):
    def test_the_binary_of_these_tests_is_there(self):
        self.assertTrue(os.access(BINARY, os.X_OK), BINARY)


if __name__ == "__main__":
    unittest.main()
