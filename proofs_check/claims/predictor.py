"""The predictor: a self-attention layer read at [CLS], step by step, and its symmetries."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any

import sympy
from sympy import Eq, Expr, Function, Integer, Matrix, MatrixSymbol, Symbol, erf, sqrt

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.judges.exact import Identity, Step, Steps
from theory.attention import key_vector, predictor, read_at_cls, reflected, value_vector
from theory.symbols import lam

SOURCE = "section 3"
HERE = "this toolkit"
TOKENS, DIMENSION, HEAD = 2, 3, 2


class f(Function):
    """Any activation: algebra knows nothing of it. Where a counterexample needs a number it is exp(sin x)."""

    nargs = 1

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> Any:
        return sympy.exp(sympy.sin(self.args[0]))._eval_evalf(prec)


@cache
def matrix(name: str, rows: int, columns: int) -> Matrix:
    """A matrix of free real symbols."""
    return Matrix(rows, columns, lambda i, j: Symbol(f"{name}{i + 1}{j + 1}", real=True))


def attention(x: Expr) -> Expr:
    """The erf activation."""
    return erf(lam * x)


X = matrix("x", TOKENS, DIMENSION)
CLS = matrix("h", DIMENSION, 1)
KEY, VALUE = matrix("k", DIMENSION, 1), matrix("v", DIMENSION, 1)
AXIS = matrix("a", DIMENSION, 1)


def for_any_size(order: int = 1) -> tuple[Any, ...]:
    """A token's score and read value as products of matrices, for symbolic sizes, and through k and v."""
    d, p, q = sympy.symbols("d p q", integer=True, positive=True)
    cls, x = MatrixSymbol("h", d, 1), MatrixSymbol("x", d, 1)
    W_Q, W_K = (MatrixSymbol(name, d, p) for name in ("W_Q", "W_K")[::order])
    W_V, o = MatrixSymbol("W_V", d, q), MatrixSymbol("o", q, 1)
    k = MatrixSymbol("W_K", d, p) * MatrixSymbol("W_Q", d, p).T * cls
    return ("score", (cls.T * W_Q) * (x.T * W_K).T, k.T * x), ("value", (x.T * W_V) * o, x.T * (W_V * o))


def prove_for_any_size(subject: tuple[Any, ...], context: Context) -> Iterator[Step]:
    """Products of matrices are associative, and (A B)^T = B^T A^T."""
    for name, layer, vectors in subject:
        yield Step(f"the {name} of a token", bool(layer.doit() == vectors.doit()))


def reduction(own: int = 1) -> Eq:
    """The read [CLS] row against the predictor's sum and [CLS]'s own term."""
    W_Q, W_K = matrix("q", DIMENSION, HEAD), matrix("p", DIMENSION, HEAD)
    W_V, o = matrix("w", DIMENSION, DIMENSION), matrix("o", DIMENSION, 1)
    k, v = key_vector(CLS, W_Q, W_K), value_vector(W_V, o)
    layer = read_at_cls(CLS.T.col_join(X), W_Q, W_K, W_V, o, f)
    vectors = predictor(X, k, v, f) + own * predictor(CLS.T, k, v, f)
    return Eq(*(side.replace(f, lambda x: f(sympy.expand(x))) for side in (layer, vectors)), evaluate=False)


def orthogonal_to_cls(vector: Matrix) -> Matrix:
    """The vector less its part along [CLS]."""
    return vector - CLS * (CLS.T * vector)[0] / (CLS.T * CLS)[0]


def own_term(project: bool = True) -> tuple[Eq, ...]:
    """[CLS]'s own term where v is orthogonal to [CLS], and where k is and the activation odd."""
    along = orthogonal_to_cls if project else sympy.Matrix
    values, keys = predictor(CLS.T, KEY, along(VALUE), f), predictor(CLS.T, along(KEY), VALUE, attention)
    return tuple(Eq(_inside(term), 0, evaluate=False) for term in (values, keys))


def _inside(expression: Expr) -> Expr:
    """Arguments of activations over a common denominator."""
    return expression.replace(erf, lambda x: erf(sympy.cancel(sympy.together(x))))


def rank_one(power: int = 2) -> tuple[Eq, ...]:
    """With W_Q = [CLS] / |[CLS]|^2 and W_K = k, of one column, any k; and a change of basis in the head."""
    W_Q = CLS / sqrt((CLS.T * CLS)[0]) ** power
    W_Q2, W_K2 = matrix("q", DIMENSION, HEAD), matrix("p", DIMENSION, HEAD)
    G = matrix("g", HEAD, HEAD)
    changed = key_vector(CLS, W_Q2 * G, W_K2 * G.inv().T)
    pairs = [(key_vector(CLS, W_Q, KEY), KEY), (changed, key_vector(CLS, W_Q2, W_K2))]
    return tuple(Eq(a, b, evaluate=False) for left, right in pairs for a, b in zip(left, right, strict=True))


def scales(free_value: bool = True) -> Eq:
    """Lengths of k and v: that of k is lam, that of v a factor of the output."""
    c, s = sympy.symbols("c s", positive=True)
    factor = s if free_value else Integer(1)
    scaled = predictor(X, c * KEY, s * VALUE, lambda x: f(sympy.expand(lam * x)))
    unit = predictor(X, KEY, VALUE, lambda x: f(sympy.expand(lam * c * x)))
    return Eq(scaled, factor * unit, evaluate=False)


