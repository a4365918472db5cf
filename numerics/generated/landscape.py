"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""


def oracle_criterion(F, lam, m, gamma, L):
    """And its derivative in lam."""
    x0 = lam*m
    x1 = F.power(gamma, 2)
    x2 = F.power(lam, 2)
    x3 = 2*x2
    x4 = x1*x3
    x5 = x4 + 1
    x6 = F.sqrt(x5)
    x7 = 1/x6
    x8 = x0*x7
    x9 = F.erf(x8)
    x10 = F.sqrt(F.pi)
    x11 = 1/x10
    x12 = x3 + 1
    x13 = 1/F.sqrt(x12)
    x14 = x11*x13*x9
    x15 = 8*x1
    x16 = 1/x5
    x17 = F.power(m, 2)
    x18 = x17*x2
    x19 = x16*x18
    x20 = F.exp(-x19)
    x21 = x11*x20
    x22 = x21*x8
    x23 = F.power(gamma, 4)
    x24 = 8*x23
    x25 = F.power(lam, 3)
    x26 = 1/F.power(F.sqrt(x5), 3)
    x27 = m*x26
    x28 = x21*x27
    x29 = x25*x28
    x30 = 4*x2
    x31 = x1*x30
    x32 = x31 + 1
    x33 = F.sqrt(x32)
    x34 = 1/x33
    x35 = F.erf(x34*x8)
    x36 = 4*L*lam*m*x11*x13*x9 + 12*lam*m*x1*x11*x20*x35*x7 - 4*x0*x14 - x15*x22 - x24*x29
    x37 = 2*x17
    x38 = x1*x22
    x39 = 12*x38
    x40 = 4*x1
    x41 = x21*x40
    x42 = x41*x8
    x43 = x35*x42
    x44 = -x43
    x45 = 2*x1*x9 + x37*F.zeta(x0, gamma*lam) + x39 + x44
    x46 = 1/F.pi
    x47 = 1/x12
    x48 = x46*x47
    x49 = 16*x2
    x50 = x48*x49
    x51 = x2*x48
    x52 = x30 + 1
    x53 = 1/F.sqrt(x52)
    x54 = x50*x53
    x55 = F.power(L, 2)
    x56 = x1*x2
    x57 = x20*x46
    x58 = x57*x7
    x59 = x13*x58
    x60 = 16*x56*x59
    x61 = 16*x23*x29
    x62 = x35*x61
    x63 = 1/x32
    x64 = F.exp(-x19*x63)
    x65 = x57*x64
    x66 = x16*x65
    x67 = -24*L*x51 + L*x54 + L*x60 + x23*x34*x49*x66 + x42 + x44 + x50 + 8*x51*x55 - x54 - x60 + x61 - x62
    x68 = 64*x25
    x69 = 1/F.power(x12, 2)
    x70 = x46*x69
    x71 = x68*x70
    x72 = 1/F.power(F.sqrt(x52), 3)
    x73 = lam*x48
    x74 = 1/F.power(F.sqrt(x12), 3)
    x75 = m*x7
    x76 = x35*x41*x75
    x77 = 32*x1
    x78 = F.power(lam, 4)
    x79 = F.power(gamma, 6)
    x80 = 1/F.power(F.sqrt(x5), 5)
    x81 = 96*m*x21*x78*x79*x80
    x82 = lam*x16
    x83 = x17*x25
    x84 = 1/F.power(x5, 2)
    x85 = x40*x84
    x86 = -x37*x82 + x83*x85
    x87 = x61*x86
    x88 = x13*x57
    x89 = 32*x23*x25
    x90 = x23*x28
    x91 = x2*x90
    x92 = 1/F.power(F.sqrt(x32), 3)
    x93 = x68*x79
    x94 = 2*x63
    x95 = x17*x63
    x96 = x43*x86
    x97 = x27*x4
    x98 = m*x34*x7 - x31*x75*x92 - x34*x97
    x99 = x65*x98
    x100 = x15*x8*x99
    x101 = F.erf(x0/F.sqrt(x24*x78 + 6*x56 + 1))
    x102 = x21*x75
    x103 = m*x7 - x97
    x104 = x1*x102
    return -F.power(x36, 2) + x45*x67, -x36*(16*L*lam*m*x103*x13*x20*x46 + 8*L*m*x11*x13*x9 - L*m*x11*x49*x74*x9 + 24*lam*m*x1*x11*x20*x35*x7*x86 + 48*lam*m*x1*x20*x46*x64*x7*x98 + 24*m*x1*x11*x20*x35*x7 + 16*m*x11*x2*x74*x9 - 8*m*x14 - 16*x0*x103*x88 - 16*x104 - 48*x35*x91 - 16*x38*x86 - x49*x90 + x81 - x87) + x45*(32*L*lam*x1*x13*x20*x46*x7 + 32*L*lam*x46*x47*x53 + 16*L*x1*x13*x2*x20*x46*x7*x86 + 96*L*x25*x46*x69 - L*x25*x58*x74*x77 - L*x26*x88*x89 - L*x48*x68*x72 - L*x53*x71 - 48*L*x73 + 4*lam*m*x1*x11*x20*x7*x86 + 32*lam*x16*x20*x23*x34*x46*x64 + 16*lam*x46*x47*x55 + 32*lam*x46*x47 - lam*x59*x77 + 4*m*x1*x11*x20*x7 + 40*m*x11*x2*x20*x23*x26 + 96*m*x11*x20*x35*x78*x79*x80 + 32*x1*x20*x25*x46*x7*x74 - x100 + 32*x13*x20*x23*x25*x26*x46 + 16*x16*x2*x20*x23*x34*x46*x64*x86 + 16*x16*x2*x20*x23*x34*x46*x64*(x15*x16*x83/F.power(x32, 2) - x17*x82*x94 + x25*x85*x95) + 64*x25*x46*x47*x72 + 64*x25*x46*x53*x69 - 32*x25*x55*x70 - x27*x89*x99 - x34*x65*x84*x93 - 40*x35*x91 - 32*x53*x73 - x60*x86 - x62*x86 - x66*x92*x93 - x71 - x76 - x81 + x87 - x96) + x67*(-x100 + x103*x41 + 12*x104 + x2*x24*x28*x35 + x37*(lam*x15*x26*x34*(-F.pi*x0*x101*x33*F.exp(x3*x95) + x10*x6*F.exp(x19))*F.exp(-x18*(x16 + x94))/F.power(F.sqrt(F.pi), 3) + 4*x101*x102) + x39*x86 - x76 - 24*x91 - x96)

