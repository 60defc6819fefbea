"""What the extension module uses of this package, by name: it is above the extension, which knows no module of it.

Modules are imported when something of theirs is first wanted.
"""

import importlib

from tombac._core import _register_finder

_PLACES = {
    "Device": "tombac.cuda",
    "dispatched_arguments": "tombac._dispatched",
    "dot_str": "tombac.cuda.graph",
    "flat_values": "tombac._arranging",
    "handle_of": "tombac.cuda._handles",
    "host_module": "tombac._numpy",
    "linspace": "tombac._creation",
    "masked_mean": "tombac._statistics",
    "masked_std": "tombac._statistics",
    "masked_var": "tombac._statistics",
    "matmul_along": "tombac._products",
    "vector_product_along": "tombac._products",
    "pool_of": "tombac.cuda.memory",
    "signature_of": "tombac._signature",
    "translate": "tombac._cucomplex",
    "ufunc_at": "tombac._indexing",
    "ufunc_fold": "tombac._folds",
    "ufunc_fold_slices": "tombac._folds",
    "ufunc_reduceat": "tombac._indexing",
    "ufunc_running": "tombac._folds",
}
_PRIVATE = {"dot_str": "_dot_str", "linspace": "_linspace", "pool_of": "_pool_of"}


def _find(name):
    if name == "tombac":
        return importlib.import_module("tombac")
    return getattr(importlib.import_module(_PLACES[name]), _PRIVATE.get(name, name))


_register_finder(_find)
