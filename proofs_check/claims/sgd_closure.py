"""Why SGD closes on the overlaps: the law of a step in the frame of k, v, k*, v*"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sympy import (
    Eq,
    Expr,
    IndexedBase,
    Integral,
    Matrix,
    S,
    Sum,
    Symbol,
    diff,
    erf,
    exp,
    oo,
    pi,
    sqrt,
    symbols,
    zeros,
)
from sympy import gamma as gamma_function

from proofs_check.claim import Claim, Mutant, Variable
from proofs_check.judges.exact import Identity
from theory.descent import step_size
from theory.frame import COORDINATES
from theory.gaussian import F, V
from theory.laws import VECTORS
from theory.sgd import S as SLOPE
from theory.sgd import U, coefficients
from theory.symbols import L, lam

n = Symbol("n", integer=True, positive=True)

INSIDE, OUTSIDE = 4, 2
"""Directions of the frame, and of the two gradients' remainders outside it."""

AXES = INSIDE + OUTSIDE

Gram = Mapping[tuple[str, str], Expr]


def gradient_identities(c: Mapping[str, Expr]) -> tuple[Eq, ...]:
    """Derivatives of a token's summand in the coordinates of k and v against coefficients times the token."""
    token, k, v = (Matrix([symbols(f"{name}:{AXES}", real=True)]) for name in ("x", "a", "b"))
    summand = erf(lam * token.dot(k)) * token.dot(v)
    score = {SLOPE: diff(erf(lam * U), U), F: erf(lam * U)}
    return tuple(
        Eq(
            diff(summand, along),
            c[of].subs(score).subs({U: token.dot(k), V: token.dot(v)}) * x,
            evaluate=False,
        )
        for of, vector in (("k", k), ("v", v))
        for x, along in zip(token, vector, strict=True)
    )


def closure_identities(outside: Callable[[Gram], Gram]) -> tuple[Eq, ...]:
    """Inner products of k and v after an SGD step in R^6, with k* and v*: by coordinates, and by the frame.

    By the frame they are those of the gradients' components there, and step_size^2 times the Gram matrix of
    the remainders, as `outside` gives it, between k and v.
    """
    gradients = {of: Matrix([symbols(f"g_{of}:{AXES}", real=True)]) for of in ("k", "v")}
    rest = {of: gradient[INSIDE:] for of, gradient in gradients.items()}
    gram = outside({(p, q): Matrix(rest[p]).dot(Matrix(rest[q])) for p in rest for q in rest})
    whole = {of: _place(of) - step_size * _tangent(g, _place(of)) for of, g in gradients.items()}
    framed = {
        of: _place(of)[:, :INSIDE] - step_size * _tangent(g[:, :INSIDE], _place(of)[:, :INSIDE])
        for of, g in gradients.items()
    }
    pairs = [("k", "k"), ("k", "v"), ("v", "v")]
    identities = [
        Eq(whole[p].dot(whole[q]), framed[p].dot(framed[q]) + step_size**2 * gram[p, q], evaluate=False)
        for p, q in pairs
    ]
    truth = [(p, q) for p in ("k", "v") for q in ("k*", "v*")]
    return (
        *identities,
        *(
            Eq(whole[p].dot(_place(q)), framed[p].dot(_place(q)[:, :INSIDE]), evaluate=False)
            for p, q in truth
        ),
    )


def _place(of: str) -> Matrix:
    """k, v, k* or v* in R^6: its coordinates in the frame, and none outside."""
    return COORDINATES[VECTORS.index(of), :].row_join(zeros(1, OUTSIDE))


def _tangent(gradient: Matrix, at: Matrix) -> Matrix:
    return gradient - gradient.dot(at) * at


