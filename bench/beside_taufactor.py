#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Diffusion by Tessera and by TauFactor on the same images and the same GPU.

    bench/beside_taufactor.py [--tessera PROGRAM] [--sizes 100,200,400] [--image RAW,EDGE] [--gpus 1] [--no-rival]

Images are blobs (filtered noise, porosity 0.5, made here) and, with --image, a cube of bytes whose pores are 0. TauFactor
(PyPI's `taufactor`, with torch) stops where its fluxes agree to --tolerance; so does Tessera by its estimate of the error. Both
are told the same ends: values held on the first and last faces along x, other sides sealed. Times are those of the solution
alone as each tells them, and of the whole command.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import types

import numpy as np


def blobs(edge: int, width: float, seed: int = 1) -> np.ndarray:
    """Pores of a cube: noise filtered by a periodic Gaussian of `width` voxels, cut at its median; 0 is pore."""
    noise = np.random.default_rng(seed).standard_normal((edge, edge, edge), dtype=np.float32)
    try:
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
        wave = torch.fft.fftfreq(edge, device=device)
        along = torch.exp(-2 * (np.pi * width * wave) ** 2)
        spectrum = torch.fft.rfftn(torch.from_numpy(noise).to(device))
        spectrum *= along[:, None, None] * along[None, :, None] * along[None, None, : edge // 2 + 1]
        smooth = torch.fft.irfftn(spectrum, s=(edge, edge, edge)).cpu().numpy()
    except ImportError:
        wave = np.fft.fftfreq(edge)
        along = np.exp(-2 * (np.pi * width * wave) ** 2)
        spectrum = np.fft.rfftn(noise) * along[:, None, None] * along[None, :, None] * along[None, None, : edge // 2 + 1]
        smooth = np.fft.irfftn(spectrum, s=(edge, edge, edge))
    return (smooth > np.median(smooth)).astype(np.uint8)


def by_tessera(program: str, solid: np.ndarray, arguments: argparse.Namespace, folder: pathlib.Path) -> dict:
    image = folder / "image.raw"
    solid.tofile(image)
    nz, ny, nx = solid.shape
    command = [program, "diffusion", str(image), "--shape", f"{nx},{ny},{nz}", "--no-fields", "--quiet"]
    command += ["--tolerance", str(arguments.tolerance), "--gpus", str(arguments.gpus), "--out", str(folder / "out")]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - start
    results = json.loads((folder / "out" / "results.json").read_text())
    return results | {"whole_s": whole}


def by_taufactor(solid: np.ndarray, tolerance: float) -> dict:
    for name in ("IPython", "IPython.display", "psutil", "skimage", "matplotlib", "matplotlib.pyplot"):
        try:
            __import__(name)
        except ImportError:  # it only draws with them
            sys.modules[name] = types.ModuleType(name)
    sys.modules["IPython.display"].clear_output = lambda *_, **__: None
    if not hasattr(sys.modules["skimage"], "measure"):
        sys.modules["skimage"].measure = None
    import taufactor
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    pores = np.ascontiguousarray((solid == 0).astype(np.uint8).transpose(2, 1, 0))
    start = time.perf_counter()
    solver = taufactor.Solver(pores, device=device)
    made = time.perf_counter()
    solver.solve(verbose=False, conv_crit=tolerance, iter_limit=100000)
    if device == "cuda":
        torch.cuda.synchronize()
    end = time.perf_counter()
    return {"D": float(np.ravel(solver.D_eff)[0]), "solve_s": end - made, "whole_s": end - start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="tessera")
    parser.add_argument("--sizes", default="100,200")
    parser.add_argument("--image", action="append", default=[], help="a cube of bytes and its edge: berea.raw,400")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--no-rival", action="store_true")
    arguments = parser.parse_args()
    images = []
    for image in arguments.image:
        path, edge = image.rsplit(",", 1)
        images.append((pathlib.Path(path).stem, np.fromfile(path, np.uint8).reshape(3 * (int(edge),))))
    for size in arguments.sizes.split(",") if arguments.sizes else []:
        images.append((f"blobs {size}^3", blobs(int(size), 4.0)))
    for name, solid in images:
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(arguments.repeat):
                ours = by_tessera(arguments.tessera, solid, arguments, pathlib.Path(folder))
                print(name, "tessera", describe(ours), flush=True)
        if not arguments.no_rival:
            print(name, "taufactor", by_taufactor(solid, arguments.tolerance), flush=True)


def describe(results: dict) -> dict:
    along = results["diffusion"]["x"]
    return {
        "D": along["effective"],
        "solve_s": along["seconds"],
        "set_up_s": along["set_up_seconds"],
        "whole_s": results["whole_s"],
        "iterations": along["iterations"],
        "error": along["error_estimate"],
        "bytes_per_node": results["performance"]["bytes_per_node"],
    }


if __name__ == "__main__":
    main()
