# SPDX-License-Identifier: MIT
"""The includes of the sources are those of docs/rooms.toml, no more and no fewer, and all point down; no folder is a heap."""
import pathlib
import re
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu", ".in"}
MOST_FILES = 40

HOUSE = tomllib.loads((ROOT / "docs" / "rooms.toml").read_text())
# By folder: folders and single files that it includes. From the lowest to the highest.
DRAWN = {room["folder"].rstrip("/"): set(room["includes"]) for room in HOUSE["room"]}


def room_of(path):
    """The innermost of those drawn that it lies in; None if in none."""
    return max((room for room in DRAWN if path.startswith(room + "/")), key=len, default=None)


def sources():
    for top in sorted({room.split("/")[0] for room in DRAWN}):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES:
                yield room_of(str(path.relative_to(ROOT))), path


def includes(path, brackets):
    return re.findall(rf"^#include {brackets[0]}([^{brackets[1]}]+){brackets[1]}", path.read_text(), re.M)


def is_in(path, places):
    return any(path == place or (place.endswith("/") and path.startswith(place)) for place in places)


class Includes(unittest.TestCase):
    def test_each_source_is_in_a_room(self):
        for room, path in sources():
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertIsNotNone(room)

    def test_all_rooms_are_built(self):
        built = re.search(r"foreach\(folder\s+([^)]*)\)", (ROOT / "CMakeLists.txt").read_text())[1].split()
        made_by = {room: max((folder for folder in built if (room + "/").startswith(folder + "/")), key=len, default=None)
                   for room in DRAWN if room != "interfaces/api"}  # headers alone
        self.assertEqual({room for room, folder in made_by.items() if folder is None}, set())
        self.assertEqual(set(built) - set(DRAWN), set())

    def test_no_include_but_those_drawn(self):
        for room, path in sources():
            for header in includes(path, '""'):
                if room_of(header) in (room, None):
                    continue
                with self.subTest(file=str(path.relative_to(ROOT)), includes=header):
                    self.assertTrue(header in DRAWN[room] or room_of(header) + "/" in DRAWN[room],
                                    f"{room}/ includes {sorted(DRAWN[room])}")

    def test_no_arrow_drawn_that_is_not_there(self):
        found = {room: set() for room in DRAWN}
        for room, path in sources():
            found[room] |= set(includes(path, '""'))
        for room, drawn in DRAWN.items():
            for place in drawn:
                with self.subTest(room=room, includes=place):
                    self.assertTrue(any(room_of(header) == place.rstrip("/") or header == place for header in found[room]))

    def test_all_arrows_point_down(self):
        order = list(DRAWN)
        for room, drawn in DRAWN.items():
            for place in drawn:
                with self.subTest(room=room, includes=place):
                    self.assertLess(order.index(room_of(place)), order.index(room))

    def test_libraries_are_included_where_they_are_known(self):
        for _, path in sources():
            place = str(path.relative_to(ROOT))
            for header in includes(path, "<>"):
                for begin, places in HOUSE["libraries"].items():
                    if header.startswith(begin):
                        with self.subTest(file=place, includes=header):
                            self.assertTrue(is_in(place, places), f"<{begin}...> is known in {places}")

    def test_gases_can_be_left_out(self):
        # TESSERA_GASES=OFF, as in make demo: what is built then includes nothing of the spectral method but what files say of it.
        left_out = ("partition/spectral/", "codelets/spectral/", "methods/spectral/", "case/spectral/", "bench/")
        for _, path in sources():
            place = str(path.relative_to(ROOT))
            if place.startswith(left_out) or place == "interfaces/commands/run_gas.cpp":
                continue
            for header in includes(path, '""'):
                with self.subTest(file=place, includes=header):
                    self.assertFalse(header.startswith(left_out))

    def test_no_folder_is_a_heap(self):
        folders = {path.parent for _, path in sources()}
        for folder in folders | {path.parent for path in (ROOT / "tests").rglob("*.*")}:
            if "__pycache__" in folder.parts:
                continue
            files = [path for path in folder.iterdir() if path.is_file()]
            with self.subTest(folder=str(folder.relative_to(ROOT))):
                self.assertLessEqual(len(files), MOST_FILES)


if __name__ == "__main__":
    unittest.main()
