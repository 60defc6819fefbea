"""Programs of views, in-place writes, shared sub-expressions and failures: deferral must never be visible."""
import numpy as np
import pytest
import random_programs

import tombac as cp


@pytest.mark.parametrize("compiling", ["sync", "tiers"])
@pytest.mark.parametrize("fusion", ["off", "on", "all"])
def test_random_programs(fusion, compiling):
    """A short run; `make check-long` has a long one."""
    first = {"off": 0, "on": 10000, "all": 20000}[fusion] + (compiling == "tiers") * 100000
    arguments = ["--fusion", fusion, "--seeds", f"{first}:", "--operations", "20000"]
    failure = random_programs.watch(arguments, TOMBAC_COMPILE=compiling.replace("tiers", ""))
    assert not failure, failure


@pytest.mark.usefixtures("deferral")
@pytest.mark.parametrize("n", [50, 500])
def test_long_chain_stays_within_limits(n):
    host = np.arange(6.0)
    x, y = host.copy(), cp.asarray(host)
    for i in range(n):
        x = np.mod(x * 3 + i, 64.0)
        y = cp.mod(y * 3 + i, 64.0)
    np.testing.assert_array_equal(y.get(), x)


@pytest.mark.usefixtures("deferral")
def test_chain_with_every_intermediate_alive():
    host = np.arange(6.0)
    xs, ys = [host], [cp.asarray(host)]
    for i in range(120):
        xs.append(np.mod(xs[-1] * 3 + xs[i // 2], 64.0))
        ys.append(cp.mod(ys[-1] * 3 + ys[i // 2], 64.0))
    for x, y in zip(xs, ys):
        np.testing.assert_array_equal(y.get(), x)


@pytest.mark.usefixtures("deferral")
def test_doubling_graph():
    """Shared nodes: the graph has 2^60 paths but 60 nodes."""
    x = cp.ones(5)
    for _ in range(60):
        x = x * 0.5 + x * 0.5
    np.testing.assert_array_equal(x.get(), np.ones(5))


@pytest.mark.usefixtures("deferral")
def test_write_after_pending_read_keeps_the_old_value():
    a = cp.arange(10.0)
    b = a * 2
    a[...] = 7
    np.testing.assert_array_equal(b.get(), np.arange(10.0) * 2)
    np.testing.assert_array_equal(a.get(), np.full(10, 7.0))


def test_a_pending_write_is_done_once_by_what_is_not_deferred():
    a = cp.arange(2000.0)
    a.sum().item()
    a += 1
    with cp.config.fusion(False):
        a += 1
    np.testing.assert_array_equal(a.get(), np.arange(2000.0) + 2)
    a *= 2
    with cp.config.fusion(False):
        a[::-1] += 1
    np.testing.assert_array_equal(a.get(), 2 * (np.arange(2000.0) + 2) + 1)


@pytest.mark.usefixtures("deferral")
def test_write_through_a_view_after_pending_read():
    a = cp.arange(10.0)
    v = a[2:5]
    b = a + 1
    v += 100
    want = np.arange(10.0)
    np.testing.assert_array_equal(b.get(), want + 1)
    want[2:5] += 100
    np.testing.assert_array_equal(a.get(), want)


@pytest.mark.usefixtures("fused")
def test_in_place_chain_is_one_launch():
    a = cp.arange(1000.0)
    a.data
    before = cp.config.counters()["launches"]
    a += 1
    a *= 2
    a -= 3
    a.data
    assert cp.config.counters()["launches"] == before + 1
    np.testing.assert_array_equal(a.get(), (np.arange(1000.0) + 1) * 2 - 3)


@pytest.mark.usefixtures("deferral")
def test_overlapping_assignment_takes_a_temporary():
    a = cp.arange(10.0)
    a[1:] = a[:-1]
    np.testing.assert_array_equal(a.get(), np.r_[0.0, np.arange(9.0)])
    a = cp.arange(10.0)
    a += a[::-1]
    np.testing.assert_array_equal(a.get(), np.full(10, 9.0))


@pytest.mark.usefixtures("fused")
def test_live_intermediates_come_out_of_the_same_kernel():
    x = cp.arange(1000.0)
    x.data
    before = cp.config.counters()["launches"]
    h = cp.abs(x - 500)
    y = h * h + h
    y.data
    h.data
    assert cp.config.counters()["launches"] == before + 1
    np.testing.assert_array_equal(h.get(), abs(np.arange(1000.0) - 500))


@pytest.mark.usefixtures("fused")
def test_dead_temporaries_give_their_memory():
    x = cp.arange(1000.0)
    x.data
    t = x + 1
    t.data
    before = cp.config.counters()
    t = t * 2
    t.data
    after = cp.config.counters()
    assert after["donations"] == before["donations"] + 1 and after["allocations"] == before["allocations"]
    np.testing.assert_array_equal(t.get(), (np.arange(1000.0) + 1) * 2)


@pytest.mark.parametrize("alive", [3, 7, 8, 9, 12, 40])
def test_many_live_intermediates_are_right_and_computed_once(fused, alive):
    x, want, live, wants = cp.asarray(np.linspace(0, 1, 1000)), np.linspace(0, 1, 1000), [], []
    before = cp.config.counters()
    for _ in range(alive):
        x, want = x * 0.5 + 1, want * 0.5 + 1
        live.append(x)
        wants.append(want)
    assert float(x[3]) == want[3]
    for got, want in zip(live, wants):
        np.testing.assert_array_equal(got.get(), want)
    after = cp.config.counters()
    assert after["recomputed_nodes"] == before["recomputed_nodes"]
    assert after["fused_nodes"] - before["fused_nodes"] <= 2 * alive


def both_sides(x):
    t = x * x - 1
    return t + 1, t - 2


def test_what_two_live_arrays_need_is_computed_once(fused):
    n = np.arange(500.0)
    x = cp.asarray(n)
    before = cp.config.counters()
    a, b = both_sides(x)
    np.testing.assert_array_equal(a.get(), both_sides(n)[0])
    np.testing.assert_array_equal(b.get(), both_sides(n)[1])
    after = cp.config.counters()
    assert after["launches"] == before["launches"] + 1
    assert after["recomputed_nodes"] == before["recomputed_nodes"]


def many_sides(x):
    t = (x * x - 1) * x
    return [t + k for k in range(20)]


def test_what_more_share_than_fit_a_kernel_is_kept(fused):
    n = np.arange(500.0)
    x = cp.asarray(n)
    before = cp.config.counters()
    got = many_sides(x)
    for g, want in zip(got, many_sides(n)):
        np.testing.assert_array_equal(g.get(), want)
    assert cp.config.counters()["recomputed_nodes"] == before["recomputed_nodes"]


def test_a_node_that_became_memory_is_read_before_a_write(fused):
    n = np.arange(500.0)
    x = cp.asarray(n) * 2
    y = x + 1
    x.data
    x += 5
    np.testing.assert_array_equal(y.get(), n * 2 + 1)
    np.testing.assert_array_equal(x.get(), n * 2 + 5)


def test_running_out_of_memory_leaves_what_is_pending(fused, own_pool):
    pool = own_pool
    n = 1 << 21
    pool.free_all_blocks()
    before = pool.get_limit()
    x = cp.ones(n)
    x.data
    try:
        y = x + 1
        z = y + 1
        del x
        pool.set_limit(size=pool.used_bytes() + n * 8)
        np.testing.assert_array_equal(z.get(), np.full(n, 3.0))
        pool.set_limit(size=0)
        np.testing.assert_array_equal(y.get(), np.full(n, 2.0))
        pool.free_all_blocks()
        used = pool.used_bytes()
        w = y * 2
        pool.set_limit(size=used)
        for _ in range(2):
            with pytest.raises(cp.cuda.memory.OutOfMemoryError):
                w.get()
        pool.set_limit(size=0)
        np.testing.assert_array_equal(w.get(), np.full(n, 4.0))
    finally:
        pool.set_limit(size=before)


@pytest.mark.parametrize("depth", [1, 5])
def test_what_one_block_of_memory_cut_off_from_a_write_is_not_left_behind(fused, depth, own_pool):
    pool = own_pool
    n = 1 << 18
    before = pool.get_limit()
    x, want = cp.arange(n), np.arange(n)
    x.data
    pool.free_all_blocks()
    enough_for_one = pool.used_bytes() + n * 8
    live, wants = [x + 1], [want + 1]
    for k in range(depth):
        live.append(live[-1] * 3 + k)
        wants.append(wants[-1] * 3 + k)
    x += live[-1]
    want = want + wants[-1]
    try:
        pool.set_limit(size=enough_for_one)
        np.testing.assert_array_equal(live[-1].get(), wants[-1])
    finally:
        pool.set_limit(size=before)
    np.testing.assert_array_equal(x.get(), want)
    for got, w in zip(live, wants):
        np.testing.assert_array_equal(got.get(), w)


def test_a_write_that_failed_has_not_happened(own_pool):
    pool = own_pool
    n = 1 << 21
    before = pool.get_limit()
    x = cp.arange(float(n))
    x.data
    index = cp.arange(n)[::-1].copy()
    index.data
    pool.free_all_blocks()
    with cp.config.fusion(False):
        try:
            pool.set_limit(size=max(pool.used_bytes(), 1))
            with pytest.raises(cp.cuda.memory.OutOfMemoryError):
                x += x[::-1]
            np.testing.assert_array_equal(x.get(), np.arange(float(n)))
        finally:
            pool.set_limit(size=before)
        x += x[::-1]
        x[index] = x * 1
    np.testing.assert_array_equal(x.get(), np.full(n, n - 1.0))


@pytest.mark.usefixtures("deferral")
@pytest.mark.skipif(cp.config.backend() != "cpu", reason="the host writes through the address")
@pytest.mark.parametrize("ask", [lambda a: a.data.ptr, lambda a: int(a.data), lambda a: a[3:].data.ptr - 24])
def test_who_has_the_address_of_memory_does_not_ask_again(ask):
    import ctypes

    a = cp.arange(20000.0)
    p = ask(a)
    b, c = a * 2, a[5:] + 1
    v = a[:7]
    v += 3
    ctypes.memset(p, 0, a.nbytes)
    want = np.arange(20000.0)
    np.testing.assert_array_equal(b.get(), want * 2)
    np.testing.assert_array_equal(c.get(), want[5:] + 1)
    np.testing.assert_array_equal(a.get(), np.zeros(20000))


@pytest.mark.skipif(cp.config.backend() != "cpu", reason="the host writes through the address")
def test_asking_for_the_address_evaluates_pending_readers():
    import ctypes

    a = cp.arange(10.0)
    a.data
    b = a + 1
    ctypes.memset(a.data.ptr, 0, a.nbytes)
    np.testing.assert_array_equal(b.get(), np.arange(10.0) + 1)
    np.testing.assert_array_equal(a.get(), np.zeros(10))


@pytest.mark.usefixtures("deferral")
def test_memory_shared_with_others_is_never_behind():
    """An array that DLPack has handed out is read and written through without asking."""
    a = cp.arange(10.0)
    mine = np.from_dlpack(a) if cp.config.backend() == "cpu" else cp.from_dlpack(a)
    read = (lambda: mine) if cp.config.backend() == "cpu" else (lambda: mine.get())
    a += 1
    np.testing.assert_array_equal(read(), np.arange(10.0) + 1)
    b = a * 2
    mine[...] = 0
    np.testing.assert_array_equal(b.get(), (np.arange(10.0) + 1) * 2)


@pytest.mark.usefixtures("fused")
def test_a_promise_beyond_the_limit_fails_at_the_call(own_pool):
    pool = own_pool
    keep = cp.arange(1000.0)
    keep.data
    pool.free_all_blocks()
    pool.set_limit(size=pool.total_bytes() + 2**21)
    try:
        with pytest.raises(cp.cuda.memory.OutOfMemoryError):
            cp.zeros(2**22)
        with pytest.raises(cp.cuda.memory.OutOfMemoryError):
            cp.arange(2**22)
        np.testing.assert_array_equal((keep + 1).get(), np.arange(1000.0) + 1)
    finally:
        pool.set_limit(size=0)


@pytest.mark.usefixtures("deferral")
def test_pending_reader_of_the_old_elements_joins_the_write():
    """t reads x reversed; x is then written twice. The second write uses t, the first is still waiting."""
    x = cp.arange(8.0)
    t = x[::-1] * 1
    x += 1
    x += t
    np.testing.assert_array_equal(x.get(), np.full(8, 8.0))
    np.testing.assert_array_equal(t.get(), np.arange(8.0)[::-1])


@pytest.mark.usefixtures("fused")
def test_operand_of_an_in_place_operation_is_part_of_its_kernel():
    x = cp.arange(1000.0)
    x.data
    before = cp.config.counters()["launches"]
    x -= x * 0.5
    x.data
    assert cp.config.counters()["launches"] == before + 1
    np.testing.assert_array_equal(x.get(), np.arange(1000.0) / 2)


@pytest.mark.usefixtures("deferral")
def test_more_live_intermediates_than_one_kernel_can_write():
    x = cp.arange(16.0)
    x.data
    live = [x * 2]
    for i in range(20):
        live.append(live[-1] + i)
    x += live[-1]
    want = [np.arange(16.0) * 2]
    for i in range(20):
        want.append(want[-1] + i)
    np.testing.assert_array_equal(x.get(), np.arange(16.0) + want[-1])
    for a, w in zip(live, want):
        np.testing.assert_array_equal(a.get(), w)


@pytest.mark.usefixtures("fused")
def test_synchronising_writes_a_chain_of_live_arrays_at_once():
    x = cp.arange(1000.0)
    x.data
    before = cp.config.counters()["launches"]
    a = x + 1
    b = a * 2
    c = b - 3
    cp.cuda.Device().synchronize()
    assert cp.config.counters()["launches"] == before + 1
    np.testing.assert_array_equal(a.get() + b.get() + c.get(), 5 * (np.arange(1000.0) + 1) - 3)


@pytest.mark.usefixtures("deferral")
@pytest.mark.parametrize("code", "hif")
@pytest.mark.parametrize("n", [257, 20001])
def test_order_among_many_live_arrays(code, n):
    """Selections and searches of what is pending, views written through, and calls that fail in between."""
    random = np.random.default_rng(n)
    host = (random.standard_normal(n) * 40).astype(code)
    device = cp.asarray(host)
    hosts, devices = zip(*[(host * 2 - k, device * 2 - k) for k in range(12)])
    found = cp.searchsorted(cp.sort(devices[3][:9000]), devices[5]).get()
    assert (found == np.searchsorted(np.sort(hosts[3][:9000]), hosts[5])).all()
    k = n // 3
    assert cp.partition(devices[1] + devices[2], k)[k].item() == np.partition(hosts[1] + hosts[2], k)[k]
    assert (-devices[4]).min().item() == (-hosts[4]).min()
    places = abs(hosts[0].astype("l")) % 5000
    assert (cp.bincount(abs(devices[0].astype("l")) % 5000).get() == np.bincount(places)).all()
    for f in (lambda: cp.bincount(-abs(devices[0].astype("l")) - 1), lambda: cp.partition(device, n)):
        with pytest.raises(ValueError):
            f()
    late = device * 3, host * 3
    host[::-2], device[::-2] = np.sort(host[::-2]), cp.sort(device[::-2])
    for ours, theirs in ((device, host), late, *zip(devices, hosts)):
        assert (ours.get() == theirs).all()


@pytest.mark.usefixtures("deferral")
def test_order_where_memory_runs_out(own_pool):
    host = np.random.default_rng(1).standard_normal(1 << 18)
    pool = own_pool
    x = cp.asarray(host)
    y = x + 1
    z = y * 2
    pool.set_limit(size=pool.used_bytes() + (1 << 16))
    for f in (lambda: cp.sort(x * 1), lambda: cp.median(y), lambda: cp.searchsorted(x, z),
              lambda: cp.histogram(z * 1, 10)):
        with pytest.raises(cp.cuda.memory.OutOfMemoryError):
            f()
    pool.set_limit(size=0)
    assert (z.get() == (host + 1) * 2).all() and (y.get() == host + 1).all()
    assert cp.median(y).item() == np.median(host + 1)


REDUCED = {
    "sum": lambda xp, s, x: (s * x).sum(), "product": lambda xp, s, x: s @ x, "largest": lambda xp, s, x: (s - x).max(),
    "mean": lambda xp, s, x: xp.mean(s + x), "scan": lambda xp, s, x: xp.cumsum(s * x)[-1],
    "masked": lambda xp, s, x: (s * x)[s > x].sum(),
    "place": lambda xp, s, x: (s * x).argmax(), "joined": lambda xp, s, x: xp.concatenate([s * x, s - x])[7],
}


@pytest.mark.parametrize("name", REDUCED)
@pytest.mark.parametrize("made", ["stored", "pending", "of nothing"])
def test_what_is_alive_is_computed_twice_at_most(fused, name, made):
    n = np.arange(1.0, 5001.0)
    x = {"stored": lambda: cp.asarray(n), "pending": lambda: cp.asarray(n - 1) + 1,
         "of nothing": lambda: cp.arange(1.0, 5001.0)}[made]()
    s = cp.exp(x * 1e-4)
    want = REDUCED[name](np, np.exp(n * 1e-4), n)
    for _ in range(2):
        np.testing.assert_allclose(float(REDUCED[name](cp, s, x)), want, rtol=1e-12)
    before = cp.config.counters()["recomputed_nodes"]
    for _ in range(4):
        np.testing.assert_allclose(float(REDUCED[name](cp, s, x)), want, rtol=1e-12)
    np.testing.assert_allclose(s.get(), np.exp(n * 1e-4), rtol=1e-15)
    assert cp.config.counters()["recomputed_nodes"] == before


@pytest.mark.parametrize("fusion", [False, True, "all"])
def test_live_arrays_reduced_again_and_again_where_memory_is_full(fusion):
    """Many live ones, views written through, calls that fail, and room for one result alone."""
    pool, n = cp.get_default_memory_pool(), np.arange(1.0, 40_001.0)
    before = pool.get_limit()
    with cp.config.fusion(fusion):
        x = cp.asarray(n)
        live, want = [x * 1e-6], [n * 1e-6]
        for k in range(6):
            live.append(cp.sin(live[-1]) - k)
            want.append(np.sin(want[-1]) - k)
        try:
            for turn in range(4):
                pool.free_all_blocks()
                pool.set_limit(size=pool.used_bytes() + n.nbytes + (1 << 16))
                for a, b, p, q in zip(live, live[1:], want, want[1:]):
                    np.testing.assert_allclose(float((a * b).sum()), (p * q).sum(), rtol=1e-11)
                    np.testing.assert_allclose(float((a - b).max()), (p - q).max(), rtol=1e-11, atol=1e-11)
                with pytest.raises(cp.cuda.memory.OutOfMemoryError):
                    cp.concatenate([*live, *live])
                with pytest.raises(ValueError):
                    (live[2] * cp.ones(3)).sum()
                pool.set_limit(size=before)
                x[::2] *= 2  # what was made of it stays
                live[turn][turn::3] -= 1.5
                want[turn][turn::3] -= 1.5
        finally:
            pool.set_limit(size=before)
        for a, p in zip(live, want):
            np.testing.assert_allclose(a.get(), p, rtol=1e-12, atol=1e-12)
