"""The least excess risk of the oracle: its rate, between explicit bounds, and to second order."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Expr, Gt, Integer, Le, Lt, Rational, Symbol, erfc, exp, log, oo, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.certified import Inequality
from proofs_check.judges.exact import Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, grows_from_zero, limit, nonnegative, positive, value
from theory import best_lambda, oracle
from theory.best_lambda import argument, erfcx, focus, gain, n, rescaled, u, w
from theory.symbols import L, d, gamma, lam, m

x, y, z, s = symbols("x y z s", positive=True)


def tail(factor: Any = 1) -> tuple[Expr, Expr, Expr]:
    """Both bounds, rescaled, and the limit of their excess over log(n / 2) - log log n."""
    lower, upper = (rescaled(bound, z, s) for bound in best_lambda.tail_bounds())
    return lower, upper, u + factor * exp(-u)


def prove_tail(subject: Any, context: Context) -> Iterator[Step]:
    """Both rescaled bounds are z + n exp(-z) / (2 z) but for factors and terms that tend to 1 and 0.

    Here z = log(n / 2) - log log n + u. With log n = y, s = z / d <= gamma^2 z exp(-y), since L >= 2.
    """
    lower, upper, best = subject
    square = 1 + 4 * gamma**2 * s
    miss = n * exp(-z) / (2 * z) * square ** Rational(3, 2) * exp(4 * gamma**2 * s * z / square)
    defect = 1 - 2 * (1 + gamma**2 * s) * square / z
    signal = gamma**2 * z / s / (L - 1)
    yield equal("upper bound", _one_exponential(upper - (z + miss).subs(n, signal)), 0)
    yield equal("lower bound", _one_exponential(lower - (z / (1 + 2 * s) + miss * defect).subs(n, signal)), 0)
    at = focus().subs(n, exp(y)).expand()
    yield equal("n exp(-z) / 2 = log n exp(-u)", exp(y) * exp(-at) / 2, y * exp(-u))
    yield limit("log n / z tends to 1", y / at, y, oo, 1)
    yield limit("z tends to infinity", at, y, oo, oo)
    yield limit("s tends to 0", at * exp(-y), y, oo, 0)
    yield limit("s z tends to 0", at**2 * exp(-y), y, oo, 0)
    yield equal("so the miss tends to exp(-u)", miss.subs({n: 2 * z * exp(z - u), s: 0}), exp(-u))
    yield equal("and z, less its value at u = 0, is u", focus(u) - focus(Integer(0)), u)
    yield equal("the limit of the sum", best, u + exp(-u))
    v = Symbol("v", positive=True)
    for side, name in ((v, "u > 0"), (-v, "u < 0")):
        yield from grows_from_zero(f"least at u = 0: {name}", (u + exp(-u) - 1).subs(u, side), v, order=2)


def _one_exponential(expression: Expr) -> Expr:
    """Exponents over a common denominator, so that products of exponentials can cancel."""
    factored = sympy.expand(expression).replace(exp, lambda e: exp(sympy.apart(sympy.together(e), s)))
    return sympy.expand(factored)


def ceiling(factor: Any = 1) -> tuple[Any, ...]:
    """The terms of the oracle's bound at lam^2 d = z = log(1 + n) against those of the explicit rate."""
    at = {lam: sqrt(z / d), m: sqrt(d / 2)}
    missed, leaked = (term.subs(at) for term in oracle.bound_terms())
    tokens = 1 + gamma**2 * d / (exp(z) - 1)
    claimed = best_lambda.ceiling().subs(L, tokens).replace(log, lambda _: z)
    rest = sympy.simplify(leaked.subs(L, tokens))
    return Le(missed, factor * sympy.simplify(claimed - rest), evaluate=False), Le(rest, factor * rest)


