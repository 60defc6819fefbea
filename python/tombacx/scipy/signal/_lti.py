"""What linear time-invariant systems answer, and what is made of them; computed on the host."""

import types

from tombac._docstrings import with_rows
from tombacx.scipy._host import call, device, host, scipy_function
from tombacx.scipy.signal._systems import LinearTimeInvariant

__all__ = [
    "bode", "cont2discrete", "dbode", "dfreqresp", "dimpulse", "dlsim", "dstep", "freqresp", "impulse", "lsim",
    "place_poles", "step",
]

_documented = with_rows(
    system="""system: An lti, or a tuple of two, three or four sequences or arrays: (num, den), (zeros, poles, gain) or
            (A, B, C, D).""",
    discrete="""system: A dlti, or a tuple of sequences or arrays that ends with the sampling time: (num, den, dt),
            (zeros, poles, gain, dt) or (A, B, C, D, dt).""",
    continuous="""X0: The state at first: a vector; zeros if None.
        T: The times, equally spaced from 0: a vector; chosen by the poles if None.
        N: How many times are chosen; 100 if None.""",
    samples="""x0: The state at first: a vector; zeros if None.
        t: The times: a vector; chosen if None.
        n: How many times are chosen; 100 if None.""",
    frequencies="""w: The frequencies, in rad/s: a sequence or a vector; chosen by the poles and zeros if None.
        n: How many are chosen.""",
    angles="""w: The frequencies, in radians per sample: a sequence or a vector; chosen if None.
        n: How many are chosen.""",
    as_response="A tuple of arrays (T, y): the times, and the response at these.",
    as_responses="A tuple (t, y): the times, and a tuple of the responses to each input, of shape (times, outputs).",
    as_bode="A tuple of arrays (w, mag, phase): the frequencies, the gains in decibels, and the phases in degrees.",
    as_frequencies="A tuple of arrays (w, H): the frequencies and the complex responses.",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such system, in SciPy's words.""",
    kind="AttributeError: ``system`` is of the other kind of time.",
)


@_documented
def impulse(system, X0=None, T=None, N=None):
    """The response of a system of continuous time to an impulse.

    Args:
        {system}
        {continuous}

    Returns:
        {as_response}

    Raises:
        {refusals}
        {kind}

    >>> T, y = tombacx.scipy.signal.impulse(([1.0], [1.0, 1.0]), T=[0, 1, 2])
    >>> y.round(3)
    array([1.   , 0.368, 0.135])
    """
    return call("impulse", system, X0, T, N)


@_documented
def step(system, X0=None, T=None, N=None):
    """The response of a system of continuous time to a step.

    Args:
        {system}
        {continuous}

    Returns:
        {as_response}

    Raises:
        {refusals}
        {kind}

    >>> T, y = tombacx.scipy.signal.step(([1.0], [1.0, 1.0]), T=[0, 1, 2])
    >>> y.round(3)
    array([0.   , 0.632, 0.865])
    """
    return call("step", system, X0, T, N)


@_documented
def lsim(system, U, T, X0=None, interp=True):
    """The response of a system of continuous time to an input.

    Args:
        {system}
        U: The input at the times ``T``: a vector, or an array of shape (times, inputs); 0 or None for none.
        T: The times, equally spaced: a vector.
        X0: The state at first: a vector; zeros if None.
        interp: Whether the input goes linearly from one time to the next, rather than staying until then.

    Returns:
        A tuple of arrays (T, y, x): the times, the response at these, and the states.

    Raises:
        {refusals}
        {kind}

    >>> T, y, x = tombacx.scipy.signal.lsim(([1.0], [1.0, 0.0]), tombac.ones(3), [0.0, 1.0, 2.0])
    >>> y.round(3)
    array([0., 1., 2.])
    """
    return call("lsim", system, U, T, X0, interp)


@_documented
def bode(system, w=None, n=100):
    """Magnitude and phase of a system of continuous time over frequency.

    Args:
        {system}
        {frequencies}

    Returns:
        {as_bode}

    Raises:
        {refusals}
        {kind}

    >>> w, mag, phase = tombacx.scipy.signal.bode(([1.0], [1.0, 1.0]), [1.0])
    >>> mag.round(3), phase.round(3)
    (array([-3.01]), array([-45.]))
    """
    return call("bode", system, w, n)


@_documented
def freqresp(system, w=None, n=10000):
    """The frequency response of a system of continuous time.

    Args:
        {system}
        {frequencies}

    Returns:
        {as_frequencies}

    Raises:
        {refusals}
        {kind}

    >>> w, H = tombacx.scipy.signal.freqresp(([1.0], [1.0, 1.0]), [1.0])
    >>> H
    array([0.5-0.5j])
    """
    return call("freqresp", system, w, n)


