"""SciPy's statistics: moments, means, scores, entropy, correlation, and distributions."""

from tombacx.scipy.stats._families import *  # noqa: F403
from tombacx.scipy.stats._moments import describe, kurtosis, moment, sem, skew, variation
from tombacx.scipy.stats._relations import boxcox_llf, entropy, pearsonr, zmap, zscore
from tombacx.scipy.stats._typical import gmean, hmean, iqr, trim_mean

__all__ = [
    "bernoulli", "beta", "binom", "cauchy", "chi2", "expon", "f", "gamma", "geom", "gumbel_l", "gumbel_r", "halfnorm",
    "laplace", "logistic", "lognorm", "nbinom", "norm", "pareto", "poisson", "randint", "rayleigh", "t", "uniform",
    "weibull_min",
    "boxcox_llf", "describe", "entropy", "gmean", "hmean", "iqr", "kurtosis", "moment", "pearsonr", "sem", "skew",
    "trim_mean", "variation", "zmap", "zscore",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
