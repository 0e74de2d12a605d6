# SPDX-License-Identifier: MIT
"""Runs the commands of README.md and compares what they print with what stands there, to the digits that stand there.

Commands without output are asked with --check whether they would run. The image is the one of the README; without it
the test is skipped.

    TESSERA=build/release/bin/tessera python3 tests/readme/readme_test.py
    TESSERA=build/release/bin/tessera python3 tests/readme/readme_test.py Long   minutes: --refine, rev
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from printed import NUMBER, blocks_of, is_near, prints, to_compare

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TESSERA = os.path.abspath(os.environ.get("TESSERA", REPOSITORY / "build/release/bin/tessera"))
DATA = pathlib.Path(os.environ.get("TESSERA_DATA", REPOSITORY.parent / "shared" / "data"))
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")

WITHOUT_CHECK = {"diffusion", "phases", "forchheimer"}


def blocks():
    """The fenced blocks of the README, without their fences: (language, lines)."""
    return [(language, lines) for language, _, lines in blocks_of(README)]


def in_one_line(lines):
    """Lines of a shell that end with a backslash go on in the next."""
    return "\n".join(lines).replace("\\\n", " ").splitlines()


def command_with_output(subcommand, *options):
    """The words of the one command that stands with what it prints and has these options, and the lines that it prints."""
    found = [lines for _, lines in blocks() if lines[0].startswith(f"$ tessera {subcommand} ") and
             all(option in lines[0] for option in options)]
    assert len(found) == 1, f"README.md has {len(found)} commands tessera {subcommand} {options}"
    return shlex.split(found[0][0])[2:], found[0][1:]


def commands_without_output():
    for _, lines in blocks():
        for line in in_one_line(lines):
            if line.startswith("tessera "):
                yield shlex.split(line)[1:]


def agrees(value, printed):
    """Whether a value of JSON is the one that is printed, of which "..." stands for more digits."""
    printed = printed.replace("...", "")
    return is_near(value, printed) if NUMBER.fullmatch(printed) else value == json.loads(printed)


class CommandsRun(unittest.TestCase):
    """In a folder of their own."""
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-readme-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def run_here(self, words, launcher=()):
        run = subprocess.run([*launcher, TESSERA, *words], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.splitlines()


class ReadmeTest(CommandsRun):
    @classmethod
    def setUpClass(cls):
        image = DATA / "berea_400_tiff.zip"
        if not image.exists():
            raise unittest.SkipTest(f"no {image.name}: set TESSERA_DATA to its folder")
        super().setUpClass()
        with zipfile.ZipFile(image) as packed:
            packed.extract("berea.tif", cls.folder)
        (cls.folder / "examples").symlink_to(REPOSITORY / "examples")

    def assert_prints(self, words, expected):
        """A line "..." stands for any lines."""
        found = self.run_here(words)
        self.assertTrue(prints(found, expected), "\n".join(["expected", *expected, "found", *found]))


class FirstScreen(CommandsRun):
    def test_its_command_runs_as_it_stands(self):
        begin = "build/release/bin/tessera "
        commands = [shlex.split(line)[1:] for _, lines in blocks() for line in lines if line.startswith(begin)]
        self.assertEqual(len(commands), 1)
        self.run_here(["generate", "spheres", "--size", "32", "--out", "rock.tif"])
        self.run_here(commands[0])
        self.assertTrue((self.folder / "rock" / "results.json").exists())


class Short(ReadmeTest):
    def test_an_image_is_what_the_readme_says(self):
        words, expected = command_with_output("info")
        self.assertEqual(to_compare(self.run_here(words)), to_compare(expected))

    def test_a_permeability_and_its_results_are_those_of_the_readme(self):
        self.assert_prints(*command_with_output("permeability", "--axis all"))
        written = sorted(path.name for path in (self.folder / "berea").iterdir())
        self.assertEqual(written, ["convergence.csv", "fields-x.vtkhdf", "fields-y.vtkhdf", "fields-z.vtkhdf", "results.json"])
        results = json.loads((self.folder / "berea/results.json").read_text(encoding="utf-8"))
        along_x = results["permeability"]["x"]
        printed = "\n".join(next(lines for language, lines in blocks() if language == "json"))
        solver = re.search(r'"solver": \{(.*)\}', printed).group(1)
        for part, text in (along_x, printed.replace(solver, "")), (along_x["solver"], solver):
            for key, value in re.findall(r'"(\w+)": ("[^"]*"|[-\w.]+)', text):
                with self.subTest(key):
                    self.assertTrue(agrees(part[key], value), f"{part[key]} is not {value}")

    def test_the_demo_ends_as_the_readme_says(self):
        run = subprocess.run(["bash", "examples/demo.sh"], cwd=REPOSITORY, capture_output=True, encoding="utf-8", timeout=600,
                             env={**os.environ, "TESSERA": TESSERA}, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        expected = next(lines for _, lines in blocks() if lines[0].startswith("Permeability of a simple cubic array"))
        self.assertIn("\n".join(to_compare(expected)), "\n".join(to_compare(run.stdout.splitlines())))

    def test_all_other_commands_would_run(self):
        """But for those of WITHOUT_CHECK, which take minutes or an image that the README does not bring."""
        checked = 0
        for words in commands_without_output():
            if words[0] in WITHOUT_CHECK:
                continue
            launcher = ["xvfb-run", "-a"] if any("insitu" in word for word in words) else []
            if launcher and not shutil.which(launcher[0]):
                continue
            with self.subTest(" ".join(words)):
                self.assertIn("--out", words)  # which --check does without
                self.run_here(words if words[0] == "generate" else [*words, "--check"], launcher)
                checked += 1
        self.assertGreaterEqual(checked, 3)


class Long(ReadmeTest):
    def test_what_voxels_leave_open_is_what_the_readme_says(self):
        self.assert_prints(*command_with_output("permeability", "--refine"))

    def test_sub_volumes_are_those_of_the_readme(self):
        self.assert_prints(*command_with_output("rev"))

    def test_flow_with_inertia_runs(self):
        commands = list(commands_without_output())
        for subcommand in "generate", "forchheimer":
            self.run_here(next(words for words in commands if words[0] == subcommand))


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv[:1], *(sys.argv[1:] or ["FirstScreen", "Short"])])
