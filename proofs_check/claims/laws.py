"""Laws of the tokens' projections, from the definition of the task."""

from __future__ import annotations

from functools import cache, partial

from sympy import Eq, Expr, Integer, Matrix, Symbol, solve, sqrt, symbols

from proofs_check.claim import Claim, Mutant, Variable
from proofs_check.judges.exact import Identity
from theory.laws import GRAM, INFORMATIVE, NOISE, Token
from theory.symbols import eta, gamma, kappa, m, nu, rho, theta

AXES = 4
"""k*, v* and two more axes span k, v, k*, v*: nothing else of R^d is seen by the projections."""


@cache
def frame() -> dict[str, Matrix]:
    """k, v, k*, v* as coordinate vectors in an orthonormal frame, with the given overlaps and unit length."""
    p, q, r = sqrt(1 - kappa**2 - eta**2), Symbol("q"), Symbol("r")
    k, v = Matrix([kappa, eta, p, 0]), Matrix([theta, nu, q, r])
    (q_value,) = solve(k.dot(v) - rho, q)
    r_value = sqrt(1 - theta**2 - nu**2 - q_value**2)
    v = v.subs({q: q_value, r: r_value})
    return {"k": k, "v": v, "k*": Matrix([1, 0, 0, 0]), "v*": Matrix([0, 1, 0, 0])}


def gram_identities(gram: Matrix) -> tuple[Eq, ...]:
    """Inner products of the coordinate vectors against `gram`."""
    vectors = list(frame().values())
    pairs = [(i, j) for i in range(4) for j in range(4)]
    return tuple(Eq(gram[i, j], vectors[i].dot(vectors[j]), evaluate=False) for i, j in pairs)


def law_identities(token: Token, mean: Expr, scale: Expr) -> tuple[Eq, ...]:
    """The scores' mean and covariance against E and Cov of X = mean k* + scale Z, coordinate by coordinate.

    A projection is a linear form c . X; E Z_i = 0 and E Z_i Z_j = [i = j] are all that is used.
    """
    vectors = [frame()[name] for name in ("k", "v", "v*")]
    z = Matrix(symbols(f"z0:{AXES}", real=True))
    x = mean * frame()["k*"] + scale * z
    forms = [vector.dot(x) for vector in vectors]
    centre, covariance = token.scores
    nought = dict.fromkeys(z, Integer(0))
    means = [Eq(centre[i], form.subs(nought), evaluate=False) for i, form in enumerate(forms)]
    gradients = [Matrix([form.diff(axis) for axis in z]) for form in forms]
    pairs = [(i, j) for i in range(3) for j in range(i, 3)]
    return (*means, *(Eq(covariance[i, j], gradients[i].dot(gradients[j]), evaluate=False) for i, j in pairs))


DOMAIN = dict.fromkeys((kappa, nu, theta, eta, rho), ("-0.4", "0.4"))
JUDGE = Identity(domain=DOMAIN)
OVERLAP_VARIABLES = tuple(Variable(o.name, "an overlap in (-1, 1)") for o in (kappa, nu, theta, eta, rho))


def _law(name: str, token: Token, law: str, subject: tuple[Expr, Expr]) -> Claim:
    mean, scale = subject
    return Claim(
        id=f"laws.{name}",
        statement=rf"For the {name} token, $X \sim {law}$, the projections $(\langle X, k\rangle, \langle X, v\rangle, "
        r"\langle X, v^*\rangle)$ are jointly Gaussian with means $\langle E X, p\rangle$ and covariances "
        r"$\sigma^2 \langle p, q\rangle$, functions of the five overlaps.",
        subject=partial(law_identities, token, mean, scale),
        formula=lambda: token.scores,
        source="section 3, definition of the task",
        variables=OVERLAP_VARIABLES,
        depends_on=("laws.gram",),
        judges=(JUDGE,),
        mutants=(
            Mutant("the mean has length 2 m + 1", lambda: law_identities(token, 2 * m + 1, scale)),
            Mutant("the deviation is 1 + gamma^2", lambda: law_identities(token, mean, 1 + gamma**2)),
        ),
    )


def claims() -> list[Claim]:
    """The Gram matrix, then the two laws."""
    gram = Claim(
        id="laws.gram",
        statement=r"In an orthonormal frame that holds $k^*$, $v^*$, $k$ and $v$ the inner products of these four "
        r"vectors are the five overlaps, 1 and 0.",
        subject=lambda: gram_identities(GRAM),
        formula=lambda: GRAM,
        source="section 3",
        variables=OVERLAP_VARIABLES,
        judges=(JUDGE,),
        mutants=(
            Mutant(
                "kappa and nu exchanged",
                lambda: gram_identities(GRAM.subs({kappa: nu, nu: kappa}, simultaneous=True)),
            ),
            Mutant("rho negated", lambda: gram_identities(GRAM.subs(rho, -rho))),
        ),
    )
    return [
        gram,
        _law("informative", INFORMATIVE, r"N(m k^*, \gamma^2 I_d)", (m, gamma)),
        _law("noise", NOISE, r"N(0, I_d)", (Integer(0), Integer(1))),
    ]
