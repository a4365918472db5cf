"""Every symbol of the toolkit, declared once with its assumptions."""

from sympy import Symbol, sqrt, symbols

d = Symbol("d", integer=True, positive=True)
L = Symbol("L", integer=True, positive=True)
gamma = Symbol("gamma", positive=True)
epsilon = Symbol("epsilon", nonnegative=True)
lam = Symbol("lambda", positive=True)

kappa, nu, theta, eta, rho = symbols("kappa nu theta eta rho", real=True)
OVERLAPS = (kappa, nu, theta, eta, rho)

m = Symbol("m", positive=True)
"""Signal strength, the length of the informative token's mean: sqrt(d/2), see `in_dimension`."""

t = Symbol("t", real=True)
"""Location of a smoothed function."""

g = Symbol("g", positive=True)
"""Scale of a smoothed function: the standard deviation of the Gaussian that smooths it."""


def in_dimension(expression):  # type: ignore[no-untyped-def]
    """`expression` in terms of the dimension d, by m = sqrt(d/2)."""
    return expression.subs(m, sqrt(d / 2))
