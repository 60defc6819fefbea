"""The workloads of linear algebra, transforms, images and special functions, as tables of calls for every library that
has them: NumPy's names, and those of the package that stands beside it as SciPy beside NumPy.

  linalg   equations and factors of matrices of float64, of 32, 256 and 1,024 rows; and of 256 matrices of 32 rows
  fft      transforms of 2^10 and 2^20 numbers and of 64 images
  ndimage  filters, labels and measurements of an image of 1,024 by 1,024
  special  functions of 2^20 numbers
  signal   filters and spectra of 2^20 samples
  sparse   matrices of 2^18 rows with 16 elements each, float32, and solvers for a Laplacian of 256 by 256 points

Sizes do not depend on the scale, so that figures of all machines are of the same work.
"""

import numpy as np

GROUPS = ("linalg", "fft", "ndimage", "special", "signal", "sparse")
SIDES = (32, 256, 1024)
STACK = (256, 32)  # so many matrices of so many rows
IMAGES = (64, 256, 256)
IMAGE = 1024
MANY = 1 << 20
ROWS, EACH = 1 << 18, 16
GRID = 256


def arrays(group, peer):
    """What a group's calls work on, by name."""
    made = {"linalg": matrices, "fft": signals, "ndimage": images, "special": numbers, "signal": samples,
            "sparse": elements}[group]()
    return {name: peer.array(value) for name, value in made.items()}


def calls(group, peer, d):
    """Name: call."""
    xp = peer.xp
    if group == "linalg":
        return linalg_calls(xp.linalg, d)
    beside = peer.beside(group)
    if group == "sparse":
        return sparse_calls(beside, peer.beside("sparse.linalg"), d)
    return {"fft": fft_calls, "ndimage": ndimage_calls, "special": special_calls, "signal": signal_calls}[group](
        beside, d)


# ---- linear algebra --------------------------------------------------------------------------------------------------


def matrices():
    random = np.random.default_rng(1)
    made = {}
    for n in SIDES:
        a = random.standard_normal((n, n))
        made |= {f"a{n}": a + 4 * n**0.5 * np.eye(n), f"s{n}": a @ a.T / n + np.eye(n), f"b{n}": a[:, 0].copy(),
                 f"tall{n}": random.standard_normal((2 * n, n)), f"right{n}": random.standard_normal(2 * n)}
    a = random.standard_normal((STACK[0], STACK[1], STACK[1]))
    return made | {"stack": a + 23 * np.eye(STACK[1]), "symmetric": a @ a.swapaxes(1, 2) / STACK[1] + np.eye(STACK[1])}


def linalg_calls(linalg, d):
    found = {}
    for n in SIDES:
        a, s, b, tall, right = (d[f"{name}{n}"] for name in ("a", "s", "b", "tall", "right"))
        found |= {
            f"solve_{n}": lambda a=a, b=b: linalg.solve(a, b),
            f"inv_{n}": lambda a=a: linalg.inv(a),
            f"det_{n}": lambda a=a: linalg.det(a),
            f"cholesky_{n}": lambda s=s: linalg.cholesky(s),
            f"qr_{n}": lambda a=a: tuple(linalg.qr(a)),
            f"svd_{n}": lambda a=a: tuple(linalg.svd(a)),
            f"eigh_{n}": lambda s=s: tuple(linalg.eigh(s)),
            f"lstsq_{n}": lambda a=tall, b=right: linalg.lstsq(a, b, rcond=None),
        }
    a, s = d["stack"], d["symmetric"]
    return found | {
        "solve_stack": lambda: linalg.solve(a, s),
        "inv_stack": lambda: linalg.inv(a),
        "det_stack": lambda: linalg.det(a),
        "cholesky_stack": lambda: linalg.cholesky(s),
        "qr_stack": lambda: tuple(linalg.qr(a)),
        "svd_stack": lambda: tuple(linalg.svd(a)),
        "svdvals_stack": lambda: linalg.svd(a, compute_uv=False),
        "eigh_stack": lambda: tuple(linalg.eigh(s)),
    }


# ---- transforms ------------------------------------------------------------------------------------------------------


def signals():
    random = np.random.default_rng(2)
    few, many = (random.standard_normal(n) for n in (min(1 << 10, MANY), MANY))
    return {"few": few, "many": many, "few_complex": few + 1j, "many_complex": many + 1j,
            "images": random.standard_normal(IMAGES) + 0j}


