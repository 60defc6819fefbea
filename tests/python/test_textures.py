"""Textures, surfaces and arrays in user kernels, against a reference in NumPy; the same on a GPU and on the CPU.

Coordinates stay away from places where a rounding decides between two elements, which backends may do differently.
"""
import itertools
import struct

import numpy as np
import pytest

import tombac as xp
from tombac import config, cuda
from tombac.cuda import runtime as r
from tombac.cuda import texture as t

WRAP, CLAMP, MIRROR, BORDER = range(4)
# What a filter may be off by: a GPU's weights have eight bits, and how they are rounded is not documented.
FILTER = 5e-3
KINDS = {"i": r.cudaChannelFormatKindSigned, "u": r.cudaChannelFormatKindUnsigned, "f": r.cudaChannelFormatKindFloat}


def channel_of(dtype, channels=1):
    bits = 8 * dtype.itemsize
    return t.ChannelFormatDescriptor(*(bits if i < channels else 0 for i in range(4)), KINDS[dtype.kind])


def array_of(host, channels=1, flags=0):
    shape = host.shape if channels == 1 else host.shape[:-1]
    a = t.CUDAarray(channel_of(host.dtype, channels), *shape[::-1], flags=flags)
    a.copy_from(host)
    return a


def texture_of(resource, modes=(CLAMP,) * 3, linear=False, floats=False, normalized=False, border=None):
    return t.TextureObject(resource, t.TextureDescriptor(modes, int(linear), int(floats), borderColors=border,
                                                         normalizedCoords=normalized))


def of_array(a):
    return t.ResourceDescriptor(r.cudaResourceTypeArray, cuArr=a)


def fetch(texture, coordinates, function="tex%dD<float>", dtype="f", ctype="float", last=""):
    """What a kernel fetches at rows of coordinates; ``last``: one more argument."""
    coordinates = np.atleast_2d(np.asarray(coordinates, "f"))
    n, d = coordinates.shape
    name = function % d if "%" in function else function
    arguments = ", ".join(["tex"] + [f"c[i * {d} + {k}]" for k in range(d)]) + last
    code = f"""extern "C" __global__ void k(cudaTextureObject_t tex, const float *c, {ctype} *out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = {name}({arguments});
    }}"""
    out = xp.zeros(n, dtype)
    xp.RawKernel(code, "k")(((n + 63) // 64,), (64,), (texture, xp.array(coordinates), out, np.int32(n)))
    return out.get()


def index_of(i, n, mode):
    if mode == WRAP:
        return i % n
    if mode == MIRROR:
        i %= 2 * n
        return i if i < n else 2 * n - 1 - i
    if mode == BORDER:
        return i if 0 <= i < n else None
    return min(max(i, 0), n - 1)


def reference(host, coordinates, modes, linear, normalized, border):
    out = []
    for c in np.asarray(coordinates, "d"):
        ends = []
        for x, n, mode in zip(c, host.shape[::-1], modes):
            x = x * n if normalized else x
            mode = mode if normalized or mode in (CLAMP, BORDER) else CLAMP
            if linear:
                whole, part = divmod(int(np.floor((x - 0.5) * 256 + 0.5)), 256)
                ends.append([(whole, mode, n, 1 - part / 256), (whole + 1, mode, n, part / 256)])
            else:
                ends.append([(int(np.floor(x)), mode, n, 1.0)])
        total = 0.0
        for corner in itertools.product(*ends):
            at = [index_of(i, n, mode) for i, mode, n, _ in corner]
            v = border if None in at else float(host[tuple(at[::-1])])
            total += v * np.prod([w for *_, w in corner])
        out.append(total)
    return np.array(out)


def coordinates_for(shape, normalized, seed):
    """Around and beyond the elements, in steps of 1/256 that are no boundary of anything."""
    rng = np.random.default_rng(seed)
    n = np.array(shape[::-1])
    c = rng.integers(-2 * 256 * n, 3 * 256 * n, (200, len(shape))) / 256 + 0.25 / 256
    return (c / n if normalized else c).astype("f")


@pytest.mark.parametrize("shape", [(16,), (8, 16), (4, 8, 16), (1,), (2, 1)])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER])
@pytest.mark.parametrize("normalized", [False, True])
def test_address_modes_and_filters(shape, mode, normalized):
    host = np.random.default_rng(1).random(shape).astype("f")
    a = array_of(host)
    c = coordinates_for(shape, normalized, 2)
    for linear in (False, True):
        texture = texture_of(of_array(a), (mode,) * 3, linear, normalized=normalized, border=(0.5,) * 4)
        expected = reference(host, c, (mode,) * 3, linear, normalized, 0.5)
        np.testing.assert_allclose(fetch(texture, c), expected, rtol=0, atol=FILTER if linear else 0)


