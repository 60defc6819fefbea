"""Makes include/tombac/functions.h and functions.hpp: the elementwise functions, reductions and running forms by their
names, from the rows of src/tables/elementwise.def and include/tombac/reductions.def. src/ops/functions.c has the same
functions of the same rows.

    functions.py            writes what is not as it should be
    functions.py --check    prints it, and exits with 1 if there is any

A ufunc becomes tb_NAME(arrays, &out), and tb_NAME_into(arrays, into). With two operands also those where the second one
is a number (tb_NAME_s), or the first one (tb_s_NAME). A reduction that Python has under its name becomes
tb_NAME(a, axis, &out), and so does its running form: the others are a ufunc's. A function has one name, its row's;
aliases are for searches by name. What is only a part of other functions has none. No name may be made twice, or be one
that tombac.h has already: then a row has to be called otherwise."""
import pathlib
import re
import sys
import textwrap
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "src/tables/elementwise.def"
REDUCTIONS = ROOT / "include/tombac/reductions.def"
FOLDER = ROOT / "include/tombac"
COLUMNS = 120
MADE_BY = "Made by tools/functions.py from the rows of src/tables/elementwise.def and reductions.def."


@dataclass
class Ufunc:
    name: str
    nin: int
    nout: int
    doc: str
    also: list = field(default_factory=list)


@dataclass
class Reduction:
    """Of one array along an axis, or its running form."""
    name: str
    doc: str
    running: bool


