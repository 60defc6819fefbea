"""SciPy's statistics: moments, means, scores, entropy, correlation, and distributions."""

from tombacx.scipy.stats._circular import circmean, circstd, circvar, directional_stats
from tombacx.scipy.stats._families import *  # noqa: F403
from tombacx.scipy.stats._frequencies import chisquare, power_divergence
from tombacx.scipy.stats._goodness import (
    combine_pvalues,
    false_discovery_control,
    ks_1samp,
    ks_2samp,
    kstest,
    pointbiserialr,
    ttest_ind_from_stats,
)
from tombacx.scipy.stats._moments import describe, kstat, kstatvar, kurtosis, moment, sem, skew, variation
from tombacx.scipy.stats._rank_tests import (
    brunnermunzel,
    friedmanchisquare,
    kendalltau,
    kruskal,
    mannwhitneyu,
    ranksums,
    wilcoxon,
)
from tombacx.scipy.stats._ranks import median_abs_deviation, mode, rankdata, spearmanr, spearmanrho
from tombacx.scipy.stats._relations import boxcox_llf, entropy, gzscore, pearsonr, zmap, zscore
from tombacx.scipy.stats._tests import (
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
from tombacx.scipy.stats._trimmed import sigmaclip, tmax, tmean, tmin, trim1, trimboth, tsem, tstd, tvar
from tombacx.scipy.stats._typical import gmean, gstd, hmean, iqr, pmean, trim_mean
from tombacx.scipy.stats._variances import bartlett, fligner, levene

__all__ = [
    "bartlett", "bernoulli", "beta", "binom", "boxcox_llf", "brunnermunzel", "cauchy", "chi2", "chisquare", "circmean",
    "circstd", "circvar", "combine_pvalues", "describe", "directional_stats", "entropy", "expon", "f", "f_oneway",
    "false_discovery_control", "fligner", "friedmanchisquare", "gamma", "geom", "gmean", "gstd", "gumbel_l",
    "gumbel_r", "gzscore", "halfnorm", "hmean", "iqr", "jarque_bera", "kendalltau", "kruskal", "ks_1samp", "ks_2samp",
    "kstat", "kstatvar", "kstest", "kurtosis", "kurtosistest", "laplace", "levene", "linregress", "logistic",
    "lognorm", "mannwhitneyu", "median_abs_deviation", "mode", "moment", "nbinom", "norm", "normaltest", "pareto",
    "pearsonr", "pmean", "pointbiserialr", "poisson", "power_divergence", "randint", "rankdata", "ranksums",
    "rayleigh", "sem", "sigmaclip", "skew", "skewtest", "spearmanr", "spearmanrho", "t", "tmax", "tmean", "tmin",
    "trim1", "trim_mean", "trimboth", "tsem", "tstd", "ttest_1samp", "ttest_ind", "ttest_ind_from_stats", "ttest_rel",
    "tvar", "uniform", "variation", "weibull_min", "wilcoxon", "zmap", "zscore",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
