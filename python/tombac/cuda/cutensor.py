"""cuTENSOR: whether tensor contractions go through it. tombac does not use it."""

available = False
