"""SciPy's statistics: moments, means, scores, entropy, correlation, and distributions."""

from tombacx.scipy.stats._associations import chatterjeexi, siegelslopes, theilslopes, weightedtau
from tombacx.scipy.stats._binned import binned_statistic, binned_statistic_2d, binned_statistic_dd, cumfreq, relfreq
from tombacx.scipy.stats._circular import circmean, circstd, circvar, directional_stats
from tombacx.scipy.stats import contingency
from tombacx.scipy.stats._contingency import chi2_contingency, fisher_exact, tiecorrect
from tombacx.scipy.stats._contingency_measures import somersd
from tombacx.scipy.stats._count_tests import binomtest, median_test, page_trend_test, quantile_test
from tombacx.scipy.stats._distances import energy_distance, wasserstein_distance
from tombacx.scipy.stats._families import *  # noqa: F403
from tombacx.scipy.stats._families_bounded import *  # noqa: F403
from tombacx.scipy.stats._families_integrals import *  # noqa: F403
from tombacx.scipy.stats._families_line import *  # noqa: F403
from tombacx.scipy.stats._families_mixed import *  # noqa: F403
from tombacx.scipy.stats._families_positive import *  # noqa: F403
from tombacx.scipy.stats._families_whole import *  # noqa: F403
from tombacx.scipy.stats._fit_tests import anderson, cramervonmises, epps_singleton_2samp, probplot
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
from tombacx.scipy.stats._kde import gaussian_kde
from tombacx.scipy.stats._moments import describe, kstat, kstatvar, kurtosis, moment, sem, skew, variation
from tombacx.scipy.stats._multivariate import (
    multivariate_normal,
    multivariate_t,
    ortho_group,
    special_ortho_group,
    uniform_direction,
    unitary_group,
)
from tombacx.scipy.stats._multivariate_counts import dirichlet, dirichlet_multinomial, multinomial
from tombacx.scipy.stats._order_estimates import differential_entropy, lmoment
from tombacx.scipy.stats._quantiles import expectile, percentileofscore, quantile, scoreatpercentile
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
from tombacx.scipy.stats._resampling import (
    MonteCarloMethod,
    PermutationMethod,
    bootstrap,
    monte_carlo_test,
    permutation_test,
    power,
)
from tombacx.scipy.stats._spread_tests import alexandergovern, ansari, cramervonmises_2samp, mood, shapiro
from tombacx.scipy.stats._survival import ecdf
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
from tombacx.scipy.stats._transforms import boxcox, boxcox_normmax, yeojohnson, yeojohnson_llf, yeojohnson_normmax
from tombacx.scipy.stats._trimmed import sigmaclip, tmax, tmean, tmin, trim1, trimboth, tsem, tstd, tvar
from tombacx.scipy.stats._two_by_two import barnard_exact, boschloo_exact, poisson_means_test
from tombacx.scipy.stats._typical import gmean, gstd, hmean, iqr, pmean, trim_mean
from tombacx.scipy.stats._variances import bartlett, fligner, levene, obrientransform

__all__ = [
    "MonteCarloMethod", "PermutationMethod", "alexandergovern", "alpha", "anderson", "anglit", "ansari", "arcsine",
    "argus", "barnard_exact", "bartlett", "bernoulli", "beta", "betabinom", "betaprime", "binned_statistic",
    "binned_statistic_2d", "binned_statistic_dd", "binom", "binomtest", "boltzmann", "bootstrap", "boschloo_exact",
    "boxcox", "boxcox_llf", "boxcox_normmax", "bradford", "brunnermunzel", "burr", "burr12", "cauchy", "chatterjeexi",
    "chi", "chi2", "chi2_contingency", "chisquare", "circmean", "circstd", "circvar", "combine_pvalues",
    "contingency", "cosine", "cramervonmises", "cramervonmises_2samp", "crystalball", "cumfreq", "describe", "dgamma",
    "differential_entropy", "directional_stats", "dirichlet", "dirichlet_multinomial", "dlaplace", "dpareto_lognorm",
    "dweibull", "ecdf", "energy_distance", "entropy", "epps_singleton_2samp", "erlang", "expectile", "expon",
    "exponnorm", "exponpow", "exponweib", "f", "f_oneway", "false_discovery_control", "fatiguelife", "fisher_exact",
    "fisk", "fligner", "foldcauchy", "foldnorm", "friedmanchisquare", "gamma", "gaussian_kde", "genexpon",
    "genextreme", "gengamma", "genhalflogistic", "genhyperbolic", "geninvgauss", "genlogistic", "gennorm",
    "genpareto", "geom", "gibrat", "gmean", "gompertz", "gstd", "gumbel_l", "gumbel_r", "gzscore", "halfcauchy",
    "halfgennorm", "halflogistic", "halfnorm", "hmean", "hypergeom", "hypsecant", "invgamma", "invgauss",
    "invweibull", "iqr", "jarque_bera", "jf_skew_t", "johnsonsb", "johnsonsu", "kappa3", "kappa4", "kendalltau",
    "kruskal", "ks_1samp", "ks_2samp", "kstat", "kstatvar", "kstest", "kstwobign", "kurtosis", "kurtosistest",
    "laplace", "laplace_asymmetric", "levene", "levy", "levy_l", "linregress", "lmoment", "loggamma", "logistic",
    "loglaplace", "lognorm", "logser", "loguniform", "lomax", "mannwhitneyu", "maxwell", "median_abs_deviation",
    "median_test", "mielke", "mode", "moment", "monte_carlo_test", "mood", "moyal", "multinomial",
    "multivariate_normal", "multivariate_t", "nakagami", "nbinom", "ncf", "nchypergeom_fisher", "nct", "ncx2",
    "nhypergeom", "norm", "normaltest", "norminvgauss", "obrientransform", "ortho_group", "page_trend_test", "pareto",
    "pearson3", "pearsonr", "percentileofscore", "permutation_test", "planck", "pmean", "pointbiserialr", "poisson",
    "poisson_means_test", "power", "power_divergence", "powerlaw", "powerlognorm", "powernorm", "probplot",
    "quantile", "quantile_test", "randint", "rankdata", "ranksums", "rayleigh", "rdist", "recipinvgauss",
    "reciprocal", "rel_breitwigner", "relfreq", "rice", "scoreatpercentile", "sem", "semicircular", "shapiro",
    "siegelslopes", "sigmaclip", "skellam", "skew", "skewcauchy", "skewnorm", "skewtest", "somersd", "spearmanr",
    "spearmanrho", "special_ortho_group", "t", "theilslopes", "tiecorrect", "tmax", "tmean", "tmin", "trapezoid",
    "triang", "trim1", "trim_mean", "trimboth", "truncexpon", "truncnorm", "truncpareto", "truncweibull_min", "tsem",
    "tstd", "ttest_1samp", "ttest_ind", "ttest_ind_from_stats", "ttest_rel", "tukeylambda", "tvar", "uniform",
    "uniform_direction", "unitary_group", "variation", "vonmises", "vonmises_line", "wald", "wasserstein_distance",
    "weibull_max", "weibull_min", "weightedtau", "wilcoxon", "wrapcauchy", "yeojohnson", "yeojohnson_llf",
    "yeojohnson_normmax", "yulesimon", "zipf", "zipfian", "zmap", "zscore",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