def test_modes_differ_by_dimension():
    host = np.arange(32, dtype="f").reshape(4, 8)
    modes = (WRAP, BORDER, CLAMP)
    c = coordinates_for((4, 8), True, 3)
    got = fetch(texture_of(of_array(array_of(host)), modes, normalized=True, border=(-1,)), c)
    assert (got == reference(host, c, modes, False, True, -1)).all()


@pytest.mark.skipif(config.backend() != "cpu", reason="a GPU's last bits of a filter are not documented")
def test_the_fraction_has_eight_bits():
    texture = texture_of(of_array(array_of(np.array([0, 256], "f"))), linear=True)
    x = 0.5 + np.array([0, 1, 1.49, 1.51, 100.2, 255.4, 255.6, 256]) / 256
    assert fetch(texture, x[:, None]).tolist() == [0, 1, 1, 2, 100, 255, 256, 256]


@pytest.mark.parametrize("code, ctype", [("i1", "char"), ("u1", "unsigned char"), ("i2", "short"), ("i4", "int"),
                                         ("u2", "unsigned short"), ("u4", "unsigned"), ("f4", "float")])
def test_elements_as_they_are(code, ctype):
    dtype = np.dtype(code)
    top = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    host = np.array([[top.min, 1, top.max], [0, 2, 3]], dtype)
    c = np.array([[x + 0.5, y + 0.5] for y in range(2) for x in range(3)])
    got = fetch(texture_of(of_array(array_of(host))), c, f"tex2D<{ctype}>", dtype, ctype)
    assert (got == host.ravel()).all()


@pytest.mark.parametrize("code", ["i1", "u1", "i2", "u2"])
def test_integers_as_fractions(code):
    dtype = np.dtype(code)
    top = np.iinfo(dtype)
    host = np.array([top.min, top.min + 1, 0, 5, top.max], dtype)
    got = fetch(texture_of(of_array(array_of(host)), floats=True), np.arange(5)[:, None] + 0.5)
    np.testing.assert_allclose(got, np.maximum(host / top.max, -1), rtol=1e-6)
    between = fetch(texture_of(of_array(array_of(host)), floats=True, linear=True), [[4.0]])
    np.testing.assert_allclose(between, (5 / top.max + 1) / 2, rtol=2e-3)


def test_half_precision_elements():
    host = np.array([0, -1.5, 65504, 6e-8, np.inf, 2049], "e")
    got = fetch(texture_of(of_array(array_of(host))), np.arange(6)[:, None] + 0.5)
    assert (got == host.astype("f")).all()


