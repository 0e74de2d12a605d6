# SPDX-License-Identifier: MIT
"""Flow through porous images by the lattice Boltzmann method.

    import numpy as np, tessera
    im = tessera.generate("spheres", size=48, radius=8, porosity=0.5)   # True is pore
    print(tessera.permeability(im, voxel_size=5e-6).k_mD)

Arrays are as PoreSpy has them: True is void, axis 0 comes first, in any order in memory. Options of
the command `tessera` that are not named here are keywords as well: `--max-steps 100` is
`max_steps=100`. What is wrong with the input raises ValueError with the line that the command says.
"""

from ._case import CaseResult, State, run, steps
from ._coprocessor import Box, CoProcessor
from ._images import generate, info
from ._permeability import AxisResult, Permeability, permeability
from ._rev import SubVolumes, rev
from ._studies import Diffusion, Forchheimer, Phases, diffusion, forchheimer, phases
from ._tessera import version as __version__

__all__ = ["AxisResult", "Box", "CaseResult", "CoProcessor", "Diffusion", "Forchheimer", "Permeability",
           "Phases", "State", "SubVolumes", "__version__", "diffusion", "forchheimer", "generate", "info",
           "permeability", "phases", "rev", "run", "steps"]
