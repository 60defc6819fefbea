"""Where a function's source is, its syntax tree, and errors that point into it."""

import ast
import inspect
import linecache


class Place:
    """The source of one Python function."""

    def __init__(self, func):
        code = getattr(func, "__code__", None)
        if code is None:
            raise TypeError(f"jit: a Python function is expected, not {func!r}")
        self.name = func.__name__
        self.file = inspect.getsourcefile(func) or code.co_filename
        try:
            if self.name == "<lambda>":
                self.lines, self.shift = inspect.findsource(func)[0], 0
                self.node = self._lambda(code)
            else:
                self.lines, first = inspect.getsourcelines(func)
                self.shift = max(first - 1, 0)
                self.node = self._def()
        except (OSError, SyntaxError) as e:
            raise type(e)(f"jit: the source of {self.name} ({self.file}) cannot be read: {e}. The function must come "
                          "from a file or a notebook cell") from None

    def _def(self):
        text = "".join(self.lines)
        indented = self.lines[0][:1].isspace()
        node = ast.parse("if True:\n" + text if indented else text)
        if indented:
            ast.increment_lineno(node, -1)
            node = node.body[0]
        node = node.body[0]
        if not isinstance(node, ast.FunctionDef):
            what = "an async function" if isinstance(node, ast.AsyncFunctionDef) else "no function"
            raise TypeError(f"jit: {self.name} is {what}")
        return node

    def _lambda(self, code):
        found = [n for n in ast.walk(ast.parse("".join(self.lines)))
                 if isinstance(n, ast.Lambda) and n.lineno <= code.co_firstlineno <= n.end_lineno]
        if len(found) > 1:  # more than one in this line: the positions of its instructions tell
            spots = {p[:4] for p in code.co_positions() if None not in p[:4]}
            found = [n for n in found
                     if (n.body.lineno, n.body.end_lineno, n.body.col_offset, n.body.end_col_offset) in spots]
        if len(found) != 1:
            raise ValueError(f"jit: {len(found)} lambdas match at {self.file}:{code.co_firstlineno}; "
                             "write the function with def")
        return found[0]

    def show(self, node):
        """File, line, the line itself and a mark below the node."""
        line = node.lineno
        text = self.lines[line - 1].rstrip("\n") if 0 < line <= len(self.lines) else \
            linecache.getline(self.file, line + self.shift).rstrip("\n")
        start = len(text.encode()[:node.col_offset].decode(errors="ignore"))
        same_line = node.end_lineno == line and node.end_col_offset is not None
        stop = len(text.encode()[:node.end_col_offset].decode(errors="ignore")) if same_line else len(text)
        indent = len(text) - len(text.lstrip())
        mark = " " * (start - indent) + "^" * max(stop - start, 1)
        return f'  File "{self.file}", line {line + self.shift}, in {self.name}\n    {text.strip()}\n    {mark}'

    def error(self, e, node):
        """The exception e with this place in its message; a place in a called function stays above it."""
        try:
            new = type(e)(f"{e.args[0] if e.args else e}\n{self.show(node)}")
        except Exception:
            new = TypeError(f"{type(e).__name__}: {e}\n{self.show(node)}")
        new.jit_located = True
        return new