def order_of_tokens(keep: int = TOKENS) -> tuple[Eq, ...]:
    """The same for every order of the tokens."""
    orders = permutations(range(TOKENS))
    base = predictor(X, KEY, VALUE, f)
    return tuple(
        Eq(
            base,
            predictor(X.extract(list(order)[:keep], list(range(DIMENSION))), KEY, VALUE, f),
            evaluate=False,
        )
        for order in orders
    )


def signs(even: bool = False) -> tuple[Eq, ...]:
    """(-k, -v) gives the same predictor for an odd activation, (k, -v) the negated one."""
    activation = (lambda x: attention(x) ** 2) if even else attention
    base = predictor(X, KEY, VALUE, activation)
    return (
        Eq(predictor(X, -KEY, -VALUE, activation), base, evaluate=False),
        Eq(predictor(X, KEY, -VALUE, activation), -base, evaluate=False),
    )


def rotations(also_value: bool = True) -> Eq:
    """Reflecting tokens, k and v in one hyperplane changes nothing."""
    rows = [reflected(X.row(i).T, AXIS).T for i in range(TOKENS)]
    tokens = Matrix.vstack(*rows)
    v = reflected(VALUE, AXIS) if also_value else VALUE

    def activation(x: Expr) -> Expr:
        return f(sympy.cancel(sympy.together(x)))

    turned = predictor(tokens, reflected(KEY, AXIS), v, activation)
    return Eq(turned, predictor(X, KEY, VALUE, activation), evaluate=False)


def claims() -> list[Claim]:
    """The reduction, then the symmetries."""
    return [
        Claim(
            id="predictor.any-size",
            statement=r"For all sizes, a token's score in the [CLS] row is $\langle x, k \rangle$ with $k = W_K W_Q^T x_{CLS}$ "
            r"and its read value $\langle x, v \rangle$ with $v = W_V o$.",
            subject=for_any_size,
            formula=lambda: tuple(Eq(left, right, evaluate=False) for _, left, right in for_any_size()),
            source=SOURCE,
            judges=(Steps(prove_for_any_size),),
            mutants=(Mutant("W_Q and W_K exchanged", lambda: for_any_size(-1)),),
            derivation=inspect.cleandoc(prove_for_any_size.__doc__ or ""),
        ),
        Claim(
            id="predictor.reduction",
            statement=r"The [CLS] row of one attention head, softmax replaced by any activation $f$ entry by entry and "
            r"read by a vector $o$, is $\sum_l f(\langle X_l, k \rangle) \langle X_l, v \rangle$ plus [CLS]'s own term "
            r"$f(\langle x_{CLS}, k \rangle) \langle x_{CLS}, v \rangle$.",
            subject=reduction,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("without the own term", lambda: reduction(0)),),
            depends_on=("predictor.any-size",),
            derivation="Written out for two tokens in three dimensions and a head of two: the sum over tokens is the product "
            "with the value matrix, term by term.",
        ),
        Claim(
            id="predictor.own-term",
            statement=r"[CLS]'s own term vanishes if $v$ is orthogonal to [CLS], or if $k$ is and the activation is odd "
            r"(or if [CLS] is masked): a hypothesis of the reduction to $T$.",
            subject=own_term,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("any k and v", lambda: own_term(False)),),
            depends_on=("predictor.reduction",),
        ),
        Claim(
            id="predictor.rank-one",
            statement=r"A head of one dimension suffices: every $k$ comes from $W_Q = x_{CLS}/|x_{CLS}|^2$, $W_K = k$; and "
            r"$k$ is the same after $W_Q \to W_Q G$, $W_K \to W_K G^{-T}$.",
            subject=rank_one,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("|CLS| for |CLS|^2", lambda: rank_one(1)),),
            depends_on=("predictor.any-size",),
        ),
        Claim(
            id="predictor.scales",
            statement=r"The length of $k$ can be absorbed in $\lambda$; that of $v$ is a factor of the output, so that "
            r"$|v| = 1$ is a restriction.",
            subject=scales,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("the length of v absorbed too", lambda: scales(False)),),
        ),
        Claim(
            id="predictor.permutations",
            statement=r"The predictor does not depend on the order of the tokens.",
            subject=order_of_tokens,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("a token left out", lambda: order_of_tokens(TOKENS - 1)),),
        ),
        Claim(
            id="predictor.signs",
            statement=r"$T^{-k,-v} = T^{k,v}$, since the activation is odd, and $T^{k,-v} = -T^{k,v}$.",
            subject=signs,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("an even activation", lambda: signs(True)),),
        ),
        Claim(
            id="predictor.rotations",
            statement=r"$T^{Qk,Qv}(QX_1, \dots, QX_L) = T^{k,v}(X_1, \dots, X_L)$ for every orthogonal $Q$: shown for "
            r"reflections, which generate the orthogonal group.",
            subject=rotations,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("v not turned", lambda: rotations(False)),),
        ),
    ]
