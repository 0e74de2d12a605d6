#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which share of the lines of each room the tests have reached: coverage.py SUMMARY, as gcovr --json-summary writes it."""
import collections
import json
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main() -> int:
    rooms = [room["folder"] for room in tomllib.loads((ROOT / "docs" / "rooms.toml").read_text())["room"]]
    reached: collections.Counter[str] = collections.Counter()
    lines: collections.Counter[str] = collections.Counter()
    for file in json.loads(pathlib.Path(sys.argv[1]).read_text())["files"]:
        room = max((room for room in rooms if file["filename"].startswith(room)), key=len, default="")
        for name in (room, "all"):
            reached[name] += file["line_covered"]
            lines[name] += file["line_total"]
    for room in [*rooms, "all"]:
        if lines[room]:
            print(f"{room:24} {100 * reached[room] / lines[room]:5.1f} % of {lines[room]:6} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