def prove_ceiling(subject: Any, context: Context) -> Iterator[Step]:
    """1/n = 1/(e^z - 1) exceeds e^(-z), and 1/(1 + 4 a) >= 1 - 4 a for a = gamma^2 z / d."""
    missed = subject[0]
    a = gamma**2 * z / d
    wanted = 2 * gamma**2 * exp(4 * a * z) / (exp(z) - 1)
    yield equal("the claimed loss at the informative token", missed.gts, wanted)
    (exponential,) = missed.lts.atoms(exp)
    yield equal("its factor", missed.lts, 2 * gamma**2 * exponential)
    yield positive("1/(e^z - 1) > e^(-z): the difference is this over e^z - 1", exp(-z))
    yield nonnegative("the exponents", sympy.factor(4 * a * z - z - exponential.args[0]))
    yield nonnegative("the noise tokens lose as much", subject[1].gts - subject[1].lts)


def floor(factor: Any = 1) -> tuple[Expr, Expr]:
    """What the excess risk exceeds on either side of lam^2 d = z."""
    misses, leaks = best_lambda.floor(z)
    return factor * misses, leaks


def on_either_side(subject: tuple[Expr, Expr]) -> list[Any]:
    """The lower bound at lam^2 d = z / (1 + s) and at z + s."""
    here, there = (
        oracle.lower_bound().subs({lam: sqrt(focus_ / d), m: sqrt(d / 2)}) for focus_ in (z / (1 + s), z + s)
    )
    return [Le(subject[0], here), Le(subject[1], there)]


def prove_floor(subject: tuple[Expr, Expr], context: Context) -> Iterator[Step]:
    """erfc(x) decreases and x^2 <= lam^2 d / 2 <= z / 2; on the other side the noise tokens' bound increases."""
    misses, leaks = subject
    yield equal("the first bound", misses, gamma**2 * erfc(sqrt(z / 2)) ** 2)
    near = {lam: sqrt(z / (1 + s) / d), m: sqrt(d / 2)}
    argument_ = (lam * m) ** 2 / (1 + 2 * (lam * gamma) ** 2)
    yield nonnegative("x^2 <= z / 2", sympy.factor(z / 2 - argument_.subs(near)))
    noise = (L - 1) * oracle.noise_bounds()[0].subs(lam, sqrt((z + s) / d))
    yield nonnegative("the noise tokens lose more", sympy.factor((noise - leaks) / (L - 1)))
    yield positive("erfc decreases", -erfc(x).diff(x))
    yield nonnegative("L - 1 >= 0", L - 1)


def prove_alone(subject: Expr, context: Context) -> Iterator[Step]:
    """At L = 1 the bracket is gamma^4 - gain. At lambda = m / (2 sqrt 2 gamma^2 beta) it tends to gamma^4 times the
    subject, which decreases in beta from 1 to -1."""
    at = best_lambda.lone_focus(x) ** 2
    yield limit("b tends to beta", argument().subs(w, at), m, oo, x)
    root = gain() / erfcx(argument()) / gamma**4
    yield limit("gain / erfcx(b) tends to", root.subs(w, at), m, oo, 2 * sqrt(pi) * x)
    yield equal("so the bracket / gamma^4 tends to the subject", subject, 1 - 2 * sqrt(pi) * x * erfcx(x))
    rise = sympy.simplify(
        (x * erfcx(x)).diff(x) - (1 + 2 * x**2) * (erfcx(x) - best_lambda.mills_bounds(x)[0])
    )
    yield equal("beta erfcx(beta) rises: its derivative has the sign of a bound of erfcx", rise, 0)
    yield value("it starts at 0", x * erfcx(x), x, 0, 0)
    for number, side in enumerate(best_lambda.mills_bounds(x)):
        yield limit(f"it ends at 1 / sqrt pi: bound {number}", x * side, x, oo, 1 / sqrt(pi))


def lone_root(at: tuple[str, str] = ("0.432", "0.433")) -> tuple[Any, ...]:
    """The balance changes its sign between two numbers."""
    low, high = (best_lambda.lone_balance(Rational(end)) for end in at)
    return Gt(low, 0, evaluate=False), Lt(high, 0, evaluate=False)


def claims() -> list[Claim]:
    """Bounds for every d, L and gamma, then limits."""
    return [_ceiling(), _floor(), _asymptotics(), _one_token(), _one_token_root()]