def swapped_criterion(F, lam, m, gamma, L):
    """And its derivative in lam."""
    x0 = 1/F.sqrt(F.pi)
    x1 = m*x0
    x2 = F.power(gamma, 2)
    x3 = F.power(lam, 2)
    x4 = 2*x3
    x5 = x2*x4
    x6 = x5 + 1
    x7 = x2/F.sqrt(x6)
    x8 = x1*x7
    x9 = F.power(lam, 3)
    x10 = F.power(gamma, 4)
    x11 = x10*x9
    x12 = 8*x11
    x13 = 1/F.power(F.sqrt(x6), 3)
    x14 = x1*x13
    x15 = 1/x6
    x16 = 8*x15*x2
    x17 = x15*x5
    x18 = F.asin(x17)
    x19 = 1/x18
    x20 = x4 + 1
    x21 = 1/F.sqrt(x20)
    x22 = x1*x21
    x23 = x19*x22
    x24 = x16*x23*x9
    x25 = F.sqrt(1 - x17)
    x26 = x17 + 1
    x27 = 1/F.sqrt(x26)
    x28 = x25*x27
    x29 = 16*x28
    x30 = L*x24 - 4*lam*x8 + x11*x14*x19*x29 + x12*x14 - x24
    x31 = 1/F.pi
    x32 = F.power(m, 2)
    x33 = x31*x32
    x34 = 4*x33
    x35 = 16*x3
    x36 = x15*x35
    x37 = 1/F.power(x6, 2)
    x38 = x19*x37
    x39 = F.power(lam, 4)
    x40 = x10*x39
    x41 = 8*x40
    x42 = x28*x33
    x43 = 1/F.power(x18, 2)
    x44 = x28*x43
    x45 = x32*x37*x41
    x46 = x10*x19*x36 + x16*x3*x42 - x18*x34 + x32*x38*x41 + x44*x45
    x47 = x31/x20
    x48 = x35*x47
    x49 = x3*x47
    x50 = 4*x3 + 1
    x51 = 1/F.sqrt(x50)
    x52 = x48*x51
    x53 = F.power(L, 2)
    x54 = x31*x7
    x55 = x21*x54
    x56 = x35*x55
    x57 = x10*x36
    x58 = x28*x31
    x59 = -24*L*x49 + L*x52 + L*x56 + x48 + 8*x49*x53 - x52 - x56 + x57*x58
    x60 = 64*x9
    x61 = x31/F.power(x20, 2)
    x62 = x60*x61
    x63 = lam*x47
    x64 = 32*x63
    x65 = x51*x64
    x66 = x61*x9
    x67 = x47*x60/F.power(F.sqrt(x50), 3)
    x68 = x51*x62
    x69 = 32*lam*x55
    x70 = 1/F.power(F.sqrt(x20), 3)
    x71 = 32*x70
    x72 = x54*x71*x9
    x73 = 32*x11
    x74 = x13*x21*x31*x73
    x75 = F.power(gamma, 6)
    x76 = x60*x75
    x77 = lam*x15
    x78 = 4*x37
    x79 = x11*x78 - 2*x2*x77
    x80 = x31*x57*x79
    x81 = 1/F.power(F.sqrt(x26), 3)
    x82 = 1/x25
    x83 = 1/F.sqrt(-x40*x78 + 1)
    x84 = 4*lam*x15*x2 - x12*x37
    x85 = x83*x84
    x86 = x19*x75
    x87 = 64*F.power(lam, 5)*x32/F.power(x6, 3)
    x88 = x43*x85
    x89 = x1*x39
    x90 = x89/F.power(F.sqrt(x6), 5)
    x91 = x15*x2
    return -F.power(x30, 2) + x46*x59, -x30*(48*L*m*x0*x15*x19*x2*x21*x3 - L*x19*x71*x89*x91 - 64*L*x22*x38*x40 - 16*L*x22*x88*x9*x91 + 96*m*x0*x10*x13*x19*x25*x27*x3 + 32*m*x0*x10*x13*x19*x25*x79*x81*x9 + 32*m*x0*x10*x13*x19*x27*x79*x82*x9 + 64*m*x0*x10*x13*x3 + 64*m*x0*x10*x19*x21*x37*x39 + 32*m*x0*x15*x19*x2*x39*x70 + 16*m*x0*x15*x2*x21*x43*x83*x84*x9 - x14*x28*x73*x88 - 48*x23*x3*x91 - 192*x28*x86*x90 - 96*x75*x90 - 8*x8) + x46*(-48*L*x63 + L*x65 + 96*L*x66 - L*x67 - L*x68 + L*x69 - L*x72 - L*x74 + 32*x10*x58*x77 + x25*x80*x81 + x27*x80*x82 - x37*x58*x76 + 16*x53*x63 - 32*x53*x66 - x62 + x64 - x65 + x67 + x68 - x69 + x72 + x74) + x59*(32*lam*x10*x15*x19 + 16*lam*x15*x2*x25*x27*x31*x32 + 32*x10*x19*x32*x37*x9 + 32*x10*x25*x27*x32*x37*x43*x9 + 8*x10*x25*x32*x37*x39*x43*x79*x81 + 8*x10*x27*x32*x37*x39*x43*x79*x82 + 8*x15*x2*x25*x3*x31*x32*x79*x81 + 8*x15*x2*x27*x3*x31*x32*x79*x82 - x34*x85 - x37*x42*x73 - x38*x76 - x44*x75*x87 - x45*x88 - x57*x88 - x86*x87 - x29*x32*x37*x40*x85/F.power(x18, 3))