def test_channels():
    host = np.arange(48, dtype="f").reshape(3, 4, 4)
    texture = texture_of(of_array(array_of(host, 4)))
    out = xp.zeros((3, 4, 4), "f")
    xp.RawKernel("""extern "C" __global__ void k(cudaTextureObject_t tex, float4 *out) {
        float x = threadIdx.x + .5f, y = threadIdx.y + .5f;
        float4 v = tex2D<float4>(tex, x, y), w;
        tex2D(&w, tex, x, y);
        out[threadIdx.x + 4 * threadIdx.y] = make_float4(v.x, v.y, w.z, w.w);
    }""", "k")((1,), (4, 3), (texture, out))
    assert (out.get() == host).all()
    two = np.arange(24, dtype="u1").reshape(3, 4, 2)
    pairs = xp.zeros((3, 4, 2), "u1")
    xp.RawKernel("""extern "C" __global__ void k(cudaTextureObject_t tex, uchar2 *out) {
        out[threadIdx.x + 4 * threadIdx.y] = tex2D<uchar2>(tex, threadIdx.x, threadIdx.y);
    }""", "k")((1,), (4, 3), (texture_of(of_array(array_of(two, 2))), pairs))
    assert (pairs.get() == two).all()


def test_linear_and_pitched_memory():
    x = xp.arange(100, dtype="i4")
    linear = t.ResourceDescriptor(r.cudaResourceTypeLinear, arr=x, chDesc=channel_of(np.dtype("i4")), sizeInBytes=400)
    got = fetch(texture_of(linear), np.arange(-2, 103)[:, None], "tex1Dfetch<int>", "i4", "int")
    assert (got == np.r_[0, 0, np.arange(100), 0, 0, 0]).all()
    rows = xp.arange(8 * 128, dtype="f").reshape(8, 128)
    pitched = t.ResourceDescriptor(r.cudaResourceTypePitch2D, arr=rows, chDesc=channel_of(np.dtype("f")), width=5,
        height=8, pitchInBytes=512)
    c = coordinates_for((8, 5), False, 4)
    got = fetch(texture_of(pitched, linear=True), c)
    np.testing.assert_allclose(got, reference(rows.get()[:, :5], c, (CLAMP,) * 2, True, False, 0), atol=2, rtol=0)


def test_layers():
    host = np.random.default_rng(5).random((3, 4, 8)).astype("f")
    texture = texture_of(of_array(array_of(host, flags=r.cudaArrayLayered)), linear=True)
    c = coordinates_for((4, 8), False, 6)
    for layer in range(3):
        got = fetch(texture, c, "tex2DLayered<float>", last=f", {layer}")
        np.testing.assert_allclose(got, reference(host[layer], c, (CLAMP,) * 2, True, False, 0), atol=FILTER)


def test_layers_of_lines():
    host = np.random.default_rng(5).random((3, 8)).astype("f")
    a = t.CUDAarray(channel_of(host.dtype), 8, 0, 3, r.cudaArrayLayered)
    a.copy_from(host)
    back = np.zeros_like(host)
    a.copy_to(back)
    assert (back == host).all()
    texture = texture_of(of_array(a), (BORDER,) * 3, border=(7,))
    c = coordinates_for((8,), False, 6)
    for layer in range(3):
        got = fetch(texture, c, "tex1DLayered<float>", last=f", {layer}")
        assert (got == reference(host[layer], c, (BORDER,), False, False, 7)).all()
    beyond = fetch(texture, [[2.5]], "tex1DLayered<float>", last=", 9")
    assert beyond == host[2, 2]  # the last layer


@pytest.mark.parametrize("shape, function, gradients", [((8,), "tex1D", ", 1.f, 2.f"), ((4, 8), "tex2D",
    ", make_float2(1, 0), make_float2(0, 1)"), ((2, 4, 8), "tex3D",
    ", make_float4(1, 0, 0, 0), make_float4(0, 1, 0, 0)")])
def test_levels_of_detail_of_an_array_are_one(shape, function, gradients):
    host = np.random.default_rng(7).random(shape).astype("f")
    texture, c = texture_of(of_array(array_of(host)), normalized=True), coordinates_for(shape, True, 8)
    plain = fetch(texture, c, function + "<float>")
    assert (plain == reference(host, c, (CLAMP,) * 3, False, True, 0)).all()
    assert (fetch(texture, c, function + "Lod<float>", last=", 3.f") == plain).all()
    assert (fetch(texture, c, function + "Grad<float>", last=gradients) == plain).all()


