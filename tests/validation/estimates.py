# SPDX-License-Identifier: MIT
"""What error_estimate is worth: over the true error, when a run ends, of steps and of minres.

The true permeability is that of minres in double precision to 1e-9.
"""

import os
import pathlib

import numpy as np

from images import BCC, FCC, SC, majority, permeability, rock, spheres, waves
from rows import deviation, reported

TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4)
ROUNDING = 1e-6  # what single precision may be off by in any case: no estimate is of that
CLASSES = ((0, 0.5), (0.5, 1), (1, 10), (10, 30), (30, float("inf")))


def channel(n, radius, squared):
    """Along x: pore where squared(y, z) of the distances to the axis is within the radius."""
    z, y, _ = np.meshgrid(*[np.arange(n) - (n - 1) / 2] * 3, indexing="ij", sparse=True)
    return np.broadcast_to(squared(y, z) <= radius ** 2, (n, n, n)).copy()


def tube(n, radius):
    return channel(n, radius, lambda y, z: y ** 2 + z ** 2)


def plates(n, width):
    return channel(n, width / 2, lambda y, z: 0 * y + z ** 2)


def fracture(n, aperture, roughness, seed):
    """Between two rough walls that are alike but for a part of their height."""
    random = np.random.default_rng(seed)
    at = np.arange(n) / n

    def height():
        total = np.zeros((n, n))
        for k in range(1, 7):
            for m in range(-6, 7):
                phase = 2 * np.pi * (k * at[:, None] + m * at[None, :]) + random.uniform(0, 2 * np.pi)
                total += random.normal() * np.cos(phase) / (k * k + m * m) ** 1.1
        return total / total.std()
    common = height()
    below = n / 2 - aperture / 2 + roughness * (common + 0.4 * height())
    above = n / 2 + aperture / 2 + roughness * (common + 0.4 * height())
    z = np.arange(n)[:, None, None]
    return (z > below) & (z < above)


