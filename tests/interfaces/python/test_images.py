# SPDX-License-Identifier: MIT
"""rev(), generate(), info(): what the commands say."""

import csv
import subprocess

import numpy as np
import pytest
import tessera
from conftest import BINARY, pores


def test_generated_images_are_those_of_the_command(tmp_path):
    kinds = [("spheres", {"size": 30, "radius": 6, "porosity": 0.5, "seed": 3}, ["--size", "30", "--radius", "6", "--porosity", "0.5", "--seed", "3"]),
             ("spheres", {"size": (10, 20, 30), "radius": 5}, ["--size", "30,20,10", "--radius", "5"]),
             ("circular-duct", {"radius": 4, "axis": 0, "length": 5}, ["--radius", "4", "--axis", "z", "--length", "5"]),
             ("rectangular-duct", {"a": 4, "b": 6}, ["-a", "4", "-b", "6"]),
             ("spheres", {"size": 40, "radius": 5, "porosity": 0.7, "separate": True}, ["--size", "40", "--radius", "5", "--porosity", "0.7", "--separate"])]
    for kind, options, words in kinds:
        subprocess.run([BINARY, "generate", kind, *words, "--out", tmp_path / "image.raw"], check=True,
                       stdout=subprocess.DEVNULL)
        image = tessera.generate(kind, **options)
        labels = np.fromfile(tmp_path / "image.raw", dtype=np.uint8).reshape(image.shape)
        assert image.dtype == bool
        assert np.array_equal(image, labels == 0), kind
    with pytest.raises(ValueError, match="kind"):
        tessera.generate("spheres", kind=2)
    with pytest.raises(ValueError, match="normal=3: expected 0 to 2"):
        tessera.generate("plates", normal=np.int64(3))


def test_info():
    rock = pores(22, 26, 30)  # what a permeability takes is estimated for larger ones
    found = tessera.info(rock)
    assert found["shape"] == list(rock.shape)
    assert found["pore_voxels"] == rock.sum()
    assert found["porosity"] == rock.mean()
    assert found["faces_and_edges"]["percolating_porosity"][0] > 0
    took = tessera.permeability(rock, fields=False, gpus=0).to_dict()["performance"]
    assert found["k_takes"]["memory_bytes"] == pytest.approx(took["bytes_per_fluid_node"] * took["fluid_nodes"], rel=0.5)
    assert found["k_takes"]["seconds"] > 0
    tube = np.zeros((9, 5, 4), dtype=np.uint8)
    tube[:, 2, 2] = 3
    found = tessera.info(tube, pore=3)
    assert found["faces"] == {"components": 1, "percolating_porosity": [9 / 180, 0, 0]}


def test_sub_volumes_are_those_of_the_command(command, tmp_path):
    image = tessera.generate("spheres", size=50, radius=5, porosity=0.5)
    np.save(tmp_path / "image.npy", image)
    said = command("rev", tmp_path / "image.npy", "--pore", 1, "--edges", "12,20", "--samples", 4,
                   "--axis", "y", "--voxel-size", "3e-06m", "--gpus", 0)
    seen = []
    found = tessera.rev(image, [12, 20], voxel_size=3e-6, axis=1, samples=4, gpus=0, progress=seen.append)
    with open(tmp_path / "out" / "rev.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(found) == len(rows) == 8
    assert found.table["k_mD"].tolist() == [float(row["k_mD"]) for row in rows]
    assert found.table["lower"].tolist() == [[int(row[a]) for a in "zyx"] for row in rows]
    assert set(found.table["axis"]) == {1}
    for mine, theirs in zip(found.statistics, said["rev"]["statistics"]):
        assert mine == {**theirs, "axis": 1}
    for row in range(8):
        z, y, x = found.table["lower"][row]
        edge = found.table["edge"][row]
        assert image[z:z + edge, y:y + edge, x:x + edge].mean() == found.table["porosity"][row]
    if seen:
        assert seen[-1]["of"] == 8
    with pytest.raises(ValueError, match="edges 60"):
        tessera.rev(image, 60)


def test_conductivities_of_sub_volumes():
    cores = 1
    image = tessera.generate("spheres", size=30, radius=5, porosity=0.5)
    found = tessera.rev(image, 12, samples=2, conductivity={1: 2.0, 0: 0.1}, cores=cores, tolerance=1e-6)
    z, y, x = found.table["lower"][0]
    alone = tessera.diffusion(image[z:z + 12, y:y + 12, x:x + 12], {1: 2.0, 0: 0.1}, cores=cores, tolerance=1e-6)
    assert found.table["effective"][0] == alone.effective
    assert found.table["formation_factor"][0] == pytest.approx(alone.formation_factor)
    assert "k_mD" not in found.table
    of_grey = tessera.rev(image, 12, samples=1, grey={0: "1e-3"}, pore=1, cores=cores)
    assert of_grey.table["k_lattice"][0] > 0
