# SPDX-License-Identifier: MIT
"""run() and steps() compute what the command computes, by functions of Python where one likes."""

import csv
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import h5py
import numpy as np
import pytest
import tessera

CASE = """
[constants]
N = 24
U = 0.05
[geometry]
shape = ["2*N", "N", 10]
periodic = ["z"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = ["0.6*N", "N/2", 5]
radius = 3.2
[fluid]
relaxation-time = 0.7
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["4*U*y*(N-y)/N^2", 0, 0]
factor = "1+0.1*sin(2*pi*t/50)"
[[boundary]]
on = "x+"
type = "outflow"
[stop]
steps = 120
[output]
fields = { at = [120] }
[[output.probe]]
name = "behind"
at = ["1.2*N", "N/2", 5]
every = 20
[[output.force]]
name = "drag"
on = "ball"
every = 40
[run]
gpus = 0
cores = 1  # two take more than twice as much of the processor for so small a flow
tiles = 3
"""


def in_python():
    """The same as a dict, with functions and numbers of NumPy."""
    return {
        "geometry": {"shape": np.array([48, 24, 10]), "periodic": ["z"],
                     "solid": [{"shape": "sphere", "label": "ball", "center": (14.4, 12, 5), "radius": 3.2}]},
        "fluid": {"relaxation-time": np.float64(0.7)},
        "boundary": [
            {"on": "x-", "type": "velocity", "velocity": [lambda x, y, z: 4 * 0.05 * y * (24 - y) / 24**2, 0, 0],
             "factor": lambda t: 1 + 0.1 * np.sin(2 * np.pi * t / 50)},
            {"on": "x+", "type": "outflow"}],
        "stop": {"steps": 120},
        "output": {"probe": [{"name": "behind", "at": [28.8, 12, 5], "every": 20}],
                   "force": [{"name": "drag", "on": "ball", "every": 40}]},
        "run": {"gpus": 0, "tiles": 3}}


@pytest.fixture(name="case")
def fixture_case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


def test_what_the_command_writes(case, command, tmp_path):
    command("run", case)
    found = tessera.run(case, out=tmp_path / "mine")
    out, mine = tmp_path / "out", tmp_path / "mine"
    assert sorted(p.name for p in out.iterdir()) == sorted(p.name for p in mine.iterdir())
    for name in ("behind.csv", "drag.csv"):
        assert (out / name).read_text(encoding="utf-8") == (mine / name).read_text(encoding="utf-8")
    with open(out / "behind.csv", encoding="utf-8") as file:
        column = [float(row["ux"]) for row in csv.DictReader(file)]
    assert found.tables["behind"]["ux"].tolist() == column
    file, = out.glob("*.vtkhdf")
    with h5py.File(file) as fields:
        for name in ("velocity", "pressure", "density"):
            there = fields["VTKHDF/PointData"][name][()]
            assert np.array_equal(getattr(found, name).ravel(), there.ravel()), name
    assert found.velocity.shape == (10, 24, 48, 3)
    assert found.steps == 120 and found.to_dict()["stop"]["reason"] == found.stop_reason


def test_functions_stand_for_formulas(case):
    by_formulas = tessera.run(case)
    by_functions = tessera.run(in_python())
    # sin() of NumPy may round differently.
    assert np.allclose(by_formulas.velocity, by_functions.velocity, atol=1e-8)
    assert np.allclose(by_formulas.tables["drag"]["fx"], by_functions.tables["drag"]["fx"], rtol=1e-5)


def test_an_own_loop(case):
    whole = tessera.run(case)
    seen = list(tessera.steps(case, every=40))
    assert [s.step for s in seen] == [0, 40, 80, 120]
    assert np.array_equal(seen[-1].velocity, whole.velocity)
    assert not seen[0].velocity.any() and seen[1].velocity.any()
    drag = whole.tables["drag"]["fx"].tolist()
    assert seen[-1].forces["drag"][0] == pytest.approx(drag[-1], rel=1e-8)
    before = threading.active_count()
    for state in tessera.steps(case, every=40):
        if state.step == 40:
            break
    del state
    assert np.array_equal(whole.velocity, tessera.run(case).velocity)  # the first one has ended
    deadline = time.monotonic() + 20
    while threading.active_count() > before:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_ctrl_c_in_an_own_loop_does_not_wait_for_the_next_state(case):
    """Which would be computed for hours."""
    begin = time.monotonic()
    interrupt = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in tessera.steps(case, every=10**8, settings={"stop.steps": 10**9}):
            pass
    interrupt.join()
    assert time.monotonic() - begin < 60
    assert tessera.run(case).steps == 120


