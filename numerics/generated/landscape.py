"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""


def profile(F, kappa, lam, m, gamma, L):
    """Functions of kappa: gate, value, score, cross, swap, decay, gate_ratio, free_slope, value_slope, score_slope, cross_slope, swap_slope."""
    x0 = F.power(gamma, 2)
    x1 = F.power(lam, 2)
    x2 = 2*x1
    x3 = x0*x2 + 1
    x4 = 1/F.sqrt(x3)
    x5 = lam*m
    x6 = kappa*x5
    x7 = x4*x6
    x8 = F.erf(x7)
    x9 = F.power(m, 2)
    x10 = 1/F.pi
    x11 = x2 + 1
    x12 = L - 1
    x13 = 6*x1
    x14 = F.power(gamma, 4)
    x15 = 8*F.power(lam, 4)
    x16 = x0*x13 + x14*x15 + 1
    x17 = 1/F.sqrt(x16)
    x18 = F.power(kappa, 2)*x1*x9
    x19 = F.exp(-x18/x16)
    x20 = x10*x19
    x21 = x17*x20
    x22 = 1/F.sqrt(F.pi)
    x23 = 1/x3
    x24 = F.erf(x17*x6)
    x25 = x23*x24
    x26 = -x21 + x22*x25*x6
    x27 = F.exp(-x18*x23)
    x28 = 2*x4
    x29 = x14*x28
    x30 = x12/F.sqrt(x11)
    x31 = x10*x30
    x32 = x0*x27
    x33 = x28*x32
    x34 = 4*x1
    x35 = x22*x5
    x36 = 4*x35
    x37 = x36*x4
    x38 = x28*x35
    x39 = x24*x4
    x40 = F.power(m, 3)*x22
    x41 = kappa*x9
    x42 = x2*x41
    x43 = 1/F.power(F.sqrt(x3), 3)
    x44 = x0*x34*x41*x43
    return x8, x9*F.zeta(x6, gamma*lam), x34*(x10*(-L + F.power(x12, 2) + 1)/x11 - x26*x27*x29 + x31*x33 + 2*x31/F.sqrt(x13 + x15 + 1)), x36*(x24*x33 + x30*x8), x32*x37, x27, x38*F.erf_moment(0, x7), x0*x36*x39, 4*lam*x39*x40, x34*(4*kappa*x1*x14*x26*x43*x9 - x29*(x21*x23*x42 + x25*x35 + x20*x42/F.power(F.sqrt(x16), 3)) - x31*x44), x36*(x0*x17*x19*x37 - x24*x44 + x30*x38), -8*kappa*F.power(lam, 3)*x0*x40*x43

def profile_slopes(F, kappa, lam, m, gamma, L):
    """Derivatives of `profile` in kappa."""
    x0 = F.power(gamma, 2)
    x1 = F.power(lam, 2)
    x2 = 2*x1
    x3 = x0*x2 + 1
    x4 = 1/F.sqrt(x3)
    x5 = lam*m
    x6 = x4*x5
    x7 = 1/F.sqrt(F.pi)
    x8 = F.power(m, 2)
    x9 = 1/x3
    x10 = x8*x9
    x11 = F.power(kappa, 2)
    x12 = x1*x11
    x13 = F.exp(-x10*x12)
    x14 = x13*x7
    x15 = x14*x6
    x16 = 2*x15
    x17 = x0*x1
    x18 = F.power(gamma, 4)
    x19 = F.power(lam, 4)
    x20 = 6*x17 + 8*x18*x19 + 1
    x21 = 1/F.sqrt(x20)
    x22 = kappa*x21
    x23 = F.erf(x22*x5)
    x24 = 4*x23
    x25 = F.power(m, 3)
    x26 = x14*x25
    x27 = x5*x7
    x28 = x23*x27*x9
    x29 = kappa*x2
    x30 = 1/F.power(F.sqrt(x20), 3)
    x31 = 1/F.pi
    x32 = F.exp(-x12*x8/x20)
    x33 = x31*x32
    x34 = x30*x33
    x35 = x21*x33
    x36 = x10*x29
    x37 = x28 + x29*x34*x8 + x35*x36
    x38 = 2*x18*x4
    x39 = 1/F.power(F.sqrt(x3), 3)
    x40 = kappa*x28 - x35
    x41 = 4*kappa
    x42 = x39*x8
    x43 = x17*x42
    x44 = (L - 1)/F.sqrt(x2 + 1)
    x45 = x31*x43*x44
    x46 = 4*x1
    x47 = x24*x43
    x48 = 4*x27
    x49 = F.power(lam, 3)
    x50 = 8*x0
    x51 = kappa*x49*x50
    x52 = x25*x39*x49*x7
    x53 = 8*x35*x4
    x54 = F.power(m, 4)
    x55 = 4*x11*x19*x54
    x56 = x18*x42*x46
    x57 = x50*x52
    return x16, lam*x24*x26*x4, x46*(4*kappa*x1*x13*x18*x39*x40*x8 - x13*x37*x38 - x13*x41*x45), x48*(-kappa*x13*x47 + 4*x0*x15*x21*x32 + x16*x44), -x26*x39*x51, -x13*x36, -x41*x52*F.erf_moment(1, kappa*x6), x17*x53*x8, x1*x53*x54, x46*(kappa*x37*x56 - x38*(4*x1*x21*x31*x32*x8*x9 + 2*x1*x30*x31*x32*x8 - x34*x55*x9 - x33*x55/F.power(F.sqrt(x20), 5)) + x40*x56 - 4*x45), x48*(-x22*x32*x57 - x25*x30*x32*x4*x51*x7 - x47), -x57

