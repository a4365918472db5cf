"""Writes numerics/generated/ from theory/: `python -m proofs_check.generate`.

Two kinds of source come out of the same expressions: Numba kernels in double precision, and closed forms that
take a table F of functions, so that mpmath and interval arithmetic evaluate exactly what theory/ derived.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sympy import Add, Expr, Symbol, expand, expand_mul, factor, factor_terms

from proofs_check import landscape_source
from proofs_check.source import DOUBLE, JIT, PARAMETERS, TABLE, Routine, listing, plain, split
from theory import high_dimension, sgd
from theory import symbols as s
from theory.decomposition import decomposition, hermite_tail
from theory.flow import gradient_flow, partial_derivatives, riemannian_gradient
from theory.frame import FREE, in_frame
from theory.risk import excess_risk
from theory.special import zeta

FOLDER = Path(__file__).parents[1] / "numerics" / "generated"
HEADER = '"""Generated from theory/ by `python -m proofs_check.generate`; do not edit."""\n'
PARTIALS = tuple(Symbol(f"R_{overlap.name}", real=True) for overlap in s.OVERLAPS)


def kernel_risk() -> list[str]:
    """The excess risk by its non-negative terms, and the magnitude of what cancels within them."""
    d = decomposition()
    bias, slope = (Add.make_args(expand_mul(term)) for term in (d.bias, d.slope))
    curvature, orthogonal = d.curvature.args, d.orthogonal.args[-1].args
    inputs = [*bias, *slope, d.orthogonal, s.gamma**2, d.gate, d.noise, *curvature, *orthogonal]

    def wrap(results: Sequence[Expr]) -> str:
        text = [DOUBLE.doprint(r) for r in results]
        biases, text = text[: len(bias)], text[len(bias) :]
        slopes, text = text[: len(slope)], text[len(slope) :]
        (term, square, gate, noise), tail, residual = text[:4], ", ".join(text[4:8]), ", ".join(text[8:])
        return "\n".join(
            [
                f"    bias = {' + '.join(biases)}",
                f"    slope = {' + '.join(slopes)}",
                f"    bias_magnitude = {' + '.join(f'abs({b})' for b in biases)}",
                f"    slope_magnitude = {' + '.join(f'abs({b})' for b in slopes)}",
                f"    partial = bias**2 + slope**2 + {term} + {gate} + {noise}",
                f"    curvature, curvature_magnitude = hermite_tail({tail}, partial)",
                "    value = partial + curvature",
                "    magnitude = 2*abs(bias)*bias_magnitude + 2*abs(slope)*slope_magnitude + value",
                f"    magnitude += {square}*residual_norm_magnitude({residual}) + curvature_magnitude",
                "    return value, magnitude",
            ]
        )

    doc = "Excess risk, and the sum of absolute values that its rounding error is a few eps times of."
    return split(Routine("excess_risk", s.OVERLAPS, inputs, doc), wrap)


def kernel_partials() -> list[str]:
    """Partial derivatives of the excess risk in the overlaps."""
    partials = partial_derivatives(excess_risk())
    results = [without_cancellation(partials[overlap]) for overlap in s.OVERLAPS]
    doc = "Partial derivatives of the excess risk in kappa, nu, theta, eta, rho."
    routine = Routine("partial_derivatives", s.OVERLAPS, results, doc)
    return split(routine, lambda r: f"    return {listing(r, DOUBLE)}")


def kernel_flow() -> str:
    """Time derivatives of the overlaps from the risk's partial derivatives."""
    velocity = gradient_flow(dict(zip(s.OVERLAPS, PARTIALS, strict=True)))
    results = [by_partials(velocity[overlap]) for overlap in s.OVERLAPS]
    doc = "Time derivatives of the overlaps under gradient flow, from the partial derivatives of the risk."
    return plain(Routine("overlap_velocity", (*s.OVERLAPS, *PARTIALS), results, doc), DOUBLE, decorator=JIT)


def by_partials(rate: Expr) -> Expr:
    """A rate with factored coefficients: (1 - nu) (1 + nu) keeps the digits of 1 - nu^2 as nu tends to 1."""
    return sum(factor(expand(rate).coeff(partial)) * partial for partial in PARTIALS)


def kernel_frame() -> str:
    """Riemannian gradients in coordinates, from the risk's partial derivatives."""
    partials = dict(zip(s.OVERLAPS, PARTIALS, strict=True))
    results = [c for of in ("k", "v") for c in in_frame(riemannian_gradient(of, partials))]
    doc = "Riemannian gradients in k and v, four coordinates each, from the partial derivatives of the risk."
    routine = Routine("frame_gradients", (*FREE, s.rho, *PARTIALS), results, doc)
    return plain(routine, DOUBLE, decorator=JIT)


