"""Whether what one signature accepts another accepts too: CuPy's as text, ours as inspect gives it."""

import inspect

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class _Word:
    """What a default is called: a name that stands for an object."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        return _Word(f"{self.name}.{name}")

    def __call__(self, *args):
        return _Word("...")


class _Words(dict):
    def __missing__(self, name):
        return _Word(name)


def parsed(text):
    """The inspect.Signature of a text whose defaults may be names of anything."""
    return inspect.signature(eval(f"lambda {text[1:-1]}: None", _Words(inf=float("inf"))))


_DTYPES = {"float": "float64", "int": "int64", "l": "int64", "numpy.float64": "float64", "numpy.float32": "float32",
           "float_": "float64", "q": "int64", "d": "float64", "f": "float32"}


def word(default):
    """A default as it is compared and printed: dtypes by one name, CuPy's modules by ours."""
    if isinstance(default, type):
        text = f"{default.__module__}.{default.__qualname__}".removeprefix("builtins.")
    elif inspect.ismodule(default):
        text = default.__name__
    elif isinstance(default, (_Word, str)):
        text = default.name if isinstance(default, _Word) else default
        text = {"cupy": "tombac"}.get(text, text)
    elif type(default).__name__ == "Constant":  # of kernels in Python
        text = repr(default.obj)
    else:
        text = repr(default)
    return _DTYPES.get(text, text)


def _by_name(parameters):
    return {p.name: p for p in parameters if p.kind not in STARS and p.kind is not inspect.Parameter.POSITIONAL_ONLY}


def _differences(theirs, own):
    """What a call that follows ``theirs`` would run into with ``own``: lists of parameters."""
    stars = {p.kind for p in own}
    positional = [p for p in own if p.kind in POSITIONAL]
    named = _by_name(own)
    for i, p in enumerate(theirs):
        if p.kind in STARS:
            if p.kind is inspect.Parameter.VAR_POSITIONAL and p.kind not in stars and not positional:
                yield f"no `*{p.name}`"
            continue
        here = positional[i] if p.kind in POSITIONAL and i < len(positional) else named.get(p.name)
        if here is None:
            if not (stars & set(STARS) if p.kind in POSITIONAL else inspect.Parameter.VAR_KEYWORD in stars):
                yield f"no `{p.name}`"
        elif p.kind in POSITIONAL and here.kind is inspect.Parameter.KEYWORD_ONLY:
            yield f"`{p.name}` by keyword only"
        elif here.name != p.name and p.kind is not inspect.Parameter.POSITIONAL_ONLY:
            yield f"`{p.name}` is named `{here.name}`" if p.name not in named else f"`{p.name}` is elsewhere"
        elif here.kind is inspect.Parameter.POSITIONAL_ONLY and p.kind is not inspect.Parameter.POSITIONAL_ONLY:
            yield f"`{p.name}` by position only"
        elif p.default is not p.empty and here.default is here.empty:
            yield f"`{p.name}` is required"
        elif p.default is not p.empty and word(p.default) != word(here.default):
            yield f"`{p.name}={word(here.default)}`, not `{word(p.default)}`"


def _additions(theirs, own):
    """(what ``own`` takes besides, what of that a call has to give)."""
    known = {p.name for p in theirs}
    more = [p for p in own if p.name not in known and p.kind not in STARS]
    if any(p.kind in STARS for p in theirs):  # which are spelled out
        return [], []
    return [p for p in more if p.default is not p.empty], [p for p in more if p.default is p.empty]


def _without_self(parameters):
    return parameters[1:] if parameters and parameters[0].name == "self" else parameters


def compare(theirs, own):
    """([differences], [names of parameters that ``own`` takes besides]) of a text and an inspect.Signature."""
    theirs, own = (_without_self(list(s.parameters.values())) for s in (parsed(theirs), own))
    differences = list(_differences(theirs, own))
    more, required = _additions(theirs, own)
    if not differences:
        differences = [f"`{p.name}` is required besides" for p in required]
    renamed = {text.rsplit("`", 2)[1] for text in differences if " is named " in text}
    return differences, [p.name for p in more if p.name not in renamed]