def test_gather():
    host = np.arange(64, dtype="f").reshape(4, 8, 2)
    a = t.CUDAarray(channel_of(host.dtype, 2), 8, 4, flags=r.cudaArrayTextureGather)
    a.copy_from(host)
    out = xp.zeros((2, 4), "f")
    xp.RawKernel("""extern "C" __global__ void k(cudaTextureObject_t tex, float4 *out) {
        out[0] = tex2Dgather<float4>(tex, 3.2f, 2.1f);
        tex2Dgather(&out[1], tex, 3.2f, 2.1f, 1);
    }""", "k")((1,), (1,), (texture_of(of_array(a)), out))
    x, y = slice(2, 4), slice(1, 3)
    for channel in range(2):
        (a00, a10), (a01, a11) = host[y, x, channel]
        assert out[channel].get().tolist() == [a01, a11, a10, a00]


# ---- cubemaps


def cube_of(n, layers=None, code="f4"):
    host = np.random.default_rng(9).random((6 * (layers or 1), n, n)).astype(code)
    flags = r.cudaArrayCubemap | (r.cudaArrayLayered if layers else 0)
    return host, array_of(host, flags=flags)


def face_of(x, y, z):
    """The face that a direction meets, and where, from 0 to 1: the table of CUDA's programming guide."""
    m = max(abs(x), abs(y), abs(z))
    if m == abs(x):
        face, s, t = (0, -z, -y) if x >= 0 else (1, z, -y)
    elif m == abs(y):
        face, s, t = (2, x, z) if y >= 0 else (3, x, -z)
    else:
        face, s, t = (4, x, -y) if z >= 0 else (5, -x, -y)
    return face, (s / m + 1) / 2, (t / m + 1) / 2


def directions(n, reach, seed):
    """To places on the faces up to ``reach`` from their middle, of any length."""
    rng = np.random.default_rng(seed)
    d = rng.uniform(-reach, reach, (n, 3))
    d[np.arange(n), rng.integers(0, 3, n)] = rng.choice([-1, 1], n)
    return (d * rng.uniform(0.5, 3, (n, 1))).astype("f")


@pytest.mark.parametrize("layers", [None, 3])
@pytest.mark.parametrize("linear", [False, True])
def test_cubemaps(layers, linear):
    n = 8
    host, a = cube_of(n, layers)
    texture = texture_of(of_array(a), linear=linear, normalized=True)
    c = directions(300, 0.85, 10)  # a filter there stays within the face
    for layer in range(layers or 1):
        name, last = ("texCubemapLayered<float>", f", {layer}") if layers else ("texCubemap<float>", "")
        got, more = fetch(texture, c, name, last=last), ", 2.f"
        expected = []
        for d in c.astype("d"):
            face, u, v = face_of(*d)
            expected.append(reference(host[6 * layer + face], [[u, v]], (CLAMP,) * 2, linear, True, 0)[0])
        near = np.isclose(got, expected, rtol=0, atol=FILTER if linear else 0)
        assert near.mean() > (0.99 if not linear else 0.999)  # a direction may fall between two elements
        assert (fetch(texture, c, name.replace("<", "Lod<"), last=last + more) == got).all()


def test_edges_of_a_cube():
    """The middle of each face, and the same element on both sides of an edge."""
    host = np.repeat(np.arange(6, dtype="f"), 4).reshape(6, 2, 2)
    texture = texture_of(of_array(array_of(host, flags=r.cudaArrayCubemap)), normalized=True)
    axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    assert fetch(texture, axes, "texCubemap<float>").tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.skipif(config.backend() != "cpu", reason="a GPU's filter at edges is not documented")
