# SPDX-License-Identifier: MIT
"""permeability() finds, bit by bit, what the command finds in the same voxels."""

import concurrent.futures
import json
import os
import pickle
import signal
import threading
import time

import h5py
import numpy as np
import pytest
import tessera

# Flows that are so small take two cores more than twice as much; the bits of the command are found by both.
CORES = {"gpus": 0, "cores": 1}
ON_CORES = ["--gpus", "0", "--cores", "1"]
LETTERS = "zyx"


@pytest.fixture(name="answers", scope="module")
def fixture_answers(rock):
    """What is found along each axis by itself, without fields."""
    return [tessera.permeability(rock, axis=axis, fields=False, **CORES) for axis in range(3)]


@pytest.fixture(name="tensor", scope="module")
def fixture_tensor(rock):
    """What is found along all axes, without fields."""
    return tessera.permeability(rock, voxel_size="5um", axis="all", fields=False, **CORES)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("solver", ["minres", "steps"])
def test_the_bits_of_the_command(rock, command, tmp_path, axis, solver):
    np.save(tmp_path / "rock.npy", rock)
    said = command("permeability", tmp_path / "rock.npy", "--pore", 1, "--axis", LETTERS[axis],
                   "--solver", solver, "--voxel-size", "5e-06m", "--gpus", 0, "--cores", 2)
    found = tessera.permeability(rock, voxel_size=5e-6, axis=axis, solver=solver, gpus=0, cores=2)
    expected = said["permeability"][LETTERS[axis]]
    assert found.k_lattice == expected["k_lattice"]
    assert found.k_m2 == expected["k_m2"]
    assert found.k_mD == expected["k_mD"]
    assert found.error == expected["error_estimate"]
    assert found.porosity == said["porosity"]["total"]
    assert (found.steps or found.iterations) == expected["steps"]
    assert found.solver == solver and found.converged


def test_fields_are_those_of_the_file(rock, command, tmp_path):
    np.save(tmp_path / "rock.npy", rock)
    command("permeability", tmp_path / "rock.npy", "--pore", 1, "--axis", "y", "--voxel-size", "5um",
            *ON_CORES)
    found = tessera.permeability(rock, voxel_size="5um", axis=1, **CORES)
    with h5py.File(tmp_path / "out" / "fields.vtkhdf") as file:
        cells = file["VTKHDF/PointData"]
        def there(name):
            return cells[name][()].reshape(found.velocity.shape[:3] + cells[name].shape[3:])
        assert np.array_equal(found.velocity[..., ::-1], there("velocity"))
        assert np.array_equal(found.pressure, there("pressure"))
        assert np.array_equal(found.density, there("density"))
    assert found.velocity.shape == rock.shape + (3,)
    assert not found.velocity[~rock].any()
    # Darcy's velocity is the mean of the field: nu = 1e-6 m^2/s, by the force of results.json.
    flow = found.to_dict()["permeability"]["y"]
    along = found.velocity.astype(float).mean(axis=(0, 1, 2))
    across = np.delete(along, 1)
    assert along[1] > 0 and np.all(np.abs(across) < along[1])
    ratio = np.array(flow["mean_velocity_lattice"])[::-1] / along
    assert np.allclose(ratio, ratio[1], rtol=2e-3)


@pytest.mark.parametrize("layout", ["fortran", "transposed", "sliced", "big-endian", "labels", "grey"])
def test_any_layout_in_memory(rock, answers, layout):
    how = {}
    if layout == "fortran":
        array = np.asfortranarray(rock)
    elif layout == "transposed":
        array = np.ascontiguousarray(rock.transpose(2, 0, 1)).transpose(1, 2, 0)
    elif layout == "sliced":
        larger = np.zeros(tuple(2 * n for n in rock.shape), dtype=bool)
        larger[::2, ::2, ::2] = rock
        array = larger[::2, ::2, ::2]
    elif layout == "big-endian":
        array = np.where(rock, 0, 300).astype(">i4")
    elif layout == "labels":
        array, how = np.where(rock, 7, 2).astype(np.int64), {"pore": 7}
    else:
        array, how = np.where(rock, 10.5, 99.5), {"threshold": 50}
    found = tessera.permeability(array, axis=0, fields=False, **how, **CORES)
    assert found.k_lattice == answers[0].k_lattice


