"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""

import math

from numba import njit

from numerics.special import erf_variance, residual_norm, residual_norm_magnitude
from numerics.tail import hermite_tail


@njit(cache=True, error_model='numpy')
def excess_risk_constants(lam, m, gamma, L):
    """What `excess_risk` needs of the parameters, for all overlaps."""
    x0 = gamma**2
    x1 = lam**2
    x2 = 2*x1
    x3 = x0*x2 + 1
    x4 = 1/math.sqrt(x3)
    x5 = lam*m
    x6 = x4*x5
    x7 = x2 + 1
    x8 = 1/math.sqrt(x7)
    x9 = 1/math.sqrt(math.pi)
    x10 = 2*x9
    x11 = lam*x10
    x12 = x11*x8
    x13 = x1/math.pi
    x14 = erf_variance(0, lam)
    return x6, -m, x12, -L*x12, -m**2*x1/x3, -x0*x11*x4, gamma, -gamma, -gamma*x10*x6, 4*gamma**3*lam**3*m*x9/math.sqrt(x3)**3, x0, x5, gamma*lam, 8*x13*x8/math.sqrt(8*lam**4 + 6*x1 + 1) - 4*x13/x7 + x14, x14, L - 1, m

@njit(cache=True, error_model='numpy')
def excess_risk(kappa, nu, theta, eta, rho, constants):
    """Excess risk, and the sum of absolute values that its rounding error is a few eps times of."""
    c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16 = constants
    x0 = c0*kappa
    x1 = math.erf(x0)
    x2 = math.exp(c4*kappa**2)
    x3 = rho*x2
    x4 = rho**2
    x5 = 1 - x4
    x6 = c11*kappa
    bias = c1*theta*x1 + c2*rho + c3*rho + c5*x3
    slope = c6*eta + c7*rho*x1 + c8*theta*x2 + c9*kappa*x3
    bias_magnitude = abs(c1*theta*x1) + abs(c2*rho) + abs(c3*rho) + abs(c5*x3)
    slope_magnitude = abs(c6*eta) + abs(c7*rho*x1) + abs(c8*theta*x2) + abs(c9*kappa*x3)
    partial = bias**2 + slope**2 + c10*residual_norm(nu, eta, rho, x0) + c10*x5*erf_variance(x6, c12) + c15*(c13*x4 + c14*x5)
    curvature, curvature_magnitude = hermite_tail(x6, c12, c16*theta, c6*rho, partial)
    value = partial + curvature
    magnitude = 2*abs(bias)*bias_magnitude + 2*abs(slope)*slope_magnitude + value
    magnitude += c10*residual_norm_magnitude(nu, eta, rho, x0) + curvature_magnitude
    return value, magnitude

@njit(cache=True, error_model='numpy')
def partial_derivatives_constants(lam, m, gamma, L):
    """What `partial_derivatives` needs of the parameters, for all overlaps."""
    x0 = gamma**2
    x1 = lam**2
    x2 = 6*x1
    x3 = gamma**4
    x4 = lam**4
    x5 = 8*x4
    x6 = x0*x2 + x3*x5 + 1
    x7 = 1/math.sqrt(x6)
    x8 = lam*m
    x9 = 2*x1
    x10 = x0*x9 + 1
    x11 = 1/x10
    x12 = 1/math.sqrt(math.pi)
    x13 = x12*x8
    x14 = m**2
    x15 = x1*x14
    x16 = 1/math.pi
    x17 = x14*x9
    x18 = x16*x7
    x19 = 1/math.sqrt(x10)
    x20 = x0*x19
    x21 = 8*x1
    x22 = x20*x21
    x23 = 1/math.sqrt(x10)**3
    x24 = x0*x23
    x25 = x14*x24
    x26 = m**3
    x27 = lam**3*x12
    x28 = 8*x27
    x29 = x23*x28
    x30 = lam*x12
    x31 = 4*x30
    x32 = x14*x19
    x33 = 2*x30
    x34 = x9 + 1
    x35 = 1/math.sqrt(x34)
    x36 = x35*(2*L - 2)
    x37 = x19*x8
    x38 = 4*x12*x37
    x39 = x0*x38
    x40 = 2*x0
    x41 = L - 1
    x42 = x1*x16
    return x7*x8, -x11*x13, -x15/x6, -x16*x17/math.sqrt(x6)**3, -x11*x17*x18, -x11*x15, x22, x18, -16*x25*x4, -x26*x29, 8*x15*x18*x19, x0, x31*x32, -x25*x28, m*x18*x22, m, -x32*x33, 4*x25*x27, -x33*x36, -x39, x39, m*x29*x3, -16*lam**5*x12*x26*x3/math.sqrt(x10)**5, x24*x26*x28, x37, -x40, x8, gamma*lam, x20*x31, x14, 2*x13*x36, x38, -m, -x19*x30*x40, x16*x21*(-L + x41**2 + 1)/x34, x19*x21*x3, 16*x35*x41*x42/math.sqrt(x2 + x5 + 1), 4*x20*x36*x42

