"""Says of a name that CuPy or NumPy has and tombac has not that this is so, rather than that there is no such name."""

from tombac._absent_names import MODULES, NAMES

_names = {module: frozenset(names.split()) for module, names in NAMES.items()}
_modules = frozenset(MODULES.split())
_WHY = "CuPy has it, tombac does not have it yet"

# What NumPy has and tombac will not have: why, and what to take.
_STRINGS = "NumPy has it, for strings; tombac's arrays are of numbers, truth values and records"
_DATES = "NumPy has it, for dates and times; tombac's arrays are of numbers, truth values and records"
_MATRICES = "NumPy has it and advises against it; take a two-dimensional array and @"
_RECORDS = "NumPy has it; take an array with a structured dtype, whose fields are a['name']"
_WIDER = "NumPy has it where the processor does; no GPU has numbers wider than float64"
_BUFFERS = "NumPy has it for the buffers of its loops; tombac's have none that could be set"
_ERRORS = "NumPy has it; tombac's functions do not report floating-point errors, which seterr and errstate say too"
_NUMPYS_OWN = "NumPy has it, about NumPy itself; show_config tells about tombac"
_FROM_NUMPY = {
    "bmat": _MATRICES, "asmatrix": _MATRICES, "matrix": _MATRICES,
    "rec": _RECORDS, "recarray": _RECORDS, "record": _RECORDS,
    "char": _STRINGS, "strings": _STRINGS, "chararray": _STRINGS,
    "busday_count": _DATES, "busday_offset": _DATES, "busdaycalendar": _DATES, "is_busday": _DATES, "isnat": _DATES,
    "datetime_as_string": _DATES, "datetime_data": _DATES,
    "longdouble": _WIDER, "clongdouble": _WIDER, "float128": _WIDER, "complex256": _WIDER,
    "getbufsize": _BUFFERS, "setbufsize": _BUFFERS, "seterrcall": _ERRORS, "geterrcall": _ERRORS,
    "frompyfunc": "NumPy has it, for arrays of objects; vectorize compiles a function for elements of numbers",
    "ma": "NumPy has it; take where, nan and the functions that leave NaN out, such as nanmean",
    "memmap": "NumPy has it; load(file, mmap_mode='r') reads from a mapped file, and asarray takes numpy.memmap",
    "nditer": "NumPy has it, to look at elements one by one; take ndenumerate, flat, or a kernel",
    "nested_iters": "NumPy has it, to look at elements one by one; take ndenumerate, flat, or a kernel",
    "core": _NUMPYS_OWN, "ctypeslib": _NUMPYS_OWN, "dtypes": _NUMPYS_OWN, "f2py": _NUMPYS_OWN,
    "get_include": _NUMPYS_OWN, "info": _NUMPYS_OWN, "show_runtime": _NUMPYS_OWN, "test": _NUMPYS_OWN,
    "sctypeDict": _NUMPYS_OWN, "little_endian": _NUMPYS_OWN,
}


def no_attribute(module, name):
    """The AttributeError for a name that a module does not have."""
    why = _WHY if name in _names.get(module, ()) else _FROM_NUMPY.get(name) if module == "tombac" else None
    text = f"module {module!r} has no attribute {name!r}"
    return AttributeError(f"{text}: {why}" if why else text, name=name)


def refuse_import(path):
    """ImportError where the module, or what ``from`` would take from a package, is not there yet."""
    package, _, name = path.rpartition(".")
    # By the package's name: the import system passes over what is not found by the name it looked for.
    if path in _modules:
        raise ModuleNotFoundError(f"No module named {path!r}: {_WHY}", name=package)
    if name in _names.get(package, ()):
        raise ImportError(f"cannot import name {name!r} from {package!r}: {_WHY}")
