"""SGD as the dimension of the tokens grows: the ordinary differential equation of the overlaps.

Scaling: the tokens live in R^d, the signal strength m, lambda, gamma, epsilon, L and the batch are fixed, the
step size is c / d, and time is t = n / d after n steps. A step moves an overlap by O(1/d): the gradient flow
of the risk at speed c, and, of the same order, the noise in the d - 4 directions outside span(k, v, k*, v*).
It adds c^2 A_kk / d to |k|^2 and c^2 A_vv / d to |v|^2 before they are normalised, and c^2 A_kv / d to
<k, v>, with A the covariance of the gradients' components in theory.sgd. What the overlaps fluctuate by in
d steps is of order 1 / sqrt(d).
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Symbol, diff, sqrt

from theory.flow import PAIRS, Partials, inner, riemannian_gradient, vector
from theory.symbols import d

c = Symbol("c", positive=True)
"""Step size times dimension."""

Covariance = Mapping[tuple[str, str], Expr]

MOVING = ("k", "v")


def mean_product(p: str, q: str, partials: Partials, covariance: Covariance, step: Expr) -> Expr:
    """Mean of <p - step G_p, q - step G_q> up to O(step^2), G the tangent batch gradients, 0 for k* and v*.

    E G is the Riemannian gradient of the risk; E <G_p, G_q> is d A_pq, up to O(1).
    """
    result = inner(vector(p), vector(q))
    for first, second in ((p, q), (q, p)):
        if first in MOVING:
            result -= step * inner(riemannian_gradient(first, partials), vector(second))
    if p in MOVING and q in MOVING:
        result += step**2 * d * covariance[min(p, q), max(p, q)]
    return result


def limit_velocity(partials: Partials, covariance: Covariance) -> dict[Expr, Expr]:
    """Derivatives of the overlaps in t = n / d as d grows: first order in 1 / d of a step of size c / d."""
    x = Symbol("x", positive=True)
    result = {}
    for overlap, (p, q) in PAIRS.items():
        product, *squares = (
            mean_product(*pair, partials, covariance, c * x).subs(d, 1 / x)
            for pair in ((p, q), (p, p), (q, q))
        )
        moving = [square for of, square in zip((p, q), squares, strict=True) if of in MOVING]
        after = product
        for square in moving:
            after /= sqrt(square)
        result[overlap] = diff(after, x).subs(x, 0)
    return result