def covariance_identities(weights: Callable[[Expr, Expr], Expr]) -> tuple[Eq, ...]:
    """Covariance, per direction outside the frame, of two sums of tokens' components, against `weights`.

    Three tokens with coefficients p_l and q_l, deviations s_l and independent standard components Z_l.
    """
    p, q, deviations, z = (symbols(f"{name}1:4", real=True) for name in ("p", "q", "s", "Z"))
    sums = [sum((c * s * x for c, s, x in zip(of, deviations, z, strict=True)), S.Zero) for of in (p, q)]
    identities = []
    for first, second, left, right in ((p, p, 0, 0), (p, q, 0, 1), (q, q, 1, 1)):
        product = (sums[left] * sums[right]).as_poly(*z)
        mean = sum((c for powers, c in product.terms() if max(powers) == 2), S.Zero)
        gram = sum((s**2 * weights(a, b) for a, b, s in zip(first, second, deviations, strict=True)), S.Zero)
        identities.append(Eq(mean, gram, evaluate=False))
    return tuple(identities)


def bartlett(first: Expr, second: Expr) -> tuple[Eq, ...]:
    """Laplace transforms E exp(-tr S W), S = [[s, t], [t, r]], of two random 2 x 2 matrices W.

    One is T T^T with T = [[x, 0], [z, y]], x^2 and y^2 chi-squared with `first` and `second` degrees of
    freedom and z standard Gaussian: the integral over z leaves exp(-u x^2) / sqrt(1 + 2 r), so the transform
    is (1 + 2 u)^(-first / 2) (1 + 2 r)^(-(second + 1) / 2). The other is the Gram matrix of two standard
    Gaussian vectors of R^n: n factors det(1 + 2 S)^(-1/2). They agree if bases and exponents do.
    """
    s, r, u, q = symbols("s r u q", positive=True)
    t, x, z = symbols("t x z", real=True)
    normal = exp(-(z**2) / 2) / sqrt(2 * pi)
    chi_squared = q ** (n / 2 - 1) * exp(-q / 2) / (2 ** (n / 2) * gamma_function(n / 2))
    left = s - 2 * t**2 / (1 + 2 * r)
    over_z = Integral(exp(-r * z**2 - 2 * t * x * z) * normal, (z, -oo, oo))
    determinant = Matrix([[1 + 2 * s, 2 * t], [2 * t, 1 + 2 * r]]).det()
    return (
        Eq(first, n, evaluate=False),
        Eq(second + 1, n, evaluate=False),
        Eq(Integral(exp(-u * q) * chi_squared, (q, 0, oo)), (1 + 2 * u) ** (-n / 2), evaluate=False),
        Eq(over_z, exp((s - left) * x**2) / sqrt(1 + 2 * r), evaluate=False),
        Eq(Integral(exp(-u * z**2) * normal, (z, -oo, oo)), 1 / sqrt(1 + 2 * u), evaluate=False),
        Eq((1 + 2 * left) * (1 + 2 * r), determinant, evaluate=False),
    )


def outside_covariance() -> Expr:
    """The entry of the covariance for coefficients p and q."""
    token = Symbol("l", integer=True)
    p, q, deviation = (IndexedBase(name)[token] for name in ("p", "q", "sigma"))
    return Sum(deviation**2 * p * q, (token, 1, L))


def exchanged() -> dict[str, Expr]:
    """The coefficients of k and of v, each for the other."""
    c = coefficients()
    return {"k": c["v"], "v": c["k"]}


