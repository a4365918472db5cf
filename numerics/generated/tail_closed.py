"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""

import math

from numba import njit

from numerics.special import erf_variance


@njit(cache=True, error_model='numpy')
def tail_closed(t, g, a, b):
    """hermite_tail in closed form, see theory.decomposition."""
    x0 = g**2
    x1 = 2*x0
    x2 = x1 + 1
    x3 = 1/x2
    x4 = 4*x0
    x5 = 1/math.pi
    x6 = t**2
    x7 = x3*x6
    x8 = x5*math.exp(-2*x7)
    x9 = x3*x4*x8 - erf_variance(t, g)
    x10 = g**4
    x11 = 6*x0 + 1
    x12 = 1/math.sqrt(math.pi)
    x13 = 1/math.sqrt(x2)**3
    x14 = 1/math.sqrt(x2)
    x15 = math.erf(t*x14)
    x16 = math.exp(-x7)
    x17 = 8*x10 + x11
    x18 = 1/math.sqrt(x17)
    x19 = math.erf(t*x18)
    x20 = t*x16
    x21 = x12*x14
    return -a**2*x9 + 8*a*b*g*x16*(x1*x20*x5/(4*x10 + x4 + 1) - x15*x21 + x19*x21) + b**2*(8*t*x0*x12*x13*x15*x16 - 8*x0*x12*x13*x19*x20 + 8*x0*x14*x16*x18*x5*math.exp(-x6/x17) - 16*x10*x6*x8/(8*g**6 + 12*x10 + x11) - x9)
