"""What the tables of other libraries say of tombac's arrays: a function for each of them (_neighbours calls it with the
module that keeps the table). CuPy's rows tell what there is to say; most of these are private to their libraries."""

import tombac
from tombac import asarray, asnumpy, ndarray
from tombac._numpy import np


def autoray(module):
    """Functions whose names differ from NumPy's, or that a backend of this name does not find by itself."""
    module.register_function("tombac", "to_numpy", asnumpy)
    module.register_function("tombac", "complex", lambda real, imag: real + 1j * imag)
    module.register_module_alias("tombac.scipy", "tombacx.scipy")
    for name in ("linalg.cholesky", "linalg.svd"):
        wrapper = module._CUSTOM_WRAPPERS.get(("cupy", name))
        if wrapper is not None:
            module.register_custom_wrapper("tombac", name, wrapper)


def dask_arrays(module):
    """Which function does what to a block, and the backend of blocks that Dask itself creates."""
    for lookup, function in (
        (module.concatenate_lookup, tombac.concatenate), (module.take_lookup, tombac.take),
        (module.tensordot_lookup, tombac.tensordot), (module.percentile_lookup, module.percentile),
        (module.numel_lookup, module._numel_arraylike), (module.nannumel_lookup, module._nannumel),
        (module.empty_lookup, tombac.empty), (module.einsum_lookup, _einsum), (module.to_numpy_dispatch, _to_numpy),
    ):
        lookup.register(ndarray, function)
    module.array_creation_dispatch.register_backend("tombac", _dask_backend(module.ArrayBackendEntrypoint))


def _einsum(*args, casting="safe", order="K", **kwargs):
    return tombac.einsum(*args, **kwargs)


def _to_numpy(data, **kwargs):
    return asnumpy(data, **kwargs)


def _dask_backend(base):
    """What ``dask.config.set({"array.backend": "tombac"})`` chooses: NumPy's functions with a block's type told."""
    import dask
    from dask import array as da

    def creator(name):
        def create(*args, meta=None, **kwargs):
            with dask.config.set({"array.backend": "numpy"}):
                return getattr(da, name)(*args, meta=tombac.empty(()) if meta is None else meta, **kwargs)

        return staticmethod(create)

    def arange(*args, like=None, **kwargs):
        with dask.config.set({"array.backend": "numpy"}):
            return da.arange(*args, like=tombac.empty(()) if like is None else like, **kwargs)

    def to_backend(cls, data, **kwargs):
        return data if isinstance(data._meta, ndarray) else data.map_blocks(asarray, **kwargs)

    return type("TombacBackend", (base,), {
        "RandomState": property(lambda self: tombac.random.RandomState),
        "default_bit_generator": property(lambda self: tombac.random.XORWOW),
        "arange": staticmethod(arange), "to_backend": classmethod(to_backend),
        **{name: creator(name) for name in ("ones", "zeros", "empty", "full")},
    })()


def dask_sizes(module):
    """How many bytes a block has."""
    module.sizeof.register(ndarray, lambda a: int(a.nbytes))


def einops(module):
    """A backend: einops finds it among the subclasses of its own."""
    global _einops_backend  # the list of subclasses holds no reference

    class TombacBackend(module.AbstractBackend):
        framework_name = "tombac"
        from_numpy, to_numpy = staticmethod(asarray), staticmethod(asnumpy)
        arange, tile, add_axis = (staticmethod(f) for f in (tombac.arange, tombac.tile, tombac.expand_dims))
        concat, einsum = staticmethod(tombac.concatenate), staticmethod(tombac.einsum)
        stack_on_zeroth_dimension = staticmethod(tombac.stack)

        def is_appropriate_type(self, tensor):
            return isinstance(tensor, ndarray)

        def is_float_type(self, x):
            return x._kind == "f"

    _einops_backend = TombacBackend


def opt_einsum(module):
    """Expressions that take and give NumPy's arrays, and are computed here."""
    def ours(arrays):
        return [asarray(a) if isinstance(a, np.ndarray) else a for a in arrays]

    def build(arrays, expr):
        def contract(*arrays):
            return expr._contract(ours(arrays), backend="tombac").get()

        return contract

    def evaluate(constants, expr):
        return expr(*ours(constants), backend="tombac", evaluate_constants=True)

    module.CONVERT_BACKENDS["tombac"], module.EVAL_CONSTS_BACKENDS["tombac"] = build, evaluate