def test_the_tensor_is_in_the_axes_of_the_array(rock, tensor, command, tmp_path):
    np.save(tmp_path / "rock.npy", rock)
    said = command("permeability", tmp_path / "rock.npy", "--pore", 1, "--axis", "all", "--no-fields",
                   "--voxel-size", "5um", *ON_CORES)
    found = tensor
    assert found.tensor_lattice.tolist() == np.array(said["permeability"]["tensor_lattice"])[::-1, ::-1].tolist()
    for axis in range(3):
        assert found.axes[axis].k_lattice == found.tensor_lattice[axis, axis]
        assert found.axes[axis].k_mD == found.tensor_mD[axis, axis]
        assert found.percolating_porosity[axis] == said["porosity"]["percolating"][LETTERS[axis]]
    with pytest.raises(AttributeError, match=r"expected axes\[i\].k_mD"):
        _ = found.k_mD


def test_a_plane_channel():
    """Nodes lie on Poiseuille's parabola for Lambda = 3/16: their mean is h^2/12 + 1/24 in a gap of
    h voxels."""
    picture = np.zeros((12, 16), dtype=bool)
    picture[1:11] = True
    found = tessera.permeability(picture, axis=1, periodic=True, tolerance=1e-8, precision="double", **CORES)
    assert found.k_lattice == pytest.approx((10**2 / 12 + 1 / 24) * 10 / 12, rel=1e-6)
    assert found.velocity.shape == picture.shape + (2,)
    assert found.pressure.shape == picture.shape
    assert found.velocity[5, 3, 1] > 0 and abs(found.velocity[5, 3, 0]) < 1e-9
    with pytest.raises(ValueError, match="expected 0 or 1"):
        tessera.permeability(picture, axis="all")


def test_grey_voxels_and_thresholds():
    """Layers of porous voxels in series; a range of thresholds, each as by itself."""
    layers = np.repeat(np.array([2, 3, 2, 3], dtype=np.uint8), 36).reshape(4, 6, 6)
    said = {2: 0.01, 3: 1e-4}
    found = tessera.permeability(layers, axis=0, periodic=True, grey=said, tolerance=1e-6, fields=False, **CORES)
    assert found.k_lattice == pytest.approx(2 / (1 / 0.01 + 1 / 1e-4), rel=2e-6)
    assert found.to_dict()["porosity"]["grey"] == 1
    with pytest.raises(ValueError, match="label 3 of|label 3"):
        tessera.permeability(layers, axis=0, grey={2: "5mD"}, pore="0", solid="1", voxel_size=1e-6, **CORES)
    values = np.random.default_rng(1).random((10, 10, 10))
    found = tessera.permeability(values, threshold="0.4..0.8", fields=False, **CORES)
    assert found.segmentation["thresholds"] == pytest.approx([0.4, 0.5, 0.6, 0.7, 0.8])
    alone = tessera.permeability(values, threshold="0.8", fields=False, **CORES)
    assert found.segmentation["k_lattice"][-1] == alone.k_lattice == found.segmentation["upper_lattice"]


def test_one_layer_is_a_picture():
    """Whatever set of velocities and solver it runs on, and however its array says so."""
    picture = np.zeros((10, 16), dtype=bool)
    picture[1:9] = True
    picture[3:6, 5:8] = False
    plane = tessera.permeability(picture, axis=1, tolerance=1e-8, precision="double", fields=False, **CORES)
    layer = tessera.permeability(picture[np.newaxis], axis=2, tolerance=1e-8, precision="double", fields=False, **CORES)
    assert layer.k_lattice == pytest.approx(plane.k_lattice, rel=1e-6)
    with pytest.raises(ValueError, match="refine 2: expected a volume"):
        tessera.permeability(picture[np.newaxis], axis=2, refine=2, **CORES)
    with pytest.warns(RuntimeWarning, match="one voxel thick along axis 1"):
        tessera.permeability(picture[:, np.newaxis], axis=2, fields=False, tolerance=1e-2, **CORES)


