"""Random number streams: which generator belongs to which block of which stage of a run.

Each block of samples has a generator of its own, seeded by (seed, stage, block) through NumPy's
SeedSequence. So a block's numbers depend neither on who computes it nor on when.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Stage(IntEnum):
    """The stages of a run; their samples are independent."""

    FIT = 0
    PILOT = 1
    MAIN = 2


def generator(seed: int, stage: Stage, block: int) -> np.random.Generator:
    """The generator of one block.

    PCG64DXSM is the bit generator that NumPy recommends for many parallel streams.

    >>> a, b = (generator(0, Stage.MAIN, block).standard_normal() for block in (0, 1))
    >>> a != b
    True
    """
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(stage, block))))
