# SPDX-License-Identifier: MIT
"""forchheimer(), phases() and diffusion(): what the commands say, number by number."""

import json
import subprocess

import numpy as np
import pytest
import tessera
from conftest import BINARY


def command(folder, *words):
    done = subprocess.run([BINARY, *map(str, words), "--out", folder / "out"], check=False, stdout=subprocess.DEVNULL)
    assert done.returncode in (0, 3)
    return json.loads((folder / "out" / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(name="image")
def image_of_spheres():
    return tessera.generate("spheres", size=14, radius=4, porosity=0.6, seed=2)


def test_forchheimer_says_what_the_command_says(image, tmp_path):
    np.save(tmp_path / "image.npy", image.astype(np.uint8))
    seen = []
    found = tessera.forchheimer(image, [5, 0.1], voxel_size=2e-6, axis=1, tolerance=1e-2, gpus=0, cores=1,
                                progress=seen.append)
    said = command(tmp_path, "forchheimer", tmp_path / "image.npy", "--pore", "1", "--reynolds", "0.1,5", "--axis", "y",
                   "--voxel-size", "2um", "--tolerance", "1e-2", "--gpus", "0", "--cores", "1")
    assert found.k_lattice == said["k_lattice"] and found.k_mD == said["k_mD"]
    assert found.flows == said["flows"] and len(found.flows) == 2 and found.complete
    assert found.flows[0]["k_lattice"] > found.flows[1]["k_lattice"]
    assert found.beta_lattice is None  # one flow alone has inertia
    assert [stage["done"] for stage in seen][-1] == 2


def test_phases_say_what_the_command_says(image, tmp_path):
    labels = np.where(image, np.arange(14) % 2 * 3, 2).astype(np.uint8)
    np.save(tmp_path / "labels.npy", labels)
    found = tessera.phases(labels, {"water": 0, "oil": [1, 3]}, solid=2, axis="all", gpus=0, cores=1)
    said = command(tmp_path, "phases", tmp_path / "labels.npy", "--phase", "water=0", "--phase", "oil=1,3", "--solid", "2",
                   "--axis", "all", "--gpus", "0", "--cores", "1")
    assert [dict(row, axis="zyx"[row["axis"]]) for row in found.table] == said["phases"]
    assert set(found["all"].values()) == {1.0}
    assert found["water"][2] == 0 or found["water"][2] is None  # layers across the last axis
    with pytest.raises(KeyError):
        found["gas"]


def test_what_is_wrong_is_said_in_pythons_words(image):
    for wrong, words in ((lambda: tessera.forchheimer(image, [1, 1]), "reynolds 1 stands there twice"),
                         (lambda: tessera.forchheimer(image, 1, axis="all"), "axis"),
                         # Planes are permeability()'s alone: here they would be slabs between walls.
                         (lambda: tessera.forchheimer(image[0], 1), "an array of 2 dimensions: expected 3"),
                         (lambda: tessera.phases(image[0].astype(int), {"water": 1}, solid=0), "expected 3"),
                         (lambda: tessera.rev(image[0], 5), "expected 3"),
                         (lambda: tessera.phases(image.astype(int), {"water": 0}, solid=0), "water")):
        with pytest.raises(ValueError, match=words):
            wrong()


def test_diffusion_says_what_the_command_says(tmp_path):
    labels = np.random.default_rng(3).integers(0, 3, (9, 10, 11)).astype(np.uint8)
    np.save(tmp_path / "labels.npy", labels)
    found = tessera.diffusion(labels, {0: 1, 1: 0.2, 2: 0.05}, axis="all", periodic=True, tolerance=1e-8, gpus=0)
    said = command(tmp_path, "diffusion", tmp_path / "labels.npy", "--conductivity", "0=1", "--conductivity", "1=0.2",
                   "--conductivity", "2=0.05", "--axis", "all", "--periodic", "--tolerance", "1e-8", "--no-fields")
    assert found.effective == {axis: said["diffusion"]["zyx"[axis]]["effective"] for axis in range(3)}
    assert found.complete and "axis 0: " in repr(found)
    for axis in range(3):
        assert found.flux[axis][..., axis].mean() == pytest.approx(found.effective[axis], rel=1e-5)
    np.testing.assert_allclose(found.tensor, found.tensor.T, atol=1e-6)
    np.testing.assert_allclose(np.diag(found.tensor), [found.effective[axis] for axis in range(3)], rtol=1e-5)


def test_diffusion_takes_pores_and_fields_of_conductivities(image):
    by_pores = tessera.diffusion(image, axis=1, tolerance=1e-8)
    by_values = tessera.diffusion(image.astype(float), values_conduct=True, axis=1, tolerance=1e-8)
    assert by_pores.effective == by_values.effective
    assert 0 < by_pores.concentration[image].mean() < 1 and by_pores.concentration[~image].max() == 0
    np.testing.assert_array_equal(by_pores.flux, by_values.flux)
    assert tessera.diffusion(image, fields=False).concentration is None
    assert by_pores.tortuosity == pytest.approx(image.mean() / by_pores.effective, rel=1e-12)
    with pytest.raises(ValueError, match="label 1 has no conductivity"):
        tessera.diffusion(image.astype(np.uint8), {0: 1})
    for option in {"precision": "double"}, {"buffer_layers": 2}:
        with pytest.raises(ValueError, match=f"{next(iter(option))}.*: expected"):
            tessera.diffusion(image, **option)