def test_seamless_cubemaps():
    host = np.repeat(np.arange(6, dtype="f"), 16).reshape(6, 4, 4)
    how = t.TextureDescriptor((CLAMP,) * 3, r.cudaFilterModeLinear, normalizedCoords=True, seamlessCubemap=True)
    texture = t.TextureObject(of_array(array_of(host, flags=r.cudaArrayCubemap)), how)
    c = np.array([[1, 1, 0], [1, 0, 1], [-1, 0, -1], [0, -1, 1], [1, 0.999, 0], [0.999, 1, 0]])
    got = fetch(texture, c, "texCubemap<float>")
    np.testing.assert_allclose(got, [1, 2, 3, 3.5, 1, 1], atol=0.02)  # the mean of the two faces
    corner = fetch(texture, [[1, 1, 1]], "texCubemap<float>")
    np.testing.assert_allclose(corner, (0 + 2 + 4) / 3, atol=0.02)
    even = t.TextureObject(of_array(array_of(np.full((6, 4, 4), 5, "f"), flags=r.cudaArrayCubemap)), how)
    assert (fetch(even, directions(100, 1, 3), "texCubemap<float>") == 5).all()


def test_surfaces_of_cubemaps():
    a = t.CUDAarray(channel_of(np.dtype("f")), 4, 4, 6, r.cudaArrayCubemap | r.cudaArraySurfaceLoadStore)
    xp.RawKernel("""extern "C" __global__ void k(cudaSurfaceObject_t s) {
        int x = threadIdx.x, y = threadIdx.y, face = threadIdx.z;
        surfCubemapwrite(x + 10.f * y + 100.f * face, s, x * 4, y, face);
        float v;
        surfCubemapread(&v, s, x * 4, y, face);
        surfCubemapwrite(v + surfCubemapread<float>(s, x * 4, y, face), s, x * 4, y, face);
    }""", "k")((1,), (4, 4, 6), (t.SurfaceObject(of_array(a)),))
    out = np.zeros((6, 4, 4), "f")
    a.copy_to(out)
    face, y, x = np.indices((6, 4, 4))
    assert (out == 2 * (x + 10 * y + 100 * face)).all()


def test_arrays_that_are_no_cubemaps():
    for shape, flags in (((4, 4, 5), r.cudaArrayCubemap), ((4, 8, 6), r.cudaArrayCubemap),
                         ((4, 4, 7), r.cudaArrayCubemap | r.cudaArrayLayered), ((4, 4, 0), r.cudaArrayLayered)):
        with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)):
            t.CUDAarray(channel_of(np.dtype("f")), *shape, flags)


# ---- mipmaps


def mipmap_of(shape, levels, flags=0):
    """Random levels: the mipmap, and what is in it."""
    rng, hosts = np.random.default_rng(11), []
    extents = shape[::-1] + (0,) * (3 - len(shape))
    if len(shape) == 2 and flags & r.cudaArrayLayered:
        extents = (shape[1], 0, shape[0])
    m = t.MipmappedArray(channel_of(np.dtype("f")), *extents, levels=levels, flags=flags)
    for i in range(m.levels):
        a = m.level(i)
        hosts.append(rng.random([n for n in (a.depth, a.height, a.width) if n]).astype("f"))
        a.copy_from(hosts[-1])
    return m, hosts


def of_mipmap(m, between=False, linear=False, **more):
    how = t.TextureDescriptor((CLAMP,) * 3, int(linear), normalizedCoords=True, mipmapFilterMode=int(between),
        **({"maxMipmapLevelClamp": 99} | more))
    return t.TextureObject(t.ResourceDescriptor(r.cudaResourceTypeMipmappedArray, cuArr=m), how)


