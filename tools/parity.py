"""Writes docs/api-parity.md: what of CuPy's interface (tools/cupy_api.txt) is here, and which signatures differ.

    python tools/parity.py              writes the page
    python tools/parity.py --check      says, and exits with 1, when the page is not what it should be; also when a
                                        name is neither here nor in python/tombac/_absent_names.py, when a class has
                                        no member of that name, or a signature refuses what CuPy's takes, and
                                        ABSENT_MEMBERS or DIFFERENT do not say why; and when what they say has become
                                        untrue

Runs with the tombac that the environment imports.
"""

import importlib
import inspect
import re
import sys
import textwrap

import cupy_api
import signatures
from tombac import _absent_names

PAGE = cupy_api.FILE.parents[1] / "docs/api-parity.md"
HEAD = """\
# CuPy's interface, and what of it is here

Made by `tools/parity.py` from the public names of CuPy 14.2 and from tombac as it is. A name that is not there yet
raises an AttributeError, or an ImportError, that says so. Signatures are compared by what a call may give: a function
that takes more than CuPy's is no difference, and is listed with what it takes besides. Signatures of functions that
CuPy has in Cython are not known and not compared, nor are those of ufuncs, which are NumPy's.
"""

# Why a signature differs, by the name it has here.
DIFFERENT = {
    "tombac.array": "NumPy's name in the signature; `obj` is taken as well",
    "tombac.matmul": "`axis` and `keepdims` are for functions of vectors; a product of matrices has two core axes, and "
                     "CuPy refuses them, too",
    "tombac.linalg.matmul": "as `tombac.matmul`",
    "tombac.linalg.pinv": "NumPy 2's signature, which says what is given; 1e-15 if neither `rcond` nor `rtol` is",
    "tombac.reshape": "NumPy 2's name in its place; `newshape` is taken as well, by name",
    "tombacx.scipy.sparse.rand": "as `tombacx.scipy.sparse.random`",
    "tombacx.scipy.sparse.random": "SciPy's name in its place; `random_state` is taken as well, by name",
    "tombacx.scipy.sparse.linalg.eigsh": "SciPy's name of the matrix; `tol` is a number of any kind",
    "tombacx.scipy.sparse.linalg.minres": "`tol` is another name of SciPy's `rtol`",
    "tombacx.scipy.sparse.linalg.spilu": "SciPy's default, which means none",
    "tombacx.scipy.sparse.linalg.splu": "SciPy's default, which means none",
    "tombacx.scipy.sparse.linalg.svds": "as `tombacx.scipy.sparse.linalg.eigsh`",
    **{f"tombacx.scipy.interpolate.{name}.set_smoothing_factor": "SciPy's signature; its own fit knows the knots"
       for name in ("InterpolatedUnivariateSpline", "LSQUnivariateSpline", "UnivariateSpline")},
    **{f"tombacx.scipy.sparse.{name}_{kind}.astype": "SciPy's signature, in which `casting` is before `copy`"
       for name in ("coo", "csc", "csr", "dia") for kind in ("array", "matrix")},
    "tombac.linalg.matrix_transpose": "NumPy's signature; one function is `matrix_transpose` in both modules",
}

# Why a class has no such member: {class: {members: why}}; members are words, or "*" for all the class lacks.
ABSENT_MEMBERS = {
    "tombac.cuda.cub.cupy_cub_op": {"is_integer": "of Python's integers from 3.12 on"} if sys.version_info < (3, 12)
    else {},
    "tombac.ndarray": {
        "cstruct mdspan reduced_view": "for Cython code and kernels in C++ that CuPy compiles itself",
    },
    "tombac.random.MRG32k3a": {"generator": "cuRAND's number of the generator; every stream is Philox here"},
    "tombac.random.Philox4x3210": {"generator": "as of `MRG32k3a`"},
    "tombac.random.XORWOW": {"generator": "as of `MRG32k3a`"},
}


def imported(module):
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def signature_of(o):
    try:
        return inspect.signature(o)
    except (TypeError, ValueError):
        return None


def source_of(o):
    try:
        return inspect.getsource(o)
    except (TypeError, OSError):  # it is in C
        return ""


def compared(kind, text, o):
    """(differences, additions) of a function's or a method's signature; nothing where one is not known."""
    own = signature_of(o) if kind == "function" and text else None
    return signatures.compare(text, own) if own else ([], [])


def has_member(cls, name):
    """Whether a class has an attribute, or its instances do: those that its code sets."""
    return hasattr(cls, name) or any(re.search(rf"\bself\.{name}\b", source_of(c)) for c in cls.__mro__)