def complete_swap_criterion(F, lam, m, gamma, L):
    """And its derivative in lam."""
    x0 = F.power(gamma, 2)
    x1 = lam*x0
    x2 = 2*F.power(lam, 2)
    x3 = x0*x2
    x4 = x3 + 1
    x5 = 1/F.sqrt(x4)
    x6 = F.sqrt(F.pi)
    x7 = 1/m
    x8 = 1/x4
    x9 = F.asin(x3*x8)
    x10 = 1/x9
    x11 = x10*x6*x7
    x12 = F.power(gamma, 4)
    x13 = x12/F.power(x4, 2)
    return x1*x11*x5 - 1, x0*x10*x5*x6*x7 - x1*x5*x6*x7*(-8*F.power(lam, 3)*x13 + 4*lam*x0*x8)/(F.power(x9, 2)*F.sqrt(-4*F.power(lam, 4)*x13 + 1)) - x11*x12*x2/F.power(F.sqrt(x4), 3)

def tie_criterion(F, lam, m, gamma, L):
    """And its derivative in lam."""
    x0 = F.power(gamma, 2)
    x1 = gamma*lam
    x2 = F.zeta(0, x1)
    x3 = lam*m
    x4 = F.power(lam, 2)
    x5 = 2*x0
    x6 = x4*x5
    x7 = x6 + 1
    x8 = F.sqrt(x7)
    x9 = 1/x8
    x10 = 1/x7
    x11 = F.asin(x10*x6)
    x12 = 1/x11
    x13 = F.power(gamma, 4)
    x14 = x13*x4
    x15 = 4*x10*x14
    x16 = 1/F.power(x11, 2)
    x17 = F.pi*x16*x2
    x18 = x10*x14
    x19 = x0*x4
    x20 = F.power(lam, 4)*x13
    x21 = F.erf(x3/F.sqrt(6*x19 + 8*x20 + 1))
    x22 = F.sqrt(F.pi)
    x23 = F.power(m, 2)*x4
    x24 = x10*x23
    x25 = 4*F.exp(-x24)/x22
    x26 = 1/F.power(F.sqrt(x7), 3)
    x27 = 4*x19 + 1
    x28 = F.sqrt(x27)
    x29 = 2/x27
    x30 = 1/x28
    x31 = 8*x30
    x32 = 8*x13
    x33 = lam*x10
    x34 = x32*x33
    x35 = F.power(gamma, 6)
    x36 = 1/F.power(x7, 2)
    x37 = F.power(lam, 3)
    x38 = x36*x37
    x39 = x35*x38
    x40 = 4*x36
    x41 = (4*lam*x0*x10 - x32*x38)/F.sqrt(-x20*x40 + 1)
    return x0*x2 - x0*F.zeta(x3, x1) - x12*x15 + x17*x18 + x5*F.erf(x3*x9), x0*x25*(-m*x26*x6 + m*x9) - x0*(lam*x0*x26*x31*(-F.pi*x21*x28*x3*F.exp(x23*x29) + x22*x8*F.exp(x24))*F.exp(-x23*(x10 + x29))/F.power(F.sqrt(F.pi), 3) + m*x21*x25*x9) - x12*x34 + 16*x12*x39 + 2*x13*x17*x33 + x15*x16*x41 + x16*x31*x39 - x17*x35*x37*x40 + x30*x34/F.pi - 2*F.pi*x18*x2*x41/F.power(x11, 3)

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

def manifold_factors(F, kappa, nu, lam, m, gamma):
    """Signs of the flow on M."""
    x0 = F.power(gamma, 2)*F.power(lam, 2)
    x1 = kappa*lam*m/F.sqrt(2*x0 + 1)
    return (1 - F.power(kappa, 2))*(nu - F.erf(x1/F.sqrt(4*x0 + 1))), (1 - F.power(nu, 2))*F.erf(x1)

def manifold_jacobian(F, kappa, nu, lam, m, gamma):
    """Row by row."""
    x0 = F.power(lam, 2)
    x1 = F.power(gamma, 2)*x0
    x2 = 4*x1 + 1
    x3 = 1/F.sqrt(x2)
    x4 = 2*x1 + 1
    x5 = lam*m/F.sqrt(x4)
    x6 = kappa*x5
    x7 = F.power(kappa, 2)
    x8 = 1 - x7
    x9 = F.power(m, 2)*x0*x7/x4
    x10 = 2*x5/F.sqrt(F.pi)
    return -2*kappa*(nu - F.erf(x3*x6)) - x10*x3*x8*F.exp(-x9/x2), x8, x10*(1 - F.power(nu, 2))*F.exp(-x9), -2*nu*F.erf(x6)

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