def fft_calls(fft, d):
    return {
        "fft_2_10": lambda: fft.fft(d["few_complex"]),
        "rfft_2_10": lambda: fft.rfft(d["few"]),
        "fft_2_20": lambda: fft.fft(d["many_complex"]),
        "rfft_2_20": lambda: fft.rfft(d["many"]),
        "fft2_64x256x256": lambda: fft.fft2(d["images"]),
        "dct_2_20": lambda: fft.dct(d["many"]),
    }


# ---- images ----------------------------------------------------------------------------------------------------------


def images():
    random = np.random.default_rng(3)
    smooth = random.random((IMAGE + 8, IMAGE + 8))
    smooth = sum(smooth[i : i + IMAGE, j : j + IMAGE] for i in range(8) for j in range(8)) / 64
    blobs = smooth > np.quantile(smooth, 0.6)
    tiles = np.arange(IMAGE) // 16
    labels = (tiles[:, None] * (IMAGE // 16) + tiles + 1).astype("int32")
    return {"image": random.random((IMAGE, IMAGE)), "blobs": blobs, "noise": random.random((IMAGE, IMAGE)) > 0.4,
            "bytes": (255 * smooth).astype("uint8"), "labels": labels, "index": np.unique(labels),
            "kernel": random.random((5, 5)), "turn": np.array([[0.9, 0.1], [-0.1, 0.9]])}


def ndimage_calls(ndimage, d):
    image, blobs, labels, index = d["image"], d["blobs"], d["labels"], d["index"]
    return {
        "gaussian_filter": lambda: ndimage.gaussian_filter(image, 2.0),
        "uniform_filter_9": lambda: ndimage.uniform_filter(image, 9),
        "sobel": lambda: ndimage.sobel(image),
        "laplace": lambda: ndimage.laplace(image),
        "convolve_5": lambda: ndimage.convolve(image, d["kernel"]),
        "median_filter_3": lambda: ndimage.median_filter(image, 3),
        "median_filter_5": lambda: ndimage.median_filter(image, 5),
        "median_filter_9_uint8": lambda: ndimage.median_filter(d["bytes"], 9),
        "percentile_filter_5": lambda: ndimage.percentile_filter(image, 20, 5),
        "maximum_filter_9": lambda: ndimage.maximum_filter(image, 9),
        "grey_closing_5": lambda: ndimage.grey_closing(image, 5),
        "binary_erosion_10": lambda: ndimage.binary_erosion(blobs, iterations=10),
        "binary_fill_holes": lambda: ndimage.binary_fill_holes(blobs),
        "label": lambda: ndimage.label(blobs),
        "label_noise": lambda: ndimage.label(d["noise"]),
        "find_objects": lambda: ndimage.find_objects(labels),
        "sum_labels": lambda: ndimage.sum_labels(image, labels, index),
        "mean": lambda: ndimage.mean(image, labels, index),
        "standard_deviation": lambda: ndimage.standard_deviation(image, labels, index),
        "maximum": lambda: ndimage.maximum(image, labels, index),
        "maximum_position": lambda: ndimage.maximum_position(image, labels, index),
        "center_of_mass": lambda: ndimage.center_of_mass(image, labels, index),
        "distance_transform_edt": lambda: ndimage.distance_transform_edt(blobs),
        "affine_transform_1": lambda: ndimage.affine_transform(image, d["turn"], order=1),
        "affine_transform_3": lambda: ndimage.affine_transform(image, d["turn"]),
        "zoom_2": lambda: ndimage.zoom(image, 2.0),
        "rotate_1": lambda: ndimage.rotate(image, 30.0, order=1),
        "spline_filter": lambda: ndimage.spline_filter(image),
    }


# ---- special functions -----------------------------------------------------------------------------------------------


def numbers():
    random = np.random.default_rng(4)
    return {"x": random.random(MANY) * 10 + 0.1, "y": random.random(MANY), "rows": random.random((MANY >> 10, 1 << 10))}


def special_calls(special, d):
    x, y = d["x"], d["y"]
    return {
        "gammaln": lambda: special.gammaln(x),
        "digamma": lambda: special.digamma(x),
        "expit": lambda: special.expit(x),
        "erf": lambda: special.erf(y),
        "ndtri": lambda: special.ndtri(y),
        "j0": lambda: special.j0(x),
        "i0": lambda: special.i0(x),
        "gammainc": lambda: special.gammainc(x, y),
        "betainc": lambda: special.betainc(x, 2.0, y),
        "zeta": lambda: special.zeta(x, 1.0 + y),
        "logsumexp": lambda: special.logsumexp(d["rows"], axis=1),
        "softmax": lambda: special.softmax(d["rows"], axis=1),
    }


# ---- signals ---------------------------------------------------------------------------------------------------------


def samples():
    random = np.random.default_rng(5)
    b, a = np.array([0.1, 0.2, 0.3, 0.2, 0.1]), np.array([1.0, -0.4, 0.3, -0.05, 0.01])
    sections = np.tile(np.array([0.2, 0.3, 0.2, 1.0, -0.5, 0.3]), (4, 1))
    return {"x": random.standard_normal(MANY), "b": b, "a": a, "sections": sections,
            "taps": random.standard_normal(65), "rows": random.standard_normal((64, MANY >> 6))}


def signal_calls(signal, d):
    x, b, a = d["x"], d["b"], d["a"]
    return {
        "lfilter": lambda: signal.lfilter(b, a, x),
        "lfilter_rows": lambda: signal.lfilter(b, a, d["rows"]),
        "sosfilt": lambda: signal.sosfilt(d["sections"], x),
        "filtfilt": lambda: signal.filtfilt(b, a, x),
        "fftconvolve": lambda: signal.fftconvolve(x, d["rows"][0]),
        "convolve_65": lambda: signal.convolve(x, d["taps"]),
        "upfirdn": lambda: signal.upfirdn(d["taps"], x, 3, 2),
        "resample_poly": lambda: signal.resample_poly(x, 3, 2),
        "decimate": lambda: signal.decimate(x, 4),
        "savgol_filter": lambda: signal.savgol_filter(x, 11, 3),
        "detrend": lambda: signal.detrend(x),
        "stft": lambda: signal.stft(x)[2],
        "welch": lambda: signal.welch(x)[1],
        "find_peaks": lambda: signal.find_peaks(x, height=1.0)[0],
    }


# ---- sparse matrices -------------------------------------------------------------------------------------------------


def elements():
    random = np.random.default_rng(6)
    n = ROWS * EACH
    return {"data": random.random(n, "f"), "indices": random.integers(0, ROWS, n).astype("i"),
            "indptr": np.arange(0, n + 1, EACH, "i"), "rows": random.integers(0, ROWS, n).astype("i"),
            "x": random.random(ROWS, "f"), "columns": random.random((ROWS, 32), "f"),
            "right": random.random(GRID * GRID), "ones": np.ones(GRID * GRID)}


def laplacian(sparse, ones):
    n = ones.size
    parts = [4 * ones, -ones[1:], -ones[1:], -ones[GRID:], -ones[GRID:]]
    return sparse.diags(parts, [0, -1, 1, -GRID, GRID], shape=(n, n), format="csr")


def sparse_calls(sparse, solvers, d):
    """Results are the arrays of elements, whose addresses can be asked for."""
    shape = (ROWS, ROWS)
    a = sparse.csr_matrix((d["data"], d["indices"], d["indptr"]), shape=shape, copy=True)
    a.sum_duplicates()
    turned, few = a.T.tocsr(), a[: ROWS // 4]
    mixed = sparse.coo_matrix((d["data"], (d["rows"], d["indices"])), shape=shape)
    grid = laplacian(sparse, d["ones"])
    return {
        "spmv": lambda: a @ d["x"],
        "spmv_transposed": lambda: a.T @ d["x"],
        "spmm_32": lambda: a @ d["columns"],
        "spgemm": lambda: (few @ a).data,
        "add": lambda: (a + turned).data,
        "multiply": lambda: a.multiply(turned).data,
        "abs_times_2": lambda: abs(a * 2).data,
        "tocsc": lambda: a.tocsc().data,
        "coo_tocsr": lambda: mixed.tocsr().data,
        "rows": lambda: a[1000 : ROWS // 2].data,
        "columns": lambda: a[:, : ROWS // 2].data,
        "sum_axis0": lambda: a.sum(axis=0),
        "sum_axis1": lambda: a.sum(axis=1),
        "cg": lambda: solvers.cg(grid, d["right"], maxiter=100)[0],
        "gmres": lambda: solvers.gmres(grid, d["right"], maxiter=5)[0],
        "minres": lambda: solvers.minres(grid, d["right"], maxiter=100)[0],
        "bicgstab": lambda: solvers.bicgstab(grid, d["right"], maxiter=50)[0],
    }
