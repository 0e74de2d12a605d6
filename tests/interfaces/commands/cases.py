# SPDX-License-Identifier: MIT
"""What the tests of `tessera run` share: a case file in, its flow out."""

import csv

from command import DONE, CommandTest

# Nothing but fluid and its own force.
FREE = """
[geometry]
shape = [4, 4, 4]
periodic = ["x", "y", "z"]
[fluid]
viscosity = 0.1
[model]
precision = "double"
[force]
body = [1e-6, 0, -2e-6]
[stop]
steps = 10
[run]
gpus = 0
"""


class CaseTest(CommandTest):
    def case(self, text, *replaced):
        for old, new in replaced:
            text = text.replace(old, new)
        return self.write("case.toml", text.encode())


class RunCase(CaseTest):
    def run_case(self, text, *replaced, status=DONE, options=()):
        self.last = self.tessera("run", self.case(text, *replaced), "--out", "out", *options)
        self.assertEqual(self.last.returncode, status, self.last.stderr)
        return self.results()


class RunTest(CaseTest):
    def results(self, case, *arguments, status=DONE):
        run = self.tessera("run", case, "--out", "out", "--quiet", *arguments)
        self.assertEqual(run.returncode, status, run.stderr)
        return super().results()

    def rows(self, name):
        with open(self.path(f"out/{name}.csv"), encoding="utf-8", newline="") as file:
            return [{key: float(value) for key, value in row.items() if value}
                    for row in csv.DictReader(file)]
