/* headers.c - the headers that user kernels on the CPU are compiled with.
 *
 * Those of CUDA that a kernel may include are files in the compiler's private folder; what is there without an include
 * (the prelude) comes before the source. Standard headers come from the C++ compiler. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "backend/cpu/user/user.h"
#include "codegen/kernel_text.h"

typedef struct header {
    const char *path;
    const char *text; /* names of kernel texts, or NULL: nothing beyond the prelude */
} header;

static const header of_cuda[] = {
    {"assert.h", NULL},
    {"cassert", NULL},
    {"builtin_types.h", NULL},
    {"channel_descriptor.h", NULL},
    {"cooperative_groups.h", "host_cuda_groups"},
    {"cooperative_groups/reduce.h", "host_cuda_groups_reduce"},
    {"cooperative_groups/scan.h", "host_cuda_groups_reduce"},
    {"crt/host_defines.h", NULL},
    {"cuComplex.h", "host_cuda_complex"},
    {"cuda.h", NULL},
    {"cuda_bf16.h", "host_cuda_bf16 host_cuda_half"},
    {"cuda_device_runtime_api.h", NULL},
    {"cuda_fp16.h", "host_cuda_fp16 host_cuda_half"},
    {"cuda_runtime.h", NULL},
    {"cuda_runtime_api.h", NULL},
    {"cuda_texture_types.h", NULL},
    {"cuda/atomic", "host_cuda_atomic_ref"},
    {"cuda/functional", "host_cuda_functional"},
    {"cuda/std/cassert", NULL},
    {"curand.h", NULL},
    {"curand_kernel.h", "host_cuda_curand"},
    {"device_atomic_functions.h", NULL},
    {"device_functions.h", NULL},
    {"device_launch_parameters.h", NULL},
    {"driver_types.h", NULL},
    {"host_defines.h", NULL},
    {"math_constants.h", "host_cuda_constants"},
    {"math_functions.h", NULL},
    {"sm_20_atomic_functions.h", NULL},
    {"sm_20_intrinsics.h", NULL},
    {"sm_30_intrinsics.h", NULL},
    {"sm_32_atomic_functions.h", NULL},
    {"sm_32_intrinsics.h", NULL},
    {"sm_35_intrinsics.h", NULL},
    {"sm_60_atomic_functions.h", NULL},
    {"sm_61_intrinsics.h", NULL},
    {"surface_indirect_functions.h", NULL},
    {"surface_types.h", NULL},
    {"texture_fetch_functions.h", NULL},
    {"texture_indirect_functions.h", NULL},
    {"texture_types.h", NULL},
    {"vector_functions.h", NULL},
    {"vector_functions.hpp", NULL},
    {"vector_types.h", NULL},
    {NULL, NULL},
};

/* Headers of which a part is there, in one of tb__own_headers, and what that part is. */
typedef struct partial_header {
    const char *folder, *names; /* separated by blanks */
    const char *own, *part;
} partial_header;

static const partial_header partial[] = {
    {"cub/", "cub.cuh block/block_reduce.cuh warp/warp_reduce.cuh thread/thread_operators.cuh", "tombac/cub.cuh",
     "BlockReduce, WarpReduce and operators"},
    {"thrust/",
     "adjacent_difference.h binary_search.h copy.h count.h equal.h execution_policy.h extrema.h fill.h find.h"
     " functional.h gather.h inner_product.h iterator/constant_iterator.h iterator/counting_iterator.h logical.h"
     " merge.h mismatch.h pair.h reduce.h remove.h replace.h reverse.h scan.h scatter.h sequence.h set_operations.h"
     " sort.h swap.h transform.h transform_reduce.h unique.h",
     "tombac/thrust.cuh", "the algorithms that docs/kernels.md names, one thread doing all the work"},
    {NULL, NULL, NULL, NULL},
};

/* <cuda/std/x> is the host's <x>, with its names in cuda::std too. */
static const char *const of_std[] = {
    "array",    "atomic",  "bit",     "cfloat",     "chrono",           "climits",  "cmath",   "complex",
    "cstddef",  "cstdint", "cstring", "functional", "initializer_list", "iterator", "limits",  "numeric",
    "optional", "ratio",   "span",    "tuple",      "type_traits",      "utility",  "variant", NULL};
static const char std_folder[] = "cuda/std/";

/* Standard headers. Those of C++ bring its overloads of the math functions, which the prelude must then leave out. */
static const char *const plain[] = {"stdint.h",    "cstdint",   "stddef.h", "cstddef", "stdio.h",   "cstdio",
                                    "limits.h",    "climits",   "float.h",  "cfloat",  "stdbool.h", "inttypes.h",
                                    "type_traits", "cinttypes", "string.h", "cstring", NULL};
static const char *const with_math[] = {
    "math.h",   "cmath",   "stdlib.h", "cstdlib",  "algorithm", "array",    "complex", "functional", "initializer_list",
    "iterator", "limits",  "memory",   "new",      "numeric",   "optional", "random",  "ratio",      "tuple",
    "utility",  "variant", "bit",      "concepts", "numbers",   "span",     "cstdarg", NULL};