def _ceiling() -> Claim:
    return Claim(
        id="best-lambda.ceiling",
        statement=r"For $L \geq 2$ and $n = \gamma^2 d/(L - 1)$ the least excess risk of the oracle over $\lambda$ is at "
        r"most $\frac{L - 1}{d} (\frac{4}{\pi} \log(1 + n) + 2 e^{4\gamma^2 \log(1 + n)^2/d})$, reached with "
        r"$\lambda^2 = \log(1 + n)/d$.",
        subject=ceiling,
        formula=best_lambda.ceiling,
        source="this toolkit",
        judges=(Argument(prove_ceiling),),
        mutants=(Mutant("half of it", lambda: ceiling(Rational(1, 2))),),
        variables=VARIABLES,
        depends_on=("oracle.bound",),
        derivation=inspect.cleandoc(prove_ceiling.__doc__ or ""),
    )


def _floor() -> Claim:
    return Claim(
        id="best-lambda.floor",
        statement=r"For every $z > 0$ and every $\lambda$ the oracle's excess risk is at least the smaller of "
        r"$\gamma^2 erfc(\sqrt{z/2})^2$ and $\frac{4}{\pi} (L - 1) z/(d + 2z)$. So no $\lambda$ makes it vanish unless "
        r"$d/L \to \infty$ (for $L \geq 2$ and fixed $\gamma$).",
        subject=floor,
        formula=lambda: best_lambda.floor(z),
        source="this toolkit",
        judges=(Argument(prove_floor, relations=on_either_side),),
        mutants=(Mutant("twice the first", lambda: floor(2)),),
        variables=VARIABLES,
        depends_on=("corollary.lower-bound",),
        derivation=inspect.cleandoc(prove_floor.__doc__ or ""),
    )


def _asymptotics() -> Claim:
    return Claim(
        id="best-lambda.asymptotics",
        statement=r"Let $\gamma$ be fixed, $L \geq 2$ and $n = \gamma^2 d/(L - 1) \to \infty$. The best $\lambda$ satisfies "
        r"$\lambda^2 d = \log(n/2) - \log\log n + o(1)$, and its excess risk is "
        r"$\frac{4}{\pi} \frac{L - 1}{d} (\log(n/2) - \log\log n + 1 + o(1))$.",
        subject=tail,
        formula=lambda: focus(Integer(0)),
        source="this toolkit",
        judges=(Steps(prove_tail),),
        mutants=(Mutant("another limit", lambda: tail(2)),),
        variables=VARIABLES,
        depends_on=("oracle.miss-tail", "oracle.noise-bounds", "best-lambda.unique"),
        derivation=inspect.cleandoc(prove_tail.__doc__ or "")
        + " As the excess risk falls and then rises with lambda, its least point lies between u = -h and u = h for "
        "every h > 0 once n is large, since there the limit exceeds its value 1 at u = 0.",
    )


def _one_token() -> Claim:
    return Claim(
        id="best-lambda.one-token",
        statement=r"With one token, $L = 1$, and fixed $\gamma$ the best $\lambda$ grows with $d$: "
        r"$\lambda = (1 + o(1)) \sqrt{d}/(4 \gamma^2 \beta)$, where $\beta$ is the one root of "
        r"$2\sqrt{\pi} \beta e^{\beta^2} erfc(\beta) = 1$.",
        subject=lambda: best_lambda.lone_balance(x),
        source="this toolkit",
        judges=(Steps(prove_alone),),
        mutants=(Mutant("pi for sqrt pi", lambda: 1 - 2 * pi * x * erfcx(x)),),
        variables=VARIABLES,
        depends_on=("best-lambda.unique", "best-lambda.mills"),
        derivation=inspect.cleandoc(prove_alone.__doc__ or ""),
    )


def _one_token_root() -> Claim:
    return Claim(
        id="best-lambda.one-token-root",
        statement=r"The root of $2\sqrt{\pi} \beta e^{\beta^2} erfc(\beta) = 1$ lies between 0.432 and 0.433.",
        subject=lone_root,
        source="this toolkit",
        judges=(Inequality({}),),
        mutants=(Mutant("between 0.436 and 0.437", lambda: lone_root(("0.436", "0.437"))),),
        depends_on=("best-lambda.one-token",),
    )
