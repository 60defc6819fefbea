"""Makes docs/c-reference.md of what include/tombac/tombac.h and its parts declare and say about it.

    reference.py              writes it, if it is not as it should be
    reference.py --check      says so instead, and exits with 1"""
import re
import sys
import textwrap

import functions
import header

REFERENCE = functions.ROOT / "docs/c-reference.md"
HEAD = """\
# Reference of the C API

Made by `tools/reference.py` of [`tombac.h`](../include/tombac/tombac.h) and the headers that it includes: what they
declare, and their comments, section by section. How it goes together is in [the manual](c-api.md).
"""


def items():
    """Everything declared, in the order of the header and its parts."""
    for item in header.read():
        if item.name == "tb_reduction":
            item.parts = list(reductions())
        yield item


def reductions():
    """The values that tombac.h has by including reductions.def."""
    rows = functions.calls(functions.REDUCTIONS.read_text(encoding="utf-8"))
    for macro, row in rows:
        if macro == "TB_REDUCTION":
            doc = functions.sentence(row[-1]) or f"{row[2]}.reduce of NumPy."
            yield header.Item("value", f"TB_RED_{row[0]}", "", doc)
    yield header.Item("value", "TB_RED_COUNT", "", "How many there are.")


def escaped(text):
    return re.sub(r"([|<*]|__)", r"\\\1", " ".join(text.split()))


def bullet(code, comment):
    text = f"- `{code}`" + (f": {escaped(comment)}" if comment else "")
    return textwrap.wrap(text, functions.COLUMNS, subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)


def table(parts):
    return ["", "  | | |", "  | --- | --- |",
            *(f"  | `{p.type + ' ' if p.type else ''}{p.name}` | {escaped(p.comment)} |".replace("* `", "*`")
              for p in parts), ""]


def signature(item):
    return re.sub(r"\s+", " ", item.text).rstrip(";")


def is_form(item):
    """Whether a named function is a form of the one before."""
    return item.section.startswith("named functions") and item.comment.startswith("tb_")


def entry(item, forms):
    if item.kind == "macro":
        return bullet(f"{item.name} {item.type}", item.comment)
    if item.kind in ("enum", "struct"):
        return bullet(f"{item.kind} {item.name}", item.comment) + (table(item.parts) if item.parts else [])
    comment = item.comment
    if forms:
        calls = (f"`{f.name}({', '.join(p.name for p in f.parts)})`" for f in forms)
        comment += " Also " + ", ".join(calls) + "."
    return bullet(signature(item), comment)


def reference():
    lines, section = [HEAD], None
    found = list(items())
    at = 0
    while at < len(found):
        item = found[at]
        at += 1
        forms = []
        while at < len(found) and is_form(found[at]):
            forms.append(found[at])
            at += 1
        if item.section != section:
            section = item.section
            title = section or "version, limits"
            lines += ["", f"## {title[0].upper()}{title[1:]}", ""]
        lines += entry(item, forms)
    text = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", text) + "\n"


def main(arguments):
    fresh = REFERENCE.is_file() and REFERENCE.read_text(encoding="utf-8") == reference()
    if fresh:
        return 0
    if "--check" in arguments:
        print(f"{REFERENCE.relative_to(functions.ROOT)} is not what tools/reference.py makes of the headers; run it")
        return 1
    REFERENCE.write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
