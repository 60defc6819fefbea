"""Programs that come with CuPy, and what they are here."""

__all__ = []
