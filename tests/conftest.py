"""Settings for every test: kernels are compiled when first met, so that counters mean the same on every backend, and
hypothesis has no deadline, because the first use of a kernel on a GPU includes its compilation.

Hypothesis draws the same examples in every run, so that a test fails where its code changed; with
``--hypothesis-profile=random``, as ``make check-long`` has it, it draws others each time."""

import os

os.environ.setdefault("TOMBAC_COMPILE", "sync")

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

settings.register_profile("tombac", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None)
settings.load_profile("tombac")


@pytest.fixture
def fused():
    """Everything is deferred, whatever TOMBAC_FUSION says and however small: for tests that count launches or look at
    what is pending."""
    from tombac import config

    with config.fusion("all"):
        yield


@pytest.fixture(params=[True, "all"], ids=["what_pays", "all"])
def deferral(request):
    """The test runs with small operations computed at the call, and once more with everything deferred."""
    from tombac import config

    with config.fusion(request.param):
        yield


@pytest.fixture
def own_pool():
    """A pool of which no other test has a part, where there might be room beyond a limit; arrays are in it."""
    from tombac import cuda

    pool = cuda.MemoryPool()
    with cuda.using_allocator(pool.malloc):
        yield pool
