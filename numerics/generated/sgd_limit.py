"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""

import math

from numba import njit

from numerics.special import erf_variance


@njit(cache=True, error_model='numpy')
def informative_moments(G, F, S, kappa, nu, theta, eta, rho, m, gamma):
    """Moments about the informative token given its score, in the order of theory.sgd."""
    x0 = S**2
    x1 = gamma**2
    x2 = G*gamma
    x3 = m*theta + rho*x2
    x4 = rho**2*x1
    x5 = x1 + x3**2 - x4
    x6 = eta*rho
    x7 = x1*x6
    x8 = nu*x1 - x7
    x9 = eta*x2
    x10 = nu*x1 + x3*x9 - x7
    x11 = x1 - x4
    x12 = x10*x3 + x11*x9 + x3*x8
    x13 = 2*x1 - 2*x4
    x14 = x13*x3 + x3*x5
    x15 = F*x0
    x16 = eta**2*x1
    x17 = G**2*x16 + x1 - x16
    x18 = 2*nu*x1 - 2*x1*x6
    x19 = x17*x3 + x18*x9
    x20 = F**2
    x21 = F*S
    x22 = S*x20
    x23 = F**3
    return x0*x5, x0*x12 - x14*x15, x0*x20*(x14*x3 + x5*(3*x1 - 3*x4)) + x0*(x10*x18 + x11*x17 + x19*x3) - 2*x15*(x10*x13 + x12*x3 + x5*x8), x21*x3, F*S*x10 - x22*x5, S*x14*x23 - 2*x12*x22 + x19*x21, x20, G*eta*gamma*x20 - x23*x3, F**4*x5 - 2*x10*x23 + x17*x20

@njit(cache=True, error_model='numpy')
def noise_moments(G, F, S, rho):
    """Moments about a noise token given its score."""
    x0 = S**2
    x1 = rho**2
    x2 = G**2*x1 - x1 + 1
    x3 = G*rho
    x4 = x2*x3 + x3*(2 - 2*x1)
    x5 = F**2
    x6 = F**3
    return x0*x2, -F*x0*x4, x0*x5*(x2*(3 - 3*x1) + x3*x4), F*S*x3, -S*x2*x5, S*x4*x6, x5, -x3*x6, F**4*x2

@njit(cache=True, error_model='numpy')
def error_moments(kappa, nu, theta, eta, rho, lam, m, gamma):
    """First and second moments of the informative and of a noise token's error."""
    x0 = gamma**2
    x1 = lam**2
    x2 = 2*x1
    x3 = x0*x2 + 1
    x4 = 1/math.sqrt(x3)
    x5 = kappa*m
    x6 = lam*x5
    x7 = math.erf(x4*x6)
    x8 = m*theta
    x9 = 1/math.sqrt(math.pi)
    x10 = lam*x9
    x11 = 2*x10
    x12 = rho*x0
    x13 = 1/x3
    x14 = kappa**2*m**2*x1
    x15 = math.exp(-x13*x14)
    x16 = x15*x4
    x17 = x12*x16
    x18 = x7**2 + erf_variance(x6, gamma*lam)
    x19 = 1/math.pi
    x20 = 6*x1
    x21 = gamma**4
    x22 = 8*lam**4
    x23 = x0*x20 + x21*x22 + 1
    x24 = 1/math.sqrt(x23)
    x25 = math.erf(x24*x6)
    x26 = 8*x1
    x27 = 4*x10*x25
    x28 = x16*x8
    x29 = 1/math.sqrt(x2 + 1)
    return -x11*x17 - x7*x8, 8*eta*lam**3*rho*x15*x21*x5*x9/math.sqrt(x3)**3 - 4*eta*x0*x10*x28 - 2*nu*x0*x7 + x0*x18 + x0 + x12*(x17*x26*(-x13*x25*x6*x9 + x19*x24*math.exp(-x14/x23)) + x27*x28) + x8*(x17*x27 + x18*x8), -rho*x11*x29, rho**2*x19*x26*x29/math.sqrt(x20 + x22 + 1) + erf_variance(0, lam)

@njit(cache=True, error_model='numpy')
def gradient_covariance(a_kk0, a_kk1, a_kk2, a_kv0, a_kv1, a_kv2, a_vv0, a_vv1, a_vv2, b_kk0, b_kk1, b_kk2, b_kv0, b_kv1, b_kv2, b_vv0, b_vv1, b_vv2, a1, a2, b1, b2, gamma, L, epsilon, B):
    """Covariance of the batch gradients in a direction outside the frame: kk, kv, vv."""
    x0 = gamma**2
    x1 = epsilon**2
    x2 = L - 1
    x3 = b1**2
    x4 = -L
    x5 = b2*x2 + x1 + x3*(x2**2 + x4 + 1)
    x6 = 2*b1*x2
    x7 = L - 2
    x8 = a1*b1*(2*L - 4) + a2 + b2*x7 + x1 + x3*(x4 + x7**2 + 2)
    x9 = 2*a1 + 2*b1*x7
    x10 = 4/B
    return x10*(x0*(a_kk0*x5 + a_kk1*x6 + a_kk2) + x2*(b_kk0*x8 + b_kk1*x9 + b_kk2)), x10*(x0*(a_kv0*x5 + a_kv1*x6 + a_kv2) + x2*(b_kv0*x8 + b_kv1*x9 + b_kv2)), x10*(x0*(a_vv0*x5 + a_vv1*x6 + a_vv2) + x2*(b_vv0*x8 + b_vv1*x9 + b_vv2))

@njit(cache=True, error_model='numpy')
def limit_velocity(kappa, nu, theta, eta, rho, R_kappa, R_nu, R_theta, R_eta, R_rho, A_kk, A_kv, A_vv, c):
    """Time derivatives of the overlaps under SGD as the dimension grows."""
    x0 = R_rho*rho
    x1 = -R_eta*eta - R_kappa*kappa - x0
    x2 = c**2
    x3 = (1/2)*x2
    x4 = A_kk*x3
    x5 = -R_nu*nu - R_theta*theta - x0
    x6 = A_vv*x3
    return -c*(R_kappa + R_rho*theta + kappa*x1) - kappa*x4, -c*(R_nu + R_rho*eta + nu*x5) - nu*x6, -c*(R_rho*kappa + R_theta + theta*x5) - theta*x6, -c*(R_eta + R_rho*nu + eta*x1) - eta*x4, A_kv*x2 - c*(R_eta*nu + R_kappa*theta + R_rho + rho*x1) - c*(R_nu*eta + R_rho + R_theta*kappa + rho*x5) - rho*x4 - rho*x6
