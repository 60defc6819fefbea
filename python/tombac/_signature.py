"""Signatures of what is written in C, for inspect."""

import inspect


def signature_of(parameters):
    """The inspect.Signature of parameters written as in Python."""
    return inspect.signature(eval(f"lambda {parameters}: None"))