def profile_curvatures(F, kappa, lam, m, gamma, L):
    """Second derivatives."""
    x0 = F.power(m, 2)
    x1 = F.power(gamma, 2)
    x2 = F.power(lam, 2)
    x3 = 2*x2
    x4 = x1*x3 + 1
    x5 = 1/x4
    x6 = x0*x5
    x7 = F.power(kappa, 2)
    x8 = x2*x7
    x9 = F.exp(-x6*x8)
    x10 = 4*x9
    x11 = F.power(m, 3)
    x12 = F.power(lam, 3)
    x13 = 1/F.sqrt(F.pi)
    x14 = 1/F.power(F.sqrt(x4), 3)
    x15 = x13*x14
    x16 = x12*x15
    x17 = x11*x16
    x18 = kappa*x10*x17
    x19 = 1/F.pi
    x20 = F.power(m, 4)
    x21 = 1/F.sqrt(x4)
    x22 = x1*x2
    x23 = F.power(lam, 4)
    x24 = F.power(gamma, 4)
    x25 = 8*x24
    x26 = x23*x25
    x27 = 6*x22 + x26 + 1
    x28 = 1/F.sqrt(x27)
    x29 = F.exp(-x0*x8/x27)
    x30 = F.power(m, 5)
    x31 = lam*m
    x32 = kappa*x28
    x33 = F.erf(x31*x32)
    x34 = 8*x9
    x35 = 1/F.power(F.sqrt(x27), 3)
    x36 = 1/F.power(F.sqrt(x27), 5)
    x37 = x19*x29
    x38 = x36*x37
    x39 = x20*x23
    x40 = x39*x7
    x41 = 4*x40
    x42 = x35*x37
    x43 = x42*x5
    x44 = 4*x0*x19*x2*x28*x29*x5 + 2*x0*x19*x2*x29*x35 - x38*x41 - x41*x43
    x45 = 2*x21*x24
    x46 = x28*x37
    x47 = kappa*x31
    x48 = x33*x5
    x49 = x13*x47*x48 - x46
    x50 = x13*x31
    x51 = x3*x6
    x52 = kappa*x0*x3*x42 + kappa*x46*x51 + x48*x50
    x53 = 1/F.power(F.sqrt(x4), 5)
    x54 = x53*x7
    x55 = x0*x14
    x56 = x10*x22*x55
    x57 = 1/F.sqrt(x3 + 1)
    x58 = L - 1
    x59 = x57*x58
    x60 = 4*x2
    x61 = x29*x35
    x62 = x1*x11*x12*x61
    x63 = x1*x17
    x64 = 16*x29*x63
    x65 = 4*x50
    x66 = F.power(lam, 5)*x30
    x67 = x54*x66
    x68 = 16*x1
    x69 = x13*x68
    x70 = x21*x47
    x71 = 8*x13
    x72 = kappa*x39
    x73 = x21*x42
    x74 = F.power(m, 6)
    x75 = 8*F.power(kappa, 3)*F.power(lam, 6)*x74
    x76 = x66*x7
    return -x18, -kappa*x16*x30*x33*x34 + 8*x19*x2*x20*x21*x28*x29*x9, x60*(8*kappa*x0*x14*x2*x24*x52*x9 + 4*x0*x14*x2*x24*x49*x9 + 8*x1*x19*x20*x23*x53*x57*x58*x7*x9 - x19*x56*x59 - x20*x26*x49*x54*x9 - x44*x45*x9), x65*(-kappa*x13*x21*x34*x62 + 8*x1*x20*x23*x33*x53*x7*x9 - x18*x59 - x32*x64*x9 - x33*x56), -x34*x63 + x67*x69*x9, x10*x40/F.power(x4, 2) - x51*x9, -4*x17*F.erf_moment(1, x70) + x67*x71*F.erf_moment(2, x70), -x68*x72*x73, -16*kappa*x23*x73*x74, x60*(kappa*x24*x44*x55*x60 + x2*x25*x52*x55 - x45*(x38*x5*x75 - 12*x38*x72 - 16*x43*x72 + x37*x75/F.power(F.sqrt(x27), 7))), x65*(x15*x61*x68*x76 + x21*x29*x36*x69*x76 - x21*x62*x71 - x28*x64), 0

