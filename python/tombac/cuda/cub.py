"""CUB: whether reductions and scans go through it. They are tombac's own on both backends, so it is not there."""

available = False
