"""Gaussian calculus: smoothed error functions, zeta and Stein's lemma."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from itertools import product

import sympy
from sympy import Eq, Expr, Matrix, Symbol, asin, diff, erf, exp, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Identity, Step, Steps, is_zero
from proofs_check.points import random_points
from theory.gaussian import SMOOTHED, stein
from theory.special import OwenT, erf_variance, zeta
from theory.symbols import g, t

LOCATION = Variable("t", "real")
SCALE = Variable("g", "positive")
H, A = Symbol("h", real=True), Symbol("a", positive=True)


def heat_equation(power: int, smoothed: Expr, _: Context) -> Iterator[Step]:
    """Steps that prove E erf(t + g G)^power = `smoothed`.

    Let S solve the heat equation dS/dg = g d^2 S/dt^2 with S = erf^power at g = 0. For 0 <= r <= g the
    function r -> E S(t + sqrt(g^2 - r^2) G, r) has derivative E[S_g - r S_tt] = 0 by Stein's lemma, so its
    values at r = 0 and r = g agree. Boundedness lets the derivative pass under the expectation.
    """
    residual = diff(smoothed, g) - g * diff(smoothed, t, 2)
    yield Step("solves dS/dg = g d^2S/dt^2", is_zero(residual), counterexample=_value(residual))
    start = without_owen_at_one(initial_value(smoothed)) - erf(t) ** power
    yield Step("equals erf(t)^p at g = 0", is_zero(start), counterexample=_value(start))
    yield Step("is bounded for all t and g", _is_bounded(smoothed))


def initial_value(smoothed: Expr) -> Expr:
    """Value at g = 0: all of the functions here are continuous there."""
    return smoothed.subs(g, 0)


def owen_at_one(h: Expr) -> Expr:
    """T(h, 1) = (1 - erf(h / sqrt 2)^2) / 8, a claim of its own."""
    return (1 - erf(h / sqrt(2)) ** 2) / 8


def without_owen_at_one(expression: Expr) -> Expr:
    """Every T(h, 1) in closed form."""
    return expression.replace(
        lambda e: isinstance(e, OwenT) and e.args[1] == 1, lambda e: owen_at_one(e.args[0])
    )


def _is_bounded(expression: Expr) -> bool:
    """Whether it is a polynomial with constant coefficients in bounded functions of real arguments."""
    bounded = expression.replace(lambda e: isinstance(e, erf | OwenT), lambda *_: sympy.Dummy("bounded"))
    return not bounded.free_symbols & {t, g}


def _value(expression: Expr) -> str:
    point = random_points(expression.free_symbols, 1, seed=0)[0]
    return f"{expression.subs(point).evalf(8)} at {point}"


def owen_steps(value_at_one: Expr, _: Context) -> Iterator[Step]:
    """T(h, 1) by its derivative in h and its value at h = 0."""
    residual = diff(OwenT(H, 1) - value_at_one, H)
    yield Step("both sides have the same derivative in h", is_zero(residual))
    x = Symbol("x", real=True)
    at_zero = sympy.integrate(OwenT.integrand(sympy.Integer(0), x), (x, 0, 1))
    yield Step("both sides agree at h = 0", is_zero(at_zero - value_at_one.subs(H, 0)))


def owen_derivative_steps(rule: Expr, _: Context) -> Iterator[Step]:
    """d T / d h: its derivative in a is that of the integrand, and both vanish at a = 0."""
    residual = diff(rule, A) - diff(OwenT.integrand(H, A), H)
    yield Step("the derivative in a is d/dh of the integrand", is_zero(residual))
    yield Step("it vanishes at a = 0", is_zero(rule.subs(A, 0)))


def tilted_product(shift: Expr) -> tuple[Expr, Expr]:
    """d zeta / d t = 2 E[erf erf'](t + g G) by completing the square, against the derivative rule.

    `shift` is the factor 1 / (1 + 2 g^2) by which the tilt by erf' moves t and shrinks g^2.
    """
    mean, variance = t * shift, g**2 * shift
    normaliser = exp(-(t**2) / (1 + 2 * g**2)) / sqrt(1 + 2 * g**2)
    expectation = 2 * (2 / sqrt(pi)) * normaliser * erf(mean / sqrt(1 + 2 * variance))
    return diff(zeta(t, g), t), expectation


def moment_by_stein(i: int, j: int) -> tuple[Expr, Expr]:
    """E[V^i W^j exp(s U)] by `stein`, and as a derivative of the moment generating function."""
    s, a, b = symbols("s a b", real=True)
    mean = Matrix(symbols("mu_U mu_V mu_W", real=True))
    names = [["UU", "UV", "UW"], ["UV", "VV", "VW"], ["UW", "VW", "WW"]]
    covariance = Matrix(3, 3, lambda p, q: Symbol(f"c_{names[p][q]}", real=True))
    w = Matrix([s, a, b])
    generating = exp((w.T * mean)[0] + (w.T * covariance * w)[0] / 2)
    at_zero = {a: 0, b: 0}
    reduced = stein(i, j, lambda n: s**n * generating.subs(at_zero), mean, covariance)
    return reduced, diff(generating, a, i, b, j).subs(at_zero)


def stein_identities(wrong: Expr = sympy.S.Zero) -> tuple[Eq, ...]:
    """Every monomial of degree at most 3 in V and W."""
    pairs = [(i, j) for i, j in product(range(4), repeat=2) if 0 < i + j <= 3]
    return tuple(
        Eq(left + wrong, right, evaluate=False) for left, right in (moment_by_stein(i, j) for i, j in pairs)
    )


def _closed(power: int) -> Expr:
    closed = SMOOTHED[power]
    return closed.closed_form() if isinstance(closed, zeta) else closed


def _smoothed(
    power: int, name: str, closed: str, rests: tuple[str, ...], mutants: tuple[Mutant, ...]
) -> Claim:
    return Claim(
        id=f"gaussian.{name}",
        statement=rf"For standard Gaussian $G$, real $t$ and $g > 0$: $E [erf(t + g G)^{power}] = {closed}$.",
        subject=partial(_closed, power),
        source="lemma behind Theorem 1",
        variables=(LOCATION, SCALE),
        depends_on=rests,
        judges=(Steps(partial(heat_equation, power)),),
        mutants=mutants,
        derivation=inspect.cleandoc(heat_equation.__doc__ or ""),
    )


def _smoothing() -> Claim:
    return _smoothed(
        1,
        "smoothing",
        r"erf(t / \sqrt{1 + 2 g^2})",
        (),
        (
            Mutant("1 + g^2 for 1 + 2 g^2", lambda: erf(t / sqrt(1 + g**2))),
            Mutant("2 erf for erf", lambda: 2 * _closed(1)),
            Mutant("t + g for t", lambda: erf((t + g) / sqrt(1 + 2 * g**2))),
        ),
    )


def _zeta() -> Claim:
    return _smoothed(
        2,
        "zeta",
        r"1 - 8 T(\sqrt{2} t / \sqrt{1 + 2 g^2}, 1 / \sqrt{1 + 4 g^2}) = \zeta(t, g)",
        ("gaussian.owen-derivative", "gaussian.owen-at-one"),
        (
            Mutant("4 T for 8 T", lambda: (1 + _closed(2)) / 2),
            Mutant(
                "1 + 2 g^2 for 1 + 4 g^2", lambda: _closed(2).subs(sqrt(1 + 4 * g**2), sqrt(1 + 2 * g**2))
            ),
            Mutant("the square of the mean", lambda: _closed(1) ** 2),
        ),
    )


def _owen_derivative() -> Claim:
    return Claim(
        id="gaussian.owen-derivative",
        statement=r"For real $h$ and $a > 0$ the derivative of Owen's $T(h, a)$ in $h$ is "
        r"$-\exp(-h^2/2) erf(a h / \sqrt{2}) / (2 \sqrt{2 \pi})$.",
        subject=lambda: OwenT(H, A).diff(H),
        source="Owen (1956)",
        judges=(Steps(owen_derivative_steps),),
        mutants=(
            Mutant("the other sign", lambda: -OwenT(H, A).diff(H)),
            Mutant("erf(a h)", lambda: OwenT(H, A).diff(H).subs(A, sqrt(2) * A)),
        ),
        derivation=inspect.cleandoc(owen_derivative_steps.__doc__ or ""),
    )


def _owen_at_one() -> Claim:
    return Claim(
        id="gaussian.owen-at-one",
        statement=r"For real $h$: $T(h, 1) = (1 - erf(h / \sqrt{2})^2) / 8$.",
        subject=lambda: owen_at_one(H),
        source="Owen (1956)",
        depends_on=("gaussian.owen-derivative",),
        judges=(Steps(owen_steps),),
        mutants=(
            Mutant("1/4 for 1/8", lambda: 2 * owen_at_one(H)),
            Mutant("erf for erf^2", lambda: (1 - erf(H / sqrt(2))) / 8),
        ),
        derivation=inspect.cleandoc(owen_steps.__doc__ or ""),
    )


def _zeta_derivative() -> Claim:
    shift = 1 / (1 + 2 * g**2)
    return Claim(
        id="gaussian.zeta-derivative",
        statement=r"The derivative of $\zeta(t, g)$ in $t$ is $2 E [erf(t + g G) erf'(t + g G)]$ "
        r"$= (4 / \sqrt{\pi (1 + 2 g^2)}) \exp(-t^2 / (1 + 2 g^2)) erf(t / \sqrt{(1 + 2 g^2)(1 + 4 g^2)})$.",
        subject=lambda: Eq(*tilted_product(shift), evaluate=False),
        source="lemma behind Theorem 1",
        variables=(LOCATION, SCALE),
        depends_on=("gaussian.smoothing", "gaussian.zeta"),
        judges=(Identity(),),
        mutants=(
            Mutant("no tilt", lambda: Eq(*tilted_product(sympy.Integer(1)), evaluate=False)),
            Mutant("tilt by 1 + g^2", lambda: Eq(*tilted_product(1 / (1 + g**2)), evaluate=False)),
        ),
        derivation=inspect.cleandoc(tilted_product.__doc__ or ""),
    )


def with_factored_radicals(expression: Expr) -> Expr:
    """Square roots of rational functions as products of square roots, where signs are known."""
    return expression.replace(
        lambda e: e.is_Pow and not e.exp.is_integer,
        lambda e: sympy.expand_power_base(sympy.factor(sympy.together(e.base)) ** e.exp),
    )


def zeta_at_zero_steps(closed: Expr, _: Context) -> Iterator[Step]:
    """zeta(0, g) by its derivative in g and its limit at g = 0."""
    residual = (diff(zeta(t, g), g) - with_factored_radicals(diff(closed, g))).subs(t, 0)
    yield Step("both sides have the same derivative in g", is_zero(residual))
    start = without_owen_at_one(zeta(t, g).closed_form().subs({t: 0, g: 0}))
    yield Step("both sides vanish at g = 0", is_zero(start - closed.subs(g, 0)))


def _zeta_at_zero() -> Claim:
    closed = 2 / pi * asin(2 * g**2 / (1 + 2 * g**2))
    return Claim(
        id="gaussian.zeta-at-zero",
        statement=r"For $g > 0$: $\zeta(0, g) = (2 / \pi) \arcsin(2 g^2 / (1 + 2 g^2))$.",
        subject=lambda: closed,
        source="lemma behind Theorem 1",
        variables=(SCALE,),
        depends_on=("gaussian.zeta", "gaussian.owen-at-one"),
        judges=(Steps(zeta_at_zero_steps),),
        mutants=(
            Mutant("1 + g^2 for 1 + 2 g^2", lambda: 2 / pi * asin(2 * g**2 / (1 + g**2))),
            Mutant("1 / pi for 2 / pi", lambda: closed / 2),
        ),
        derivation=inspect.cleandoc(zeta_at_zero_steps.__doc__ or ""),
    )


def _variance_form() -> Claim:
    def identity(variance: Expr) -> Eq:
        left = without_owen_at_one(variance)
        return Eq(left, zeta(t, g).closed_form() - SMOOTHED[1] ** 2, evaluate=False)

    return Claim(
        id="gaussian.variance",
        statement=r"$Var\, erf(t + g G) = (4 / \pi) \int_a^1 \exp(-h^2 (1 + x^2)) / (1 + x^2) dx$ with "
        r"$h = t / \sqrt{1 + 2 g^2}$ and $a = 1 / \sqrt{1 + 4 g^2}$: an integral of a positive function.",
        subject=lambda: identity(erf_variance(t, g).as_owen()),
        source="this toolkit",
        variables=(LOCATION, SCALE),
        depends_on=("gaussian.zeta", "gaussian.smoothing", "gaussian.owen-at-one"),
        judges=(Identity(),),
        mutants=(
            Mutant("half of it", lambda: identity(erf_variance(t, g).as_owen() / 2)),
            Mutant("2 g for g", lambda: identity(erf_variance(t, 2 * g).as_owen())),
        ),
    )


def _stein() -> Claim:
    return Claim(
        id="gaussian.stein",
        statement=r"For jointly Gaussian $(U, V, W)$ the recursion by Stein's lemma gives $E [V^i W^j f(U)]$ for every "
        r"$i + j \leq 3$.",
        subject=stein_identities,
        source="Stein's lemma",
        judges=(Identity(),),
        mutants=(Mutant("an additional term", lambda: stein_identities(Symbol("s", real=True))),),
        derivation="Both sides are linear in f and its derivatives; on the exponentials f(u) = exp(s u), s real, whose "
        "span is dense, they are compared with derivatives of the moment generating function.",
    )


def claims() -> list[Claim]:
    """The lemmas, simplest first."""
    return [
        _stein(),
        _owen_derivative(),
        _owen_at_one(),
        _smoothing(),
        _zeta(),
        _zeta_derivative(),
        _zeta_at_zero(),
        _variance_form(),
    ]
