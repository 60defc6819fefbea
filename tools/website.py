"""Builds the documentation as a site: README.md, CONTRIBUTING.md, CHANGELOG.md, docs/ and the docstrings.

    python tools/website.py OUTPUT     HTML to OUTPUT/html; what Sphinx reads is gathered in OUTPUT/source

Warnings are errors. Runs with the tombac that the environment imports, and fails if a public function of tombac has no
place among GROUPS.
"""

import importlib
import inspect
import pathlib
import re
import shutil
import sys

import stubs

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
LINKED = ["LICENSE", "docs", "include", "examples", "bench"]  # where there are files that pages link to
ORDER = ["docs/kernels", "docs/neighbours", "docs/differences", "docs/environment", "docs/api-parity", "docs/accuracy",
         "docs/performance", "docs/architecture", "CONTRIBUTING", "CHANGELOG", "bench/NOTES"]
C_ORDER = ["docs/c-api", "docs/c-library", "docs/c-reference"]

# Pages of tombac's own functions: title, the private modules whose functions they have, and names of functions in C.
GROUPS = [
    ("Arrays", (), "ndarray flatiter array asarray asanyarray ascontiguousarray asfortranarray asnumpy from_dlpack"),
    ("Creating arrays", ("_creation", "_grid"),
     "empty zeros ones full empty_like zeros_like ones_like full_like arange linspace eye identity tri"),
    ("Elementwise functions", (), "ufunc"),
    ("Reductions and scans", ("_statistics",),
     "all alltrue amax amin any argmax argmin count_nonzero cumprod cumsum max mean min nanargmax nanargmin nancumprod "
     "nancumsum nanmax nanmin nanprod nansum prod ptp sometrue std sum var"),
    ("Shapes, joining and splitting", ("_manipulation", "_joining", "_arranging", "_add_remove", "_padding"),
     "broadcast_to concatenate stack repeat"),
    ("Indexing and selecting", ("_indexing", "_select"),
     "where take take_along_axis put put_along_axis compress nonzero clip"),
    ("Mathematics", ("_math", "_products", "_einsum", "_interpolation", "_convolution", "_window_functions"),
     "matmul dot inner vdot vecdot matvec vecmat"),
    ("Sorting, sets and order statistics",
     ("_sorting", "_record_order", "_sets", "_order_statistics", "_histograms"), ""),
    ("Logic", ("_logic",), ""),
    ("Polynomials", ("_polynomials", "_poly1d"), ""),
    ("Input, output and text", ("_io",), ""),
    ("Kernels and functions of functions", ("_functional", "_apply", "_explain"),
     "ElementwiseKernel ReductionKernel RawKernel RawModule"),
    ("Dtypes, memory and the rest", ("_dtypes", "_environment", "_floating_errors", "_miscellany", "_legacy", "_alias"),
     "result_type may_share_memory packbits unpackbits"),
]


def heading(text, line="="):
    return f"{text}\n{line * len(text)}\n\n"


def directive(module, name, o):
    kind = "autoclass" if isinstance(o, type) else "autofunction"
    options = "   :members:\n   :undoc-members:\n" if isinstance(o, type) else ""
    return f".. {kind}:: {module}.{name}\n{options}\n"


def is_own(o):
    """Whether an object is a function or class of this project, of which others know no better description."""
    return callable(o) and str(getattr(o, "__module__", "")).partition(".")[0] in ("tombac", "tombacx") and \
        not inspect.ismodule(o) and bool(inspect.getdoc(o))


def first_names(module):
    """{name: object} of a module's own functions and classes; second names of an object are with the first."""
    found = {}
    for name in sorted(stubs.public_names(module), key=lambda n: (getattr(getattr(module, n), "__name__", n) != n, n)):
        o = getattr(module, name)
        if is_own(o) and not any(o is other for other in found.values()):
            found[name] = o
    return found


def group_of(name, o):
    """The title of the group that a function of tombac belongs to."""
    if type(o).__name__ == "ufunc":
        return "Elementwise functions"
    for title, modules, names in GROUPS:
        if name in names.split() or str(o.__module__).rpartition(".")[2] in modules:
            return title
    return None


def write_groups(folder):
    """One page for each group; returns their names."""
    import tombac

    texts, lost = {title: heading(title) for title, _, _ in GROUPS}, []
    for name, o in sorted(first_names(tombac).items()):
        title = group_of(name, o)
        if title:
            texts[title] += directive("tombac", name, o)
        else:
            lost.append(name)
    if lost:
        sys.exit(f"tools/website.py: GROUPS has no place for {', '.join(lost)}")
    names = []
    for title, text in texts.items():
        names.append("tombac-" + re.sub(r"\W+", "-", title.lower()))
        (folder / f"{names[-1]}.rst").write_text(text, encoding="utf-8")
    return names


def write_module(folder, name, shown):
    """The page of a module; what another page shows already is left out."""
    module = importlib.import_module(name)
    text = heading(name) + f".. automodule:: {name}\n   :no-members:\n\n"
    for member, o in sorted(first_names(module).items()):
        if not any(o is other for other in shown):
            shown.append(o)
            text += directive(name, member, o)
    (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    return name


def write_reference(folder):
    folder.mkdir()
    import tombac

    groups = write_groups(folder)
    shown = list(first_names(tombac).values())
    names = [n for n in stubs.public_modules() if n != "tombac"]
    # A class is on the page of the module that it says it is in.
    modules = [write_module(folder, n, shown) for n in sorted(names, key=lambda n: -n.count("."))]
    toc = "".join(f"   {n}\n" for n in [*groups, *sorted(modules)])
    (folder / "index.rst").write_text(
        heading("Reference") + ".. automodule:: tombac\n   :no-members:\n\n.. toctree::\n   :maxdepth: 1\n\n" + toc,
        encoding="utf-8")


def toctree(caption, pages):
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def without_folders(text, page):
    """A page on which what links to a folder of the repository is text: a site has no folders to show."""
    def plain(match):
        target = match[2].partition("#")[0]
        return match[1] if target and (page.parent / target).is_dir() else match[0]

    return re.sub(r"\[([^\[\]]*)\]\(([^()\s]*)\)", plain, text)


def gather(source):
    """What Sphinx reads, laid out as in the repository, so that links between pages are the same."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in PAGES + LINKED:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
        else:
            shutil.copy(ROOT / name, target)
    shutil.move(source / "docs/conf.py", source / "conf.py")
    shutil.move(source / "README.md", source / "index.md")
    for page in [source / name for name in ("index.md", *PAGES[1:])] + sorted((source / "docs").glob("*.md")):
        page.write_text(without_folders(page.read_text(encoding="utf-8"), page), encoding="utf-8")
    write_reference(source / "reference")
    for page in (source / "bench/results").glob("*.md"):  # tables, which the page about performance links to
        page.write_text("---\norphan: true\n---\n" + page.read_text(encoding="utf-8"), encoding="utf-8")
    with (source / "index.md").open("a", encoding="utf-8") as index:
        index.write(toctree("Python", ["reference/index", *ORDER]) + toctree("C", C_ORDER))


def main():
    from sphinx.cmd.build import build_main

    output = pathlib.Path(sys.argv[1]).resolve()
    gather(output / "source")
    sys.exit(build_main(["-q", "-W", "--keep-going", "-b", "html", "-D", "exclude_patterns=examples/**",
                         str(output / "source"), str(output / "html")]))


if __name__ == "__main__":
    main()
