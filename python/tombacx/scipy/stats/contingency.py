"""SciPy's functions of tables of frequencies.

>>> x, y = tombac.array([0, 1, 1]), tombac.array([2, 2, 4])
>>> tombacx.scipy.stats.contingency.crosstab(x, y).count
array([[1, 0],
       [1, 1]])
"""

from tombacx.scipy.stats._contingency import chi2_contingency, expected_freq, margins
from tombacx.scipy.stats._contingency_measures import association, crosstab, odds_ratio, relative_risk

__all__ = ["association", "chi2_contingency", "crosstab", "expected_freq", "margins", "odds_ratio", "relative_risk"]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
