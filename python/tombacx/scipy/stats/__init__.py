"""SciPy's statistics that are reductions: moments, means, scores, entropy, correlation."""

from tombacx.scipy.stats._moments import describe, kurtosis, moment, sem, skew, variation
from tombacx.scipy.stats._relations import boxcox_llf, entropy, pearsonr, zmap, zscore
from tombacx.scipy.stats._typical import gmean, hmean, iqr, trim_mean

__all__ = [
    "boxcox_llf", "describe", "entropy", "gmean", "hmean", "iqr", "kurtosis", "moment", "pearsonr", "sem", "skew",
    "trim_mean", "variation", "zmap", "zscore",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
