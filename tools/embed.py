#!/usr/bin/env python3
"""Turns headers with device code into a C file of strings: embed.py OUTPUT INPUT...

A text is called by its folder below src/kernels and its file: device/wait.h is device_wait. Comments, blank lines,
include guards and what only the host compiles are left out. See src/codegen/kernel_text.h.
"""
import pathlib
import re
import sys


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * 0 if "\n" not in m.group() else " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def device_lines(text):
    """Lines that are left when __CUDACC_RTC__ is defined; conditionals about other names stay as they are."""
    stack = []  # one [resolved, active] for every open conditional
    for line in text.split("\n"):
        words = line.split()
        word = words[0] if words else ""
        active = all(a for _, a in stack)
        if word in ("#ifdef", "#ifndef", "#if"):
            known = len(words) == 2 and words[1] == "__CUDACC_RTC__" and word != "#if"
            guard = word == "#ifndef" and len(words) == 2 and words[1].startswith("TB_KERNELS_")
            stack.append([known or guard, word == "#ifdef" if known else True])
            if known or guard:
                continue
        elif word in ("#else", "#elif") and stack and stack[-1][0]:
            stack[-1][1] = word == "#else" and not stack[-1][1]
            continue
        elif word == "#endif":
            resolved, _ = stack.pop()
            if resolved:
                continue
        if active and words and not re.match(r"#define TB_KERNELS_\w+$", line.strip()):
            yield line


def minimise(line):
    """Indentation and the padding before a continued line's backslash carry nothing."""
    line = line.strip()
    if line.endswith("\\"):
        line = line[:-1].rstrip() + " \\"
    return re.sub(r"  +", " ", line)


def literal(line):
    return '    "' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def text_name(path):
    folders = path.parts[len(path.parts) - path.parts[::-1].index("kernels"):-1]
    return "_".join([*folders, path.stem])


def main(output, inputs):
    out = ['#include "codegen/kernel_text.h"', "#include <stddef.h>", ""]
    names = []
    for path in map(pathlib.Path, inputs):
        lines = [minimise(x) for x in device_lines(strip_comments(path.read_text(encoding="utf-8")))]
        names.append(text_name(path))
        out.append(f"static const char text_{names[-1]}[] =")
        out.extend(literal(x) for x in lines if x not in ("", "\\"))
        out[-1] += ";"
    out.append("")
    out.append("const tb_kernel_text tb__kernel_texts[] = {")
    out.extend(f'    {{"{name}", text_{name}}},' for name in names)
    out.append("    {NULL, NULL},")
    out.append("};")
    pathlib.Path(output).write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