@njit(cache=True, error_model='numpy')
def partial_derivatives(kappa, nu, theta, eta, rho, constants):
    """Partial derivatives of the excess risk in kappa, nu, theta, eta, rho."""
    c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37 = constants
    x0 = kappa**2
    x1 = math.exp(c2*x0)
    x2 = math.exp(c5*x0)
    x3 = theta*x2
    x4 = math.erf(c0*kappa)
    x5 = c1*x4
    x6 = kappa*x1
    x7 = rho*x2
    x8 = c6*x7
    x9 = c7*x1 + kappa*x5
    x10 = kappa*x7
    x11 = x3*x4
    x12 = x2*x4
    x13 = rho*x12
    x14 = c15*theta
    x15 = c19*x2
    x16 = c20*x12
    x17 = c21*eta
    x18 = math.erf(c24*kappa)
    x19 = x18**2 + erf_variance(c26*kappa, c27)
    return c11*rho*(c10*x1*x3 + c8*x10*x9 + c9*kappa*x11 + x8*(c3*x6 + c4*x6 + x5)) + c18*rho*(c16*x3 + c17*x10) + c22*eta*x0*x7 + c23*eta*kappa*x3 + nu*x15 + x14*(c12*x11 + c13*kappa*x13 + c14*x1*x7) + x16 + x17*x7, c25*x18, c15*(c28*x13 + x14*x19) + c29*theta*x19 + c30*rho*x18 + eta*x15 + rho*x16, c19*x3 + c21*x10, c11*(c31*x11 + x8*x9) + c18*(c32*theta*x18 + c33*x7) + c20*x11 + c34*rho + c35*x7*x9 + c36*rho + c37*x7 + kappa*x17*x2

@njit(cache=True, error_model='numpy')
def overlap_velocity(kappa, nu, theta, eta, rho, R_kappa, R_nu, R_theta, R_eta, R_rho):
    """Time derivatives of the overlaps under gradient flow, from the partial derivatives of the risk."""
    x0 = kappa*rho - theta
    x1 = eta*kappa
    x2 = -eta + nu*rho
    x3 = nu*theta
    x4 = -kappa + rho*theta
    x5 = eta*rho - nu
    return R_eta*x1 + R_kappa*(kappa - 1)*(kappa + 1) + R_rho*x0, R_nu*(nu - 1)*(nu + 1) + R_rho*x2 + R_theta*x3, R_nu*x3 + R_rho*x4 + R_theta*(theta - 1)*(theta + 1), R_eta*(eta - 1)*(eta + 1) + R_kappa*x1 + R_rho*x5, R_eta*x5 + R_kappa*x0 + R_nu*x2 + 2*R_rho*(rho - 1)*(rho + 1) + R_theta*x4

@njit(cache=True, error_model='numpy')
def frame_gradients(kappa, eta, k2, k3, theta, nu, v2, v3, rho, R_kappa, R_nu, R_theta, R_eta, R_rho):
    """Riemannian gradients in k and v, four coordinates each, from the partial derivatives of the risk."""
    x0 = R_rho*rho
    x1 = -R_eta*eta - R_kappa*kappa - x0
    x2 = -R_nu*nu - R_theta*theta - x0
    return R_kappa + R_rho*theta + kappa*x1, R_eta + R_rho*nu + eta*x1, R_rho*v2 + k2*x1, R_rho*v3 + k3*x1, R_rho*kappa + R_theta + theta*x2, R_nu + R_rho*eta + nu*x2, R_rho*k2 + v2*x2, R_rho*k3 + v3*x2
