# SPDX-License-Identifier: MIT
"""Runs the commands of README.md and compares what they print with what stands there, to the digits that stand there.

What is computed may differ by one in its last digit, or by a millionth: other instructions round otherwise. Times, speeds
and shares of workers are the machine's, and are not compared. Commands without output are asked with --check
whether they would run. The image is the one of the README; without it the test is skipped.

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

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TESSERA = os.path.abspath(os.environ.get("TESSERA", REPOSITORY / "build/release/bin/tessera"))
DATA = pathlib.Path(os.environ.get("TESSERA_DATA", REPOSITORY.parent / "shared" / "data"))
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")

WITHOUT_CHECK = {"phases", "forchheimer"}
# What the machine decides: a number before one of these, and whole lines about workers.
OF_THE_MACHINE = re.compile(r"[\d.]+(?= (?:s|GB|MFLUPS|B a node)\b)")
OF_WORKERS = re.compile(r"(worker |CPU \d|GPU \d|imbalance of )")


def blocks():
    """The fenced blocks of the README, without their fences: (language, lines)."""
    return [(language, text.splitlines()) for language, text in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)]


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


def to_compare(lines):
    """Without what the machine decides, and without how far columns stand apart."""
    return [" ".join(OF_THE_MACHINE.sub("#", line).split()) for line in lines if line.strip() and not OF_WORKERS.match(line)]


NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def last_digit(printed):
    """What one in the last digit of a number is: 1e-7 of 9.8e-06."""
    mantissa, _, exponent = printed.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def is_near(found, printed):
    expected = float(printed)
    return abs(float(found) - expected) <= max(1.001 * last_digit(printed), 1e-6 * abs(expected))


def are_near(found, expected):
    """Whether lines are the same but for the last digits of their numbers."""
    return [NUMBER.sub("0", line) for line in found] == [NUMBER.sub("0", line) for line in expected] and all(
        is_near(*pair) for pair in zip(NUMBER.findall("\n".join(found)), NUMBER.findall("\n".join(expected))))


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
        found = to_compare(self.run_here(words))
        expected = to_compare(expected)
        if "..." in expected:
            gap = expected.index("...")
            after = expected[gap + 1:]
            same = are_near(found[:gap], expected[:gap]) and any(
                are_near(found[i:i + len(after)], after) for i in range(gap, len(found)))
        else:
            same = are_near(found, expected)
        self.assertTrue(same, "\n".join(["expected", *expected, "found", *found]))


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
