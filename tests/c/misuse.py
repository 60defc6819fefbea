"""Writes the calls of test_misuse.c: every function of the header with every kind of wrong argument, one at a time.

argv: the file to write. An argument is known by its name or its type; what a kind of argument may be wrong in is in
WRONG. NULL is no mistake where the header says so: those parameters are in OPTIONAL. Handles that were released are a
mistake everywhere but where they are only passed on: those functions are in PASSING_ON."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools"))
import header  # noqa: E402

# Ends what other calls need, or waits for somebody.
LEFT_OUT = {"tb_free", "tb_interrupt_all", "tb_compile_stop", "tb_interrupt_functions", "tb_lock_wait_functions"}

GOOD = {
    "tb_array *": "x", "const tb_array *": "x", "tb_array **": "results", "tb_array *const *": "pair",
    "tb_buffer *": "tb_array_buffer(x)", "const tb_buffer *": "tb_array_buffer(x)", "tb_buffer **": "&buffer",
    "tb_stream *": "stream", "const tb_stream *": "stream", "tb_stream **": "&new_stream",
    "tb_event *": "event", "const tb_event *": "event", "tb_event **": "events",
    "tb_allocator *": "allocator", "tb_allocator **": "&new_allocator",
    "tb_dtype": "TB_F64", "const tb_dtype *": "dtypes", "tb_dtype *": "dtypes",
    "tb_scalar": "tb_scalar_int(1)", "const tb_scalar *": "&scalar", "tb_scalar *": "&scalar",
    "const tb_operand *": "operands", "const tb_index *": "&key", "const tb_ufunc *": 'tb_ufunc_find("add")',
    "const tb_ufunc_args *": "&ufunc_args", "const tb_reduce_args *": "&reduce_args",
    "const int64_t *": "shape", "int64_t *": "numbers", "const int *": "axes", "const char *": '"add"',
    "int *": "(int *)memory", "size_t *": "(size_t *)memory", "bool *": "(bool *)memory", "float *": "(float *)memory",
    "double *": "(double *)memory", "const double *": "(const double *)memory", "char *": "memory",
    "void *": "memory", "const void *": "memory",
    "void **": "(void **)memory", "char **": "(char **)memory", "const size_t **": "(const size_t **)memory",
    "const tb_record *": "&record_source", "tb_record *": "(tb_record *)memory",
    "tb_casting": "TB_CAST_UNSAFE", "tb_reduction": "TB_RED_SUM", "tb_distribution": "TB_RAND_UNIFORM",
    "tb_memory_kind": "TB_MEMORY_DEVICE", "tb_fusion": "TB_FUSION_ON", "tb_runtime_op": "TB_RT_driverGetVersion",
    "tb_rng *": "&rng", "tb_pool_stats *": "(tb_pool_stats *)memory", "tb_counters *": "(tb_counters *)memory",
    "int": "0", "unsigned": "0", "int64_t": "2", "size_t": "8", "uintptr_t": "0", "bool": "false", "char": "'C'",
    "double": "1", "const bool *": "(const bool *)memory", "const uintptr_t *": "(const uintptr_t *)memory",
    "tb_module *": "module", "const tb_module *": "module", "tb_module **": "&new_module",
    "tb_function *": "function", "const tb_function *": "function", "tb_function **": "&new_function",
    "tb_graph *": "graph", "const tb_graph *": "graph", "tb_graph **": "&new_graph",
    "tb_elementwise *": "elementwise", "const tb_elementwise *": "elementwise",
    "tb_elementwise **": "&new_elementwise", "tb_reducer *": "reducer", "const tb_reducer *": "reducer",
    "tb_reducer **": "&new_reducer", "const tb_module_source *": "&module_source",
    "const tb_elementwise_source *": "&elementwise_source", "const tb_reducer_source *": "&reducer_source",
    "const tb_elementwise_args *": "NULL", "const tb_reducer_args *": "NULL",
    "const tb_launch_shape *": "&launch_shape", "const tb_kernel_arg *": "&kernel_arg",
    "tb_bounds": "TB_BOUNDS_WRAP", "tb_qr_mode": "TB_QR_REDUCED", "tb_overlap": "TB_OVERLAP_SAME",
    "tb_compute": "TB_COMPUTE_DEFAULT", "tb_compute *": "(tb_compute *)memory",
    "tb_spline_edge": "TB_SPLINE_MIRROR", "tb_piece_form": "TB_PIECE_POWERS", "tb_grid_form": "TB_GRID_LINES",
    "tb_piece_outside": "TB_PIECE_NAN",
    "tb_metric": "TB_METRIC_EUCLIDEAN", "tb_spline_mode": "TB_SPLINE_AT_MIRROR",
    "double[2]": "(double *)memory",
    "struct DLManagedTensor *": "plain_tensor()", "struct DLManagedTensor **": "&plain",
    "struct DLManagedTensorVersioned *": "versioned_tensor()", "struct DLManagedTensorVersioned **": "&versioned",
    "tb_fft_kind": "TB_FFT_FORWARD", "tb_fft_norm": "TB_FFT_NORM_ORTHO",
    "tb_fft_cache *": "(tb_fft_cache *)memory", "tb_fft_function": "NULL", "tb_sort_function": "NULL",
    "tb_allocate_function": "allocate",
    "const tb_pattern *": "&pattern", "tb_pattern *": "&new_pattern",
    "const tb_tree *": "&tree", "tb_tree *": "&new_tree", "tb_triangulation *": "&triangulation",
    "const tb_triangulation *": "&triangulation",
    "tb_least_squares *": "&least_squares",
    "tb_sparse_factors *": "(tb_sparse_factors *)memory",
    "tb_sparse_factors **": "(tb_sparse_factors **)memory",
    "tb_memory_hook": "NULL", "tb_warning_function": "NULL", "const tb_filter *": "&filter",
    "const tb_window *": "&window", "const tb_fft_callback *": "&callback_within",
}
NAMED = {
    "ndim": "2", "ndtype": "1", "nscalar": "1", "n": "1", "narg": "1",
    "axis": "0", "ops": "1", "order": "'C'", "form": "'t'",
    "cap": "64", "host": "memory", "strides": "strides", "flags": "0",
}
HERE = {("tb_tensor", "n"): "2", ("tb_library_handle", "name"): '"cublas"', ("tb_allocator_direct", "n"): "0",
        ("tb_reduceat", "starts"): "starts", ("tb_transpose", "axes"): "axes", ("tb_assign_where", "mask"): "mask",
        ("tb_array_set", "strides"): "NULL", ("tb_recurrence", "zi"): "states",
        ("tb_runtime_call", "in"): "numbers", ("tb_explain", "form"): "'t'",
        ("tb_fft", "naxis"): "1", ("tb_fft_called", "naxis"): "1",
        ("tb_fft_into", "naxis"): "1", ("tb_matmul", "b"): "square", ("tb_graph_dot", "path"): '"/dev/null"',
        ("tb_view_dtype", "t"): "TB_I64", ("tb_real_imag", "a"): "complex_numbers",
        ("tb_module_load", "size"): "64", ("tb_streams_outstanding", "room"): "4", ("tb_provide_blas", "find"): "NULL",
        ("tb_memory_claim", "ptr"): "NULL", ("tb_stream_host_func", "fn"): "callback",
        ("tb_module_symbol", "expression"): '"f"', ("tb_take", "indices"): "starts",
        ("tb_label_boxes", "labels"): "starts", ("tb_spline_at", "naxis"): "1",
        ("tb_spline_at_map", "naxis"): "1", ("tb_spline_at_map", "order"): "1", ("tb_two_sided_sums", "poles"): "1",
        ("tb_interp", "xp"): "starts", ("tb_interp", "fp"): "starts", ("tb_put", "indices"): "starts",
        ("tb_item", "a"): "number", ("tb_item_f64", "a"): "number", ("tb_item_i64", "a"): "number",
        ("tb_item_c128", "a"): "number", ("tb_get", "n"): "6", ("tb_set", "n"): "6",
        ("tb_pattern_group", "row"): "starts", ("tb_pattern_group", "col"): "starts",
        ("tb_pattern_take", "row"): "starts",
        ("tb_pattern_find", "row"): "starts", ("tb_pattern_find", "col"): "starts",
        ("tb_sparse_matmul", "data"): "starts", ("tb_sparse_matmul", "x"): "starts",
        ("tb_sparse_multiply", "a_data"): "starts", ("tb_sparse_multiply", "b_data"): "starts",
        ("tb_sparse_to_dense", "data"): "starts", ("tb_sparse_get_diagonal", "data"): "starts",
        ("tb_sparse_get_element", "values"): "starts", ("tb_sparse_from_elements", "row"): "starts",
        ("tb_sparse_from_elements", "col"): "starts", ("tb_sparse_from_elements", "values"): "starts",
        ("tb_sparse_pick", "values"): "starts", ("tb_sparse_pick", "picked"): "starts",
        ("tb_graph_tree", "data"): "starts", ("tb_graph_tree", "from"): "starts",
        ("tb_graph_forest", "order"): "starts", ("tb_graph_distances", "first"): "starts",
        ("tb_graph_distances", "data"): "NULL",
        ("tb_sparse_combine", "a_values"): "starts", ("tb_sparse_combine", "b_values"): "starts",
        ("tb_sparse_matmul_bands", "offsets"): "starts", ("tb_sparse_matmul_bands", "x"): "starts",
        ("tb_sparse_matmul_blocks", "x"): "starts",
        ("tb_sparse_from_bands", "offsets"): "starts", ("tb_sparse_solve_least_squares", "x0"): "NULL",
        ("tb_sparse_factor", "data"): "starts", ("tb_sparse_factors_release", "factors"): "NULL",
        ("tb_tree_nearest", "periods"): "NULL", ("tb_tree_within", "periods"): "NULL",
        ("tb_tree_within", "radii"): "starts", ("tb_tree_within", "starts"): "NULL",
        ("tb_tree_pairs", "periods"): "NULL",
        ("tb_record_of", "t"): "record", ("tb_record_of", "size"): "sizeof(tb_record)",
        ("tb_array_field", "a"): "records", ("tb_array_field", "name"): '"y"',
        ("tb_record_equal", "a"): "records", ("tb_record_equal", "b"): "records",
        ("tb_save_npy", "path"): '"/dev/null"', ("tb_load_npy", "path"): '"/dev/null"'}

# (function, parameter), or a parameter of any function.
OPTIONAL = {
    "log", "drop", "arg", "deleter", "owner", "args", "strides", "copied", "source", "pool",
    "find", "host_arg", "driver_pools",
    "proto_strides", "later", "asked",
    ("tb_provide_fft", "fn"), ("tb_provide_sort", "i64"), ("tb_provide_sort", "f64"), ("tb_fft", "length"),
    ("tb_fft_into", "length"), ("tb_fft_called", "length"),
    ("tb_memory_hook_set", "fn"), ("tb_warning_function_set", "fn"),
    ("tb_array_release", "a"), ("tb_free", "p"), ("tb_transpose", "axes"), ("tb_array_retain", "a"),
    ("tb_sparse_factors_release", "factors"), ("tb_sparse_solve_least_squares", "x0"), ("tb_graph_distances", "data"),
    ("tb_sparse_solve_least_squares", "variance"),
    ("tb_allocator_set", "a"), ("tb_allocator_use", "a"), ("tb_buffer_new_in", "a"), ("tb_pool_statistics", "pool"),
    ("tb_event_record", "s"), ("tb_pool_free_all", "s"), ("tb_function_launch", "s"), ("tb_graph_launch", "s"),
    ("tb_graph_upload", "s"), ("tb_array_get", "s"), ("tb_array_set", "s"), ("tb_memory_claim", "ptr"),
    ("tb_ufunc_update", "value"), ("tb_ufunc_into", "rest"), ("tb_runtime_call", "in"), ("tb_runtime_call", "out"),
    ("tb_bincount", "weights"), ("tb_distances", "b"), ("tb_spline_through", "given"), ("tb_spline_nearest", "weights"),
    ("tb_recurrence", "zi"), ("tb_recurrence", "zf"),
    ("tb_bincount", "weights"), ("tb_recurrence", "zi"), ("tb_recurrence", "zf"),
    ("tb_tree_nearest", "periods"), ("tb_tree_within", "periods"), ("tb_tree_within", "starts"),
    ("tb_tree_pairs", "other"), ("tb_tree_pairs", "periods"), ("tb_tree_pairs", "distances"),
    ("tb_delaunay_values", "slopes"), ("tb_grid_at", "degrees"), ("tb_grid_at", "orders"), ("tb_grid_at", "outside"),
    ("tb_grid_at", "beyond"),
    "flat", ("tb_peaks_find", "left"), ("tb_peaks_find", "right"), ("tb_peak_widths", "prominences"),
    ("tb_peak_widths", "left_bases"), ("tb_peak_widths", "right_bases"),
    ("tb_distance_transform", "nearest"), ("tb_interp", "left"), ("tb_interp", "right"),
    ("tb_elementwise_code", "dtypes"), ("tb_reducer_code", "dtypes"),
    ("tb_dlpack_deleter_function", "call"),
}

# Modules that were compiled are kept for whoever compiles the same.
HANDLE = re.compile(r"(?:const )?tb_(array|buffer|stream|event|allocator|function|graph|elementwise|reducer) \*")
PASSING_ON = {"tb_operand_array", "tb_array_replace", "tb_by", "tb_along"}

COUNTS = {"ndim", "naxis", "n", "ndtype", "nscalar", "narg", "room"}
UNBOUNDED = {"ndtype", "nscalar", "room"}
UNCOUNTED = {"tb_assign_all", "tb_array_release_all", "tb_split"}  # which take as many as there are
UNCOUNTED |= {f"tb_{name}{form}" for name in ("concatenate", "stack") for form in ("", "_as", "_into")}
UNCOUNTED.add("tb_lexsort")


def enums(items):
    return {i.name for i in items if i.kind == "enum"}


def wrong(function, p, enumerations):
    """The wrong values of a parameter."""
    if p.type.endswith("*") or p.type.endswith("const *") or "(*)" in p.type or p.type.endswith("function"):
        yield "NULL"
    elif p.type in enumerations:
        yield f"({p.type})99"
        yield f"({p.type})-1"
        if p.type == "tb_dtype":
            yield "TB_NODTYPE"
            yield "TB_NDTYPE"
            yield "TB_LAST_RECORD"
            yield "record"
    elif p.type == "tb_scalar":
        yield "bad_scalar"
    elif p.type == "char":
        yield "'Z'"
        yield "0"
    elif p.type == "int" and p.name in COUNTS:
        yield "-5"
        if p.name not in UNBOUNDED and function.name not in UNCOUNTED:
            yield "1000"
    elif p.type == "int":
        yield "-9"
        yield "INT_MAX"
        yield "INT_MIN"
    elif p.type == "int64_t":
        yield "-1"
        yield "INT64_MAX"
        yield "INT64_MIN"
    elif p.type == "size_t" and p.name not in ("cap", "size", "bytes"):
        yield "SIZE_MAX"
    if p.type in OF_RECORDS:
        yield OF_RECORDS[p.type]
    if p.type.startswith("const tb_") and p.type.endswith("*") and p.type[6:-2] in STRUCTS:
        yield f"&(const {p.type[6:-2]}){{0}}"


STRUCTS = set()
# Arrays of what one cannot compute with, which may be wrong or right.
OF_RECORDS = {"tb_array *": "records", "const tb_array *": "records", "tb_array *const *": "record_pair",
              "const tb_operand *": "record_operands"}


def names_size(p):
    """Structures that are nothing when they are zeroed."""
    return p.type.removesuffix(" *").endswith(("_args", "_source", "_shape", "_operand", "_pattern", "_tree"))


def good(function, p):
    if (function.name, p.name) in HERE:
        return HERE[function.name, p.name]
    if "(*)" in p.type:
        return "callback" if p.type.startswith("void (*)(void *)") else "NULL"
    if p.name in NAMED and not p.type.endswith("**") and not (p.type.endswith("*") and NAMED[p.name].isdigit()):
        return NAMED[p.name]
    return GOOD[p.type]


def is_optional(function, p):
    return p.name in OPTIONAL or (function.name, p.name) in OPTIONAL


def calls(items):
    known = enums(items)
    for f in items:
        if f.kind != "function" or f.name in LEFT_OUT:
            continue
        values = [good(f, p) for p in f.parts]
        yield f, values, "", "any"
        for k, p in enumerate(f.parts):
            for bad in wrong(f, p, known):
                fails = bad == "NULL" and not is_optional(f, p) or bad.endswith("{0}") and names_size(p)
                must = "null" if fails else "any"
                yield f, [*values[:k], bad, *values[k + 1:]], p.name, must
            handle = HANDLE.fullmatch(p.type)
            if handle and f.name not in PASSING_ON:
                yield f, [*values[:k], f"gone_{handle[1]}", *values[k + 1:]], p.name, "released"


def write(out):
    items = header.read()
    STRUCTS.update(i.name for i in items if i.kind == "struct")
    lines, table = [], []
    for i, (f, values, name, must) in enumerate(calls(items)):
        call = f"{f.name}({', '.join(values)})"
        status = f.type == "tb_status"
        lines.append(f"static int call_{i}(void)\n{{\n    {'return (int)' if status else '(void)'}{call};\n"
                     + ("" if status else "    return -1;\n") + "}\n")
        text = call.replace("\\", "\\\\").replace('"', '\\"')
        must = {"null": "MUST_FAIL" if status else "MAY_DO_ANYTHING", "any": "MAY_DO_ANYTHING",
                "released": "FAILS_AS_RELEASED" if status else "STOPS_AS_RELEASED"}[must]
        table.append(f'    {{call_{i}, "{text}", "{name}", {must}}},')
    out.write("/* Made by misuse.py from the header. */\n" + "\n".join(lines)
              + "\nstatic const wrong_call calls[] = {\n" + "\n".join(table) + "\n};\n")


if __name__ == "__main__":
    with open(sys.argv[1], "w") as f:
        write(f)
