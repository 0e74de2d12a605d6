# SPDX-License-Identifier: MIT
"""The measurements of `tessera bench` that need a GPU, where there is none."""

import unittest

from command import DONE, FAILED, CommandTest

MODES = "transfers", "alignment", "layout", "threads", "domains", "collision"


class BenchModes(CommandTest):
    def test_sizes_that_make_no_sense_are_refused(self):
        for mode in MODES:
            for size in "0", "-1", "15", "5000", "nan", "word", "64.5":
                with self.subTest(mode=mode, size=size):
                    self.assert_refused("bench", mode, "--size", size, says="--size")

    def test_repeats_that_make_no_sense_are_refused(self):
        for mode in MODES:
            for repeats in "0", "-3", "word":
                with self.subTest(mode=mode, repeats=repeats):
                    self.assert_refused("bench", mode, "--repeats", repeats, says="--repeats")

    def test_unknown_or_several_modes_are_refused(self):
        self.assert_refused("bench", "everything")
        self.assert_refused("bench", "layout", "threads")
        self.assert_refused("bench", "layout", "--loud")

    def test_options_before_the_mode_are_refused_and_not_forgotten(self):
        self.assert_refused("bench", "--size", "64", "layout", says="--size before layout")

    def test_without_a_gpu_there_is_one_line(self):
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        for mode in MODES:
            with self.subTest(mode=mode):
                self.assert_refused("bench", mode, "--json", "figures.json", status=FAILED,
                                    says="needs a GPU", environment=hidden)

    def test_plain_bench_is_the_table_of_porosities(self):
        run = self.tessera("bench", "--size", "32", "--porosity", "1", "--seconds", "0.01",
                           "--repeats", "1", "--json", "figures.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.files(), ["figures.json"])


if __name__ == "__main__":
    unittest.main()
