"""parameterize: a test class becomes one class for each set of parameters, which are its attributes."""

import itertools
import sys
import types

__all__ = ["parameterize", "product", "product_dict"]


def product(parameter):
    """The product of parameters' values as a list of dicts.

    ``parameter`` is a dict of lists, or a list of lists of dicts, of which one each is merged.

    >>> product({'x': [1, 2], 'y': [3]})
    [{'x': 1, 'y': 3}, {'x': 2, 'y': 3}]
    """
    if isinstance(parameter, dict):
        names = sorted(parameter)
        return [dict(zip(names, values)) for values in itertools.product(*(parameter[n] for n in names))]
    if isinstance(parameter, list):
        if not all(isinstance(values, list) for values in parameter):
            raise TypeError("product: a list of lists of dicts is expected")
        return product_dict(*parameter)
    raise TypeError(f"product: a dict or a list is expected, not {type(parameter)}")


def product_dict(*parameters):
    """The product of lists of dicts: one of each list is merged to one dict.

    >>> product_dict([{'x': 1}, {'x': 2}], [{'y': 3}])
    [{'x': 1, 'y': 3}, {'x': 2, 'y': 3}]
    """
    return [{k: v for part in parts for k, v in part.items()} for parts in itertools.product(*parameters)]


def _text(parameters):
    return ", ".join(f"{k}={getattr(v, '__name__', None) or v}" for k, v in sorted(parameters.items()))


def _attribute(value):
    return staticmethod(value) if isinstance(value, types.FunctionType) else value


def parameterize(*params, **kwargs):
    """Decorator of a test class: for each dict of parameters there is a class beside it that has them as attributes.

    The class itself keeps no tests.
    """
    def decorator(cls):
        module = sys.modules[cls.__module__]
        tests = {name: getattr(cls, name) for name in dir(cls) if name.startswith("test")}
        for i, parameters in enumerate(params):
            name = f"{cls.__name__}_param_{i}_{{{_text(parameters)}}}"
            members = {k: _attribute(v) for k, v in parameters.items()}
            made = type(cls)(name, (cls,), {**tests, **members, "__module__": cls.__module__})
            made.pytestmark = list(getattr(cls, "pytestmark", []))
            setattr(module, name, made)
        for name in tests:
            if name in cls.__dict__:
                delattr(cls, name)
            else:
                setattr(cls, name, None)  # one of a base class
        return cls

    return decorator
