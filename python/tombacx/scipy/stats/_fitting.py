"""Parameters of continuous distributions for which samples are most probable."""

import math

import tombac
from tombac._numpy import np
from tombacx.scipy._host import scipy_module

__all__ = [
    "Fitting", "fit_expon", "fit_halfnorm", "fit_laplace", "fit_lognorm", "fit_norm", "fit_pareto", "fit_rayleigh",
    "fit_uniform",
]

_FAR = 100 * math.log(np.finfo("d").max)  # what an element costs that is not possible


class Fitting:
    """What continuous distributions find: fit nnlf."""

    def nnlf(self, theta, x):
        """The negative logarithm of the likelihood of samples by parameters, shapes, loc and scale: an array."""
        return -self.logpdf(x, *theta).sum()

    def fit(self, data, *args, method="MLE", **kwds):
        """The parameters with which samples are most probable: a tuple of floats, shapes, loc and scale.

        Args:
            data: The samples, an array of any real dtype, all elements for one.
            args: Where the search for the shapes begins.
            method: 'MLE', or 'MM' for parameters by which the first moments are those of the samples.
            kwds: ``loc`` and ``scale``: where their search begins; ``f0``, ``f1``, ... or ``fix_`` and ``f`` with a
                name, ``floc`` and ``fscale``: parameters that are known.

        Where the answer has a formula it is used; elsewhere the least is found by Nelder's and Mead's method, SciPy's,
        whose steps are chosen on the host of sums that are computed on the device.
        """
        x = tombac.asarray(data).ravel()
        if x.dtype.kind not in "biuf" or x.size == 0:
            raise ValueError(f"{self.name}: real samples are expected, and at least one")
        x = x.astype("d", copy=False)
        if method.upper() not in ("MLE", "MM"):
            raise ValueError(f"{self.name}: method must be 'MLE' or 'MM', not {method!r}")
        least, greatest, total = tombac.stack([x.min(), x.max(), x.sum()]).tolist()
        if not (math.isfinite(least) and math.isfinite(greatest)):
            raise ValueError(f"{self.name}: samples must be finite")
        known, start = self._known(args, kwds)
        if all(name in known for name in (*self._shapes, "loc", "scale")):
            raise ValueError(f"{self.name}: all parameters are known")
        self._check_support(known, least, greatest)
        own = self._functions.get("fit")
        if own is not None and method.upper() == "MLE":
            found = own(x, least, greatest, total / x.size, known)
            if found is not None:
                return tuple(map(float, found))
        return self._searched(x, least, greatest, known, start, method.upper() == "MM")

    def _known(self, args, kwds):
        """Parameters that are known, and those from which the search begins, by name."""
        names, kwds = [*self._shapes, "loc", "scale"], dict(kwds)
        if len(args) > len(self._shapes) + 2:
            raise TypeError(f"{self.name}: too many arguments")
        start = dict(zip(names, map(float, args), strict=False))
        start.update({name: float(kwds.pop(name)) for name in names if name in kwds})
        known = {}
        for i, name in enumerate(names):
            spellings = [f"f{name}", f"fix_{name}", *([f"f{i}"] if name in self._shapes else [])]
            given = [kwds.pop(key) for key in spellings if key in kwds]
            given = [v for v in given if v is not None]
            if len(given) > 1:
                raise ValueError(f"{self.name}: {name} is known twice")
            if given:
                known[name] = float(given[0])
        if kwds:
            raise TypeError(f"{self.name}: no argument is called {sorted(kwds)[0]!r}")
        if known.get("scale", 1.0) <= 0:
            raise ValueError(f"{self.name}: fscale must be positive")
        return known, start

    def _check_support(self, known, least, greatest):
        if "loc" not in known or callable(self._support):
            return
        low, high = self._support
        scale = known.get("scale")
        if math.isfinite(low) and least < known["loc"] + low * (scale or 0 if low else 1):
            raise ValueError(f"{self.name}: samples are below what floc lets them be")
        if scale and math.isfinite(high) and greatest > known["loc"] + high * scale:
            raise ValueError(f"{self.name}: samples are above what floc and fscale let them be")

    def _begin(self, x, least, greatest, known, start):
        """All parameters, by the first two moments but for those that are given."""
        shapes = [start.get(name, known.get(name, 1.0)) for name in self._shapes]
        mean, deviation = tombac.stack([x.mean(), x.std()]).tolist()
        middle, variance = (float(v.item()) for v in self.stats(*shapes))
        if not (math.isfinite(middle) and math.isfinite(variance) and variance > 0):
            low, mid, high = tombac.percentile(x, tombac.array([25.0, 50.0, 75.0])).tolist()
            middle, mean = float(self.median(*shapes).item()), mid
            width = float((self.ppf(0.75, *shapes) - self.ppf(0.25, *shapes)).item())
            scale = (high - low) / width
        else:
            scale = deviation / math.sqrt(variance)
        scale = scale or 1.0
        loc = mean - scale * middle
        low, high = (float(v.item()) for v in self.support(*shapes))
        margin = (greatest - least) / 10
        if math.isfinite(low) and math.isfinite(high) and (least < loc + scale * low or greatest > loc + scale * high):
            scale = (greatest - least + 2 * margin) / (high - low)
            loc = least - margin - scale * low
        elif math.isfinite(low) and least <= loc + scale * low:
            loc = least - scale * low - margin
        elif math.isfinite(high) and greatest >= loc + scale * high:
            loc = greatest - scale * high + margin
        return [*shapes, start.get("loc", loc), start.get("scale", scale)]

    def _searched(self, x, least, greatest, known, start, by_moments):
        names = [*self._shapes, "loc", "scale"]
        theta = [known.get(name, value) for name, value in
                 zip(names, self._begin(x, least, greatest, known, start), strict=True)]
        free = [i for i, name in enumerate(names) if name not in known]
        wanted = [float((x**k).mean().item()) for k in range(1, len(free) + 1)] if by_moments else None

        def full(part):
            for i, value in zip(free, part, strict=True):
                theta[i] = float(value)
            return theta

        def cost(part):
            values = full(part)
            if not values[-1] > 0:
                return math.inf
            if by_moments:
                got = tombac.stack([self.moment(k + 1, *values) for k in range(len(free))]).tolist()
                return sum(((g - w) / (abs(w) + 1e-8)) ** 2 for g, w in zip(got, wanted, strict=True))
            logs = self.logpdf(x, *values)
            possible = tombac.isfinite(logs)
            total, bad = tombac.stack([tombac.where(possible, logs, 0.0).sum(),
                                       (~possible).sum().astype("d")]).tolist()
            return bad * _FAR - total if bad < x.size else math.inf

        minimize = scipy_module("scipy.optimize", f"{self.name}.fit").minimize
        found = minimize(cost, [theta[i] for i in free], method="Nelder-Mead",
                         options={"xatol": 1e-6, "fatol": 1e-6, "maxiter": 400 * len(free), "maxfev": 400 * len(free)})
        found = minimize(cost, found.x, method="Nelder-Mead",  # once more, from a new simplex
                         options={"xatol": 1e-8, "fatol": 1e-9, "maxiter": 400 * len(free), "maxfev": 400 * len(free)})
        return tuple(full(found.x))


