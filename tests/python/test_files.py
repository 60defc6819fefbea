"""Files of NumPy's formats: what is written, byte by byte, and what is read."""

import numpy as np
import pytest
import tombac as tb



def test_npz_files_are_mappings(tmp_path):
    name = tmp_path / "a.npz"
    tb.savez(name, x=tb.arange(3), y=tb.asfortranarray(tb.ones((2, 3))))
    with tb.load(name) as f, np.load(name) as g:
        assert list(f) == list(g) and list(f.keys()) == list(g.keys()) and f.get("z", 5) == 5 and repr(f) == repr(g)
        assert {k: v.tolist() for k, v in f.items()} == {k: v.tolist() for k, v in g.items()}
        assert [v.shape for v in f.values()] == [(3,), (2, 3)]
        assert f.f.x.tolist() == [0, 1, 2] and dir(f.f) == ["x", "y"]
        assert f["y"].flags.f_contiguous
        with pytest.raises(KeyError):
            f["z"]
        with pytest.raises(AttributeError):
            f.f.z


def test_files_keep_the_order(tmp_path):
    name, a = tmp_path / "a.npy", np.arange(24).reshape(2, 3, 4)
    for host in (a, np.asfortranarray(a), a.T, a[::2], a.transpose(1, 0, 2), np.zeros((0, 3)).T, np.array(3)):
        tb.save(name, tb.array(host))
        ours = name.read_bytes()
        np.save(name, host)
        assert ours == name.read_bytes()
        got = tb.load(name)
        assert got.tolist() == host.tolist() and got.flags.f_contiguous == np.load(name).flags.f_contiguous


def test_text_by_a_regular_expression(tmp_path):
    name, dtype = tmp_path / "a.txt", [("n", "i4"), ("x", "f8")]
    name.write_text("a 1 2.5\nb 3 0.5\n\nc 4 x\n")
    for pattern in (r"(\d+) (\S+\d)", r"(\d) (0.5|2.5)", r"(\d+) (1e999)"):
        try:
            want = np.fromregex(name, pattern, dtype)
        except Exception as e:
            with pytest.raises(type(e)):
                tb.fromregex(name, pattern, dtype)
        else:
            got = tb.fromregex(name, pattern, dtype)
            np.testing.assert_array_equal(got.get(), want)
    with pytest.raises(TypeError):
        tb.fromregex(name, r"(\d)", "i4")
    with pytest.raises(ValueError):
        tb.fromregex(name, r"(\w) (\d)", [("s", "S1"), ("n", "i4")])