@pytest.mark.parametrize("bad, says", [
    ({"tolerance": 3}, "^tolerance 3: expected"),
    ({"tolerence": 1e-3}, "did you mean 'tolerance'"),
    ({"out": "folder"}, "^out: expected nothing about files"),
    ({"axis": 3}, "axis=3: expected 0 to 2"),
    ({"axis": -1}, "axis=-1: expected 0 to 2"),
    ({"axis": "x"}, "axis='x': expected 0 to 2"),  # of the array or of the command?
    ({"voxel_size": (1, 1, 1)}, "expected metres, or a text with a unit"),
    ({"no_fields": True}, "expected fields=False"),
    ({"help": True}, "'--help' was not expected|'help' was not expected"),
    ({"dataset": "im"}, "dataset: expected nothing about files"),
    ({"pore": []}, "pore: expected one value at least"),
    ({"pore": 5}, "neither pore nor solid"),
    ({"gpus": 99}, "^gpus 99: expected at most"),
    ({"voxel_size": -1.0}, "voxel_size -1.0m: expected a positive length"),
    ({"solver": "minres", "tiles": 3}, "it computes on no tiles"),
])
def test_bad_input_is_a_value_error(rock, bad, says):
    with pytest.raises(ValueError, match=says) as raised:
        tessera.permeability(rock, **bad)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("array, says", [
    (np.zeros(8, dtype=bool), "1 dimensions"),
    (np.zeros((2, 0, 3), dtype=bool), "expected voxels"),
    (np.zeros((4, 4, 4), dtype=complex), "complex128"),
    ("rock.tif", "'rock.tif': expected an array"),
    (np.ma.masked_equal(np.eye(4, dtype=int)[None], 1), "a masked array: expected a value for each voxel"),
    (np.arange(27).reshape(3, 3, 3) == 13, "no pore leads through the array along axis 0"),
])
def test_bad_arrays(array, says):
    with pytest.raises(ValueError, match=says):
        tessera.permeability(array)


def test_doubts_are_warnings_of_this_call_only(rock):
    with pytest.warns(RuntimeWarning, match="not converged|did not") as caught:
        found = tessera.permeability(rock, max_steps=3, fields=False, solver="steps", **CORES)
    assert not found.converged
    assert all(w.filename == __file__ for w in caught)
    assert found.to_dict()["warnings"]
    assert not tessera.permeability(rock, fields=False, **CORES).to_dict()["warnings"]


def test_the_commands_doubts_of_the_input_are_warnings(rock):
    with pytest.warns(RuntimeWarning, match="finer than single precision is good for: precision double"):
        tessera.permeability(rock, tolerance=1e-5, fields=False, **CORES)
    tube = np.ones((6, 6, 6), dtype=bool)
    with pytest.warns(RuntimeWarning, match="every voxel of the array is pore"):
        tessera.permeability(tube, fields=False, max_steps=100, **CORES)


def test_progress_and_its_exceptions(rock):
    seen = []
    tessera.permeability(rock, axis=0, tolerance=1e-10, precision="double", progress=seen.append, **CORES)
    assert seen and seen[-1]["axis"] == "z" and seen[-1]["iterations"]
    assert [s["done"] for s in seen] == sorted(s["done"] for s in seen)

    def fail(_):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        tessera.permeability(rock, tolerance=1e-10, precision="double", progress=fail, **CORES)


@pytest.mark.parametrize("solver", ["minres", "steps"])
def test_ctrl_c(solver):
    image = tessera.generate("spheres", size=60, radius=8, porosity=0.5)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tessera.permeability(image, tolerance=1e-14, precision="double", solver=solver,
                             progress=lambda _: os.kill(os.getpid(), signal.SIGINT), **CORES)
    assert time.monotonic() - begin < 30
    # The next run is not disturbed.
    assert tessera.permeability(image[:20, :20, :20], fields=False, **CORES).converged


def test_calls_from_threads_take_turns(rock, answers):
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        together = list(pool.map(
            lambda a: tessera.permeability(rock, axis=a, fields=False, **CORES).k_lattice, range(3)))
    assert together == [answer.k_lattice for answer in answers]


