#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.html: what is in it, that it needs nothing else, and how a browser shows it."""

import base64
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unicodedata
import unittest
import zlib

from command import BINARY, NOT_CONVERGED, tube

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox-esr", "firefox")


class Page(html.parser.HTMLParser):
    """Its text, and all that it points at."""

    def __init__(self, page):
        super().__init__()
        self.text, self.sources, self.open_tags = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img", "rect", "line", "polyline", "circle"):
            self.open_tags.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        if tag in ("script", "link", "iframe", "object"):
            self.sources.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("rect", "line", "polyline", "circle"):
            assert self.open_tags.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


def pixels_of(png):
    """Rows of (red, green, blue) of a PNG without interlacing."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width = 8, b"", 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour in (2, 6)) == (8, True)
            samples = 3 if colour == 2 else 4
        if kind == b"IDAT":
            packed += body
        at += length + 12
    data, stride, rows = zlib.decompress(packed), width * samples, []
    before = bytearray(stride)
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a = row[i - samples] if i >= samples else 0
            b, c = before[i], before[i - samples] if i >= samples else 0
            if kind == 4:
                p = a + b - c
                guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                guess = (0, a, b, (a + b) // 2)[kind]
            row[i] = (row[i] + guess) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, samples)])
        before = row
    return rows


def shot_of(file):
    """A large PNG as an array of rows, columns and colours, by VTK where it is there: it takes seconds less."""
    import numpy as np
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOImage import vtkPNGReader
    except ImportError:
        return np.array(pixels_of(file.read_bytes()))
    reader = vtkPNGReader()
    reader.SetFileName(str(file))
    reader.Update()
    picture = reader.GetOutput()
    width, height, _ = picture.GetDimensions()
    return vtk_to_numpy(picture.GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3].astype(int)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for words in (["generate", "spheres", "--size", "22,18,16", "--radius", "5", "--porosity", "0.5", "--out", "a & b.npy"],
                      ["permeability", "a & b.npy", "--voxel-size", "5um", "--axis", "all", "--refine", "2", "--report",
                       "--no-fields", "--cores", "1", "--out", "out"]):
            subprocess.run([BINARY, *words], cwd=cls.folder, check=True, timeout=300, stdout=subprocess.DEVNULL)
        cls.page = (cls.folder / "out" / "report.html").read_text(encoding="utf-8")
        cls.results = json.loads((cls.folder / "out" / "results.json").read_text(encoding="utf-8"))

    def test_it_says_what_results_json_says(self):
        page = Page(self.page)
        self.assertEqual(page.open_tags, [])
        text = " ".join(page.text)
        self.assertIn("Permeability of a & b.npy", text)
        for axis in "xyz":
            k = self.results["permeability"][axis]
            self.assertIn(f"{k['k_mD']:.5g}", text)
            self.assertIn(f"{k['k_lattice']:.6g}", text)
        self.assertIn(self.results["image"]["sha256"], text)
        self.assertFalse(list((self.folder / "out").glob("fields*")))

    def test_it_needs_no_other_file(self):
        self.assertEqual([s for s in Page(self.page).sources if not s.startswith("data:image/png;base64,")], [])
        self.assertEqual(re.findall(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", self.page), [])

    def test_slices_show_the_image(self):
        pictures = [pixels_of(base64.b64decode(s.partition(",")[2])) for s in Page(self.page).sources]
        self.assertEqual([(len(p[0]), len(p)) for p in pictures], 3 * [(22, 18), (22, 16), (18, 16)])
        import numpy as np
        solid = np.load(self.folder / "a & b.npy") == 1
        for picture, cut in zip(pictures, (solid[8], solid[:, 9], solid[:, :, 11])):
            grey = np.array(picture) == (170, 170, 170)
            # Pores that nothing flows through are solid to the flow.
            self.assertTrue(grey.all(axis=-1)[cut].all())
            self.assertLess(np.mean(grey.all(axis=-1) != cut), 0.02)

    def test_curves_end_where_the_answer_is(self):
        self.assertEqual(self.page.count("<svg"), 3)
        self.assertEqual(self.page.count("<polyline"), 9)
        self.assertNotIn("nan", re.findall(r'points="[^"]*"', self.page))

    def test_it_says_what_was_counted(self):
        text = Page(self.page).text
        self.assertEqual(text.count("iterations"), 2)  # below both curves
        self.assertRegex(" ".join(text), r"\d+ tasks, \d+ passes, ")

    def test_of_an_odd_name_it_is_a_valid_page_whose_command_runs_it_again(self):
        name = os.fsdecode(b"a $(touch owned) 'b' \x01\x7f\xff\xc2\x85 <i>&.raw")
        (self.folder / name).write_bytes(tube()[0])
        subprocess.run([BINARY, "permeability", name, "--shape", "8,6,6", "--solver", "steps", "--max-steps", "40",
                        "--no-fields", "--report", "--out", "odd"], cwd=self.folder, check=False, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        page = (self.folder / "odd" / "report.html").read_bytes().decode("utf-8")
        self.assertEqual([c for c in page if unicodedata.category(c) == "Cc" and c not in "\n\t"], [])
        self.assertEqual(Page(page).open_tags, [])
        self.assertIn("steps", Page(page).text)
        k = [json.loads((self.folder / "odd" / "results.json").read_text(encoding="utf-8"))["permeability"]]
        shutil.rmtree(self.folder / "odd")
        command = html.unescape(re.search("<code>(.*)</code>", page)[1])
        again = subprocess.run(["bash", "-c", command], cwd=self.folder, check=False, timeout=300, capture_output=True)
        self.assertEqual(again.returncode, NOT_CONVERGED, again.stderr)
        k.append(json.loads((self.folder / "odd" / "results.json").read_text(encoding="utf-8"))["permeability"])
        self.assertEqual(*k)
        self.assertFalse((self.folder / "owned").exists())

    def test_a_browser_shows_it(self):
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if browser is None:
            self.skipTest("no browser: " + ", ".join(BROWSERS))
        shot = self.folder / "shot.png"
        address = (self.folder / "out" / "report.html").as_uri()
        if "firefox" in browser:
            words = ["--headless", "--profile", self.folder / "profile", "--window-size=1240,2600", f"--screenshot={shot}"]
        else:
            words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1240,2600",
                     f"--user-data-dir={self.folder}/profile", f"--screenshot={shot}"]
        subprocess.run([browser, *map(str, words), address], check=True, timeout=120,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = shot_of(shot)
        self.assertGreaterEqual(len(rows), 2000)
        for colour in ((170, 170, 170),           # solid
                       (68, 1, 84),               # fluid at rest
                       (0x00, 0x72, 0xb2)):       # a curve
            self.assertTrue((rows[::3] == colour).all(axis=-1).any(), colour)
        red, green, blue = rows[..., 0], rows[..., 1], rows[..., 2]
        self.assertGreater(((red > 150) & (green > 190) & (blue < 90)).sum(), 500)  # fast fluid


if __name__ == "__main__":
    unittest.main()
