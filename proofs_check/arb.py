"""Compiles SymPy expressions to ball arithmetic (Arb): every value encloses the exact one, rounding included.

FUNCTIONS says what computes each function; whoever proves an enclosure for another function adds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import sympy
from flint import acb, arb, fmpq

from numerics.arb import ArbFunctions
from theory.special import OwenT, erf_variance, zeta

NARROW_BITS = 20
"""A ball this accurate is narrow: repeated multiplication widens it by no more than rounding does."""

Operation = Callable[..., arb]
Program = Callable[[Sequence[arb]], list[arb]]


def owen_t(h: arb, a: arb) -> arb:
    """Owen's T by rigorous quadrature of its definition, with x = a u.

    >>> abs(owen_t(arb(0), arb(1)) - arb(1) / 8) < 1e-12
    True
    """

    def integrand(u: acb, analytic: bool) -> acb:
        weight = 1 + (a * u) ** 2
        return (-h * h * weight / 2).exp() / weight

    return a * acb.integral(integrand, 0, 1).real / (2 * arb.pi())


FUNCTIONS: dict[Any, Operation] = {
    sympy.erf: arb.erf,
    sympy.erfc: arb.erfc,
    sympy.erfi: arb.erfi,
    sympy.exp: arb.exp,
    sympy.log: arb.log,
    sympy.sin: arb.sin,
    sympy.cos: arb.cos,
    sympy.tan: arb.tan,
    sympy.asin: arb.asin,
    sympy.acos: arb.acos,
    sympy.atan: arb.atan,
    sympy.sinh: arb.sinh,
    sympy.cosh: arb.cosh,
    sympy.tanh: arb.tanh,
    sympy.gamma: arb.gamma,
    sympy.loggamma: arb.lgamma,
    sympy.Abs: abs,
    sympy.sign: arb.sgn,
    sympy.Min: lambda *args: reduce(arb.min, args),
    sympy.Max: lambda *args: reduce(arb.max, args),
    zeta: ArbFunctions.zeta,
    erf_variance: ArbFunctions.erf_variance,
    OwenT: owen_t,
}
"""The Arb method that encloses each function on balls."""

CONSTANTS: dict[Any, Callable[[], arb]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
}


def compile_arb(
    expressions: Sequence[sympy.Expr],
    variables: Sequence[sympy.Symbol],
    functions: Mapping[Any, Operation] = FUNCTIONS,
) -> Program:
    """A program from balls, one a variable, to balls that enclose the expressions' values.

    It works at the precision that `flint.ctx` has when it is called. Common subexpressions are computed once.
    Raises TypeError for what it cannot compile: a free symbol, a floating-point number, an unknown function.

    >>> x = sympy.Symbol("x")
    >>> compile_arb([sympy.erf(x) ** 2], [x])([arb(0)])[0].is_zero()
    True
    """
    compiler = _Compiler(variables, functions)
    outputs = [compiler.register(sympy.sympify(expression)) for expression in expressions]
    steps = compiler.steps

    def program(values: Sequence[arb]) -> list[arb]:
        registers = list(values)
        for operation, arguments in steps:
            registers.append(operation(*[registers[index] for index in arguments]))
        return [registers[index] for index in outputs]

    return program


def ball(low: Fraction, high: Fraction) -> arb:
    """A ball that contains the interval [low, high], but for rounding no more than that.

    >>> ball(Fraction(1, 3), Fraction(1, 2)).contains(arb("0.4"))
    True
    """
    middle, radius = arb(_rational((low + high) / 2)), arb(_rational((high - low) / 2))
    return middle + arb(0, radius.upper()) if low < high else middle


class _Compiler:
    """Straight-line code: each step is an operation and the registers of its arguments."""

    def __init__(self, variables: Sequence[sympy.Symbol], functions: Mapping[Any, Operation]) -> None:
        self.functions = functions
        self.places: dict[sympy.Expr, int] = {symbol: place for place, symbol in enumerate(variables)}
        self.used = len(variables)
        self.steps: list[tuple[Operation, tuple[int, ...]]] = []

    def register(self, expression: sympy.Expr) -> int:
        if expression not in self.places:
            operation, arguments = self._translate(expression)
            registers = tuple(self.register(argument) for argument in arguments)
            self.steps.append((operation, registers))
            self.places[expression] = self.used
            self.used += 1
        return self.places[expression]

    def _translate(self, expression: sympy.Expr) -> tuple[Operation, Sequence[sympy.Expr]]:
        if expression in CONSTANTS:
            return CONSTANTS[expression], ()
        if expression.is_Rational:
            exact = fmpq(int(expression.p), int(expression.q))
            return lambda: arb(exact), ()
        if expression.is_Add:
            return lambda *terms: reduce(add, terms), expression.args
        if expression.is_Mul:
            return lambda *factors: reduce(mul, factors), expression.args
        if expression.is_Pow:
            return _power(expression)
        if expression.func in self.functions:
            return self.functions[expression.func], expression.args
        raise TypeError(f"no enclosure is known for {expression} of type {type(expression).__name__}")


def _power(expression: sympy.Pow) -> tuple[Operation, Sequence[sympy.Expr]]:
    base, exponent = expression.args
    if exponent.is_Integer:
        return (lambda x: integer_power(x, int(exponent))), [base]
    if exponent.is_Rational and exponent.q == 2:
        return (lambda x: integer_power(x.sqrt(), int(exponent.p))), [base]
    return arb.__pow__, [base, exponent]


def integer_power(x: arb, n: int) -> arb:
    """x**n, tight on wide balls too: from the ends, since a power is monotone on each side of 0.

    >>> integer_power(arb(0, 1), 2).lower() >= 0
    True
    """
    if n < 0:
        return 1 / integer_power(x, -n)
    if n < 2 or x.rel_accuracy_bits() > NARROW_BITS:
        return _product(x, n)
    if n % 2:
        return _product(x.lower(), n).union(_product(x.upper(), n))
    hull = _product(x.abs_lower(), n).union(_product(x.abs_upper(), n))
    return hull.nonnegative_part() if x.contains(0) else hull


def _product(x: arb, n: int) -> arb:
    return reduce(mul, [x] * n, arb(1))


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
