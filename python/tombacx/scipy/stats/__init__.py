"""SciPy's statistics: moments, means, scores, entropy, correlation, and distributions."""

from tombacx.scipy.stats._families import *  # noqa: F403
from tombacx.scipy.stats._moments import describe, kurtosis, moment, sem, skew, variation
from tombacx.scipy.stats._ranks import median_abs_deviation, mode, rankdata, spearmanr
from tombacx.scipy.stats._relations import boxcox_llf, entropy, pearsonr, zmap, zscore
from tombacx.scipy.stats._tests import (
    chisquare,
    f_oneway,
    jarque_bera,
    kurtosistest,
    linregress,
    normaltest,
    skewtest,
    ttest_1samp,
    ttest_ind,
    ttest_rel,
)
from tombacx.scipy.stats._typical import gmean, gstd, hmean, iqr, pmean, trim_mean

__all__ = [
    "bernoulli", "beta", "binom", "boxcox_llf", "cauchy", "chi2", "chisquare", "describe", "entropy", "expon", "f",
    "f_oneway", "gamma", "geom", "gmean", "gstd", "gumbel_l", "gumbel_r", "halfnorm", "hmean", "iqr", "jarque_bera",
    "kurtosis", "kurtosistest", "laplace", "linregress", "logistic", "lognorm", "median_abs_deviation", "mode",
    "moment", "nbinom", "norm", "normaltest", "pareto", "pearsonr", "pmean", "poisson", "randint", "rankdata",
    "rayleigh", "sem", "skew", "skewtest", "spearmanr", "t", "trim_mean", "ttest_1samp", "ttest_ind", "ttest_rel",
    "uniform", "variation", "weibull_min", "zmap", "zscore",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
