# SPDX-License-Identifier: MIT
"""The includes of the sources are those that docs/architecture.md draws, no more and no fewer, without a circle."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu", ".in"}


def rows(text, header):
    """Cells of the table whose first column is called so."""
    lines = iter(text.splitlines())
    for line in lines:
        if re.match(rf"\| *{header} *\|", line):
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def quoted(cell):
    return set(re.findall(r"`([^`]+)`", cell))


TEXT = (ROOT / "docs" / "architecture.md").read_text()
# By folder: folders and single files that it includes.
DRAWN = {folder.split("`")[1].rstrip("/"): quoted(includes) for folder, _, includes, _ in rows(TEXT, "folder")
         if "tests/" not in folder}
# By the beginning of a header's name: folders and files that know it.
KNOWN_IN = {header.strip("`"): quoted(places) for header, places in rows(TEXT, "header")}


def folder_of(path):
    """The innermost of those drawn that it lies in; None if in none."""
    return max((folder for folder in DRAWN if path.startswith(folder + "/")), key=len, default=None)


def sources():
    for top in sorted({folder.split("/")[0] for folder in DRAWN}):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES:
                yield folder_of(str(path.relative_to(ROOT))), path


def includes(path, brackets):
    return re.findall(rf"^#include {brackets[0]}([^{brackets[1]}]+){brackets[1]}", path.read_text(), re.M)


def is_in(path, places):
    return any(path == place or (place.endswith("/") and path.startswith(place)) for place in places)


class Includes(unittest.TestCase):
    def test_each_folder_of_the_tree_is_drawn(self):
        built = re.search(r"foreach\(folder ([^)]*)\)", (ROOT / "CMakeLists.txt").read_text())[1].split()
        self.assertEqual(sorted({folder.split("/")[0] for folder in DRAWN}), sorted(built))

    def test_no_include_but_those_drawn(self):
        for folder, path in sources():
            for header in includes(path, '""'):
                if folder_of(header) in (folder, None):
                    continue
                with self.subTest(file=str(path.relative_to(ROOT)), includes=header):
                    self.assertTrue(header in DRAWN[folder] or folder_of(header) + "/" in DRAWN[folder],
                                    f"{folder}/ includes {sorted(DRAWN[folder])}")

    def test_no_arrow_drawn_that_is_not_there(self):
        found = {folder: set() for folder in DRAWN}
        for folder, path in sources():
            found[folder] |= set(includes(path, '""'))
        for folder, drawn in DRAWN.items():
            for place in drawn:
                with self.subTest(folder=folder, includes=place):
                    self.assertTrue(any(folder_of(header) == place.rstrip("/") or header == place
                                        for header in found[folder]))

    def test_folders_form_no_circle(self):
        below = {folder: {folder_of(place) for place in drawn if "/" in place} for folder, drawn in DRAWN.items()}
        while below:
            lowest = {folder for folder, others in below.items() if not others & set(below)}
            self.assertTrue(lowest, f"a circle among {sorted(below)}")
            below = {folder: others for folder, others in below.items() if folder not in lowest}

    def test_libraries_are_included_where_they_are_known(self):
        for _, path in sources():
            place = str(path.relative_to(ROOT))
            for header in includes(path, "<>"):
                for begin, places in KNOWN_IN.items():
                    if header.startswith(begin):
                        with self.subTest(file=place, includes=header):
                            self.assertTrue(is_in(place, places), f"<{begin}...> is known in {sorted(places)}")


if __name__ == "__main__":
    unittest.main()