def test_ctrl_c_does_not_wait_for_another_threads_flow(rock):
    over = threading.Event()

    def show(_):
        if over.is_set():
            raise KeyError("over")
    image = tessera.generate("spheres", size=60, radius=8, porosity=0.5)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        other = pool.submit(tessera.permeability, image, tolerance=1e-14, precision="double", solver="steps", progress=show, **CORES)
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                tessera.permeability(rock, **CORES)
        assert not other.done()
        over.set()
        with pytest.raises(KeyError, match="over"):
            other.result()


def test_fields_outlive_the_answer(rock):
    velocity = tessera.permeability(rock, axis=0, **CORES).velocity
    kept = velocity.copy()
    for _ in range(3):
        tessera.permeability(rock, axis=2, **CORES)
    assert np.array_equal(velocity, kept)


def test_save_writes_what_the_command_writes(rock, answers, command, tmp_path):
    found = tessera.permeability(rock, axis="all", voxel_size=2e-6, **CORES)
    found.save(tmp_path / "a" / "b")
    names = sorted(p.name for p in (tmp_path / "a" / "b").iterdir())
    assert names == ["convergence.csv", "fields-x.vtkhdf", "fields-y.vtkhdf", "fields-z.vtkhdf", "results.json"]
    with h5py.File(tmp_path / "a" / "b" / "fields-z.vtkhdf") as file:
        pressure = file["VTKHDF/PointData/pressure"][()].reshape(rock.shape)
    assert np.array_equal(pressure, found.axes[0].pressure)
    text = (tmp_path / "a" / "b" / "results.json").read_text(encoding="utf-8")
    assert json.loads(text) == found.to_dict()
    np.save(tmp_path / "rock.npy", rock)
    command("permeability", tmp_path / "rock.npy", "--pore", 1, "--axis", "all", "--voxel-size", "2e-06m", *ON_CORES)
    written = (tmp_path / "a" / "b" / "convergence.csv").read_text(encoding="utf-8")
    assert written == (tmp_path / "out" / "convergence.csv").read_text(encoding="utf-8")
    last = found.convergence["axis"] == 2
    assert found.convergence["k_mD"][last][-1] == found.axes[2].k_mD
    assert found.convergence["step"][last][-1] == found.axes[2].iterations
    nothing = answers[0]
    assert nothing.velocity is None
    with pytest.raises(ValueError, match="there are no fields to write"):
        nothing.write_fields(tmp_path / "none.vtkhdf")


def test_what_an_editor_offers(answers, tensor):
    found = answers[0]
    assert {"k_mD", "error", "velocity", "axes", "tensor_mD", "save"} <= set(dir(found))
    assert all(hasattr(found, name) for name in dir(found))
    assert "k_mD" not in dir(tensor)


def test_an_answer_can_be_sent_to_another_process(rock):
    found = tessera.permeability(rock, **CORES)
    sent = pickle.loads(pickle.dumps(found))
    assert sent.k_lattice == found.k_lattice and sent.to_dict() == found.to_dict()
    assert np.array_equal(sent.velocity, found.velocity)
    with pytest.raises(ValueError, match="there are no fields to write"):
        sent.write_fields("fields.vti")


def test_a_bar_is_full_in_the_end_unless_something_fails(rock, monkeypatch):
    """In a notebook one that is not stays there in red."""
    import tqdm.auto  # pylint: disable=import-outside-toplevel
    ends = []

    class Bar(tqdm.auto.tqdm):
        def close(self):
            if not ends or ends[-1][0] is not self:
                ends.append((self, self.n / self.total))
            super().close()
    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    tessera.permeability(rock, progress=True, **CORES)
    tessera.forchheimer(rock, 0.1, progress=True, max_steps=1000, tolerance=0.05, **CORES)
    with pytest.raises(ValueError, match="no pore leads through"):
        tessera.permeability(np.arange(27).reshape(3, 3, 3) == 13, progress=True, **CORES)
    assert [part for _, part in ends] == [1, 1, 0]


def test_a_voxel_of_metres_is_doubted(rock, answers):
    with pytest.warns(RuntimeWarning, match="voxel_size=5 is in metres") as caught:
        found = tessera.permeability(rock, voxel_size=5, fields=False, pore=True, **CORES)
    assert caught[0].filename == __file__
    assert found.k_lattice == answers[0].k_lattice
