"""Recorded work: Stream.begin_capture, Stream.end_capture, Graph.launch."""

import os

from tombac._core import Graph

__all__ = ["Graph"]


def _dot_str(graph, flags):
    """What Graph.debug_dot_str gives: the driver writes files only."""
    import tempfile  # takes long to import, and few programs get here

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.dot")
        graph._dot(path, flags)
        with open(path) as f:
            return f.read()
