# SPDX-License-Identifier: MIT
"""The examples of docs/python.md and the notebooks run as they stand, rocks half as large along each axis: a fraction of the
time, and all that is called, given and asked for stays."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def half_as_large(pieces, sizes):
    """With the sizes of rocks, and places in them, halved: what stands there, how often, and what takes its place."""
    text = "\0".join(pieces)
    for there, times, smaller in sizes:
        assert text.count(there) == times, f"{there}: {text.count(there)} times"
        text = text.replace(there, smaller)
    return text.split("\0")


def run(pieces, folder):
    """One script of them all, in a process and a folder of its own."""
    script = "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(pieces)
    # Steps on one core: two spend more than twice as much on flows that are so small.
    done = subprocess.run([sys.executable, "-B", "-W", "ignore::RuntimeWarning", "-c", script], cwd=folder, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=500,
                          env={**os.environ, "STARPU_NCPU": "1", "STARPU_WORKERS_NOBIND": "1"})
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_page(tmp_path):
    pieces = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(pieces) == 6
    said = run(half_as_large(pieces, [("size=48, radius=8", 1, "size=24, radius=4"), ("[20, 40]", 1, "[10, 20]"),
                                      ('"edge"] == 40', 1, '"edge"] == 20')]), tmp_path)
    assert "(24, 24, 24, 3)" in said and "2000" in said
    assert (tmp_path / "sample-7" / "results.json").exists()
    assert (tmp_path / "post" / "drag.csv").exists()


def test_the_page_of_the_coprocessor(tmp_path):
    page = (ROOT / "docs" / "coprocessor.md").read_text(encoding="utf-8")
    assert run(re.findall(r"```python\n(.*?)```", page, re.DOTALL), tmp_path).strip() == "True"


# By the name of the notebook; others are run at full size.
SIZES = {"permeability": [("[60, 60, 60]", 1, "[30, 30, 30]"), ("(60, 60, 60)", 1, "(30, 30, 30)"),
                          ("fftfreq(60)", 1, "fftfreq(30)"), ("(k / 0.05)", 1, "(k / 0.1)"), ("[:, :, 30]", 3, "[:, :, 15]"),
                          ("[:40, :40, :40]", 1, "[:20, :20, :20]"), ("[20, 40]", 1, "[10, 20]")],
         "beyond_permeability": [("60, 1e-6, 0.05", 1, "30, 1e-6, 0.1"), ("40, [15, 20, 30]", 1, "20, [8, 10, 15]")]}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(notebook, tmp_path):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    pieces = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    run(half_as_large(pieces, SIZES.get(notebook.stem, [])), tmp_path)


def test_the_example_in_cpp(tmp_path):
    """And gives what the module gives, bit by bit."""
    import tessera  # pylint: disable=import-outside-toplevel
    library = pathlib.Path(tessera.__path__[0]).parents[1] / "lib"
    compiler = shutil.which("g++")
    if compiler is None or not (library / "libtessera.so").exists():
        pytest.skip("no compiler, or no library beside the module")
    source, = re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL)
    source, = half_as_large([source], [('"--size", "48"', 1, '"--size", "24"')])
    (tmp_path / "example.cpp").write_text(source, encoding="utf-8")
    subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "example.cpp", "-o", "example",
                    f"-I{ROOT / 'interfaces' / 'api'}", f"-L{library}", "-ltessera", f"-Wl,-rpath,{library}"],
                   cwd=tmp_path, check=True, timeout=100)
    said = subprocess.run(["./example"], cwd=tmp_path, check=True, stdout=subprocess.PIPE, encoding="utf-8",
                          timeout=200).stdout
    k = tessera.permeability(tessera.generate("spheres", size=24), axis=0)
    assert said == f"{k.k_lattice:g} voxels^2\n"
