# SPDX-License-Identifier: MIT
"""Runs the tutorials from top to bottom, as a reader does, and compares what they print with what stands there.

A fenced block of a page with a title is a file: it is written; a title that is a file of the repository says that the block
quotes it, a diff what stands there before the change. "sh" and "python" are run, each page in one folder and one namespace,
and a block "text" behind one is what it prints. Commands that build or ask a batch system are not run; what they name has to
be there.

    TESSERA=build/release/bin/tessera PYTHONPATH=build/release/python python3 tests/tutorials/tutorials_test.py
"""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "readme"))

from printed import blocks_of, prints  # pylint: disable=wrong-import-position

TESSERA = pathlib.Path(os.environ.get("TESSERA", REPOSITORY / "build/release/bin/tessera")).absolute()
PAGES = REPOSITORY / "docs" / "tutorials"
# How the tests of operators are called.
COMBINATIONS = (REPOSITORY / "tests/models/lattice/combinations.hpp").read_text(encoding="utf-8")
# Blocks that begin with these install, build, or ask a batch system or a screen.
NOT_RUN = {"make", "export", "sbatch", "build/release/bin/models_lattice_tests", "jupyter", "paraview"}
ENVIRONMENT = {"PATH": f"{TESSERA.parent}:{os.environ['PATH']}", "MPLBACKEND": "Agg", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_odls_base_sigkill_timeout": "0"}
# In place of Slurm's: its options begin with "-", and two processes are few enough.
SRUN = """#!/bin/bash
while [[ $1 == -* ]]; do shift; done
exec mpirun --bind-to none -np 2 "$@"
"""


def page_of(name):
    return (PAGES / name).read_text(encoding="utf-8")


def stands_in(lines, text):
    """Whether lines stand there one behind the other; a line "..." leaves some out."""
    place = 0
    for part in "\n".join(lines).split("\n...\n"):
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


class Tutorial(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-tutorial-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "examples").symlink_to(REPOSITORY / "examples")
        self.enterContext(contextlib.chdir(self.folder))
        self.enterContext(mock.patch.dict(os.environ, ENVIRONMENT))

    def need(self, *modules):
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        if missing:
            self.skipTest(f"no {missing[0]}")

    def run_page(self, name):
        names, found, skipped = {}, None, False
        for language, title, lines in blocks_of(page_of(name)):
            text = "\n".join(lines) + "\n"
            if language == "text" and skipped:
                continue
            skipped = lines[0].startswith("xvfb-run ") and not shutil.which("xvfb-run")
            if language == "text":
                self.assertIsNotNone(found, f"{name}: what prints {lines[0]}?")
                self.assertTrue(prints(found, lines), "\n".join([f"{name}: expected", *lines, "found", *found]))
            elif title:
                self.take_file(language, title, lines)
            elif language == "python":
                with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    exec(compile(text, name, "exec"), names)  # pylint: disable=exec-used
                found = out.getvalue().splitlines()
            elif language == "sh" and lines[0].split()[0] in NOT_RUN:
                self.look_at(lines)
            elif language == "sh" and not skipped:
                run = subprocess.run(["bash", "-e", "-c", text], capture_output=True, encoding="utf-8", timeout=300, check=False)
                self.assertEqual(run.returncode, 0, f"{text}{run.stdout}{run.stderr}")
                found = run.stdout.splitlines()
            elif not skipped:
                self.fail(f"{name}: what is to be done with {language} {lines[0]}?")

    def take_file(self, language, title, lines):
        if not (REPOSITORY / title).is_file():
            pathlib.Path(title).write_text("\n".join(lines) + "\n", encoding="utf-8")
            return
        if language == "diff":
            lines = [line if line == "..." else line[1:] for line in lines if not line.startswith("+")]
        self.assertTrue(stands_in(lines, (REPOSITORY / title).read_text(encoding="utf-8")), f"{title} has no longer\n" + "\n".join(lines))

    def look_at(self, lines):
        """Targets of make, names of tests and scripts have to be there."""
        makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
        for words in map(shlex.split, lines):
            for word in words[1:] if words[0] == "make" else []:
                self.assertTrue("=" in word or re.search(rf"^{word}:|^\.PHONY:.* {word}\b", makefile, re.M), f"make {word}")
            for word in words:
                if word.startswith("--gtest_filter="):
                    self.assertEqual([part for part in re.findall("[A-Z][a-z]+", word) if f'"{part}"' not in COMBINATIONS], [])
            if words[0] == "sbatch":
                self.assertTrue(pathlib.Path(words[-1]).exists(), words[-1])


class RunsAsItStands(Tutorial):
    def setUp(self):
        super().setUp()
        self.need("numpy")

    def test_the_rock_physicist(self):
        self.need("matplotlib", "tessera")
        self.run_page("rock-in-python.md")
        for name in "sample-1/results.json", "speed.png":
            self.assertTrue(pathlib.Path(name).exists(), name)

    def test_who_is_asked_for_more_than_k(self):
        self.need("tessera")
        self.run_page("beyond-permeability.md")

    def test_the_engineer(self):
        self.run_page("flow-from-a-case-file.md")

    @unittest.skipUnless(shutil.which("mpirun") and os.environ.get("TESSERA_MPI") != "OFF", "no mpirun")
    def test_the_user_of_a_cluster(self):
        srun = self.folder / "srun"
        srun.write_text(SRUN, encoding="utf-8")
        srun.chmod(0o755)
        os.environ["PATH"] = f"{self.folder}:{os.environ['PATH']}"
        self.run_page("on-a-cluster.md")
        subprocess.run(["bash", "job.sh"], check=True, stdout=subprocess.DEVNULL, timeout=300)
        self.assertTrue((self.folder / "results" / "results.json").exists())

    def test_who_adds_an_operator(self):
        self.run_page("own-collision-operator.md")


class Names(unittest.TestCase):
    def test_files_that_are_named_are_there(self):
        """What stands in backquotes and looks like a source of the repository."""
        for path in sorted(PAGES.glob("*.md")):
            named = re.findall(r"`([\w/.-]+/[\w.-]+\.(?:hpp|cpp|cu|txt|md|py|toml))`", path.read_text(encoding="utf-8"))
            missing = [name for name in named if not (REPOSITORY / name).exists()]
            self.assertEqual(missing, [], path.name)


if __name__ == "__main__":
    unittest.main()
