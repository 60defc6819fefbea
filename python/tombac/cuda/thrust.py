"""Thrust: whether sorting goes through it. tombac does not use it."""

available = False