def without_cancellation(expression: Expr) -> Expr:
    """zeta replaced by erf^2 plus the variance that is computed as a positive integral."""
    return expression.replace(lambda e: isinstance(e, zeta), lambda e: e.variance_form())


def sgd_limit() -> str:
    """What SGD in high dimension needs: moments given the score, the gradients' covariance, the velocity."""
    scored = (sgd.G, sgd.F, sgd.S)
    moments = [*sgd.ABOUT_INFORMATIVE.symbols.values(), *sgd.ABOUT_NOISE.symbols.values()]
    covariance = [Symbol(f"A_{p}{q}", real=True) for p, q in sgd.PAIRS]
    partials = dict(zip(s.OVERLAPS, PARTIALS, strict=True))
    velocity = high_dimension.limit_velocity(partials, dict(zip(sgd.PAIRS, covariance, strict=True)))
    errors = sgd.error_moments()
    routines = [
        Routine(
            "informative_moments",
            (*scored, *s.OVERLAPS, s.m, s.gamma),
            list(sgd.ABOUT_INFORMATIVE.integrands().values()),
            "Moments about the informative token given its score, in the order of theory.sgd.",
        ),
        Routine(
            "noise_moments",
            (*scored, s.rho),
            list(sgd.ABOUT_NOISE.integrands().values()),
            "Moments about a noise token given its score.",
        ),
        Routine(
            "error_moments",
            (*s.OVERLAPS, *PARAMETERS[:3]),
            [without_cancellation(moment) for moment in errors.values()],
            "First and second moments of the informative and of a noise token's error.",
        ),
        Routine(
            "gradient_covariance",
            (*moments, *errors, s.gamma, s.L, s.epsilon, sgd.batch),
            list(sgd.gradient_covariance().values()),
            "Covariance of the batch gradients in a direction outside the frame: kk, kv, vv.",
        ),
        Routine(
            "limit_velocity",
            (*s.OVERLAPS, *PARTIALS, *covariance, high_dimension.c),
            [velocity[overlap] for overlap in s.OVERLAPS],
            "Time derivatives of the overlaps under SGD as the dimension grows.",
        ),
    ]
    return "\n\n".join(plain(routine, DOUBLE, decorator=JIT) for routine in routines)


def tail_closed() -> str:
    """The curvature term in closed form; squares of erf drop out."""
    a, b = Symbol("a", real=True), Symbol("b", real=True)
    definition = without_cancellation(hermite_tail(s.t, s.g, a, b).definition())
    collected = expand_mul(definition).as_poly(a, b)
    result = sum(factor_terms(c) * a**i * b**j for (i, j), c in collected.terms())
    doc = "hermite_tail in closed form, see theory.decomposition."
    return plain(Routine("tail_closed", (s.t, s.g, a, b), [result], doc), DOUBLE, decorator=JIT)


def closed_forms() -> list[str]:
    """Excess risk and its partial derivatives for any table F of functions."""
    arguments = (*s.OVERLAPS, *PARAMETERS)
    partials = partial_derivatives(excess_risk())
    return [
        plain(Routine("excess_risk", arguments, [excess_risk()], "Excess risk."), TABLE, "F, "),
        plain(
            Routine(
                "partial_derivatives",
                arguments,
                [partials[o] for o in s.OVERLAPS],
                "Its partial derivatives.",
            ),
            TABLE,
            "F, ",
        ),
    ]


def sources() -> dict[str, str]:
    """Every generated file's name and text."""
    numba = f"{HEADER}\nimport math\n\nfrom numba import njit\n"
    special = "from numerics.special import erf_variance, residual_norm, residual_norm_magnitude\n"
    kernels = [*kernel_risk(), *kernel_partials(), kernel_flow(), kernel_frame()]
    return {
        "sgd_limit.py": f"{numba}\nfrom numerics.special import erf_variance\n\n\n{sgd_limit()}\n",
        "kernels.py": "\n\n".join([f"{numba}\n{special}from numerics.tail import hermite_tail\n", *kernels])
        + "\n",
        "tail_closed.py": f"{numba}\nfrom numerics.special import erf_variance\n\n\n{tail_closed()}\n",
        "closed_forms.py": "\n\n".join([HEADER, *closed_forms()]) + "\n",
        "landscape.py": "\n\n".join([HEADER, *landscape_source.routines()]) + "\n",
        "__init__.py": HEADER,
    }


def main() -> None:
    """Writes every generated file, each in one step."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in sources().items():
        temporary = FOLDER / f"{name}.tmp"
        temporary.write_text(text)
        os.replace(temporary, FOLDER / name)


if __name__ == "__main__":
    main()
