"""Off the manifold: every orbit on the spheres converges, and almost none to a critical point that is a strict saddle."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Abs, Expr, exp, sqrt

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.cited import Cited, Hypothesis
from proofs_check.judges.exact import Step, Steps
from theory.risk import excess_risk
from theory.special import zeta
from theory.symbols import OVERLAPS, kappa

SPHERES = "product of two spheres"

LOJASIEWICZ = Cited(
    theorem="Lojasiewicz's theorem: a bounded orbit of the gradient flow of an analytic function converges "
    "to a single critical point; "
    "so do the iterates of a descent method with sufficient decrease (Absil, Mahony and Andrews)",
    reference="Lojasiewicz, Colloques du CNRS 117, 1963; Absil, Mahony and Andrews, SIAM J. Optim. 16, "
    "2005, theorem 3.2",
    hypotheses=(
        Hypothesis("analytic", claim="off-manifold.analytic"),
        Hypothesis("sufficient decrease", claim="step-size.anywhere"),
        Hypothesis("bounded", test=lambda space: space == SPHERES),
    ),
)

SADDLES = Cited(
    theorem="Centre-stable manifold theorem for flows: the starts whose orbits converge to critical points "
    "with a direction of negative "
    "curvature are a set of measure zero",
    reference="Shub, Global Stability of Dynamical Systems, Springer 1987, theorem III.7; Panageas and "
    "Piliouras, ITCS 2017",
    hypotheses=(
        Hypothesis("smooth flow on a compact manifold", claim="off-manifold.analytic"),
        Hypothesis("every orbit converges", claim="off-manifold.limit"),
        Hypothesis("negative curvature at the optimum", claim="stability.condition"),
    ),
)


def analytic_steps(function: Expr, _: Context) -> Iterator[Step]:
    """Every node of the expression that contains an overlap is an entire function of its arguments."""
    nodes = [node for node in sympy.preorder_traversal(function) if node.has(*OVERLAPS)]
    kinds = sorted({_kind(node) for node in nodes})
    wrong = [str(node) for node in nodes if not _entire(node)]
    yield Step("it is composed of entire functions", not wrong, ", ".join(wrong) or ", ".join(kinds))
    yield Step(
        "the scale of every zeta is constant",
        not any(node.args[1].has(*OVERLAPS) for node in function.atoms(zeta)),
    )


def _kind(node: Expr) -> str:
    return "overlap" if node in OVERLAPS else type(node).__name__


def _entire(node: Expr) -> bool:
    if node.is_Pow:
        return bool(node.args[1].is_Integer and node.args[1] >= 0)
    return node in OVERLAPS or node.is_Add or node.is_Mul or isinstance(node, exp | sympy.erf | zeta)


def claims() -> list[Claim]:
    return [
        Claim(
            id="off-manifold.analytic",
            statement="The risk is an entire function of the five overlaps, so it is real-analytic on the "
            "product of the two spheres.",
            subject=excess_risk,
            source="this toolkit",
            judges=(Steps(analytic_steps),),
            mutants=(
                Mutant("an absolute value", lambda: excess_risk() + Abs(kappa)),
                Mutant("a root", lambda: excess_risk() + sqrt(1 - kappa**2)),
            ),
            variables=ADMISSIBLE,
            depends_on=("risk.five-overlaps", "gaussian.zeta"),
            derivation="$\\zeta(t, g)$ at fixed $g$ is entire in $t$: Owen's integral runs over a bounded "
            "interval.",
        ),
        Claim(
            id="off-manifold.limit",
            statement="From every start on the spheres the gradient flow, and projected gradient descent "
            "with $s < 2 / K$ (step-size.anywhere), converges to "
            "a single critical point of the risk.",
            subject=lambda: LOJASIEWICZ.applied(bounded=SPHERES),
            source="this toolkit",
            judges=(LOJASIEWICZ,),
            mutants=(
                Mutant(
                    "smooth for analytic",
                    lambda: LOJASIEWICZ.applied(bounded=SPHERES, analytic="manifold.closure"),
                ),
                Mutant("on all of space", lambda: LOJASIEWICZ.applied(bounded="R^d")),
            ),
            depends_on=LOJASIEWICZ.requires,
            derivation="By step-size.descent the decrease is at least $(1 - s K / 2) \\sum |g_i| \\arctan(s "
            "|g_i|)$ and the step has the length of the "
            "arctangents; $\\arctan(s g) \\ge c s g$ as gradients are bounded, so the decrease is at least "
            "a multiple of gradient times step.",
        ),
        Claim(
            id="off-manifold.saddles",
            statement="Where $D h < N^2$ (stability.condition) the optimum attracts almost no start on the "
            "spheres, though it attracts almost half of $M$: "
            "the convergence of Theorem 5 does not survive perturbations that leave $M$. For example $d = "
            "400$, $L = 10$, $\\gamma^2 = 1/2$, $\\lambda = 0.9$.",
            subject=lambda: SADDLES.applied(),
            source="this toolkit",
            judges=(SADDLES,),
            mutants=(
                Mutant(
                    "sink for saddle",
                    lambda: SADDLES.applied(negative_curvature_at_the_optimum="stability.safe-lambda"),
                ),
                Mutant("no convergence", lambda: SADDLES.applied(every_orbit_converges="convergence.flow")),
            ),
            depends_on=(*SADDLES.requires, "stability.unstable", "convergence.flow"),
        ),
    ]