def calls(text):
    """(macro, arguments) of the macro calls that begin a line; adjacent strings are one."""
    for match in re.finditer(r"^(\w+)\(", text, flags=re.M):
        arguments, depth = [""], 1
        for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[(),]|[^"(),]+', text[match.end():]):
            depth += (token[0] == "(") - (token[0] == ")")
            if depth == 0:
                break
            if token[0] == "," and depth == 1:
                arguments.append("")
            else:
                arguments[-1] += token[0]
        yield match[1], ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', a)) if '"' in a else a.strip() for a in arguments]


def sentence(text):
    """The first paragraph of a docstring."""
    return text.split("\\n\\n")[0]


def ufuncs():
    """Titles of the table's sections, and the ufuncs below each."""
    sections = []
    parts = re.split(r"/\* -{4,} (.+?) -{4,} \*/", TABLE.read_text(encoding="utf-8"))
    for title, text in zip(parts[1::2], parts[2::2]):
        found = {}
        for macro, arguments in calls(text):
            if macro in ("UFUNC", "UFUNC2"):
                name, nin, *_, doc = arguments
                found[name] = Ufunc(name, int(nin), 2 if macro == "UFUNC2" else 1, doc)
            elif macro == "ALIAS":
                found[arguments[1]].also.append(arguments[0])
        if found:
            sections.append((title, list(found.values())))
    return sections


def reductions():
    found = []
    for macro, arguments in calls(REDUCTIONS.read_text(encoding="utf-8")):
        if macro == "TB_REDUCTION" and arguments[10] != "NONE":
            found.append(Reduction(arguments[1], sentence(arguments[-1]), False))
        elif macro == "TB_RUNNING":
            found.append(Reduction(arguments[1], sentence(arguments[-1]), True))
    return found


# ---- C ------------------------------------------------------------------------------------------------------------


def above(comment):
    return textwrap.wrap(f"/* {comment} */", COLUMNS, subsequent_indent=" * ")


def commented(declaration, comment):
    """Behind the declaration where that fits, else above it."""
    line = f"{declaration} /* {comment} */"
    return [line] if len(line) <= COLUMNS else [*above(comment), declaration]


def operand_forms(u):
    """(infix before and after the name, parameters, which of them is a number)."""
    if u.nin == 1:
        return [("", "", "tb_array *a", "")]
    return [("", "", "tb_array *a, tb_array *b", ""), ("", "_s", "tb_array *a, tb_scalar b", "b"),
            ("s_", "", "tb_scalar a, tb_array *b", "a")]


def c_ufunc(u):
    doc = u.doc + (f" Alias {', '.join(u.also)}." if u.also else "")
    out, into = (("tb_array **out", "tb_array *into") if u.nout == 1 else
                 ("tb_array **out1, tb_array **out2", "tb_array *into1, tb_array *into2"))
    lines = above(doc)
    for before, after, parameters, number in operand_forms(u):
        name = f"tb_{before}{u.name}{after}"
        comment = f"tb_{u.name} where {number} is a number" if number else ""
        declaration = f"TB_API tb_status {name}({parameters}, {out});"
        lines += commented(declaration, comment) if comment else [declaration]
        where = "into" if u.nout == 1 else "into1 and into2"
        lines += commented(f"TB_API tb_status {name}_into({parameters}, {into});", f"{name}, written to {where}")
    return lines


def c_reduction(r):
    return [*above(r.doc), f"TB_API tb_status tb_{r.name}(tb_array *a, int axis, tb_array **out);"]


def title(text):
    return f"/* ---- {text} ".ljust(COLUMNS - 4, "-") + " */"


C_HEAD = f"""\
/* functions.h - every elementwise function, reduction and running form by its name: the second half of tombac.h, which
 * includes it.
 *
 * {MADE_BY}
 *
 * A name that ends in _s is of a function whose second operand is a number instead of an array, one that begins with
 * tb_s_ of one whose first operand is. Functions whose name ends in _into write to an array of the caller's, which may
 * be an operand: tb_add_s_into(x, tb_scalar_int(1), x). All is as by tb_ufunc_call, tb_reduce and tb_scan without more
 * arguments; those have other dtypes and castings, masks, several axes, initial values and ddof, which is 0 here. */
#ifndef TB_FUNCTIONS_H
#define TB_FUNCTIONS_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h, which includes this"
#endif
/* clang-format off */
"""
ALL_AXES = """
"""


def c_header():
    lines = []
    for name, found in ufuncs():
        lines += ["", title(f"named functions: {name}")]
        for u in found:
            lines += ["", *c_ufunc(u)]
    found = reductions()
    lines += ["", title("named functions: reductions"), *ALL_AXES.rstrip("\n").split("\n"), ""]
    for r in (r for r in found if not r.running):
        lines += c_reduction(r)
    lines += ["", title("named functions: running forms"), ""]
    for r in (r for r in found if r.running):
        lines += c_reduction(r)
    return C_HEAD + "\n".join(lines) + "\n#endif\n"


# ---- C++ ----------------------------------------------------------------------------------------------------------

CPP_HEAD = f"""\
/* functions.hpp - the functions of functions.h over tombac::array: the second half of tombac.hpp, which includes it.
 *
 * {MADE_BY} */
#ifndef TOMBAC_FUNCTIONS_HPP
#define TOMBAC_FUNCTIONS_HPP
#ifndef TOMBAC_HPP
#error "include tombac/tombac.hpp, which includes this"
#endif
/* clang-format off */

namespace tombac {{
"""
CPP_FORMS = [("", "const array &a", "a.get()"), ("", "const array &a, const array &b", "a.get(), b.get()"),
             ("_s", "const array &a, const number &b", "a.get(), b.get()"),
             ("s_", "const number &a, const array &b", "a.get(), b.get()")]


def inline(declaration, value):
    line = f"inline {declaration} {{ return {value}; }}"
    return [line] if len(line) <= COLUMNS else [f"inline {declaration}", "{", f"    return {value};", "}"]


def cpp_ufunc(u):
    result, made = ("array", "made") if u.nout == 1 else ("std::pair<array, array>", "made_two")
    lines = ["", *above(u.doc)]
    for form, parameters, values in CPP_FORMS[:1] if u.nin == 1 else CPP_FORMS[1:]:
        name = f"tb_s_{u.name}" if form == "s_" else f"tb_{u.name}{form}"
        lines += inline(f"{result} {u.name}({parameters})", f"detail::{made}({name}, {values})")
    return lines


def cpp_reduction(r):
    return ["", *above(r.doc), *inline(f"array {r.name}(const array &a, int axis = TB_ALL_AXES)",
                                       f"detail::made(tb_{r.name}, a.get(), axis)")]


def cpp_header():
    lines = []
    for name, found in ufuncs():
        lines += ["", title(name)]
        for u in found:
            lines += cpp_ufunc(u)
    lines += ["", title("reductions, running forms")]
    for r in reductions():
        lines += cpp_reduction(r)
    return CPP_HEAD + "\n".join(lines) + "\n\n} // namespace tombac\n#endif\n"


# ---- checks -------------------------------------------------------------------------------------------------------


def check_names(text):
    """Every name once, and none that tombac.h or another part of it has."""
    made = re.findall(r"\b(tb_\w+)\(", without_comments(text))
    others = (path.read_text(encoding="utf-8") for path in FOLDER.glob("*.h") if path.name != "functions.h")
    taken = {name for other in others for name in re.findall(r"\btb_\w+", without_comments(other))}
    for name in made:
        if name in taken or made.count(name) > 1:
            raise SystemExit(f"functions.py: {name} would be declared twice; call its row otherwise")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def made():
    """The files, and what they should hold."""
    header = c_header()
    check_names(header)
    return {FOLDER / "functions.h": header, FOLDER / "functions.hpp": cpp_header()}


def stale():
    for path, text in made().items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path, text


def main(arguments):
    found = list(stale())
    for path, text in found:
        if "--check" in arguments:
            print(f"{path.relative_to(ROOT)} is not what tools/functions.py makes of the tables; run it")
        else:
            path.write_text(text, encoding="utf-8")
    return bool(found) and "--check" in arguments


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
