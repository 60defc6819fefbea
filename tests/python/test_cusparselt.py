"""cuSPARSELt's own functions: a product step by step where the library is, and what is said where it is not."""

import pickle

import numpy as np
import pytest

import tombac as tb
from tombac import _core
from tombac.cuda import cusparse, runtime
from tombac.cuda import cusparselt as lt

on_cpu = tb.config.backend() == "cpu"
ROW = cusparse.CUSPARSE_ORDER_ROW


@pytest.fixture
def handle():
    if on_cpu:
        pytest.skip("cuSPARSELt computes on GPUs; this is the CPU backend")
    if int(tb.cuda.Device().compute_capability) < 80:
        pytest.skip("cuSPARSELt needs compute capability 8.0")
    try:
        _core.library_handle("cusparselt")
    except ImportError as e:
        pytest.skip(str(e).split(":")[0])
    h = lt.Handle()
    lt.init(h)
    yield h
    lt.destroy(h)


def drawn(*shape):
    return np.random.default_rng(7).integers(-8, 9, shape).astype("e")


def describe(handle, m, n, k):
    matrices = [lt.MatDescriptor() for _ in range(3)]
    lt.structuredDescriptorInit(handle, matrices[0], m, k, k, 16, runtime.CUDA_R_16F, ROW,
        lt.CUSPARSELT_SPARSITY_50_PERCENT)
    lt.denseDescriptorInit(handle, matrices[1], k, n, n, 16, runtime.CUDA_R_16F, ROW)
    lt.denseDescriptorInit(handle, matrices[2], m, n, n, 16, runtime.CUDA_R_16F, ROW)
    product, choice = lt.MatmulDescriptor(), lt.MatmulAlgSelection()
    none = cusparse.CUSPARSE_OPERATION_NON_TRANSPOSE
    a, b, c = matrices
    lt.matmulDescriptorInit(handle, product, none, none, a, b, c, c, lt.CUSPARSE_COMPUTE_32F)
    lt.matmulAlgSelectionInit(handle, choice, product, lt.CUSPARSELT_MATMUL_ALG_DEFAULT)
    return matrices, product, choice


@pytest.mark.parametrize("by_plan", [True, False])
@pytest.mark.parametrize("search", [True, False])
def test_a_product(handle, by_plan, search):
    m, n, k = 32, 24, 64
    matrices, product, choice = describe(handle, m, n, k)
    way = np.array(0, "i4")
    lt.matmulAlgSetAttribute(handle, choice, lt.CUSPARSELT_MATMUL_ALG_CONFIG_ID, way.ctypes.data, 4)
    plan = lt.MatmulPlan()
    if by_plan:
        lt.matmulPlanInit(handle, plan, product, choice)
        size = lt.matmulGetWorkspace(handle, plan)
    else:
        size = lt.matmulGetWorkspace(handle, choice)
        lt.matmulPlanInit(handle, plan, product, choice, size)
    workspace = tb.empty(size, "i1")

    full, a, b, c = tb.array(drawn(m, k)), tb.zeros((m, k), "e"), tb.array(drawn(k, n)), tb.zeros((m, n), "e")
    valid = np.array(-1, "i4")
    lt.spMMAPruneCheck(handle, product, full.data.ptr, valid.ctypes.data)
    tb.cuda.Device().synchronize()
    assert valid != 0
    lt.spMMAPrune(handle, product, full.data.ptr, a.data.ptr, lt.CUSPARSELT_PRUNE_SPMMA_STRIP)
    lt.spMMAPruneCheck(handle, product, a.data.ptr, valid.ctypes.data)
    tb.cuda.Device().synchronize()
    assert valid == 0
    assert ((a.get().reshape(m, -1, 4) != 0).sum(-1) <= 2).all() and (a.get() != 0).any()
    compressed = tb.zeros(lt.spMMACompressedSize(handle, plan), "u1")
    lt.spMMACompress(handle, plan, a.data.ptr, compressed.data.ptr)
    one, zero = np.array(1, "f"), np.array(0, "f")
    multiply = lt.matmulSearch if search else lt.matmul
    multiply(handle, plan, one.ctypes.data, compressed.data.ptr, b.data.ptr, zero.ctypes.data, c.data.ptr, c.data.ptr,
        workspace.data.ptr)
    assert (c.get() == a.get().astype("f") @ b.get().astype("f")).all()

    lt.matmulPlanDestroy(plan)
    lt.matmulAlgSelectionDestroy(choice)
    for matrix in matrices:
        lt.matDescriptorDestroy(matrix)


