"""Owen's T function and zeta(t, g) = E erf(t + g G)^2; derivatives follow from the definitions."""

from __future__ import annotations

from functools import cache
from typing import Any

from sympy import Dummy, Expr, Function, Integral, Symbol, diff, erf, exp, integrate, pi, simplify, sqrt
from sympy.core.function import ArgumentIndexError


class OwenT(Function):
    """Owen's T(h, a) = (1 / 2 pi) int_0^a exp(-h^2 (1 + x^2) / 2) / (1 + x^2) dx for real h, a."""

    nargs = 2

    @classmethod
    def eval(cls, h: Expr, a: Expr) -> Expr | None:
        """Even in h."""
        return cls(-h, a) if h.could_extract_minus_sign() else None

    @staticmethod
    def integrand(h: Expr, x: Expr) -> Expr:
        """What the definition integrates over x in (0, a)."""
        return exp(-(h**2) * (1 + x**2) / 2) / (1 + x**2) / (2 * pi)

    def as_integral(self) -> Integral:
        """The definition."""
        h, a = self.args
        x = Dummy("x", real=True)
        return Integral(self.integrand(h, x), (x, 0, a))

    def fdiff(self, argindex: int = 1) -> Expr:
        """In h by differentiation under the integral, in a by the fundamental theorem of calculus."""
        h, a = self.args
        if argindex == 2:
            return self.integrand(h, a)
        rule, (h0, a0) = _owen_derivative()
        return rule.subs({h0: h, a0: a}, simultaneous=True)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Any:
        from mpmath import mp, workprec
        from sympy import Float

        with workprec(prec + 15):
            h, a = (mp.mpf(arg._to_mpmath(prec + 15)) for arg in self.args)
            value = mp.quad(lambda x: mp.exp(-(h**2) * (1 + x**2) / 2) / (1 + x**2), [0, a]) / (2 * mp.pi)
        return Float._new(value._mpf_, prec)


@cache
def _owen_derivative() -> tuple[Expr, tuple[Symbol, Symbol]]:
    h, a, x = Dummy("h", positive=True), Dummy("a", positive=True), Dummy("x", positive=True)
    rule = simplify(integrate(simplify(diff(OwenT.integrand(h, x), h)), (x, 0, a)))
    return rule, (h, a)


class zeta(Function):
    """zeta(t, g) = E erf(t + g G)^2 for G ~ N(0, 1): the second moment of a smoothed erf.

    Its closed form is a claim of the ledger, proved by the heat equation; derivatives follow from it.
    """

    nargs = 2

    @classmethod
    def eval(cls, t: Expr, g: Expr) -> Expr | None:
        """Even in t, as erf is odd and G symmetric."""
        return cls(-t, g) if t.could_extract_minus_sign() else None

    def closed_form(self) -> Expr:
        """1 - 8 T(sqrt(2) t / sqrt(1 + 2 g^2), 1 / sqrt(1 + 4 g^2)), Owen's T."""
        t, g = self.args
        return 1 - 8 * OwenT(sqrt(2) * t / sqrt(1 + 2 * g**2), 1 / sqrt(1 + 4 * g**2))

    def variance_form(self) -> Expr:
        """erf(h)^2 + variance: no cancellation where zeta is small; h = t / sqrt(1 + 2 g^2)."""
        t, g = self.args
        return erf(t / sqrt(1 + 2 * g**2)) ** 2 + erf_variance(t, g)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Derivative of the closed form."""
        rule, arguments = _zeta_derivative(argindex)
        return rule.subs(dict(zip(arguments, self.args, strict=True)), simultaneous=True)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Any:
        return self.closed_form()._eval_evalf(prec)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        arguments = ", ".join(printer._print(arg) for arg in self.args)
        return rf"\zeta{'' if exp is None else f'^{{{exp}}}'}\left({arguments}\right)"


@cache
def _zeta_derivative(argindex: int) -> tuple[Expr, tuple[Symbol, Symbol]]:
    t, g = Dummy("t", positive=True), Dummy("g", positive=True)
    return simplify(diff(zeta(t, g).closed_form(), (t, g)[argindex - 1])), (t, g)


class erf_moment(Function):
    """erf_moment(n, x) = int_0^1 s^(2n) exp(-x^2 s^2) ds, and erf(x) / x = (2 / sqrt pi) erf_moment(0, x)."""

    nargs = 2

    def as_integral(self) -> Integral:
        """The definition."""
        n, x = self.args
        s = Dummy("s", positive=True)
        return Integral(s ** (2 * n) * exp(-(x**2) * s**2), (s, 0, 1))

    def fdiff(self, argindex: int = 2) -> Expr:
        """In x by differentiation under the integral."""
        n, x = self.args
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        return -2 * x * erf_moment(n + 1, x)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Any:
        from mpmath.libmp import prec_to_dps

        return self.as_integral().evalf(prec_to_dps(prec))


class erf_variance(Function):
    """Var erf(t + g G) = zeta(t, g) - erf(t / sqrt(1 + 2 g^2))^2.

    By Owen's T(h, 1) = (1 - erf(h / sqrt 2)^2) / 8 it is the integral of a positive function,
    (4 / pi) int_a^1 exp(-h^2 (1 + x^2)) / (1 + x^2) dx with h = t / sqrt(1 + 2 g^2), a = 1 / sqrt(1 + 4 g^2),
    so that it can be computed without cancellation.
    """

    nargs = 2

    @classmethod
    def eval(cls, t: Expr, g: Expr) -> Expr | None:
        """Even in t, as erf is odd and G symmetric."""
        return cls(-t, g) if t.could_extract_minus_sign() else None

    def definition(self) -> Expr:
        """zeta(t, g) - erf(t / sqrt(1 + 2 g^2))^2."""
        t, g = self.args
        return zeta(t, g) - erf(t / sqrt(1 + 2 * g**2)) ** 2

    def as_owen(self) -> Expr:
        """8 T(sqrt(2) h, 1) - 8 T(sqrt(2) h, a): the positive integral."""
        t, g = self.args
        h = sqrt(2) * t / sqrt(1 + 2 * g**2)
        return 8 * OwenT(h, 1) - 8 * OwenT(h, 1 / sqrt(1 + 4 * g**2))

    def fdiff(self, argindex: int = 1) -> Expr:
        """Derivative of the definition."""
        t, g = Dummy("t", positive=True), Dummy("g", positive=True)
        rule = diff(erf_variance(t, g).definition(), (t, g)[argindex - 1])
        return rule.subs(dict(zip((t, g), self.args, strict=True)), simultaneous=True)

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Any:
        return self.as_owen()._eval_evalf(prec)
