"""Arguments of NumPy's functions, as the functions of the same names here take them: some of these have CuPy's names
for them, or CuPy's order."""

__all__ = ["dispatched_arguments"]

_NAMES = {
    "array_str": {"a": "arr"},
    "corrcoef": {"x": "a"},
    "cov": {"m": "a"},
    "delete": {"obj": "indices"},
    "ediff1d": {"ary": "arr"},
    "extract": {"arr": "a"},
    "flip": {"m": "a"},
    "fliplr": {"m": "a"},
    "flipud": {"m": "a"},
    "histogram": {"a": "x"},
    "intersect1d": {"ar1": "arr1", "ar2": "arr2"},
    "matrix_power": {"a": "M"},
    "matrix_rank": {"A": "M"},
    "rot90": {"m": "a"},
    "union1d": {"ar1": "arr1", "ar2": "arr2"},
}
_ORDER = {
    "histogram2d": ("x", "y", "bins", "range", "density", "weights"),
    "histogramdd": ("sample", "bins", "range", "density", "weights"),
}


def dispatched_arguments(name, args, named):
    """``args`` and ``named`` of a call of NumPy's function, for the function here."""
    if name in _ORDER:
        return (), dict(zip(_ORDER[name], args)) | named
    if name in ("i0", "sinc") and "x" in named:  # ufuncs here
        return (named["x"], *args), {key: value for key, value in named.items() if key != "x"}
    if name in ("argpartition", "partition") and named.get("order", 0) is None:
        return args, {key: value for key, value in named.items() if key != "order"}
    names = _NAMES.get(name)
    return args, named if names is None else {names.get(key, key): value for key, value in named.items()}