static const char prelude[] = "host_cuda_types host_cuda_abi host_cuda_run host_cuda_math host_cuda_intrinsics"
                              " host_cuda_warp";
static const char words[] = "host_cuda_words";

/* Macros that, as CUDA's words, come after our headers, but have had their effect once the source is preprocessed: what
 * tells a source where it is, and assert, which NDEBUG changes. */
static const char macros[] = "#define __CUDACC__ 1\n#define __CUDA_ARCH__ 750\n#define TB_HOST_CUDA 1\n"
                             "#undef assert\n#define assert(...) tb_assert(NDEBUG, #__VA_ARGS__, __VA_ARGS__)\n";

static bool among(const char *const *list, const char *name, size_t n)
{
    for (; *list; list++)
        if (strlen(*list) == n && memcmp(*list, name, n) == 0) return true;
    return false;
}

/* The first of the names that blanks separate, and its length; NULL if there is none. */
static const char *first_name(const char *names, size_t *length)
{
    names += strspn(names, " ");
    *length = strcspn(names, " ");
    return *length ? names : NULL;
}

/* The partial header of that name, or NULL. */
static const partial_header *partial_of(const char *name, size_t n)
{
    size_t length;
    for (const partial_header *h = partial; h->folder; h++) {
        size_t skip = strlen(h->folder);
        if (n <= skip || memcmp(name, h->folder, skip) != 0) continue;
        for (const char *s = h->names; (s = first_name(s, &length)) != NULL; s += length)
            if (length == n - skip && memcmp(s, name + skip, length) == 0) return h;
    }
    return NULL;
}

static bool is_ours(const char *name, size_t n)
{
    size_t skip = sizeof std_folder - 1;
    if (partial_of(name, n)) return true;
    if (n > skip && memcmp(name, std_folder, skip) == 0 && among(of_std, name + skip, n - skip)) return true;
    for (const header *h = of_cuda; h->path; h++)
        if (strlen(h->path) == n && memcmp(h->path, name, n) == 0) return true;
    for (const tb_own_header *h = tb__own_headers; h->path; h++)
        if (strlen(h->path) == n && memcmp(h->path, name, n) == 0) return true;
    return false;
}

/* The name between <> or "" of an include directive. */
static const char *name_in(const char *directive, size_t n, size_t *length)
{
    const char *end = directive + n, *open = directive;
    while (open < end && *open != '<' && *open != '"') open++;
    const char *close = open < end ? open + 1 : end;
    while (close < end && *close != '>' && *close != '"') close++;
    *length = close > open ? (size_t)(close - open - 1) : 0;
    return open + 1;
}

bool tb__host_has_header(const char *directive, size_t n)
{
    size_t length;
    const char *name = name_in(directive, n, &length);
    return is_ours(name, length) || among(plain, name, length) || among(with_math, name, length);
}

/* Whether a header of the C++ library with math is included, by the source itself or by one of ours. */
static bool needs_std(const char *code)
{
    for (const char *p = code; (p = strstr(p, "include")) != NULL; p += 7) {
        size_t length;
        const char *name = name_in(p + 7, strcspn(p + 7, "\n"), &length);
        bool in_cuda = length > 5 && memcmp(name, "cuda/", 5) == 0;
        size_t skip = !in_cuda ? 0 : strncmp(name, std_folder, sizeof std_folder - 1) == 0 ? sizeof std_folder - 1 : 5;
        if (skip ? !among(plain, name + skip, length - skip) : among(with_math, name, length)) return true;
        if (length && !is_ours(name, length) && !among(plain, name, length)) return true;
    }
    return false;
}

/* Parts of the prelude that few sources need, and what a text that may need them has in it; any text does whose words
 * come out of the user's files or by joining others. Half precision has atomics. */
static const struct {
    const char *text, *words[6];
} parts[] = {
    {"host_cuda_atomic", {"atomic", "include", NULL}},
    {"host_cuda_launch", {"<<<", NULL}},
    {"host_cuda_ptx", {"asm", NULL}},
    {"host_cuda_texture", {"tex1D", "tex2D", "tex3D", "texCubemap", "surf", NULL}},
};

static bool includes_files(const char *text)
{
    for (const char *p = text; (p = strstr(p, "include")) != NULL; p += 7)
        if (!tb__host_has_header(p + 7, strcspn(p + 7, "\n"))) return true;
    return false;
}

static bool may_use(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words)) return true;
    return strstr(text, "##") || includes_files(text);
}

int tb__host_vector_math(void)
{
#if defined(__x86_64__) && defined(__GLIBC__)
    static int level = -1; /* the same whoever writes it */
    int found = __atomic_load_n(&level, __ATOMIC_RELAXED);
    if (found >= 0) return found;
    void *library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    found = !library ? 0 : dlsym(library, "_ZGVbN4v_tanhf") ? 2 : 1;
    __atomic_store_n(&level, found, __ATOMIC_RELAXED);
    return found;
#else
    return 0;
#endif
}

