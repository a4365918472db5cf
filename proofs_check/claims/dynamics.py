"""The dynamics in the overlaps: gradient descent, SGD and its limit in high dimension"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from sympy import (
    Eq,
    Expr,
    Matrix,
    S,
    Symbol,
    diff,
    expand,
    sqrt,
    symbols,
)

from proofs_check.claim import Claim, Mutant, Variable
from proofs_check.judges.exact import Identity
from theory.decomposition import along_score
from theory.descent import moved, step_size
from theory.flow import PAIRS, Partials, euclidean_gradient, gradient_flow, inner, vector
from theory.frame import COORDINATES, k2, k3, v2, v3
from theory.gaussian import V, W, expectation
from theory.high_dimension import c, limit_velocity
from theory.laws import INFORMATIVE, NOISE, VECTORS, Token
from theory.risk import INFORMATIVE_ERROR, NOISE_ERROR
from theory.sgd import PAIRS as OF_PAIRS
from theory.sgd import G, given_score
from theory.symbols import OVERLAPS, eta, kappa, lam, nu, rho, theta

PARTIALS: Partials = {o: Symbol(f"R_{o.name}", real=True) for o in OVERLAPS}
"""Partial derivatives of any function of the overlaps."""

COVARIANCE = {pair: Symbol(f"A_{pair[0]}{pair[1]}", real=True) for pair in OF_PAIRS}

HALF_ROOM = dict.fromkeys((kappa, nu, theta, eta, k2, v2), ("-0.4", "0.4"))
"""Coordinates that leave k and v room in the last direction of the frame."""


@cache
def coordinates() -> dict[str, Matrix]:
    """k, v, k*, v* in an orthonormal frame of R^4, k and v of unit length."""
    last = {k3: sqrt(1 - kappa**2 - eta**2 - k2**2), v3: sqrt(1 - theta**2 - nu**2 - v2**2)}
    return {name: COORDINATES[i, :].subs(last) for i, name in enumerate(VECTORS)}


@cache
def step_in_coordinates() -> dict[str, Matrix]:
    """k and v after a descent step, not normalised, by differentiation in the coordinates themselves.

    Any function of the overlaps has, to first order, the differential sum_o R_o do.
    """
    free = {"k": symbols("a0:4", real=True), "v": symbols("b0:4", real=True)}
    place = {of: Matrix([row]) for of, row in free.items()}
    place |= {of: coordinates()[of] for of in ("k*", "v*")}
    function = sum((PARTIALS[o] * place[p].dot(place[q]) for o, (p, q) in PAIRS.items()), S.Zero)
    here = {x: at for of in free for x, at in zip(free[of], coordinates()[of], strict=True)}
    result = {}
    for of, row in free.items():
        gradient = Matrix([[diff(function, x) for x in row]]).subs(here)
        at = coordinates()[of]
        result[of] = at - step_size * (gradient - gradient.dot(at) * at)
    return result


def descent_identities(step: Callable[[str], Matrix]) -> tuple[Eq, ...]:
    """Inner products after `step`, by the Gram matrix, against those in coordinates."""
    after = {of: step(of) for of in ("k", "v")}
    in_gram = {name: after.get(name, vector(name)) for name in VECTORS}
    in_frame = {name: step_in_coordinates().get(name, coordinates()[name]) for name in VECTORS}
    product = coordinates()["k"].dot(coordinates()["v"])
    pairs = [*PAIRS.values(), ("k", "k"), ("v", "v")]
    return tuple(
        Eq(
            expand(inner(in_gram[p], in_gram[q])).subs(rho, product),
            in_frame[p].dot(in_frame[q]),
            evaluate=False,
        )
        for p, q in pairs
    )


def euclidean_step(of: str) -> Matrix:
    """A step along the gradient that is not made tangent."""
    return vector(of) - step_size * euclidean_gradient(of, PARTIALS)


def conditioning_identities(scored: Callable[[Expr, Token], Expr]) -> tuple[Eq, ...]:
    """Means of the conditional moments of the errors against the moments by Stein's lemma."""
    identities = []
    for token, error in ((INFORMATIVE, INFORMATIVE_ERROR), (NOISE, NOISE_ERROR)):
        mean, covariance = token.scores
        where = (lam * mean[0], lam * sqrt(covariance[0, 0]))
        for power in (1, 2):
            given = expand(scored(expand(error**power), token).subs(G, V))
            identities.append(
                Eq(along_score(given, *where), expectation(error**power, token.scores), evaluate=False)
            )
    return tuple(identities)


def limit_identities(noise: Mapping[Expr, Expr]) -> tuple[Eq, ...]:
    """The limit's velocity against the gradient flow at speed c plus `noise`."""
    velocity, flow = limit_velocity(PARTIALS, COVARIANCE), gradient_flow(PARTIALS)
    return tuple(Eq(velocity[o], c * flow[o] + noise[o], evaluate=False) for o in OVERLAPS)