def test_without_a_product(handle):
    m, k = 16, 32
    matrix, x = lt.MatDescriptor(), drawn(m, k)
    lt.structuredDescriptorInit(handle, matrix, m, k, k, 16, runtime.CUDA_R_16F, ROW,
        lt.CUSPARSELT_SPARSITY_50_PERCENT)
    none = cusparse.CUSPARSE_OPERATION_NON_TRANSPOSE
    a, pruned, valid = tb.array(x), tb.zeros((m, k), "e"), tb.full(1, -1, "i4")
    lt.spMMAPrune2(handle, matrix, 1, none, a.data.ptr, pruned.data.ptr, lt.CUSPARSELT_PRUNE_SPMMA_STRIP)
    lt.spMMAPruneCheck2(handle, matrix, 1, none, pruned.data.ptr, valid.data.ptr)
    assert valid.item() in (0, -1)  # version 0.8 on an H200 leaves it as it is
    assert ((pruned.get().reshape(m, -1, 4) != 0).sum(-1) <= 2).all() and (pruned.get() != 0).any()
    size = lt.spMMACompressedSize2(handle, matrix)
    assert m * k < size < 2 * m * k
    compressed = tb.zeros(size, "u1")
    lt.spMMACompress2(handle, matrix, 1, none, pruned.data.ptr, compressed.data.ptr)
    assert (compressed.get() != 0).any()
    lt.matDescriptorDestroy(matrix)


def test_version_and_errors(handle):
    assert lt.getVersion(handle) >= 600
    with pytest.raises(lt.CuSparseLtError, match="cusparseLtDenseDescriptorInit.*CUSPARSE_STATUS_") as e:
        lt.denseDescriptorInit(handle, lt.MatDescriptor(), -8, 8, 8, 16, runtime.CUDA_R_16F, ROW)
    assert e.value.status != 0
    with pytest.raises(TypeError, match="cusparseLtDenseDescriptorInit.*argument 3"):
        lt.denseDescriptorInit(handle, lt.MatDescriptor(), "many", 8, 8, 16, runtime.CUDA_R_16F, ROW)


def test_structures():
    with pytest.raises(TypeError, match="argument 1 must be a Handle, not MatmulPlan"):
        lt.init(lt.MatmulPlan())
    with pytest.raises(TypeError, match="argument 2 must be a MatDescriptor, not int"):
        lt.spMMACompressedSize2(lt.Handle(), 7)
    structures = [lt.Handle(), lt.MatDescriptor(), lt.MatmulDescriptor(), lt.MatmulAlgSelection(), lt.MatmulPlan()]
    assert all(s.ptr % 16 == 0 for s in structures) and len({s.ptr for s in structures}) == 5


def test_error_is_pickled():
    error = pickle.loads(pickle.dumps(lt.CuSparseLtError(10, "cusparseLtMatmul")))
    assert error.status == 10 and str(error) == "cusparseLtMatmul: CUSPARSE_STATUS_NOT_SUPPORTED (10)"
    assert str(lt.CuSparseLtError(77)) == "CUSPARSE_STATUS_unknown (77)"


@pytest.mark.skipif(not on_cpu, reason="there is a GPU")
def test_cpu_backend_says_so():
    with pytest.raises(NotImplementedError, match="cusparseLtInit: cuSPARSELt computes on GPUs"):
        lt.init(lt.Handle())


def test_missing_library_names_its_package():
    try:
        _core.library_handle("cusparselt")
    except ImportError as e:
        assert "pip install nvidia-cusparselt-cu13" in str(e) and "libcusparseLt.so.0" in str(e)
        with pytest.raises(ImportError, match="nvidia-cusparselt"):
            lt._function.__wrapped__("Init")
    else:
        pytest.skip("the library is there")


def test_cusparse_has_constants_alone():
    with pytest.raises(AttributeError, match="no bindings of cuSPARSE"):
        cusparse.create