def constants(F, lam, m, gamma, L):
    """u, gate_slope and swap_scale."""
    x0 = F.power(gamma, 2)
    x1 = 2*F.power(lam, 2)*x0
    x2 = x1 + 1
    x3 = lam*m/(F.sqrt(F.pi)*F.sqrt(x2))
    return x1/x2, 2*x3, 4*x0*x3

def oracle_eigenvalues(F, lam, m, gamma, L):
    """Of the Hessian at the oracle out of the plane."""
    x0 = F.power(gamma, 2)
    x1 = F.power(lam, 2)
    x2 = x0*x1
    x3 = 2*x2 + 1
    x4 = lam*m/F.sqrt(x3)
    return 4*x0*x4*F.exp(-F.power(m, 2)*x1/x3)*F.erfc(x4/F.sqrt(4*x2 + 1))/F.sqrt(F.pi), 2*x0*F.erf(x4)

def second_partials(F, kappa, nu, theta, eta, rho, lam, m, gamma, L):
    """Second partial derivatives."""
    x0 = m*theta
    x1 = F.power(gamma, 2)
    x2 = F.power(lam, 2)
    x3 = 6*x2
    x4 = F.power(gamma, 4)
    x5 = 8*F.power(lam, 4)
    x6 = x1*x3 + x4*x5 + 1
    x7 = 1/F.sqrt(x6)
    x8 = 1/F.pi
    x9 = 1/x6
    x10 = F.power(m, 2)
    x11 = F.power(kappa, 2)
    x12 = x10*x11
    x13 = x12*x2
    x14 = x13*x9
    x15 = F.exp(-x14)
    x16 = x15*x8
    x17 = x16*x7
    x18 = x0*x17
    x19 = 2*x2
    x20 = x1*x19 + 1
    x21 = 1/x20
    x22 = 1/F.sqrt(F.pi)
    x23 = lam*m
    x24 = kappa*x23
    x25 = F.erf(x24*x7)
    x26 = x22*x25
    x27 = x21*x26
    x28 = rho*x1
    x29 = lam*x28
    x30 = kappa*theta*x10
    x31 = lam*x30
    x32 = x27*x31
    x33 = 1/F.power(x20, 2)
    x34 = x11*x33
    x35 = x26*x34
    x36 = F.power(lam, 3)
    x37 = 2*x10
    x38 = x36*x37
    x39 = x16/F.power(F.sqrt(x6), 3)
    x40 = kappa*m
    x41 = 4*x28
    x42 = kappa*x2
    x43 = m*x42
    x44 = x21*x41*x43
    x45 = x24*x27
    x46 = -x17 + x45
    x47 = 2*x21
    x48 = x46*x47
    x49 = 2*x39
    x50 = x17*x24*x47 + x24*x49 + x27
    x51 = 2*x17*x29
    x52 = F.power(m, 3)
    x53 = theta*x52
    x54 = x33*x36
    x55 = 4*lam
    x56 = x28*x47
    x57 = -x13*x56 + x28 + x30
    x58 = x19 + 1
    x59 = L - 1
    x60 = x59/F.sqrt(x58)
    x61 = x60*x8
    x62 = 2*x1
    x63 = x22*x4
    x64 = eta*x63
    x65 = 8*x2
    x66 = 1/F.sqrt(x20)
    x67 = F.exp(-x13*x21)
    x68 = x66*x67
    x69 = x10*x68
    x70 = 4*x22*x23
    x71 = -x1*x68*x70
    x72 = 2*x46
    x73 = 2*x61
    x74 = x1*x22
    x75 = x42*x56
    x76 = 8*m*x36*x67/F.power(F.sqrt(x20), 3)
    x77 = m*x61
    x78 = x62*x68
    return x65*x69*(4*eta*F.power(kappa, 3)*F.power(lam, 5)*rho*x22*x4*x52/F.power(x20, 3) + eta*lam*m*theta*x1*x21*x22 - eta*x22*x34*x36*x53*x62 + kappa*lam*m*nu*x1*x21*x22 - rho*x2*x47*x57*x61 - 6*rho*x40*x54*x64 - x0*(x17*x44 - x18 + x19*x28*x39*x40 + x27*x29 - x28*x35*x38 + x32) + x1*x15*x7*x8 - x1*x45 - x29*(x0*x27 + x12*x41*x46*x54 + x17*x21*x30*x55 - x19*x35*x53 - x29*x48 + x31*x49 - x44*x50 - x51*(x12*x19/F.power(x6, 2) + x14*x47 - x47 - x9))), x71, x55*x69*(eta*x43*x47*x74 + lam*rho*x73 - m*x26*x75 + 2*x0*x26 - x29*x72 + x51), x57*x74*x76, m*x65*x68*(eta*lam*x21*x22*x4 + lam*rho*x4*(2*kappa*lam*m*x21*x46 - x50) - x0*x1*x46 + x1*(x18 + x28*x43*x48 - x29*x50 - x32) - x34*x38*x64 - x75*x77 - x77*(-theta + x75)), 0, 0, 0, 0, x37*F.zeta(x24, gamma*lam), x71, x70*(x25*x78 + x60*F.erf(x24*x66)), 0, kappa*x63*x76, x65*(-x4*x68*x72 + x61*x78 + x73/F.sqrt(x3 + x5 + 1) + x8*(-L + F.power(x59, 2) + 1)/x58)