def claims() -> list[Claim]:
    """The steps of the proof, and what they come to."""
    return [
        Claim(
            id="sgd.gradient",
            statement=r"The gradients of $(Y - T)^2$ in k and in v are $2 (T - Y) \sum_l c_l X_l$, with $c_l = \lambda\, erf'(\lambda U_l) V_l$ "
            r"for k and $c_l = erf(\lambda U_l)$ for v, functions of the score and the value.",
            subject=lambda: gradient_identities(coefficients()),
            formula=lambda: tuple(coefficients().items()),
            source="section 5, stochastic gradient descent",
            judges=(Identity(),),
            mutants=(
                Mutant("k and v exchanged", lambda: gradient_identities(exchanged())),
                Mutant(
                    "the activation is not differentiated",
                    lambda: gradient_identities({**coefficients(), "k": F * V}),
                ),
            ),
            derivation="T is a sum of one summand a token, which depends on k and v by score and value alone.",
        ),
        Claim(
            id="sgd.outside",
            statement=r"Given the tokens' components in a frame of k, v, k*, v* the two gradients' components in a direction outside it are a "
            r"centred Gaussian pair, with the Gram matrix of the coefficients times the deviations as covariance, independently for each such direction.",
            subject=lambda: covariance_identities(lambda a, b: a * b),
            formula=outside_covariance,
            source="this toolkit",
            depends_on=("laws.informative", "laws.noise", "sgd.gradient"),
            judges=(Identity(),),
            mutants=(
                Mutant("the coefficients' squares alone", lambda: covariance_identities(lambda a, b: a**2)),
                Mutant("twice the products", lambda: covariance_identities(lambda a, b: 2 * a * b)),
            ),
            derivation="A token's components in orthogonal directions are uncorrelated, so independent; outside the frame they "
            "have mean 0. Error and coefficients depend on those in the frame, so given these the gradients are fixed "
            "linear combinations of independent Gaussians.",
        ),
        Claim(
            id="dynamics.wishart",
            statement=r"The Gram matrix of two standard Gaussian vectors of $R^n$, $n \ge 2$, has the law of $T T^T$, T lower "
            r"triangular with independent entries: two roots of chi-squared variables with n and n - 1 degrees of freedom "
            r"and a standard Gaussian.",
            subject=lambda: bartlett(n, n - 1),
            source="Bartlett's decomposition",
            variables=(Variable("n", "integer >= 2"),),
            judges=(Identity(),),
            mutants=(
                Mutant("n degrees of freedom twice", lambda: bartlett(n, n)),
                Mutant("n - 1 and n - 2 degrees of freedom", lambda: bartlett(n - 1, n - 2)),
            ),
            derivation="Both Laplace transforms are det(1 + 2 S)^(-n/2) for S near 0, and that determines the law.",
        ),
        Claim(
            id="sgd.closure",
            statement=r"One-pass SGD in $R^d$, $d \ge 6$, closes on the five overlaps in law: they determine the law of the tokens' components in "
            r"a frame of k, v, k*, v*, and given these the step needs, besides, a Gaussian pair in each direction of the frame that no token was drawn "
            r"in and the Gram matrix of the gradients' remainders, which is Wishart with d - 4 degrees of freedom.",
            subject=lambda: closure_identities(lambda gram: gram),
            formula=lambda: Eq(Symbol("P"), Symbol("Q") + step_size**2 * Symbol("W"), evaluate=False),
            source="section 5, stochastic gradient descent",
            variables=(
                Variable("s", "positive", "step size"),
                Variable("P", "2 x 2", "Gram matrix of k and v after the step, before they are normalised"),
                Variable("Q", "2 x 2", "the same of their components in the frame"),
                Variable("W", "2 x 2", "Gram matrix of the gradients' remainders"),
            ),
            depends_on=("sgd.outside", "dynamics.wishart"),
            judges=(Identity(),),
            mutants=(
                Mutant("the remainders are orthogonal", lambda: closure_identities(orthogonal)),
                Mutant(
                    "there are no remainders",
                    lambda: closure_identities(lambda gram: dict.fromkeys(gram, S.Zero)),
                ),
            ),
            derivation="Two remainders span a plane, so six coordinates show everything. The tangent projection "
            "takes only components in the frame; of the remainders inner products see their Gram matrix alone.",
        ),
    ]


def orthogonal(gram: Gram) -> Gram:
    """The Gram matrix without its mixed entries."""
    return {(p, q): entry if p == q else S.Zero for (p, q), entry in gram.items()}
