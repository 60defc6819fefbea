"""What include/tombac/tombac.h and the headers that are parts of it declare: functions, structures, enumerations, and
the comments that belong to them.

The header is plain C99 without macros in declarations, which is why a few regular expressions can read it. A comment
belongs to what stands behind it on its line, or to what comes next."""
import re
from dataclasses import dataclass, field
from pathlib import Path

HEADER = Path(__file__).parent.parent / "include/tombac/tombac.h"


@dataclass
class Item:
    """A declaration. type: of a function's result, of a member or parameter; values of an enumeration have none."""
    kind: str  # function, struct, enum, macro, handle, callback; member, value, parameter of these
    name: str
    type: str = ""
    comment: str = ""
    section: str = ""
    text: str = ""
    parts: list = field(default_factory=list)


SECTION = re.compile(r"-{4,} (.+?) -{4,}$")


def clean(comment):
    lines = [line.strip().removeprefix("*").strip() for line in comment[2:-2].splitlines()]
    return " ".join(filter(None, lines))


def declarator(text):
    """Type and name of one parameter or member: int64_t *shape, void (*fn)(void *), int axis[32]."""
    text = " ".join(text.split())
    function = re.fullmatch(r"(.+?)\(\*(\w+)\)(\(.*\))", text)
    if function:
        return f"{function[1].strip()} (*){function[3]}", function[2]
    match = re.fullmatch(r"(.+?)(\w+)(\[\w+\])?", text)
    return (match[1].strip() + (match[3] or "")).strip(), match[2]


def split(text):
    """Parameters between commas that are in no parentheses."""
    depth, start, parts = 0, 0, []
    for i, c in enumerate(text + ","):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [p for p in parts if p and p != "void"]


def read(path=HEADER):
    """The header's declarations in their order."""
    text = re.sub(r'^#include "(tombac/\w+\.h)"\n', lambda m: (path.parent.parent / m[1]).read_text(), path.read_text(),
                  flags=re.M)
    text = text[text.index("#include <stdint.h>"):]
    text = re.sub(r"/\* clang-format o\w+ \*/\n", "", text)
    text = re.sub(r"#define TB_RUNTIME_OPS.*?\n\n", "\n", text, flags=re.S)
    text = re.sub(r"^#(?!define TB_[A-Z_]+ ).*$", "", text, flags=re.M)
    text = text.replace('extern "C" {', "").replace("TB_API ", "")
    return list(declarations(text))


def declarations(text):
    """A comment where a declaration ends is its own; one with nothing before it on its line is the next's."""
    section, before, code, depth, last = "", "", "", 0, None
    found = []
    for part in re.split(r"(/\*.*?\*/|#define [^\n]*?(?=/\*|\n)|[;{}\n])", text, flags=re.S):
        if part.startswith("/*"):
            title = SECTION.search(clean(part))
            if code.strip():
                code += part
            elif title:
                section, before = title[1], ""
            elif last:
                last[1] = f"{last[1]} {clean(part)}".strip()
            else:
                before = f"{before} {clean(part)}".strip()
            continue
        depth += (part == "{") - (part == "}")
        if part == "\n" and not code.strip():
            last = None
        elif (part == ";" and depth == 0) or part.startswith("#define"):
            last = [code.strip() + part, before, section]
            found.append(last)
            before, code = "", ""
        else:
            code += part
    for code, comment, section in found:
        if macro := re.match(r"#define (\w+) (.*)", code):
            yield Item("macro", macro[1], macro[2].strip(), comment, section, code)
        else:
            yield from declaration(code, comment, section)


def declaration(code, comment, section):
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    bare = " ".join(bare.split())
    if match := re.match(r"typedef enum (\w+) \{", bare):
        yield Item("enum", match[1], "", comment, section, code, list(values(code)))
    elif match := re.match(r"(?:typedef )?struct (\w+) \{", bare):
        yield Item("struct", match[1], "", comment, section, code, list(members(code)))
    elif match := re.match(r"typedef struct (\w+) \w+;", bare):
        yield Item("handle", match[1], "", comment, section, bare)
    elif match := re.match(r"typedef (.+?)\(\*(\w+)\)\((.*)\);", bare):
        yield Item("callback", match[2], match[1].strip(), comment, section, bare, parameters(match[3]))
    elif match := re.match(r"(.+?)(tb_\w+)\((.*)\);$", bare):
        yield Item("function", match[2], match[1].strip(), comment, section, bare, parameters(match[3]))


def parameters(text):
    return [Item("parameter", name, kind) for kind, name in map(declarator, split(text))]


def body(code):
    return code[code.index("{") + 1:code.rindex("}")]


def commented(text, end):
    """(declaration, comment): one ends at `end`, outside of brackets; its comment is on its line or above it."""
    before, code, depth = "", "", 0
    parts = re.split(r"(/\*.*?\*/|[;,{}\n])", text, flags=re.S)
    found = []
    for part in parts:
        if part.startswith("/*"):
            if not code.strip() and found and found[-1][2]:
                found[-1][1] = f"{found[-1][1]} {clean(part)}".strip()
            else:
                before = f"{before} {clean(part)}".strip()
            continue
        depth += (part == "{") - (part == "}")
        if part == "\n":
            if found and not code.strip():
                found[-1][2] = False
            code += " "
        elif part == end and depth == 0:
            found.append([" ".join(code.split()), before, True])
            before, code = "", ""
        else:
            code += part
    if code.strip():
        found.append([" ".join(code.split()), before, True])
    return [(declared, comment) for declared, comment, _ in found if declared]


def values(code):
    """Those that macros and other files make are left out."""
    for declared, comment in commented(re.sub(r"#\w+[^\n]*", "", body(code)), ","):
        name = declared.split("=")[0].split()[-1]
        if name.startswith("TB_"):
            yield Item("value", name, "", comment)


def members(code):
    for declared, comment in commented(body(code), ";"):
        if "{" in declared:
            inner, _, name = declared.rpartition("}")
            yield Item("member", name.strip(), inner.split("{")[0].strip(), comment)
            continue
        first, *others = split(declared)
        kind, name = declarator(first)
        yield Item("member", name, kind, comment)
        for other in others:
            yield Item("member", other.strip("* ").split("[")[0], kind, comment)
