"""Thrust's algorithms in kernels: not available; every name raises NotImplementedError with what to use instead."""

from tombacx.jit._unsupported import Unsupported as _Unsupported

_SCANS = "use tombac.cumsum, or a loop over the elements in the kernel"
_SORTS = "use tombac.sort and its kin on whole arrays, or a loop over the elements in the kernel"
_LOOP = "write a loop over the elements in the kernel, or use tombac's functions of whole arrays"

for _name in ("sort", "sort_by_key", "stable_sort", "stable_sort_by_key", "is_sorted", "is_sorted_until", "unique",
              "unique_by_key", "binary_search", "lower_bound", "upper_bound", "equal_range", "set_difference",
              "set_difference_by_key", "set_intersection", "set_intersection_by_key", "set_symmetric_difference",
              "set_symmetric_difference_by_key", "set_union", "set_union_by_key"):
    globals()[_name] = _Unsupported("thrust." + _name, _SORTS)
for _name in ("inclusive_scan", "inclusive_scan_by_key", "exclusive_scan", "exclusive_scan_by_key", "reduce",
              "reduce_by_key"):
    globals()[_name] = _Unsupported("thrust." + _name, _SCANS)
for _name in ("adjacent_difference", "copy", "count", "equal", "fill", "find", "gather", "inner_product",
              "make_constant_iterator", "make_counting_iterator", "mismatch", "remove", "remove_copy", "replace",
              "replace_copy", "reverse", "reverse_copy", "scatter", "sequence", "swap_ranges", "device", "host", "seq"):
    globals()[_name] = _Unsupported("thrust." + _name, _LOOP)