def partials(cross, cross_slope, eta, free_slope, gamma, gate, gate_slope, kappa, nu, rho, score, score_slope, swap, swap_scale, swap_slope, theta, u, value, value_slope):
    """See theory.landscape."""
    x0 = rho*u
    x1 = -kappa*x0 + theta
    x2 = 2*gamma**2
    x3 = eta*swap
    return cross_slope*rho*theta + eta*swap_scale*x0 - eta*swap_slope*x1 + free_slope - gate_slope*nu*x2 + rho**2*score_slope + theta**2*value_slope, -gate*x2, cross*rho + 2*theta*value - x3, -swap*x1, cross*theta + kappa*u*x3 + 2*rho*score

def planar(R_eta, R_kappa, R_nu, R_rho, R_theta, decay, eta, kappa, nu, theta):
    """The two planar torques."""
    return -eta*(R_kappa*decay + R_rho*theta) + kappa*(R_eta + R_rho*nu), -nu*(R_rho*kappa + R_theta) + theta*(R_nu + R_rho*eta)

def leaning(cosine, eta, gamma, gate_ratio, kappa, lean, nu, radius, sine, swap, u):
    """theta and rho."""
    x0 = 2*cosine*gamma**2*gate_ratio*lean
    x1 = (-eta*nu - kappa*x0 + lean*radius*sine**2*swap)/(kappa**2*u - 1)
    return kappa*u*x1 + x0, x1

def turned(cosine, eta, gamma, gate_ratio, kappa, radius, sine, swap, turn_cosine, turn_sine, u):
    """lean, nu, theta and rho."""
    x0 = 2*gamma**2*gate_ratio
    x1 = cosine**2*x0 - sine**2*swap
    x2 = radius*x1
    x3 = eta*turn_cosine + turn_sine*x2
    x4 = turn_sine*(eta**2 + radius**2*x1**2)/(-kappa**2*u + 1)
    return x3, eta*turn_sine - turn_cosine*x2, cosine*x0*x3 + kappa*u*x4, x4

def oblique(R_kappa, R_nu, R_rho, R_theta, eta, kappa, nu, swap, swap_scale, theta):
    """Four torques."""
    x0 = R_nu*swap
    x1 = R_rho*swap
    x2 = R_theta*swap
    return R_kappa, -R_theta*swap_scale, R_rho*nu, eta*x1 + x0, R_rho*theta, kappa*x1 + x2, R_nu*theta - R_theta*nu, -eta*x2 + kappa*x0