@_documented
def dimpulse(system, x0=None, t=None, n=None):
    """The response of a system of discrete time to an impulse.

    Args:
        {discrete}
        {samples}

    Returns:
        {as_responses}

    Raises:
        {refusals}
        {kind}

    >>> t, y = tombacx.scipy.signal.dimpulse(([1.0], [1.0, -0.5], 1), n=4)
    >>> y[0].ravel()
    array([0.  , 1.  , 0.5 , 0.25])
    """
    return call("dimpulse", system, x0, t, n)


@_documented
def dstep(system, x0=None, t=None, n=None):
    """The response of a system of discrete time to a step.

    Args:
        {discrete}
        {samples}

    Returns:
        {as_responses}

    Raises:
        {refusals}
        {kind}

    >>> t, y = tombacx.scipy.signal.dstep(([1.0], [1.0, -0.5], 1), n=4)
    >>> y[0].ravel()
    array([0.  , 1.  , 1.5 , 1.75])
    """
    return call("dstep", system, x0, t, n)


@_documented
def dlsim(system, u, t=None, x0=None):
    """The response of a system of discrete time to an input.

    Args:
        {discrete}
        u: The input: a vector, or an array of shape (times, inputs).
        t: The times of the input, which is interpolated between them: a vector; each sampling time if None.
        x0: The state at first: a vector; zeros if None.

    Returns:
        A tuple of arrays (t, y), or (t, y, x) for a StateSpace: the times, the response of shape (times, outputs), and
        the states.

    Raises:
        {refusals}
        {kind}

    >>> t, y = tombacx.scipy.signal.dlsim(([1.0], [1.0, -0.5], 1), tombac.ones(4))
    >>> y.ravel()
    array([0.  , 1.  , 1.5 , 1.75])
    """
    return call("dlsim", system, u, t, x0)


@_documented
def dbode(system, w=None, n=100):
    """Magnitude and phase of a system of discrete time over frequency.

    Args:
        {discrete}
        {angles}

    Returns:
        {as_bode}

    Raises:
        {refusals}
        {kind}

    >>> w, mag, phase = tombacx.scipy.signal.dbode(([1.0], [1.0, 0.0], 1), [1.0])
    >>> mag.round(3), phase.round(3)
    (array([0.]), array([-57.296]))
    """
    return call("dbode", system, w, n)


@_documented
def dfreqresp(system, w=None, n=10000, whole=False):
    """The frequency response of a system of discrete time.

    Args:
        {discrete}
        {angles}
        whole: Whether they go on to 2 pi rather than to pi.

    Returns:
        {as_frequencies}

    Raises:
        {refusals}
        {kind}

    >>> w, H = tombacx.scipy.signal.dfreqresp(([1.0], [1.0, 0.0], 1), [0.0])
    >>> H
    array([1.+0.j])
    """
    return call("dfreqresp", system, w, n, whole)


@_documented
def cont2discrete(system, dt, method="zoh", alpha=None):
    """A system of discrete time like one of continuous time.

    Args:
        {system}
        dt: The sampling time.
        method: 'gbt', 'bilinear' or 'tustin', 'euler' or 'forward_diff', 'backward_diff', 'zoh' for an input that is
            constant from one sample to the next, 'foh' for one that is linear, or 'impulse' for the same response to an
            impulse.
        alpha: The weight of the later sample for 'gbt', from 0 to 1.

    Returns:
        Of a tuple one of arrays in the same form, which ends with ``dt``; of an lti a dlti.

    Raises:
        {refusals}

    >>> num, den, dt = tombacx.scipy.signal.cont2discrete(([1.0], [1.0, 0.0]), 0.5)
    >>> num, den, dt
    (array([[0. , 0.5]]), array([ 1., -1.]), 0.5)
    """
    if isinstance(system, LinearTimeInvariant):
        return system.to_discrete(dt, method, alpha)
    return call("cont2discrete", system, dt, method, alpha)


@_documented
def place_poles(A, B, poles, method="YT", rtol=0.001, maxiter=30):
    """The feedback K by which A - B K has given eigenvalues.

    Args:
        A: The system's matrix, of shape (n, n).
        B: The inputs' matrix, of shape (n, inputs).
        poles: The eigenvalues that are wanted: n of them.
        method: 'YT' (Yang and Tits), or 'KNV0' (Kautsky, Nichols and van Dooren), which does only real ones.
        rtol: By how little the determinant of the eigenvectors has to change for the search to end.
        maxiter: How many steps are made at most.

    Returns:
        An object with the arrays ``gain_matrix``, which is K, ``computed_poles``, ``requested_poles`` and ``X``, the
        eigenvectors; with ``rtol``, which was reached, and ``nb_iter``, the number of steps.

    Raises:
        {refusals}

    >>> A, B = tombac.array([[0.0, 1.0], [0.0, 0.0]]), tombac.array([[0.0], [1.0]])
    >>> tombacx.scipy.signal.place_poles(A, B, [-1, -2]).gain_matrix.round(3)
    array([[2., 3.]])
    """
    f = scipy_function("scipy.signal", "place_poles")
    found = f(host(A), host(B), host(poles), method, rtol, maxiter)
    return types.SimpleNamespace(**{name: device(value) for name, value in vars(found).items()})