# ---- formulas: loc and scale, after shapes, or None where the search is needed ---------------------------------------


def _root_mean_square(x, loc):
    return float(tombac.sqrt(tombac.square(x - loc).mean()).item())


def fit_norm(x, least, greatest, mean, known):
    loc = known.get("loc", mean)
    return loc, known.get("scale") or _root_mean_square(x, loc)


def fit_halfnorm(x, least, greatest, mean, known):
    loc = known.get("loc", least)
    return loc, known.get("scale") or _root_mean_square(x, loc)


def fit_expon(x, least, greatest, mean, known):
    loc = known.get("loc", least)
    return loc, known.get("scale") or mean - loc


def fit_rayleigh(x, least, greatest, mean, known):
    if "loc" not in known:
        return None
    return known["loc"], _root_mean_square(x, known["loc"]) / math.sqrt(2)


def fit_laplace(x, least, greatest, mean, known):
    loc = known["loc"] if "loc" in known else float(tombac.median(x).item())
    return loc, known.get("scale") or float(abs(x - loc).mean().item())


def fit_uniform(x, least, greatest, mean, known):
    if "scale" in known:
        if greatest - least > known["scale"]:
            raise ValueError("uniform: samples are further apart than fscale")
        return least - (known["scale"] - (greatest - least)) / 2, known["scale"]
    loc = known.get("loc", least)
    return loc, greatest - loc


def fit_lognorm(x, least, greatest, mean, known):
    if "loc" not in known or least <= known["loc"]:
        return None
    logs = tombac.log(x - known["loc"])
    middle = math.log(known["scale"]) if "scale" in known else float(logs.mean().item())
    return known.get("s") or _root_mean_square(logs, middle), known["loc"], known.get("scale") or math.exp(middle)


def fit_pareto(x, least, greatest, mean, known):
    if "loc" not in known:
        return None
    scale = known.get("scale") or least - known["loc"]
    logs = float(tombac.log((x - known["loc"]) / scale).mean().item())
    return known.get("b") or (1 / logs if logs else None) or math.inf, known["loc"], scale
