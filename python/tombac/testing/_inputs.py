"""Arrays to test with, the same for NumPy and tombac."""

import math

import numpy as np

import tombac

__all__ = [
    "generate_matrix", "shaped_arange", "shaped_linspace", "shaped_random", "shaped_reverse_arange",
    "shaped_sparse_random",
]


def _of_numbers(numbers, shape, xp, dtype, order="C"):
    """Numbers as an array: bools tell even from odd ones, imaginary parts are like the real ones."""
    kind = np.dtype(dtype).kind
    a = numbers % 2 == 0 if kind == "b" else numbers + numbers * 1j if kind == "c" else numbers
    return xp.array(a.astype(dtype).reshape(shape), order=order)


def shaped_arange(shape, xp=tombac, dtype=np.float32, order="C"):
    """An array of 1, 2, 3 and so on; of bools, of False and True in turn."""
    return _of_numbers(np.arange(1, math.prod(shape) + 1), shape, xp, dtype, order)


def shaped_reverse_arange(shape, xp=tombac, dtype=np.float32):
    """An array of as many, ..., 2, 1."""
    return _of_numbers(np.arange(math.prod(shape), 0, -1), shape, xp, dtype)


def shaped_linspace(start, stop, shape, xp=tombac, dtype=np.float32):
    """An array of evenly spaced numbers from start to stop."""
    numbers = np.linspace(start, stop, shape if isinstance(shape, int) else math.prod(shape))
    return xp.array((numbers + numbers * 1j if np.dtype(dtype).kind == "c" else numbers).astype(dtype).reshape(shape))


def shaped_random(shape, xp=tombac, dtype=np.float32, scale=10, seed=0, order="C"):
    """An array of random numbers from 0 to scale; of bools where there is no scale. Equal seeds give equal arrays."""
    draw, kind = np.random.RandomState(seed), np.dtype(dtype).kind
    if kind == "b":
        return xp.asarray(draw.randint(2, size=shape), dtype=dtype, order=order)
    a = draw.rand(*shape)
    if kind == "c":
        a = a + 1j * draw.rand(*shape)
    return xp.asarray(a * scale, dtype=dtype, order=order)


def shaped_sparse_random(shape, sp=None, dtype=np.float32, density=0.01, format="coo", seed=0):
    """A sparse matrix of random numbers, of the module ``sp``, tombacx.scipy.sparse by default."""
    import scipy.sparse

    if sp is None:
        import tombacx.scipy.sparse as sp
    n, m = shape
    a = scipy.sparse.random(n, m, density, random_state=np.random.RandomState(seed), dtype=dtype)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 1j)
    return (a if sp is scipy.sparse else sp.coo_matrix(a)).asformat(format)


def generate_matrix(shape, xp=tombac, dtype=np.float32, *, singular_values=None):
    """Random matrices with given singular values (random ones from 0 to 1 by default), along the last two axes.

    Raises:
        ValueError: The shape has fewer than two dimensions or no element, the dtype is neither floating nor complex, or
            the singular values have another shape or are negative.
    """
    t = np.dtype(dtype)
    if len(shape) < 2 or 0 in shape:
        raise ValueError(f"generate_matrix: at least two dimensions of at least one element are needed, not {shape}")
    if t.kind not in "fc":
        raise ValueError(f"generate_matrix: dtype must be floating or complex, not {t}")
    a = np.random.randn(*shape)
    if t.kind == "c":
        a = a + 1j * np.random.randn(*shape)
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    s = np.random.uniform(size=s.shape) if singular_values is None else \
        np.asarray(tombac.asnumpy(singular_values), s.dtype)
    s = np.broadcast_to(s, shape[:-2] + (min(shape[-2:]),))
    if (s < 0).any():
        raise ValueError("generate_matrix: singular values must not be negative")
    return xp.asarray(np.matmul(u * s[..., None, :], vh), dtype=t)
