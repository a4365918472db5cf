"""Claims that do not hold, each in its own way"""

import os

import sympy

from proofs_check.claim import Claim, Mutant
from proofs_check.judges import exact

x = sympy.Symbol("x", real=True)


def equation(right):
    return lambda: sympy.Eq((x + 1) ** 2, right, evaluate=False)


TRUE, FALSE = equation(x**2 + 2 * x + 1), equation(x**2 + 3)
IDENTITY, FALSE_MUTANT = exact.Identity(), Mutant("false", FALSE)


def fails(subject, context):
    raise ArithmeticError("this judge fails")


def dies():
    os._exit(3)


def claim(name, subject=TRUE, *depends_on, judges=(IDENTITY,), mutants=(FALSE_MUTANT,)):
    statement = (
        f"The claim {name} <script>alert(1)</script> & $x < \\href{{javascript:alert(2)}}{{y}}$ fails."
    )
    return Claim(f"faults.{name}", statement, subject, "nowhere", judges, mutants, depends_on=depends_on)


def claims() -> list[Claim]:
    return [
        claim("sound"),
        claim("false", FALSE),
        claim("unproved", lambda: sympy.Eq(sympy.Function("f")(x), 0)),
        claim("fails", judges=(IDENTITY, exact.Steps(fails))),
        claim("dies", dies),
        claim("survivor", mutants=(Mutant("true, really", TRUE), FALSE_MUTANT)),
        claim("rests-on-false", TRUE, "faults.false", "faults.sound"),
        claim("rests-on-that", TRUE, "faults.rests-on-false"),
    ]
