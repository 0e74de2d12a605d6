# SPDX-License-Identifier: MIT
"""`tessera tune`, and that later runs go by what it found."""

import json
import unittest

from command import DONE, CommandTest


class Tune(CommandTest):
    def tune(self, *options, cache="cache"):
        return self.tessera("tune", "--gpus", "0", "--size", "48", "--seconds", "0.02", *options,
                            environment={"TESSERA_CACHE": str(self.path(cache))})

    def kept(self, cache="cache"):
        figures = json.loads((self.path(cache) / "machine.json").read_text())
        return {key.split("cores: ")[1].split(",")[0]: value for key, value in figures.items()}

    def test_its_findings_are_kept(self):
        run = self.tune()
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("kept in", run.stdout)
        kept = self.kept()
        self.assertIn(kept["nodes of a tile"], (50e3, 100e3, 200e3, 400e3, 800e3))
        self.assertIn(kept["window"], (2, 4, 8))
        self.assertIn(f"best: {kept['nodes of a tile']:.0f} nodes a tile", run.stdout)

    def test_later_runs_use_them(self):
        made = self.tessera("generate", "sphere-array", "--size", "64", "--out", "sc.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)

        def tiles(nodes_per_tile):
            self.assertEqual(self.tune().returncode, DONE)
            file = self.path("cache") / "machine.json"
            figures = json.loads(file.read_text())
            for key in figures:
                if "nodes of a tile" in key:
                    figures[key] = nodes_per_tile
            file.write_text(json.dumps(figures))
            run = self.tessera("permeability", "sc.raw", "--shape", "64,64,64", "--periodic",
                               "--gpus", "0", "--max-steps", "10", "--out", "out",
                               environment={"TESSERA_CACHE": str(self.path("cache"))})
            self.assertIn(run.returncode, (DONE, 3), run.stderr)
            return json.loads((self.path("out") / "results.json").read_text())["performance"]["tiles"]

        self.assertGreater(tiles(10_000), tiles(1_000_000))

    def test_a_damaged_file_is_no_reason_to_stop(self):
        self.path("cache").mkdir()
        (self.path("cache") / "machine.json").write_text("{ half a")
        run = self.tune()
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertGreater(self.kept()["window"], 0)

    def test_nonsense_is_refused(self):
        self.assert_refused("tune", "--size", "3", says="--size 3: expected")
        self.assert_refused("tune", "--seconds", "0", says="--seconds")
        self.assert_refused("tune", "--precision", "most", says="--precision")


if __name__ == "__main__":
    unittest.main()
