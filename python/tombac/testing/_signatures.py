"""Decorators that give arguments to a test: the test runner must not see these in the signature."""

import functools
import inspect
import unittest


def without(names, function):
    """A decorator for a wrapper of ``function`` that gives it the arguments of these names."""
    def decorate(wrapper):
        functools.update_wrapper(wrapper, function)
        signature = inspect.signature(function)
        wrapper.__signature__ = signature.replace(parameters=[
            p for name, p in signature.parameters.items() if name not in names])
        return wrapper

    return decorate


def skips():
    """The exceptions by which a test says that it is skipped."""
    try:
        from _pytest.outcomes import Skipped
    except ImportError:
        return (unittest.SkipTest,)
    return (unittest.SkipTest, Skipped)


def repeated(names, combinations):
    """Decorator: the test is called with each of the combinations of arguments of these names. It is skipped if all
    are; what fails is told by a note on the exception."""
    def decorator(function):
        @without(names, function)
        def wrapper(*args, **kwargs):
            values = combinations(args) if callable(combinations) else combinations
            skipped, n = None, 0
            for combination in values:
                given = dict(zip(names, combination))
                try:
                    function(*args, **kwargs, **given)
                except skips() as e:
                    skipped = e
                except BaseException as e:
                    e.add_note("with " + ", ".join(f"{k} = {v}" for k, v in given.items()))
                    raise
                else:
                    n += 1
            if skipped is not None and n == 0:
                raise skipped

        return wrapper

    return decorator
