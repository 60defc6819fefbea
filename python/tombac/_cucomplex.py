"""cuComplex in CUDA sources as complex<T>, for RawKernel(..., translate_cucomplex=True)."""

import re

_TYPES = {"cuComplex": "complex<float>", "cuFloatComplex": "complex<float>", "cuDoubleComplex": "complex<double>"}

# Functions of cuComplex.h by the expression that replaces a call; \0, \1, \2 are the arguments.
_FUNCTIONS = {
    "cuCreal": "({0}).real()", "cuCimag": "({0}).imag()", "cuConj": "conj({0})", "cuCabs": "abs({0})",
    "cuCadd": "(({0}) + ({1}))", "cuCsub": "(({0}) - ({1}))", "cuCmul": "(({0}) * ({1}))", "cuCdiv": "(({0}) / ({1}))",
    "cuCfma": "(({0}) * ({1}) + ({2}))",
}
_FUNCTIONS |= {name + "f": text for name, text in _FUNCTIONS.items()}
_FUNCTIONS |= {
    "make_cuComplex": "complex<float>({0}, {1})", "make_cuFloatComplex": "complex<float>({0}, {1})",
    "make_cuDoubleComplex": "complex<double>({0}, {1})",
    "cuComplexFloatToDouble": "complex<double>({0})", "cuComplexDoubleToFloat": "complex<float>({0})",
}

_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | [A-Za-z_]\w* | \s+ | .""", re.X | re.S
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cuComplex\.h[>\"]", re.M)


def _arguments(tokens, start):
    """The arguments of a call whose "(" is tokens[start], as lists of tokens, and the index behind its ")"."""
    depth, arguments = 0, [[]]
    for i in range(start, len(tokens)):
        token = tokens[i]
        if token in "([{":
            depth += 1
            if depth == 1:
                continue
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return arguments, i + 1
        if token == "," and depth == 1:
            arguments.append([])
        else:
            arguments[-1].append(token)
    return None, start


def _rewrite(tokens):
    out, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        after = i + 1
        while after < len(tokens) and tokens[after].isspace():
            after += 1
        template = _FUNCTIONS.get(token)
        if template and after < len(tokens) and tokens[after] == "(":
            arguments, end = _arguments(tokens, after)
            if arguments and len(arguments) == template.count("{"):
                out.append(template.format(*("".join(_rewrite(a)).strip() for a in arguments)))
                i = end
                continue
        out.append(_TYPES.get(token, token))
        i += 1
    return out


def translate(code):
    """The source with cuComplex's types and functions replaced, and the header that defines complex<T> included.

    Members ``x`` and ``y`` of cuComplex have no counterpart: such a source does not compile.

    >>> translate("cuCmulf(a, b)").splitlines()[-1]
    '((a) * (b))'
    """
    code = _INCLUDE.sub("", code)
    return "#include <tombac/complex.cuh>\n#line 1\n" + "".join(_rewrite(_TOKEN.findall(code)))
