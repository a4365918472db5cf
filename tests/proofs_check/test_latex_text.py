"""Statements read well on a terminal."""

import pytest

from proofs_check.latex_text import formula_text, statement_text
from proofs_check.ledger import load


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{a + b}{c}", "(a + b)/c"),
        (r"\tfrac12 \lambda", "1/2 λ"),
        (r"\frac{1}{\sqrt{1 + 2\lambda^2\gamma^2}}", "1/√(1 + 2λ²γ²)"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\mathbb{E}\,\mathrm{erf}(t + gG)^2", "𝔼 erf(t + gG)²"),
        (r"\langle X_{J_0}, v^\star\rangle", "⟨X_J₀, v*⟩"),
        (r"\kappa' = 2\gamma^2 a", "κ′ = 2γ² a"),
        (r"\{1, \dots, L\}", "{1, …, L}"),
        (r"\|v\| \le 1", "‖v‖ ≤ 1"),
        (r"e^{-x^2}", "e^(-x²)"),
    ],
)
def test_formulas(latex, text):
    assert formula_text(latex) == text


def test_text_around_formulas_stays_as_it_is():
    assert statement_text(r"50% of $x$ cost \$5 & more") == "50% of x cost $5 & more"
    assert statement_text(r"odd: $\href{a}{b}$") == r"odd: $\href{a}{b}$"


def test_every_statement_of_the_project_becomes_text():
    for claim in load().values():
        for text in (claim.statement, claim.derivation):
            assert not {"$", "\\"} & set(statement_text(text)), claim.id