class Module:
    """What of one module of CuPy's is here."""

    def __init__(self, name, table):
        self.name, self.names, self.object = name, sorted(table), imported(name)
        self.here = [n for n in self.names if hasattr(self.object, n)]
        self.absent = [n for n in self.names if n not in self.here]
        self.lacking = {}  # {class: members}
        self.different, self.more = {}, {}  # {name: texts}, {name: parameters}
        for n in self.here:
            kind, text, members = table[n]
            self._compare(n, kind, text, getattr(self.object, n))
            self._compare_members(n, members, getattr(self.object, n))

    def _compare(self, name, kind, text, o):
        differences, more = compared(kind, text, o)
        if differences:
            self.different[name] = differences
        if more:
            self.more[name] = more

    def _compare_members(self, name, members, cls):
        lacking = [m for m in members if not has_member(cls, m)]
        if lacking:
            self.lacking[name] = lacking
        for m, (kind, text) in members.items():
            if m not in lacking and not name.startswith("NumpyAlias"):  # unittest's
                self._compare(f"{name}.{m}", kind, text, getattr(cls, m, None))


def explained(cls, member):
    return next((why for words, why in ABSENT_MEMBERS.get(cls, {}).items() if words == "*" or member in words.split()),
                None)


def findings(modules):
    """What --check complains of, but for the page itself."""
    gone, names = _absent_names.MODULES.split(), {m: n.split() for m, n in _absent_names.NAMES.items()}
    different, lacking = set(), set()
    for m in modules:
        if m.object is None:
            if m.names and m.name not in gone:
                yield f"{m.name} is neither here nor in _absent_names.py"
            continue
        for n in m.absent:
            if n not in names.get(m.name, ()):
                yield f"{m.name}.{n} is neither here nor in _absent_names.py: run tools/absent_names.py"
        for n, texts in m.different.items():
            different.add(f"{m.name}.{n}")
            if f"{m.name}.{n}" not in DIFFERENT:
                yield f"{m.name}.{n}: {', '.join(texts)}: mend it, or say why in DIFFERENT of tools/parity.py"
        for n, members in m.lacking.items():
            lacking |= {(f"{m.name}.{n}", member) for member in members}
            for member in members:
                if not explained(f"{m.name}.{n}", member):
                    yield f"{m.name}.{n} has no {member}: mend it, or say why in ABSENT_MEMBERS of tools/parity.py"
    for name in sorted(set(DIFFERENT) - different):
        yield f"{name} differs no longer: take it out of DIFFERENT in tools/parity.py"
    for cls, rows in ABSENT_MEMBERS.items():
        for words in rows:
            still = [m for c, m in lacking if c == cls and (words == "*" or m in words.split())]
            if not still:
                yield f"{cls} has {words}: take it out of ABSENT_MEMBERS in tools/parity.py"


# ---- the page --------------------------------------------------------------------------------------------------------


def paragraph(text):
    return "\n".join(textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)) + "\n"


def codes(names):
    return ", ".join(f"`{n}`" for n in names)


def items(texts):
    return "".join("\n".join(textwrap.wrap(f"- {t}", 120, subsequent_indent="  ", break_long_words=False,
                                           break_on_hyphens=False)) + "\n" for t in texts)


def section(m):
    if m.object is None:
        return f"## {m.name}\n\n" + paragraph(f"Not there yet: {codes(m.names)}.")
    text = f"## {m.name}\n\n"
    if m.absent:
        text += paragraph(f"Not there yet: {codes(m.absent)}.") + "\n"
    if m.here:
        text += paragraph(f"Here: {codes(m.here)}.") + "\n"
    if m.different:
        text += "Signatures that differ:\n\n" + items(
            f"`{n}`: {', '.join(texts)}; {DIFFERENT.get(f'{m.name}.{n}', 'unexplained')}."
            for n, texts in sorted(m.different.items())) + "\n"
    if m.lacking:
        text += "Members of classes that are not here:\n\n" + items(
            f"`{n}`: " + "; ".join(f"{codes([x])}, {explained(f'{m.name}.{n}', x) or 'unexplained'}" for x in members)
            + "." for n, members in sorted(m.lacking.items())) + "\n"
    if m.more:
        text += "What functions take besides CuPy's parameters:\n\n" + items(
            f"`{n}`: {codes(names)}" for n, names in sorted(m.more.items())) + "\n"
    return text.rstrip("\n") + "\n"


def row(m):
    link = m.name.replace(".", "")
    return f"| [`{m.name}`](#{link}) | {len(m.names)} | {len(m.here)} | {len(m.absent)} | {len(m.different) or ''} |"


def page(modules):
    shown = [m for m in modules if m.names]
    total = [sum(len(getattr(m, what)) for m in shown) for what in ("names", "here", "absent", "different")]
    table = ["| module | names in CuPy | here | not yet | signatures that differ |",
             "| --- | ---: | ---: | ---: | ---: |",
             *map(row, shown), "| | " + " | ".join(map(str, total)) + " |"]
    return "\n".join([HEAD, "\n".join(table), "", *map(section, shown)])


def main():
    modules = [Module(name, table) for name, table in sorted(cupy_api.read().items())]
    text, said = page(modules), list(findings(modules))
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        said.append("docs/api-parity.md is old: run tools/parity.py")
    print("".join(f"{line}\n" for line in said), end="")
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
