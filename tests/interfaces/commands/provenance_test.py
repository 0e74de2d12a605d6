# SPDX-License-Identifier: MIT
"""results.json says what was computed: enough to compute it again, bit by bit."""

import datetime
import json
import os
import pathlib
import shlex
import socket
import subprocess
import unittest

from command import BINARY, DONE, CommandTest, bent_pores, voxels

CHANNEL = """
[constants]
N = 8
drive = 1e-6
[geometry]
shape = ["N", 6, 1]
periodic = ["x"]
[[geometry.solid]]
shape = "box"
lower = [2, 0, 0]
upper = [4, 2, 1]
[fluid]
viscosity = 0.1
[force]
body = ["drive", 0, 0]
[stop]
steps = 200
"""


def toml(value):
    """JSON as a value of TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    return json.dumps(value)


def arguments_of(results):
    """The options of `tessera permeability` from the keys alone, without the command line."""
    image, flow = results["image"], results["flow"]
    arguments = [image["path"], "--axis", flow["axes"], "--dtype", image["dtype"], "--header-bytes",
                 image["header_bytes"], "--axes", image["axes"]]
    if image["crop"]:
        arguments += ["--crop", ",".join(f"{a}:{b}" for a, b in image["crop"])]
    for key in "pore", "solid", "threshold":
        if image[key] is not None:
            arguments.append(f"--{key}={image[key]}")
    if image["voxel_size_m"] is not None:
        arguments.append(f"--voxel-size={image['voxel_size_m']!r}m")
    arguments += {"sealed": ["--buffer-layers", flow["buffer_layers"]], "periodic": ["--periodic"],
                  "mirrored": ["--mirror"]}[flow["setup"]]
    for option, key in (("--lattice", "lattice"), ("--collision", "operator"),
                        ("--equilibrium", "equilibrium"), ("--precision", "precision"),
                        ("--magic", "magic"), ("--tolerance", "tolerance"),
                        ("--max-steps", "max_steps"), ("--relaxation-time", "relaxation_time"),
                        ("--body-force", "body_force_lattice"),
                        ("--viscosity", "kinematic_viscosity_m2_s"),
                        ("--density", "density_kg_m3")):
        arguments += [option, repr(flow[key]) if isinstance(flow[key], float) else flow[key]]
    return arguments


class Permeability(CommandTest):
    def setUp(self):
        super().setUp()
        content, shape = bent_pores()
        # In the words of a file that needs all options: a header, other labels, other axes.
        self.write("a b.raw", b"head" + bytes(7 if voxel else 3 for voxel in content))
        self.image = ["a b.raw", "--shape", ",".join(str(n) for n in reversed(shape)),
                      "--header-bytes", 4, "--axes", "zyx", "--pore", "3"]

    def test_it_is_computed_again_from_the_keys(self):
        for options in (["--mirror", "--axis", "y", "--crop", "0:8,0:9,0:12"],
                        ["--periodic", "--lattice", "D3Q27", "--collision", "cumulants",
                         "--precision", "double", "--voxel-size", "2.25um"],
                        ["--buffer-layers", 3, "--magic", 0.25, "--tolerance", 1e-2]):
            with self.subTest(options=options):
                first = self.compute(*self.image, *options)
                shape = ["--shape", self.image[2]]
                second = self.compute(*arguments_of(first), *shape)
                self.assertEqual(first["permeability"], second["permeability"])
                self.assertEqual(first["flow"], second["flow"])
                self.assertEqual(first["image"], second["image"])

    def test_it_is_computed_again_by_the_command(self):
        first = self.compute(*self.image, "--mirror", "--tolerance", "1e-2")
        self.path("out").rename(self.path("first"))
        again = subprocess.run(["bash", "-c", first["run"]["command"]], cwd=first["run"]["folder"],
                               stdout=subprocess.PIPE, check=False)
        self.assertEqual(again.returncode, DONE)
        self.assertEqual(self.results()["permeability"], first["permeability"])

    def test_who_ran_it_where_and_when_is_said(self):
        run = self.compute(*self.image, "--mirror", "--tolerance", "1e-2")["run"]
        self.assertEqual(run["arguments"], shlex.split(run["command"]))
        self.assertEqual(run["arguments"][:3], [BINARY, "permeability", "a b.raw"])
        self.assertTrue(os.path.samefile(run["folder"], self.folder))
        self.assertEqual(run["host"], socket.gethostname())
        started = datetime.datetime.strptime(run["started"], "%Y-%m-%dT%H:%M:%SZ")
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        self.assertLess(abs((now - started).total_seconds()), 300)

    def test_a_name_that_is_no_text_is_spelled_in_the_command(self):
        name = b"K\xf6ln.raw"
        pathlib.Path(os.fsdecode(bytes(self.folder) + b"/" + name)).write_bytes(bent_pores()[0])
        run = subprocess.run([BINARY, "permeability", name, "--shape", "12,10,8", "--mirror",
                              "--out", "out", "--quiet"], cwd=self.folder, check=False)
        self.assertEqual(run.returncode, DONE)
        self.assertIn("$'K\\xf6ln.raw'", self.results()["run"]["command"])

    def test_what_was_warned_of_is_kept(self):
        results = self.compute(*self.image, "--mirror", "--tolerance", "1e-2", "--precision",
                               "half")
        self.assertEqual(results["warnings"], [])
        run = self.tessera("permeability", *self.image, "--mirror", "--tolerance", "5e-3",
                           "--precision", "half", "--quiet", "--out", "out")
        warnings = self.results()["warnings"]
        self.assertIn("finer than half precision", warnings[0])
        self.assertEqual(run.stderr, "".join(f"tessera: {text}\n" for text in warnings))


class Generated(CommandTest):
    def generate(self, *arguments):
        run = self.tessera("generate", *arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)

    def test_the_seed_and_all_options_are_beside_the_image(self):
        self.generate("spheres", "--size", "16,12,8", "--radius", 3, "--seed", 4, "--out", "p.raw")
        origin = json.loads(self.path("p.raw.json").read_text(encoding="utf-8"))
        self.assertEqual(origin["generated"],
                         {"kind": "spheres", "size": "16,12,8", "radius": 3, "porosity": 0.3,
                          "seed": 4, "overlapping": True})
        self.assertEqual(origin["shape"], [16, 12, 8])
        first = self.path("p.raw").read_bytes()
        options = []
        for key, value in origin["generated"].items():
            if key not in ("kind", "overlapping"):
                options += [f"--{key}", value]
        self.generate(origin["generated"]["kind"], *options, "--out", "again.raw")
        self.assertEqual(self.path("again.raw").read_bytes(), first)

    def test_results_know_what_generated_the_image(self):
        self.generate("spheres", "--size", "16", "--radius", 3, "--porosity", 0.6, "--seed", 9,
                      "--separate", "--out", "p.raw")
        image = ["p.raw", "--shape", "16,16,16", "--periodic", "--tolerance", "1e-2"]
        generated = self.compute(*image)["image"]["generated"]
        self.assertEqual((generated["kind"], generated["seed"], generated["overlapping"]),
                         ("spheres", 9, False))
        # Of an image that has been changed since, it would not be true.
        content = bytearray(self.path("p.raw").read_bytes())
        content[0] ^= 1
        self.path("p.raw").write_bytes(content)
        self.assertIsNone(self.compute(*image)["image"]["generated"])
        self.write("p.raw.json", b"\xff{")
        self.assertIsNone(self.compute(*image)["image"]["generated"])


class Case(CommandTest):
    def run_case(self, name, text, *arguments):
        self.write(name, text.encode())
        run = self.tessera("run", name, "--out", "out", "--quiet", *arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return self.results()

    def test_it_is_computed_again_from_the_input(self):
        first = self.run_case("case.toml", CHANNEL, "--set", "drive=2e-6", "--set",
                              "fluid.viscosity=0.05")
        given = first["case"]["input"]
        self.assertEqual((given["constants"]["drive"], given["fluid"]["viscosity"]), (2e-6, 0.05))
        text = "".join(f"{key} = {toml(value)}\n" for key, value in given.items())
        second = self.run_case("again.toml", text)
        self.assertEqual(first["final"], second["final"])
        self.assertEqual(first["flow"], second["flow"])
        self.assertGreater(first["final"]["mean_velocity"][0], 0)

    def test_its_files_are_named_with_their_fingerprints(self):
        self.write("walls.raw", voxels((8, 6, 1), lambda x, y, z: y == 0))
        image = '[geometry]\nimage = "walls.raw"\nshape = [8, 6, 1]'
        text = CHANNEL.replace('[geometry]\nshape = ["N", 6, 1]', image)
        results = self.run_case("case.toml", text)
        self.assertEqual([len(file["sha256"]) for file in results["case"]["files"]], [64])
        self.assertEqual(results["run"]["arguments"][1:3], ["run", "case.toml"])


if __name__ == "__main__":
    unittest.main()
