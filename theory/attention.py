"""From a self-attention layer read at its [CLS] row to the predictor sum_l erf(lam <X_l, k>) <X_l, v>.

One head with queries H W_Q, keys H W_K and values H W_V, H the rows of [CLS] and the tokens; the softmax is
replaced by an activation entry by entry, and the [CLS] row of the result is read by a vector o.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Matrix

Activation = Callable[[Expr], Expr]


def layer(H: Matrix, W_Q: Matrix, W_K: Matrix, W_V: Matrix, activation: Activation) -> Matrix:
    """activation(Q K^T) V: one row for each row of H."""
    scores = (H * W_Q) * (H * W_K).T
    return scores.applyfunc(activation) * (H * W_V)


def read_at_cls(H: Matrix, W_Q: Matrix, W_K: Matrix, W_V: Matrix, o: Matrix, activation: Activation) -> Expr:
    """The layer's first row, read by o."""
    return (layer(H, W_Q, W_K, W_V, activation) * o)[0]


def key_vector(cls: Matrix, W_Q: Matrix, W_K: Matrix) -> Matrix:
    """W_K W_Q^T cls: all that the scores of the [CLS] row depend on."""
    return W_K * W_Q.T * cls


def value_vector(W_V: Matrix, o: Matrix) -> Matrix:
    """W_V o: all that the read values depend on."""
    return W_V * o


def predictor(tokens: Matrix, k: Matrix, v: Matrix, activation: Activation) -> Expr:
    """sum_l activation(<X_l, k>) <X_l, v> over the rows of `tokens`."""
    rows = (tokens.row(i) for i in range(tokens.rows))
    return sum(activation((x * k)[0]) * (x * v)[0] for x in rows)


def reflected(x: Matrix, along: Matrix) -> Matrix:
    """Reflection of a column vector in the hyperplane orthogonal to another; these generate O(d)."""
    return x - 2 * along * (along.T * x)[0] / (along.T * along)[0]