def test_the_levels_of_a_mipmap():
    m, hosts = mipmap_of((5, 16), 99)
    assert m.levels == 5 and [h.shape for h in hosts] == [(5, 16), (2, 8), (1, 4), (1, 2), (1, 1)]
    back = np.zeros((2, 8), "f")
    m.level(1).copy_to(back)
    assert (back == hosts[1]).all()
    m, hosts = mipmap_of((3, 4, 4), 2, r.cudaArrayLayered)
    assert [h.shape for h in hosts] == [(3, 4, 4), (3, 2, 2)]
    m, hosts = mipmap_of((4, 4, 4), 9)
    assert [h.shape for h in hosts] == [(4, 4, 4), (2, 2, 2), (1, 1, 1)]
    level = m.level(2)
    del m
    back = np.zeros((1, 1, 1), "f")
    level.copy_to(back)  # it keeps the mipmap
    assert back == hosts[2]


@pytest.mark.parametrize("shape, function", [((16,), "tex1D"), ((8, 16), "tex2D"), ((8, 8, 8), "tex3D")])
@pytest.mark.parametrize("linear", [False, True])
def test_levels_of_detail(shape, function, linear):
    m, hosts = mipmap_of(shape, 4)
    c = coordinates_for(shape, True, 12) * 1.003
    allowed = FILTER if linear else 0

    def level(i):
        return reference(hosts[i], c, (CLAMP,) * 3, linear, True, 0)

    def compare(got, expected, allowed):
        assert np.isclose(got, expected, rtol=0, atol=allowed).mean() > 0.98  # one may lie between two elements

    texture = of_mipmap(m, linear=linear)
    compare(fetch(texture, c, function + "<float>"), level(0), allowed)
    for lod, i in ((-2, 0), (0, 0), (0.4, 0), (0.6, 1), (1.25, 1), (2, 2), (2.8, 3), (50, 3)):
        compare(fetch(texture, c, function + "Lod<float>", last=f", {lod}f" if "." in str(lod) else f", {lod}.f"),
            level(i), allowed)
    between = of_mipmap(m, True, linear)
    compare(fetch(between, c, function + "Lod<float>", last=", 1.25f"), 0.75 * level(1) + 0.25 * level(2), FILTER)


def test_levels_are_moved_and_kept_in_a_range():
    m, hosts = mipmap_of((16,), 5)
    c = [[0.5001]]

    def value(lod, **more):
        return fetch(of_mipmap(m, **more), c, "tex1DLod<float>", last=f", {float(lod)}f")[0]

    def level(i):
        return hosts[i][int(0.5001 * len(hosts[i]))]

    assert value(1, mipmapLevelBias=2) == level(3)
    assert value(0, minMipmapLevelClamp=2) == level(2) and value(4, maxMipmapLevelClamp=1) == level(1)
    assert value(3, maxMipmapLevelClamp=0) == level(0)


def test_levels_by_gradients():
    m, hosts = mipmap_of((16, 16), 5)
    texture = of_mipmap(m)
    for step, i in ((1 / 16, 0), (1 / 8, 1), (1 / 4, 2), (1, 4), (0, 0)):
        along, none = f"make_float2({float(step)}f, 0)", "make_float2(0, 0)"
        for vectors in (f", {along}, {none}", f", {none}, make_float2(0, {float(step)}f)"):
            got = fetch(texture, [[0.51, 0.52]], "tex2DGrad<float>", last=vectors)
            n = len(hosts[i])
            assert got == hosts[i][int(0.52 * n), int(0.51 * n)]


def test_mipmaps_of_cubes_and_layers():
    m, hosts = mipmap_of((6, 8, 8), 3, r.cudaArrayCubemap)
    c = directions(50, 0.4, 13)
    got = fetch(of_mipmap(m), c, "texCubemapLod<float>", last=", 1.f")
    expected = [reference(hosts[1][f], [[u, v]], (CLAMP,) * 2, False, True, 0)[0]
                for f, u, v in (face_of(*d) for d in c.astype("d"))]
    assert np.isclose(got, expected, rtol=0, atol=0).mean() > 0.97
    m, hosts = mipmap_of((3, 16), 3, r.cudaArrayLayered)
    got = fetch(of_mipmap(m), [[0.3], [0.9]], "tex1DLayeredLod<float>", last=", 2, 1.f")
    assert got.tolist() == [hosts[1][2, int(0.3 * 8)], hosts[1][2, int(0.9 * 8)]]


