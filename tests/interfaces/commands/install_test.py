# SPDX-License-Identifier: MIT
"""What is installed: it runs for everybody, and needs nothing of its builder."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from command import BINARY, DONE, SOURCE, CommandTest, tube

BUILD = pathlib.Path(BINARY).parent.parent
NOBODY = 65534

if shutil.which("cmake") is None or not (BUILD / "cmake_install.cmake").exists():
    print("there is no cmake, or no build folder around the program")
    sys.exit(77)


class Installed(CommandTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", self.path("prefix")],
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.program = self.path("prefix/bin/tessera")

    def run_installed(self, **options):
        """A flow in a folder that anyone may write to, without a home."""
        flows = self.path("flows")
        flows.mkdir(mode=0o777)
        flows.chmod(0o777)
        content, shape = tube()
        (flows / "tube.raw").write_bytes(content)
        return subprocess.run(
            [self.program, "permeability", "tube.raw", "--shape", ",".join(map(str, shape)),
             "--mirror", "--quiet", "--out", "out"],
            cwd=flows, capture_output=True, encoding="utf-8", timeout=300, check=False, **options)

    def test_loads_nothing_of_the_build_or_a_home(self):
        # Not libcuda and the like: what has an absolute path.
        run = self.run_installed(env={"LD_DEBUG": "libs", "PATH": os.environ["PATH"]})
        self.assertEqual(run.returncode, DONE, run.stderr)
        loaded = {line.split("init: ")[1] for line in run.stderr.splitlines()
                  if "calling init: " in line}
        self.assertTrue(any("libstarpu" in library for library in loaded), loaded)
        allowed = str(self.path("prefix")), "/usr/", "/lib", "/opt/"
        self.assertEqual([lib for lib in loaded if not lib.startswith(allowed)], [])

    def test_names_no_folder_of_its_builder(self):
        if shutil.which("readelf") is None:
            self.skipTest("there is no readelf")
        for file in self.path("prefix").rglob("*"):
            if file.is_symlink() or file.suffix not in ("", ".so", ".0") or not file.is_file():
                continue
            said = subprocess.run(["readelf", "-d", file], capture_output=True, encoding="utf-8",
                                  check=True).stdout
            paths = [line for line in said.splitlines() if "RUNPATH" in line or "RPATH" in line]
            for private in str(BUILD), "/home/", "/root/", os.path.expanduser("~") + "/":
                self.assertNotIn(private, "".join(paths), file)

    def test_runs_for_another_user_without_a_home(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        run = self.run_installed(env={"PATH": "/usr/bin:/bin", "HOME": "/none"}, user=NOBODY,
                                 group=NOBODY, extra_groups=[])
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))

    def test_brings_manual_pages_of_all_commands(self):
        if shutil.which("help2man") is None:
            self.skipTest("there was no help2man")
        pages = self.path("prefix/share/man/man1")
        listed = subprocess.run([self.program, "--help"], capture_output=True, encoding="utf-8",
                                check=True).stdout.split("Subcommands:\n")[1]
        for line in listed.strip().splitlines():
            page = (pages / f"tessera-{re.match('[a-z]+', line.strip())[0]}.1").read_text(encoding="utf-8")
            self.assertIn(r"\-\-help", page)
        self.assertIn(r"\fB\-\-voxel\-size\fR",
                      (pages / "tessera-permeability.1").read_text(encoding="utf-8"))

    def test_completes_commands_options_and_files(self):
        script = self.path("prefix/share/bash-completion/completions/tessera.bash")
        self.write("rock.raw", b"")

        def completed(*words):
            quoted = " ".join(f"'{word}'" for word in words)
            return subprocess.run(
                ["bash", "-c", f"source {script}; COMP_WORDS=({self.program} {quoted}); "
                 f"COMP_CWORD={len(words)}; _tessera; echo ${{COMPREPLY[@]}}"],
                cwd=self.folder, capture_output=True, encoding="utf-8", check=True).stdout.split()

        self.assertEqual(completed("perm"), ["permeability"])
        self.assertEqual(completed("diff"), ["diffusion"])
        self.assertEqual(completed("permeability", "--voxel"), ["--voxel-size"])
        self.assertEqual(completed("generate", "sphere-"), ["sphere-array"])
        self.assertEqual(completed("generate", "sphere-array", "--lat"), ["--lattice"])
        self.assertEqual(completed("info", "ro"), ["rock.raw"])

    def test_a_program_finds_the_library(self):
        """examples/library, by find_package(Tessera), in a prefix that has been moved."""
        moved = self.path("moved")
        self.path("prefix").rename(moved)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        example = SOURCE / "examples" / "library"
        for words in (["cmake", "-S", example, "-B", "built", f"-DCMAKE_PREFIX_PATH={moved}"],
                      ["cmake", "--build", "built"], ["built/porosity_and_k"]):
            done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True,
                                  encoding="utf-8", timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        header, *rows = [line.split(",") for line in done.stdout.splitlines()]
        self.assertEqual(header, ["porosity", "k_voxels2", "error", "converged"])
        self.assertEqual([(row[0], row[3]) for row in rows], [(p, "yes") for p in ("0.6", "0.5", "0.4")])
        k = [float(row[1]) for row in rows]
        self.assertEqual(k, sorted(k, reverse=True))


if __name__ == "__main__":
    unittest.main()
