"""Monte Carlo estimates with known errors: of risks, gradients, or any function of the tokens."""

from numerics.montecarlo.api import estimate, estimate_risk
from numerics.montecarlo.bayes import BayesFromConfusion, BayesFromPosterior
from numerics.montecarlo.engine import Progress
from numerics.montecarlo.estimate import Estimate
from numerics.montecarlo.expectation import Expectation
from numerics.montecarlo.laws import TokenLaw, Tokens
from numerics.montecarlo.plan import replay
from numerics.montecarlo.points import AntitheticPoints, RandomPoints, SobolPoints
from numerics.montecarlo.predictors import (
    AttentionPredictor,
    BayesPredictor,
    LinearPredictor,
    NullPredictor,
    predictor_risk,
)
from numerics.montecarlo.quantity import InvalidObservations, Observations, Quantity
from numerics.montecarlo.risk import Definition, RiskGradient, Scores, ThreeScores
from numerics.montecarlo.vectors import Vectors
from numerics.montecarlo.weights import AttentionWeights, PosteriorWeights

__all__ = [
    "AntitheticPoints",
    "AttentionPredictor",
    "AttentionWeights",
    "BayesFromConfusion",
    "BayesFromPosterior",
    "BayesPredictor",
    "Definition",
    "Estimate",
    "Expectation",
    "InvalidObservations",
    "LinearPredictor",
    "NullPredictor",
    "Observations",
    "PosteriorWeights",
    "Progress",
    "Quantity",
    "RandomPoints",
    "RiskGradient",
    "Scores",
    "SobolPoints",
    "ThreeScores",
    "TokenLaw",
    "Tokens",
    "Vectors",
    "estimate",
    "estimate_risk",
    "predictor_risk",
    "replay",
]
