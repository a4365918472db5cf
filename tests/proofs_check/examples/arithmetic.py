"""Small sums and products.

True statements, each with evidence of one kind.
"""

import sympy

from proofs_check.claim import Claim, Mutant, Variable
from proofs_check.judges import exact, numerical, statistical

x = sympy.Symbol("x", real=True)


def square() -> sympy.Eq:
    return sympy.Eq((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False)


def wrong_square() -> sympy.Eq:
    return sympy.Eq((x + 1) ** 2, x**2 + x + 1, evaluate=False)


def mean_of_uniforms(seed: int, samples: int) -> tuple[float, float]:
    import numpy as np

    draws = np.random.default_rng(seed).random(samples) + 1
    return float(draws.mean()), float(draws.std() / samples**0.5)


def claims() -> list[Claim]:
    return [
        Claim(
            id="arithmetic.mean",
            statement="A uniform number in $[1, 2]$ has mean $3/2$ & <nothing> else.",
            subject=lambda: 1.5,
            source="this toolkit",
            judges=(statistical.Agreement(mean_of_uniforms, samples=40_000),),
            mutants=(Mutant("five thirds", lambda: 5 / 3),),
            depends_on=("arithmetic.square",),
        ),
        Claim(
            id="arithmetic.square",
            statement=r"For real $x$, $(x + 1)^2 = x^2 + 2x + 1$ and $\frac{1}{\sqrt{x^2 + 1}} > 0$.",
            subject=square,
            source="Theorem 1",
            judges=(exact.Identity(),),
            mutants=(Mutant("no factor 2", wrong_square),),
            variables=(Variable("x", "real", "any number"),),
            derivation="Multiply out.",
        ),
        Claim(
            id="arithmetic.cube",
            statement="A cube is a product of three.",
            subject=lambda: lambda a: a * a * a,
            source="this toolkit",
            judges=(numerical.Agreement(lambda a: a**3, [1.5, 2.5, -3.0], tolerance=1e-15),),
            mutants=(Mutant("a square", lambda: lambda a: a * a),),
            depends_on=("arithmetic.square",),
        ),
    ]