def test_a_loop_that_is_left_open_ends_with_the_program(case):
    done = subprocess.run([sys.executable, "-B", "-W", "error", "-c",
                           f"import tessera\nopen_loop = tessera.steps({str(case)!r}, every=40, settings={{'stop.steps': 10**9}})\n"
                           "print(next(open_loop).step)"],
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


def test_what_would_wait_for_itself_is_refused(case, rock):
    refused = pytest.raises(RuntimeError, match="a case waits for this thread")
    answer = tessera.permeability(rock)
    first = tessera.steps(case, every=40)
    next(first)
    for call in (lambda: tessera.permeability(rock), lambda: answer.write_fields("fields.npz"),
                 lambda: tessera.CoProcessor(relaxation_rate=1.0)):
        with refused:
            call()
    with refused:
        next(tessera.steps(case, every=40))
    first.close()
    assert tessera.run(case).steps == 120

    def look(_):
        with refused:
            tessera.info(rock)
    assert tessera.run(case, look=look, every=40).steps == 120
    assert tessera.info(rock)["porosity"] == rock.mean()


def test_doubts_of_an_own_loop_are_warnings(case):
    with pytest.warns(RuntimeWarning, match="is due at step 120, after the last step, 10") as caught:
        for _ in tessera.steps(case, every=5, settings={"stop.steps": 10}):
            pass
    assert all(w.filename == __file__ for w in caught)


def test_a_look_may_end_the_run(case):
    looks = []
    def look(state):
        looks.append(state.step)
        return state.step < 80
    found = tessera.run(case, look=look, every=40)
    assert looks == [0, 40, 80] and found.steps == 80
    assert found.stop_reason == "stopped by a script"


def test_the_bar_of_a_run_without_a_last_step(case):
    """Nobody knows how far it is."""
    text = case.read_text(encoding="utf-8").replace("steps = 120", 'steady = { tolerance = 0.2, every = 20 }')
    case.write_text(text.replace("fields = { at = [120] }", ""), encoding="utf-8")
    assert tessera.run(case, progress=True).steps > 0


def test_values_in_place_of_the_files(case):
    found = tessera.run(case, settings={"N": 16, "stop.steps": 10})
    assert found.steps == 10 and found.velocity.shape == (10, 16, 32, 3)


def test_an_array_as_the_image(rock):
    found = tessera.run({"geometry": {"image": rock, "periodic": ["x", "y", "z"]},
                         "fluid": {"relaxation-time": 1.0}, "force": {"body": [0, 1e-6, 0]},
                         "stop": {"steps": 50}, "run": {"gpus": 0}})
    assert found.velocity.shape == rock.shape + (3,)
    assert not found.velocity[~rock].any()
    assert found.velocity[..., 1].sum() > 0
    box = {"geometry": {"image": np.ones((4, 5, 6), dtype=bool), "periodic": ["x", "y"]},
           "fluid": {"relaxation-time": 1.0}, "stop": {"steps": 1}, "run": {"gpus": 0}}
    with pytest.warns(RuntimeWarning, match="^every voxel of the image is pore"):
        tessera.run(box)
    box["geometry"]["solid"] = [{"shape": "sphere", "center": [3, 2, 2], "radius": 1}]
    assert tessera.run(box).steps == 1
    plane = tessera.run({"geometry": {"image": rock[5], "periodic": ["x", "y"]}, "model": {"lattice": "D2Q9"},
                         "fluid": {"relaxation-time": 1.0}, "force": {"body": [0, 1e-6, 0]},
                         "stop": {"steps": 50}, "run": {"gpus": 0}})
    assert plane.velocity.shape == (1,) + rock[5].shape + (3,)
    assert not plane.velocity[0, ~rock[5]].any() and plane.velocity[..., 1].sum() > 0


def test_what_functions_raise():
    def fail(x, y, z):
        raise KeyError("mine")
    case = in_python()
    case["boundary"][0]["velocity"][0] = fail
    with pytest.raises(KeyError, match="mine"):
        tessera.run(case)
    case["boundary"][0]["velocity"][0] = lambda x, y, z: "fast"
    with pytest.raises(TypeError, match="expected a number"):
        tessera.run(case)

    def look(state):
        raise RuntimeError(f"at {state.step}")
    with pytest.raises(RuntimeError, match="at 0"):
        tessera.run(in_python(), look=look, every=10)


def test_bad_cases(case, tmp_path):
    with pytest.raises(ValueError, match="a case of NoneType"):
        tessera.run(None)
    with pytest.raises(ValueError, match=r"no.toml"):
        tessera.run(tmp_path / "no.toml")
    wrong = in_python()
    wrong["fluid"]["relaxation-tine"] = 1
    with pytest.raises(ValueError, match=r"^the case: .*relaxation-time"):
        tessera.run(wrong)
    with pytest.raises(ValueError, match="every=0"):
        tessera.run(case, look=print)
    for every in 0, 2.5, "20":
        with pytest.raises(ValueError, match=f"every={every!r}"):
            tessera.steps(case, every=every)
    with pytest.raises(ValueError, match="^settings M=3: no constant"):
        tessera.run(case, settings={"M": 3}, out=tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_ctrl_c_keeps_what_there_is(case, tmp_path):
    def look(state):
        if state.step == 40:
            os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        tessera.run(case, settings={"stop.steps": 100000}, out=tmp_path / "mine", look=look, every=40)
    assert pathlib.Path(tmp_path / "mine" / "results.json").exists()