def noise_terms(shrinks: Expr = S.Half, turns: Expr = S.One) -> dict[Expr, Expr]:
    """What the gradients' noise does in the limit."""
    kk, kv, vv = (c**2 * COVARIANCE[pair] for pair in OF_PAIRS)
    terms = {kappa: kk, eta: kk, nu: vv, theta: vv, rho: kk + vv}
    return {o: -shrinks * term * o + (turns * kv if o == rho else 0) for o, term in terms.items()}


def claims() -> list[Claim]:
    """Gradient descent, moments given the score, and the limit."""
    overlaps = Variable("kappa, nu, theta, eta, rho", "admissible overlaps")
    partials = Variable("R_kappa, ..., R_rho", "real", "partial derivatives of the risk")
    return [
        Claim(
            id="dynamics.descent",
            statement=r"A step of projected gradient descent on k and v maps the five overlaps to five overlaps: "
            r"every inner product of the moved vectors is the stated one of the Gram matrix, whatever the dimension.",
            subject=lambda: descent_identities(lambda of: moved(of, PARTIALS)),
            formula=lambda: tuple(moved(of, PARTIALS) for of in ("k", "v")),
            source="section 5, projected gradient descent",
            variables=(overlaps, partials, Variable("s", "positive", "step size")),
            depends_on=("laws.gram",),
            judges=(Identity(domain=HALF_ROOM),),
            mutants=(
                Mutant("the gradient is not made tangent", lambda: descent_identities(euclidean_step)),
                Mutant(
                    "v moves by the step of k",
                    lambda: descent_identities(lambda of: vector(of) + moved("k", PARTIALS) - vector("k")),
                ),
                Mutant(
                    "the step is upwards",
                    lambda: descent_identities(lambda of: 2 * vector(of) - moved(of, PARTIALS)),
                ),
            ),
            derivation="k, v, k*, v* span at most four dimensions, and the gradients lie in this span; so coordinates in a "
            "frame of R^4 show everything. There the gradients come by differentiation in the coordinates.",
        ),
        Claim(
            id="dynamics.conditioning",
            statement=r"Given its score a token's value and label projection are Gaussian with means linear in the score; "
            r"the mean of the errors' conditional moments are their moments.",
            subject=lambda: conditioning_identities(given_score),
            source="this toolkit",
            variables=(overlaps,),
            depends_on=(
                "laws.informative",
                "laws.noise",
                "gaussian.stein",
                "gaussian.smoothing",
                "gaussian.zeta",
            ),
            judges=(Identity(),),
            mutants=(
                Mutant(
                    "the score's part is forgotten",
                    lambda: conditioning_identities(lambda e, token: given_score(e, token).subs(G, 0)),
                ),
                Mutant(
                    "the residual has no variance",
                    lambda: conditioning_identities(without_residual),
                ),
            ),
        ),
        Claim(
            id="dynamics.limit",
            statement=r"As the dimension d of the tokens grows with the signal strength fixed, a step of SGD with step size c/d "
            r"moves the overlaps in the mean by 1/d times the gradient flow at speed c and terms in $c^2$: with A the "
            r"covariance of the two gradients in a direction outside the frame, $-c^2 A_{kk}/2$ times kappa and eta, "
            r"$-c^2 A_{vv}/2$ times nu and theta, and $c^2 (A_{kv} - (A_{kk} + A_{vv}) \rho / 2)$ for rho.",
            subject=lambda: limit_identities(noise_terms()),
            formula=lambda: tuple(noise_terms().items()),
            source="this toolkit",
            variables=(overlaps, partials, Variable("c", "positive", "step size times dimension")),
            depends_on=("dynamics.descent",),
            judges=(Identity(),),
            mutants=(
                Mutant("no noise", lambda: limit_identities(noise_terms(S.Zero, S.Zero))),
                Mutant("k and v shrink twice as fast", lambda: limit_identities(noise_terms(S.One))),
                Mutant("k and v are not turned", lambda: limit_identities(noise_terms(turns=S.Zero))),
            ),
            derivation="The mean of the tangent batch gradient is the Riemannian gradient; the mean inner product of the "
            "gradients of k and v is d A up to O(1), from the d - 4 directions outside the frame. Products and lengths of "
            "the moved vectors are expanded to first order in 1/d.",
        ),
    ]


def without_residual(expression: Expr, token: Token) -> Expr:
    """Conditional moments as if value and label were functions of the score."""
    mean, covariance = token.scores
    slope = covariance[:, 0] / sqrt(covariance[0, 0])
    return expression.subs({V: mean[1] + slope[1] * G, W: mean[2] + slope[2] * G}, simultaneous=True)
