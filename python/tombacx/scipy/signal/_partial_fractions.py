"""Partial fractions of rational functions, and roots that occur several times; computed on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call

__all__ = ["invres", "invresz", "residue", "residuez", "unique_roots"]

_documented = with_rows(
    powers="b, a: Coefficients of the numerator and the denominator, the highest power first: sequences or vectors.",
    inverse="b, a: Coefficients of the numerator and the denominator in powers of 1/z, from the zeroth on.",
    rpk="""r, p: The residues and the poles; a pole of order n is there n times, and its residues rise in order.
        k: Coefficients of the polynomial that is added.""",
    tol="tol: How near to one another roots count as one.",
    rtype="""rtype: What stands for roots that count as one: 'avg' or 'mean', their mean; 'min' or 'minimum', 'max' or
            'maximum'.""",
    as_rpk="A tuple of arrays (r, p, k): the residues, the poles, and the coefficients of the polynomial that is left.",
    as_ba="A tuple of arrays (b, a): coefficients of the numerator and the denominator.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: ``rtype`` is none of these, or coefficients are no vectors.""",
)


@_documented
def residue(b, a, tol=0.001, rtype="avg"):
    """Partial fractions r / (s - p)^n of b(s) / a(s).

    Args:
        {powers}
        {tol}
        {rtype}

    Returns:
        {as_rpk}

    Raises:
        {refusals}

    >>> r, p, k = tombacx.scipy.signal.residue([1, 5], [1, 3, 2])
    >>> r.real.round(3), p.real.round(3), k
    (array([ 4., -3.]), array([-1., -2.]), array([], dtype=float64))
    """
    return call("residue", b, a, tol, rtype)


@_documented
def residuez(b, a, tol=0.001, rtype="avg"):
    """Partial fractions r / (1 - p / z)^n of b(z) / a(z).

    Args:
        {inverse}
        {tol}
        {rtype}

    Returns:
        {as_rpk}

    Raises:
        {refusals}

    >>> r, p, k = tombacx.scipy.signal.residuez([1], [1, -0.75, 0.125])
    >>> r.real.round(3), p.real.round(3), k
    (array([-1.,  2.]), array([0.25, 0.5 ]), array([], dtype=float64))
    """
    return call("residuez", b, a, tol, rtype)


@_documented
def invres(r, p, k, tol=0.001, rtype="avg"):
    """The rational function b(s) / a(s) of its partial fractions.

    Args:
        {rpk}
        {tol}
        {rtype}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.invres([4.0, -3.0], [-1.0, -2.0], [])
    (array([1., 5.]), array([1., 3., 2.]))
    """
    return call("invres", r, p, k, tol, rtype)


@_documented
def invresz(r, p, k, tol=0.001, rtype="avg"):
    """The rational function b(z) / a(z), in powers of 1/z, of its partial fractions.

    Args:
        {rpk}
        {tol}
        {rtype}

    Returns:
        {as_ba}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.invresz([2.0, -1.0], [0.5, 0.25], [])
    (array([1., 0.]), array([ 1.   , -0.75 ,  0.125]))
    """
    return call("invresz", r, p, k, tol, rtype)


@_documented
def unique_roots(p, tol=0.001, rtype="min"):
    """Roots, and how often each occurs.

    Args:
        p: The roots: a sequence or a vector.
        {tol}
        {rtype}

    Returns:
        A tuple of arrays (roots, multiplicities): the different ones, and how often each is there.

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.unique_roots(tombac.array([1.0, 2.0, 2.0]))
    (array([1., 2.]), array([1, 2]))
    """
    return call("unique_roots", p, tol, rtype)
