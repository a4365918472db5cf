"""The excess risk given the attention scores: the values integrate out (Rao-Blackwell).

Plain arithmetic, so the same functions take arrays (in the estimators) and symbols (in the claims that show
the estimators unbiased).

The informative token's scores are U = m kappa + gamma z, V and W = <X, v*> with means (m kappa, m theta, 0)
and covariance gamma^2 [[1, rho, eta], [rho, 1, nu], [eta, nu, 1]]; a noise token's have mean 0 and gamma = 1.
Write f = erf(lam U) for the informative token, and for the L - 1 noise tokens s1 = sum f_l U_l and
s2 = sum f_l^2.
"""

from __future__ import annotations

from typing import Any


def informative_error(z: Any, f: Any, o: Any, m: Any, gamma: Any) -> tuple[Any, Any]:
    """Mean and variance of W - f V given the informative token's score."""
    mean = gamma * o.eta * z - f * (m * o.theta + gamma * o.rho * z)
    variance = gamma**2 * ((1 - o.eta**2) - 2 * f * (o.nu - o.rho * o.eta) + f**2 * (1 - o.rho**2))
    return mean, variance


def excess_given_scores(z: Any, f: Any, s1: Any, s2: Any, o: Any, m: Any, gamma: Any) -> Any:
    """E[(W - sum_l f_l V_l)^2 | all scores]."""
    mean, variance = informative_error(z, f, o, m, gamma)
    return (mean - o.rho * s1) ** 2 + variance + (1 - o.rho**2) * s2


def excess_given_three_scores(
    z: Any, f: Any, noise: tuple[Any, Any], other: tuple[Any, Any], o: Any, m: Any, gamma: Any, L: Any
) -> Any:
    """The same expectation from one informative and two independent noise tokens (u, erf(lam u)).

    The tokens are independent, so the mean of the square needs one noise token's and two noise tokens'
    moments only: L - 1 of the former and (L - 1)(L - 2) products of the latter.
    """
    mean, variance = informative_error(z, f, o, m, gamma)
    (u, fu), (w, fw) = noise, other
    value, value_other = o.rho * fu * u, o.rho * fw * w
    square = value**2 + value_other**2 + (1 - o.rho**2) * (fu**2 + fw**2)
    cross = (L - 2) * value * value_other - mean * (value + value_other)
    return mean**2 + variance + (L - 1) * (square / 2 + cross)


def zero_mean(z: Any, second: Any, fourth: Any, n: Any) -> tuple[Any, ...]:
    """Control variates: functions of z and of the sums of u_l^2 and u_l^4 over n noise tokens, with mean 0.

    Hermite polynomials of z, the centred sums, and products of what is left.
    """
    square, second, fourth = z * z, second - n, fourth - 3 * n
    hermite = (z, square - 1, z * (square - 3), square * (square - 6) + 3)
    return (*hermite, second, fourth, z * second, second * second - 2 * n)


def gradient_given_scores(
    z: Any, f: Any, slope: Any, s1: Any, s2: Any, o: Any, m: Any, gamma: Any
) -> tuple[Any, ...]:
    """Derivatives of `excess_given_scores` with respect to kappa, nu, theta, eta, rho.

    slope is df/dkappa = lam m erf'(lam U); z and the noise scores do not depend on the overlaps.
    """
    mean, _ = informative_error(z, f, o, m, gamma)
    error = 2 * (mean - o.rho * s1)
    v_mean = m * o.theta + gamma * o.rho * z
    d_variance_d_f = 2 * gamma**2 * (f * (1 - o.rho**2) - (o.nu - o.rho * o.eta))
    d_kappa = slope * (d_variance_d_f - error * v_mean)
    d_nu = -2 * gamma**2 * f
    d_theta = -error * f * m
    d_eta = error * gamma * z + 2 * gamma**2 * (f * o.rho - o.eta)
    d_rho = 2 * gamma**2 * (f * o.eta - f**2 * o.rho) - 2 * o.rho * s2 - error * (f * gamma * z + s1)
    return d_kappa, d_nu, d_theta, d_eta, d_rho