void tb__host_prelude(const char *code, const char *defines, tb_text *out)
{
    if (tb__host_vector_math()) tb__text_addf(out, "#define TB_LIBMVEC %d\n", tb__host_vector_math());
    if (needs_std(code)) tb__text_add(out, "#include <math.h>\n#include <stdlib.h>\n#define TB_STD 1\n");
    tb__kernel_text_add(prelude, out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (may_use(code, parts[i].words) || may_use(defines, parts[i].words)) tb__kernel_text_add(parts[i].text, out);
    /* CUDA's come early, where macros of the source cannot change them; those of tb__own_headers use CUDA's words, so
     * that they are read where the source includes them. */
    for (const header *h = of_cuda; h->path; h++)
        if (h->text && strstr(code, h->path)) tb__text_addf(out, "#include <%s>\n", h->path);
    tb__text_add(out, macros);
}

/* The toolkit's headers that are for GPUs alone, by how their names begin. */
static const char *const of_gpu[] = {
    "cub/",  "thrust/",       "cutlass/",       "cute/",    "cuda/",    "nvcuda/",  "cooperative_groups/",
    "mma.h", "cuda_pipeline", "cuda_awbarrier", "cuda_fp8", "cuda_fp6", "cuda_fp4", "cublas",
    "cufft", "curand",        "nvshmem",        NULL};

void tb__host_hint(const char *code, tb_text *out)
{
    for (const char *p = code; (p = strstr(p, "include")) != NULL; p += 7) {
        size_t length;
        const char *name = name_in(p + 7, strcspn(p + 7, "\n"), &length);
        const partial_header *some = partial_of(name, length);
        if (some) tb__text_addf(out, "<%.*s> has %s on the CPU, and nothing else.\n", (int)length, name, some->part);
        for (const char *const *start = of_gpu; *start && !is_ours(name, length); start++)
            if (strncmp(name, *start, strlen(*start)) == 0)
                tb__text_addf(out,
                              "<%.*s> is for GPUs and has no version for the CPU: kernels have the headers that"
                              " docs/kernels.md names, shared memory, atomics and warp functions there.\n",
                              (int)length, name);
    }
}

void tb__host_words(tb_text *out) { tb__kernel_text_add(words, out); }

/* Writes t, which is freed. */
static tb_status write_text(const tb_folder *f, const char *folder, const char *name, tb_text *t)
{
    char path[128];
    snprintf(path, sizeof path, "include/%s%s", folder, name);
    tb_status status = t->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory compiling a kernel")
                                 : tb__folder_write(f, path, t->s, t->len);
    tb__text_free(t);
    return status;
}

static tb_status write_header(const tb_folder *f, const char *folder, const char *name, const char *before,
                              const char *texts)
{
    tb_text t = {0};
    tb__text_addf(&t, "#pragma once\n%s", before);
    tb__kernel_text_add(texts, &t);
    return write_text(f, folder, name, &t);
}

static tb_status write_own_header(const tb_folder *f, const tb_own_header *h, const tb_module_source *source)
{
    tb_text t = {0};
    tb__text_add(&t, "#pragma once\n");
    tb__own_header_add(h, source, &t);
    return write_text(f, "", h->path, &t);
}

static tb_status write_partial(const tb_folder *f, const partial_header *h)
{
    char name[64], include[64];
    size_t length;
    snprintf(include, sizeof include, "#include <%s>\n", h->own);
    for (const char *s = h->names; (s = first_name(s, &length)) != NULL; s += length) {
        snprintf(name, sizeof name, "%.*s", (int)length, s);
        TB_TRY(write_header(f, h->folder, name, include, ""));
    }
    return TB_OK;
}

tb_status tb__host_write_headers(const tb_folder *f, const tb_module_source *source)
{
    char include[64];
    for (const header *h = of_cuda; h->path; h++) TB_TRY(write_header(f, "", h->path, "", h->text ? h->text : ""));
    for (const tb_own_header *h = tb__own_headers; h->path; h++) TB_TRY(write_own_header(f, h, source));
    for (const partial_header *h = partial; h->folder; h++) TB_TRY(write_partial(f, h));
    for (const char *const *name = of_std; *name; name++) {
        snprintf(include, sizeof include, "#include <%s>\n", *name);
        TB_TRY(write_header(f, std_folder, *name, include, "host_cuda_std"));
    }
    return TB_OK;
}

void tb__host_headers_hash(tb_name_hash *h)
{
    const int level = tb__host_vector_math();
    tb_text own = {0};
    tb__name_add(h, &level, sizeof level);
    for (const tb_kernel_text *t = tb__kernel_texts; t->name; t++)
        if (strncmp(t->name, "host_cuda", 9) == 0 || strncmp(t->name, "user_", 5) == 0) tb__name_add_text(h, t->text);
    for (const tb_own_header *header = tb__own_headers; header->path; header++)
        if (header->more) header->more(NULL, &own);
    if (own.s) tb__name_add(h, own.s, own.len);
    tb__text_free(&own);
}
