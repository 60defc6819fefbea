"""Descriptions of arguments that several functions share, written once."""


def with_rows(**rows):
    """A decorator that puts ``rows[name]`` where a docstring says ``{name}``."""
    def document(f):
        if f.__doc__:  # not under -OO
            f.__doc__ = f.__doc__.format(**rows)
        return f

    return document
