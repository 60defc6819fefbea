"""Sphinx' settings for the site that tools/website.py builds (`make docs`). Docstrings are prose with ``code`` in it and
sections of Google's kind: what would mean something else in reStructuredText is escaped before it gets there."""

import re

from sphinx.ext.napoleon import Config, GoogleDocstring

import tombac

project = "tombac"
author = "the tombac developers"
release = version = tombac.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"tombac {release}"
nitpicky = False
myst_heading_anchors = 4
autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
autodoc_class_signature = "mixed"
suppress_warnings = ["misc.highlighting_failure"]  # C in the manual, which is parts of functions

CODE = re.compile(r"(``.+?``|`[^`]+`)")


def escaped(text):
    """Prose for reStructuredText: `code` and ``code`` stay, all else means itself."""
    parts = CODE.split(text)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = part if part.startswith("``") else f"`{part}`"
        else:
            part = re.sub(r"([\\*|`])", r"\\\1", part)
            parts[i] = re.sub(r"(\w)_(?!\w)", r"\1\\_", part)
    return "".join(parts)


def process_docstring(app, what, name, obj, options, lines):
    """Escapes prose, leaves examples alone, and turns sections into fields. Attributes have no sections: before a colon
    they have no type."""
    in_example = False
    for i, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and line.strip() != "")
        if in_example:
            continue
        match = re.match(r"(    \*{0,2}\w[\w, ]*: )(.*)", line)
        lines[i] = match[1] + escaped(match[2]) if match else escaped(line)
    if re.match(r"\w+\(.*\)$", lines[0] if lines else "") and what == "function":
        del lines[:2]  # the signature of a ufunc, which is shown already
    if what not in ("attribute", "data", "property"):
        lines[:] = GoogleDocstring("\n".join(lines), Config(napoleon_use_rtype=False), app, what, name, obj).lines()


def setup(app):
    app.connect("autodoc-process-docstring", process_docstring)
