/* backend.c - the CUDA backend's table, and what it tells about itself. */
#include "backend/cuda/capture.h"
#include "backend/cuda/compile.h"
#include "backend/cuda/fft.h"
#include "backend/cuda/module.h"
#include "backend/cuda/sparse_solver.h"
#include "backend/cuda/structured.h"
#include "base/error.h"

/* A plan's source does not depend on the device it will run on, as far as the reader of a source is concerned. */
static tb_status source(const tb_plan *p, tb_text *out)
{
    int device = tb__device_current();
    return tb__codegen_source(p, &tb__gpu_devices[device].chip, out);
}

/* Libraries of hundreds of megabytes are not opened only to be shown. */
static void show_library(tb_library *l, tb_text *out)
{
    char identity[512];
    if (tb__library_identity(l, identity, sizeof identity) || tb__library_load(l) == TB_OK)
        tb__text_addf(out, "%s: %s\n", l->title, l->path);
    else tb__text_addf(out, "%s: %s\n", l->title, tb_error_message());
}

static void show_config(tb_text *out)
{
    int n = 0, major, minor, version = tb__driver_version;
    char name[256];
    tb__text_addf(out, "the CUDA driver: %s, for CUDA %d.%d\n", tb__library_cuda.path, version / 1000,
                  version % 1000 / 10);
    if (tb__cuda_device_count(&n) != TB_OK) n = 0;
    for (int i = 0; i < n; i++)
        if (tb__cuda_device_info(i, name, sizeof name, &major, &minor) == TB_OK)
            tb__text_addf(out, "device %d: %s, compute capability %d.%d\n", i, name, major, minor);
    show_library(&tb__library_nvrtc, out);
    if (tb__library_load(&tb__library_nvrtc) == TB_OK && tb__nvrtc.nvrtcVersion(&major, &minor) == NVRTC_SUCCESS)
        tb__text_addf(out, "NVRTC version: %d.%d\n", major, minor);
    show_library(&tb__library_cublas, out);
    show_library(&tb__library_cusolver, out);
    show_library(&tb__library_cufft, out);
    show_library(&tb__library_cusparselt, out);
    show_library(&tb__library_cudss, out);
    tb__bundle_show(out);
    tb__disk_show(out);
    tb__tier_show(out);
}

static const tb_backend backend = {
    .name = "cuda",
    .on_host = false,
    .device_count = tb__cuda_device_count,
    .device_open = tb__cuda_device_open,
    .device_synchronize = tb__cuda_device_synchronize,
    .device_info = tb__cuda_device_info,
    .device_attribute = tb__cuda_device_attribute,
    .mem_info = tb__cuda_mem_info,
    .mem_alloc = tb__cuda_mem_alloc,
    .mem_free = tb__cuda_mem_free,
    .copy_in = tb__cuda_copy_in,
    .copy_out = tb__cuda_copy_out,
    .copy = tb__cuda_copy,
    .answer = tb__cuda_answer,
    .answer_ask = tb__cuda_answer_ask,
    .answer_wait = tb__cuda_answer_wait,
    .run = tb__gpu_run,
    .run_wait = tb__tier_wait,
    .counters = tb__gpu_counters,
    .gemm = tb__cuda_gemm,
    .gemm_suits = tb__cuda_gemm_suits,
    .gemm_adds = tb__cuda_gemm_adds,
    .fft = tb__cuda_fft,
    .fft_called = tb__cuda_fft_called,
    .fft_suits = tb__cuda_fft_suits,
    .fft_axes = TB_CUFFT_AXES,
    .fft_spoils = true,
    .fft_cache = tb__cuda_fft_cache,
    .sort = tb__gpu_sort,
    .search = tb__gpu_search,
    .histogram = tb__gpu_histogram,
    .slide = tb__gpu_slide,
    .softmax = tb__gpu_softmax,
    .softmax_fits = tb__gpu_softmax_fits,
    .phases = tb__gpu_phases,
    .tree = tb__gpu_tree,
    .windows = tb__gpu_windows,
    .spline_map = tb__gpu_spline_map,
    .two_sided = tb__gpu_two_sided,
    .sparse_step = tb__gpu_sparse_step,
    .sparse_rows = tb__gpu_sparse_rows,
    .sparse_product = tb__gpu_sparse_product,
    .structured = &tb__cuda_structured,
    .sparse_solver = &tb__cuda_sparse_solver,
    .recur = tb__gpu_recur,
    .pieces = tb__gpu_pieces,
    .pairs = tb__gpu_pairs,
    .label = tb__gpu_label,
    .distances = tb__gpu_distances,
    .solve = tb__cuda_solve,
    .solves_alone = tb__cuda_solves_alone,
    .stream_new = tb__cuda_stream_new,
    .stream_wrap = tb__cuda_stream_wrap,
    .stream_free = tb__cuda_stream_free,
    .stream_synchronize = tb__cuda_stream_synchronize,
    .stream_query = tb__cuda_stream_query,
    .stream_wait = tb__cuda_stream_wait,
    .event_new = tb__cuda_event_new,
    .event_free = tb__cuda_event_free,
    .event_record = tb__cuda_event_record,
    .event_synchronize = tb__cuda_event_synchronize,
    .event_query = tb__cuda_event_query,
    .event_elapsed = tb__cuda_event_elapsed,
    .host_func = tb__cuda_host_func,
    .capture_begin = tb__cuda_capture_begin,
    .capture_end = tb__cuda_capture_end,
    .capture_lost = tb__cuda_capture_lost,
    .graph_launch = tb__cuda_graph_launch,
    .graph_upload = tb__cuda_graph_upload,
    .graph_dot = tb__cuda_graph_dot,
    .graph_free = tb__cuda_graph_free,
    .cudart = tb__cuda_cudart,
    .module_compile = tb__cuda_module_compile,
    .module_load = tb__cuda_module_load,
    .module_unload = tb__cuda_module_unload,
    .module_function = tb__cuda_module_function,
    .module_global = tb__cuda_module_global,
    .module_handle = tb__cuda_module_handle,
    .module_symbol = tb__cuda_module_symbol,
    .function_attribute = tb__cuda_function_attribute,
    .function_set_attribute = tb__cuda_function_set_attribute,
    .function_occupancy = tb__cuda_function_occupancy,
    .function_launch = tb__cuda_function_launch,
    .compile_wait = tb__compilers_wait,
    .compile_stop = tb__compilers_stop,
    .source = source,
    .show_config = show_config,
};

static tb_status compiler_load(void) { return tb__library_load(&tb__library_nvrtc); }

static bool compiler_identity(char *out, size_t cap) { return tb__library_identity(&tb__library_nvrtc, out, cap); }

static const tb_gpu gpu = {
    .compiler_load = compiler_load,
    .compiler_identity = compiler_identity,
    .compile = tb__cuda_compile,
    .compiler_hurries = tb__nvrtc_hurries,
    .compiler_read_ahead = tb__nvrtc_read_ahead,
    .enter = tb__cuda_enter,
    .load = tb__cuda_load,
    .enqueue = tb__cuda_enqueue_plan,
    .set = tb__cuda_set,
    .stages = tb__cuda_stages,
};

const tb_backend *tb__backend_cuda(void)
{
    if (tb__cuda_start() != TB_OK) return NULL;
    tb__gpu = &gpu;
    return &backend;
}