def dead_ends(n, radius, every):
    """A tube with blind holes across it."""
    pore = tube(n, radius)
    z, y, x = np.meshgrid(*[np.arange(n)] * 3, indexing="ij", sparse=True)
    for start in range(every // 2, n - 2, every):
        pore |= ((x - start) ** 2 + (z - n // 2) ** 2 <= 4) & (y > 2) & (y < n - 3)
    return pore


def throats(n, wide, narrow, count):
    """Chambers in a row, with narrow throats between them."""
    x = np.arange(n)
    wave = (np.cos(2 * np.pi * count * (x + 0.5) / n) > -0.4)
    pore = tube(n, narrow)
    pore[:, :, wave] |= tube(n, wide)[:, :, wave]
    return pore


def vug(n, chamber, throat):
    """A large chamber in the middle behind narrow throats."""
    z, y, x = np.meshgrid(*[np.arange(n) - (n - 1) / 2] * 3, indexing="ij", sparse=True)
    return tube(n, throat) | (x ** 2 + y ** 2 + z ** 2 <= chamber ** 2)


def overlapping(seed, count, radius):
    return spheres(np.random.default_rng(seed).random((count, 3)), radius)


def quick_images():
    yield "array of spheres", spheres(SC, 0.45)(16), "periodic"
    yield "waves", waves(1, 0.3, 3)(24), "sealed"
    yield "throats in series", throats(24, 8, 2.5, 2), "sealed"
    yield "vug behind throats", vug(24, 9, 2.5), "mirror"
    yield "fracture", fracture(24, 5, 1.5, 1), "sealed"
    yield "overlapping spheres", overlapping(3, 60, 0.16)(28), "sealed"


def all_images():
    yield from quick_images()
    for name, places, radii in (("sc", SC, (0.35, 0.49)), ("bcc", BCC, (0.3, 0.42)), ("fcc", FCC, (0.26, 0.345))):
        for radius in radii:
            yield f"{name} {radius}", spheres(places, radius)(32), "periodic"
    for seed in range(4):
        for setup in "sealed", "periodic":
            yield f"overlapping spheres {seed}", overlapping(10 + seed, 70 + 25 * seed, 0.15)(48), setup
    for seed, porosity in enumerate((0.14, 0.2, 0.3, 0.45)):
        for setup in ("sealed", "periodic", "mirror")[:1 + seed % 3]:
            yield f"waves {porosity}", waves(20 + seed, porosity, 3)(48), setup
    for width in 3, 8, 24:
        yield f"plates {width}", plates(32, width), "periodic"
    for radius in 2.5, 12:
        yield f"tube {radius}", tube(40, radius), "sealed"
    for seed, aperture in enumerate((2.5, 4, 8)):
        yield f"fracture {aperture}", fracture(48, aperture, 1.6, 30 + seed), "sealed"
    for every in 8, 16:
        yield f"dead ends every {every}", dead_ends(48, 5, every), "sealed"
    for narrow, count in ((1.5, 1), (2.5, 3), (4, 2)):
        yield f"throats {narrow} {count}", throats(48, 14, narrow, count), "sealed"
    for throat in 1.5, 4:
        yield f"vug {throat}", vug(48, 18, throat), "sealed"
    for name, file in (("Berea", "berea_100_u8.raw.gz"), ("Bentheimer", "bentheimer_120_u8.raw.gz")):
        pore = rock(file)
        if pore is None:
            continue
        for start in 0, 40:
            part = pore[start:start + 60, start:start + 60, start:start + 60]
            for setup in "sealed", "periodic", "mirror":
                yield f"{name} {start}", part, setup
        yield f"{name} all of it", pore, "sealed"
        yield f"{name} coarse", majority(pore, 2), "sealed"
        yield f"{name} along y", pore[:60, :60, :60].swapaxes(1, 2), "sealed"


def along_x(binary, pore, setup, *options):
    return permeability(binary, pore, *([] if setup == "sealed" else [f"--{setup}"]), *options)


def trial(binary, solver, pore, setup, tolerance):
    """The permeability and its estimate; None where it did not settle."""
    limit = ["--max-steps", "60000"] if solver == "steps" else []
    result = along_x(binary, pore, setup, "--solver", solver, "--tolerance", str(tolerance), *limit)
    return (result["k_lattice"], result["error_estimate"]) if result["converged"] else None


def markdown(ratios, kept, settled):
    said = ["| tolerance | estimate / error below 1/2 | 1/2 … 1 | 1 … 10 | 10 … 30 | above 30 | within the tolerance |",
            "|--:|--:|--:|--:|--:|--:|--:|"]
    for tolerance, of_tolerance in ratios.items():
        counts = [sum(low <= r < high for r in of_tolerance) for low, high in CLASSES]
        said.append(f"| {tolerance:g} | " + " | ".join(str(c) for c in counts) +
                    f" | {kept[tolerance]} of {settled[tolerance]} |")
    return "\n".join(said) + "\n"


def validate(session):
    binary = str(pathlib.Path(os.environ.get("TESSERA", "build/release/bin/tessera")).resolve())
    images, true = [], []
    for name, pore, setup in quick_images() if session.quick else all_images():
        try:
            result = along_x(binary, pore, setup, "--solver", "minres", "--precision", "double",
                             "--tolerance", "1e-9")
        except RuntimeError as error:
            assert "no pore leads through" in str(error), error
            continue
        assert result["converged"], name
        images.append((name, pore, setup))
        true.append(result["k_lattice"])
    yield reported("images", len(images))
    lines = ["solver,image,setup,tolerance,k,true k,estimate,error\n"]
    for solver in "steps", "minres":
        ratios = {tolerance: [] for tolerance in TOLERANCES}
        settled = {tolerance: 0 for tolerance in TOLERANCES}
        kept = {tolerance: 0 for tolerance in TOLERANCES}
        for (name, pore, setup), k_true in zip(images, true):
            for tolerance in TOLERANCES:
                found = trial(binary, solver, pore, setup, tolerance)
                if found is None:
                    continue
                k, estimate = found
                error = abs(k / k_true - 1)
                if error > ROUNDING:
                    ratios[tolerance].append(estimate / error)
                settled[tolerance] += 1
                kept[tolerance] += error < tolerance
                lines.append(f"{solver},{name},{setup},{tolerance:g},{k:.9g},{k_true:.9g},{estimate:.3g},{error:.3g}\n")
        for tolerance in TOLERANCES:
            told = f"{solver} to {tolerance:g}: "
            bar = 1 if session.quick else 4.5 if tolerance > 0.05 else 2.2
            yield deviation(told + "error over estimate, largest", 1 / min(ratios[tolerance]), bar)
            yield reported(told + "share of estimates of 1 to 10 errors",
                           sum(1 <= r < 10 for r in ratios[tolerance]) / len(ratios[tolerance]))
            yield deviation(told + "share beyond the tolerance", 1 - kept[tolerance] / settled[tolerance], 0.05)
        (session.out / f"estimates-{solver}.md").write_text(markdown(ratios, kept, settled), encoding="utf-8")
    (session.out / "estimates.csv").write_text("".join(lines), encoding="utf-8")