def test_wrong_mipmaps():
    channel = channel_of(np.dtype("f"))
    with pytest.raises(ValueError, match="level"):
        t.MipmappedArray(channel, 8, levels=0)
    m = t.MipmappedArray(channel, 8, levels=2)
    with pytest.raises(IndexError):
        m.level(2)
    with pytest.raises(TypeError, match="MipmappedArray"):
        t.ResourceDescriptor(r.cudaResourceTypeMipmappedArray, cuArr=array_of(np.zeros(8, "f")))
    with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)):
        r.getMipmappedArrayLevel(m.ptr, 7)
    resource = t.ResourceDescriptor(r.cudaResourceTypeMipmappedArray, cuArr=m)
    if config.backend() == "cpu":
        with pytest.raises(r.CUDARuntimeError, match="normalized"):
            t.TextureObject(resource, t.TextureDescriptor())
    with pytest.raises(TypeError):
        t.SurfaceObject(resource)


def test_a_texture_sees_later_writes():
    x = xp.zeros(4, "f")
    texture = texture_of(t.ResourceDescriptor(r.cudaResourceTypeLinear, arr=x, chDesc=channel_of(np.dtype("f")),
        sizeInBytes=16))
    x += 3
    assert (fetch(texture, [[0], [3]], "tex1Dfetch<float>") == 3).all()


# ---- surfaces


def surface_of(shape, code="f4"):
    a = array_of(np.zeros(shape, code), flags=r.cudaArraySurfaceLoadStore)
    return a, t.SurfaceObject(of_array(a))


@pytest.mark.parametrize("shape", [(16,), (4, 16), (2, 4, 16)])
def test_surfaces(shape):
    a, surface = surface_of(shape)
    d = len(shape)
    at = ", ".join(["threadIdx.x * 4", "threadIdx.y", "threadIdx.z"][:d])
    xp.RawKernel(f"""extern "C" __global__ void k(cudaSurfaceObject_t s) {{
        float v = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z, old;
        surf{d}Dwrite(v, s, {at});
        surf{d}Dread(&old, s, {at});
        surf{d}Dwrite(old + surf{d}Dread<float>(s, {at}), s, {at});
    }}""", "k")((1,), shape[::-1], (surface,))
    out = np.zeros(shape, "f")
    a.copy_to(out)
    z, y, x = np.indices((1,) * (3 - d) + shape)
    assert (out == 2 * (x + 100 * y + 10000 * z).reshape(shape)).all()


def test_surface_boundaries():
    a, surface = surface_of((2, 4))
    a.copy_from(np.arange(1, 9, dtype="f").reshape(2, 4))
    out = xp.full(6, -1, "f")
    xp.RawKernel("""extern "C" __global__ void k(cudaSurfaceObject_t s, float *out) {
        out[0] = surf2Dread<float>(s, -4, 0, cudaBoundaryModeZero);
        out[1] = surf2Dread<float>(s, 0, 2, cudaBoundaryModeZero);
        out[2] = surf2Dread<float>(s, 400, 0, cudaBoundaryModeClamp);
        out[3] = surf2Dread<float>(s, -4, 7, cudaBoundaryModeClamp);
        surf2Dwrite(9.f, s, 16, 0, cudaBoundaryModeZero);
        out[4] = surf2Dread<float>(s, 0, 1);
        out[5] = surf2Dread<float>(s, 12, 1);
    }""", "k")((1,), (1,), (surface, out))
    assert out.get().tolist() == [0, 0, 4, 5, 5, 8]


