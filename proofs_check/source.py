"""Source code out of expressions: Numba kernels in double precision, and forms for any table of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Mul, Symbol, cse, numbered_symbols
from sympy.printing.pycode import PythonCodePrinter

from theory import symbols as s

PARAMETERS = (s.lam, s.m, s.gamma, s.L)
JIT = "@njit(cache=True, error_model='numpy')\n"


class Printer(PythonCodePrinter):
    """Prints an expression with every function looked up in a table."""

    def __init__(self, functions: Mapping[str, str]) -> None:
        super().__init__({"fully_qualified_modules": False})
        self.functions = functions

    def _print_Function(self, expr: Any) -> str:
        arguments = ", ".join(self._print(arg) for arg in expr.args)
        return f"{self.functions[type(expr).__name__]}({arguments})"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        base, exponent = expr.as_base_exp()
        if exponent.is_Integer:
            text = self._power(self.parenthesize(base, 60), abs(int(exponent)))
        elif (2 * exponent).is_Integer:
            text = self._power(f"{self.functions['sqrt']}({self._print(base)})", abs(int(2 * exponent)))
        else:
            raise ValueError(f"no source for the power {expr}")
        return text if exponent > 0 else f"1/{text}"

    def _power(self, base: str, n: int) -> str:
        if n == 1:
            return base
        return f"{self.functions['power']}({base}, {n})" if "power" in self.functions else f"{base}**{n}"

    def _print_Rational(self, expr: Any) -> str:
        return (
            f"{self.functions['rational']}({expr.p}, {expr.q})"
            if "rational" in self.functions
            else f"{expr.p}/{expr.q}"
        )

    def _print_Half(self, expr: Any) -> str:
        return self._print_Rational(expr)

    def _print_Pi(self, expr: Any) -> str:
        return self.functions["pi"]

    def _print_Symbol(self, expr: Any) -> str:
        return "lam" if expr == s.lam else expr.name

    _print_erf = _print_erfc = _print_asin = _print_exp = _print_Function


DOUBLE = Printer(
    {
        "erf": "math.erf",
        "exp": "math.exp",
        "sqrt": "math.sqrt",
        "pi": "math.pi",
        "erf_variance": "erf_variance",
        "residual_norm": "residual_norm",
    }
)

FUNCTIONS = ("erf", "erfc", "asin", "exp", "sqrt", "power", "pi", "zeta", "erf_moment", "rational")

TABLE = Printer({name: f"F.{name}" for name in FUNCTIONS})

ARITHMETIC = Printer({})
"""For expressions without functions: the source works on whatever has + - * / **."""


@dataclass(frozen=True)
class Routine:
    """A function of the generated source: its name, arguments, results and docstring."""

    name: str
    arguments: Sequence[Expr]
    results: Sequence[Expr]
    doc: str


def lines(assignments: Sequence[tuple[Expr, Expr]], printer: Printer) -> list[str]:
    """Source lines of the assignments."""
    return [f"    {name} = {printer.doprint(value)}" for name, value in assignments]


def listing(items: Sequence[Any], printer: Printer) -> str:
    """The items as a comma-separated list."""
    return ", ".join(printer.doprint(item) for item in items)


def plain(routine: Routine, printer: Printer, first: str = "", decorator: str = "") -> str:
    """Source of a routine that evaluates all of its results from its arguments."""
    shared, results = cse(list(routine.results), symbols=numbered_symbols("x"), order="none")
    body = [f'    """{routine.doc}"""', *lines(shared, printer)]
    body.append(f"    return {listing(results, printer)}")
    head = f"{decorator}def {routine.name}({first}{listing(routine.arguments, printer)}):"
    return "\n".join([head, *body])


def hoist(expression: Expr, constants: dict[Expr, Symbol]) -> Expr:
    """`expression` with a symbol for every maximal factor or part that needs the parameters only."""
    if not expression.free_symbols & set(s.OVERLAPS):
        if expression.is_Atom and not expression.is_Symbol:
            return expression
        return constants.setdefault(expression, Symbol(f"c{len(constants)}"))
    if expression.is_Mul:
        constant, varying = expression.as_independent(*s.OVERLAPS, as_Add=False)
        rest = (
            [hoist(factor, constants) for factor in varying.args]
            if varying.is_Mul
            else [hoist(varying, constants)]
        )
        return Mul(hoist(constant, constants), *rest)
    return (
        expression.func(*(hoist(arg, constants) for arg in expression.args))
        if expression.args
        else expression
    )


def split(routine: Routine, wrap: Callable[[Sequence[Expr]], str]) -> list[str]:
    """Source of a pair of kernels: the constants that need the parameters only, and the rest given these."""
    table: dict[Expr, Symbol] = {}
    hoisted = [hoist(result, table) for result in routine.results]
    varying, results = cse(hoisted, symbols=numbered_symbols("x"), order="none")
    handed = ", ".join(symbol.name for symbol in table.values())
    constants = Routine(
        f"{routine.name}_constants",
        PARAMETERS,
        list(table),
        f"What `{routine.name}` needs of the parameters, for all overlaps.",
    )
    rest = [
        f"{JIT}def {routine.name}({listing(routine.arguments, DOUBLE)}, constants):",
        f'    """{routine.doc}"""',
        f"    {handed} = constants",
        *lines(varying, DOUBLE),
        wrap(results),
    ]
    return [plain(constants, DOUBLE, decorator=JIT), "\n".join(rest)]
