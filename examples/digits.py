"""A CuPy program: handwritten digits, clustered by k-means and classified through random features.

Run it with CuPy as it is, or with tombac as `python -m tombac examples/digits.py`. The same pipeline runs under NumPy,
and the results are compared.
"""

import time

import cupy as cp
import numpy as np
from sklearn.datasets import load_digits

CLUSTERS = 10
FEATURES = 256


def standardise(xp, x):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)


def kmeans(xp, x, steps=20):
    """Centres and labels after `steps` rounds, from evenly spaced samples as first centres."""
    centres = x[:: len(x) // CLUSTERS][:CLUSTERS]
    for _ in range(steps):
        distance = (x * x).sum(axis=1, keepdims=True) - 2 * (x @ centres.T) + (centres * centres).sum(axis=1)
        labels = distance.argmin(axis=1)
        member = (labels[:, None] == xp.arange(CLUSTERS)).astype(x.dtype)
        centres = (member.T @ x) / xp.maximum(member.sum(axis=0), 1)[:, None]
    return centres, labels


def gelu(xp, x):
    return 0.5 * x * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def features(xp, x, weights):
    """A fixed random layer: one matrix product and one chain of elementwise functions."""
    return gelu(xp, x @ weights / 8)


def softmax(xp, scores):
    powers = xp.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def classify(xp, h, target, steps=60, rate=0.5, decay=1e-4):
    """Softmax regression by gradient descent; the share of samples that it gets right."""
    weights = xp.zeros((h.shape[1], CLUSTERS), dtype=h.dtype)
    expected = (target[:, None] == xp.arange(CLUSTERS)).astype(h.dtype)
    for _ in range(steps):
        error = softmax(xp, h @ weights) - expected
        weights -= rate * (h.T @ error / len(h) + decay * weights)
    return (((h @ weights).argmax(axis=1)) == target).mean(), weights


def timed(xp, times, name, function, *arguments):
    start = time.perf_counter()
    result = function(xp, *arguments)
    if xp is cp:
        cp.cuda.Device().synchronize()
    times[name] = time.perf_counter() - start
    return result


def pipeline(xp, images, digits, weights):
    times = {}
    x = timed(xp, times, "standardise", standardise, images)
    centres, labels = timed(xp, times, "k-means", kmeans, x)
    h = timed(xp, times, "features", features, x, weights)
    accuracy, learnt = timed(xp, times, "classify", classify, h, digits)
    return {"centres": centres, "labels": labels, "features": h, "accuracy": accuracy, "weights": learnt}, times


def show_fusion(images):
    """What tombac makes of a chain of functions. CuPy has nothing of the kind, and skips this."""
    if not hasattr(cp, "explain"):
        return
    print("\nsoftplus(x) = maximum(0, x) + log1p(exp(-abs(x))) is pending as one kernel:\n")
    print(cp.explain(cp.maximum(0, images) + cp.log1p(cp.exp(-abs(images)))))


def main():
    images, digits = load_digits(return_X_y=True)
    weights = np.random.default_rng(7).standard_normal((images.shape[1], FEATURES))
    expected, numpy_times = pipeline(np, images, digits, weights)

    on_device = [cp.asarray(a) for a in (images, digits, weights)]
    pipeline(cp, *on_device)  # kernels are made or loaded the first time
    results, times = pipeline(cp, *on_device)

    print(f"{cp.__name__} {cp.__version__}: {len(images)} digits, {CLUSTERS} clusters, {FEATURES} features")
    print(f"{'step':12} {'NumPy ms':>9} {cp.__name__ + ' ms':>10}")
    for name, seconds in times.items():
        print(f"{name:12} {numpy_times[name] * 1e3:9.1f} {seconds * 1e3:10.1f}")
    for name, value in expected.items():
        np.testing.assert_allclose(cp.asnumpy(results[name]), value, rtol=1e-6, atol=1e-8, err_msg=name)
    print(f"accuracy {float(results['accuracy']):.4f}; all results agree with NumPy's")
    show_fusion(on_device[0])


if __name__ == "__main__":
    main()