@pytest.mark.skipif(config.backend() != "cpu", reason="on a GPU it ends the context")
def test_a_surface_access_outside_is_an_error():
    _, surface = surface_of((4,))
    k = xp.RawKernel('extern "C" __global__ void k(cudaSurfaceObject_t s) { surf1Dwrite(1.f, s, 16); }', "k")
    with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError), match="surface"):
        k((1,), (1,), (surface,))


# ---- arrays by the run-time interface


def test_arrays_by_name():
    host = np.arange(40, dtype="f").reshape(5, 8)
    channel = channel_of(host.dtype)
    a = r.mallocArray(channel.ptr, 8, 5)
    try:
        r.memcpy2DToArray(a, 0, 0, host.ctypes.data, 32, 32, 5, r.memcpyHostToDevice)
        part = np.zeros((2, 3), "f")
        r.memcpy2DFromArray(part.ctypes.data, 12, a, 8, 1, 12, 2, r.memcpyDeviceToHost)
        assert (part == host[1:3, 2:5]).all()
        s = cuda.Stream()
        on_device = xp.full((2, 2), -1, "f")
        r.memcpy2DToArrayAsync(a, 4, 3, on_device.data.ptr, 8, 8, 2, r.memcpyDeviceToDevice, s.ptr)
        back = xp.zeros((5, 8), "f")
        r.memcpy2DFromArrayAsync(back.data.ptr, 32, a, 0, 0, 32, 5, r.memcpyDeviceToDevice, s.ptr)
        s.synchronize()
        host[3:5, 1:3] = -1
        assert (back.get() == host).all()
        with pytest.raises(r.CUDARuntimeError):
            r.memcpy2DToArray(a, 2, 0, host.ctypes.data, 32, 32, 5, r.memcpyHostToDevice)
        with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)):
            r.memcpy2DToArray(a, 0, 1, host.ctypes.data, 32, 32, 5, r.memcpyHostToDevice)
    finally:
        r.freeArray(a)


def test_a_box_of_an_array():
    host = np.arange(3 * 4 * 8, dtype="i2").reshape(3, 4, 8)
    channel = channel_of(host.dtype)
    a = r.malloc3DArray(channel.ptr, 8, 4, 3)
    x = xp.array(host)
    out = xp.zeros((2, 2, 3), "i2")

    def parameters(src, dst, extent):
        side = "QQQQQQQQ"
        return np.frombuffer(struct.pack(side + side + "QQQi4x", *src, *dst, *extent, r.memcpyDefault), "u1").copy()

    whole = parameters((0, 0, 0, 0, x.data.ptr, 16, 16, 4), (a, 0, 0, 0, 0, 0, 0, 0), (8, 4, 3))
    r.memcpy3D(whole.ctypes.data)
    box = parameters((a, 5, 1, 1, 0, 0, 0, 0), (0, 0, 0, 0, out.data.ptr, 6, 6, 2), (3, 2, 2))
    r.memcpy3DAsync(box.ctypes.data, 0)
    assert (out.get() == host[1:, 1:3, 5:]).all()
    r.freeArray(a)


def test_objects_by_name():
    a = array_of(np.arange(4, dtype="f"), flags=r.cudaArraySurfaceLoadStore)
    resource, how = of_array(a), t.TextureDescriptor((CLAMP,))
    texture, surface = r.createTextureObject(resource.ptr, how.ptr), r.createSurfaceObject(resource.ptr)
    assert (fetch(np.uint64(texture), [[2.5]]) == 2).all()
    r.destroyTextureObject(texture)
    r.destroySurfaceObject(surface)


def test_wrong_descriptions():
    a = array_of(np.arange(4, dtype="i4"))
    with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)):
        texture_of(of_array(a), linear=True)
    with pytest.raises((r.CUDARuntimeError, cuda.driver.CUDADriverError)):
        r.mallocArray(channel_of(np.dtype("f")).ptr, 0, 0)
