"""Coefficients of the control variates, from samples that the estimate does not use."""

from __future__ import annotations

import numpy as np

from numerics.montecarlo.plan import Plan
from numerics.montecarlo.streams import Stage

FIT_OBSERVATIONS = 4096
FIT_NUMBERS = 2**22
PER_CONTROL = 32


def fitted_coefficients(plan: Plan) -> tuple[np.ndarray | None, int]:
    """Least-squares coefficients, shape (controls, width), and how many observations they took.

    None if the quantity has no control variates, if the points gain nothing by them, or if FIT_NUMBERS random
    numbers are too few for a fit. As the coefficients are independent of the main stage, subtracting the
    variates leaves the estimate unbiased.
    """
    affordable = FIT_NUMBERS // (plan.points.size * max(plan.quantity.dimension, plan.quantity.width))
    count = min(FIT_OBSERVATIONS, affordable)
    enough = PER_CONTROL * plan.quantity.controls
    if not plan.points.controlled or not enough or count < enough:
        return None, 0
    sums: list[np.ndarray] = []
    for values, controls in plan.draw(Stage.FIT, 0, count):
        assert controls is not None
        slab = [values.sum(axis=0), controls.sum(axis=0), controls.T @ values, controls.T @ controls]
        sums = [a + b for a, b in zip(sums, slab, strict=True)] if sums else slab
    value_sum, control_sum, products, squares = sums
    covariance = products - np.outer(control_sum, value_sum) / count
    scatter = squares - np.outer(control_sum, control_sum) / count
    return np.linalg.lstsq(scatter, covariance, rcond=1e-10)[0], count
