/* dynlib.c - the search for the CUDA libraries, and their tables of functions.
 *
 * A table is filled completely or not used: `ready` is set last. Libraries are never closed: their code may be on other
 * threads' stacks until the process ends. */
#define _GNU_SOURCE
#include "backend/cuda/dynlib.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/backend.h"
#include "base/argument.h"
#include "base/error.h"

tb_cu_table tb__cu;
tb_nvrtc_table tb__nvrtc;
tb_cublas_table tb__cublas;
tb_cublaslt_table tb__cublaslt;
tb_cusolver_table tb__cusolver;
tb_cufft_table tb__cufft;
tb_cusparselt_table tb__cusparselt;
tb_cudss_table tb__cudss;
int tb__driver_version;

static const tb_symbol cuda_symbols[] = {
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_cu_table, name), false},
#define TB_FN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(tb_cu_table, name), true},
#include "backend/cuda/driver.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_cu_table, name), true},
#include "backend/cuda/driver_cudart.def"
#undef TB_FN
    {NULL, 0, false},
};
static const tb_symbol nvrtc_symbols[] = {
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_nvrtc_table, name), false},
#define TB_FN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(tb_nvrtc_table, name), true},
#include "backend/cuda/nvrtc.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
    {NULL, 0, false},
};
#define FOUR(table, name, s, d, c, z)                                                                     \
    {s, offsetof(table, name[0]), false}, {d, offsetof(table, name[1]), false},                           \
        {c, offsetof(table, name[2]), false}, {z, offsetof(table, name[3]), false},
static const tb_symbol cublas_symbols[] = {
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_cublas_table, name), false},
#define TB_FN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(tb_cublas_table, name), true},
#define TB_FN_TYPED(name, s, d, c, z, parameters) FOUR(tb_cublas_table, name, s, d, c, z)
#include "backend/cuda/cublas.def"
#undef TB_FN_TYPED
#undef TB_FN_OPTIONAL
#undef TB_FN
    {NULL, 0, false},
};
static const tb_symbol cusolver_symbols[] = {
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_cusolver_table, name), false},
#define TB_FN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(tb_cusolver_table, name), true},
#define TB_FN_TYPED(name, s, d, c, z, parameters) FOUR(tb_cusolver_table, name, s, d, c, z)
#include "backend/cuda/cusolver.def"
#undef TB_FN_TYPED
#undef TB_FN_OPTIONAL
#undef TB_FN
    {NULL, 0, false},
};

static const tb_symbol cufft_symbols[] = {
#define TB_FN(name, symbol, parameters) {symbol, offsetof(tb_cufft_table, name), false},
#define TB_FN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(tb_cufft_table, name), true},
#include "backend/cuda/cufft.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
    {NULL, 0, false},
};
static const tb_symbol cublaslt_symbols[] = {
#define TB_FN(name, parameters) {#name, offsetof(tb_cublaslt_table, name), false},
#include "backend/cuda/cublaslt.def"
#undef TB_FN
    {NULL, 0, false},
};
static const tb_symbol cusparselt_symbols[] = {
#define TB_FN(name, parameters) {#name, offsetof(tb_cusparselt_table, name), false},
#define TB_FN_OPTIONAL(name, parameters) {#name, offsetof(tb_cusparselt_table, name), true},
#include "backend/cuda/cusparselt.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
    {NULL, 0, false},
};
static const tb_symbol cudss_symbols[] = {
#define TB_FN(name, parameters) {#name, offsetof(tb_cudss_table, name), false},
#include "backend/cuda/cudss.def"
#undef TB_FN
    {NULL, 0, false},
};

tb_library tb__library_cuda = {
    .name = "cuda",
    .title = "the CUDA driver",
    .package = "install NVIDIA's display driver",
    .sonames = (const char *const[]){"libcuda.so.1", "libcuda.so", NULL},
    .symbols = cuda_symbols,
    .table = &tb__cu,
};
tb_library tb__library_nvrtc = {
    .name = "nvrtc",
    .title = "NVRTC",
    .package = "pip install nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", NULL},
    .symbols = nvrtc_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__nvrtc,
};
tb_library tb__library_cublas = {
    .name = "cublas",
    .title = "cuBLAS",
    .package = "pip install nvidia-cublas (CUDA 13) or nvidia-cublas-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so", NULL},
    .symbols = cublas_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cublas,
};
tb_library tb__library_cublaslt = {
    .name = "cublasLt",
    .title = "cuBLASLt",
    .package = "pip install nvidia-cublas (CUDA 13) or nvidia-cublas-cu12 (CUDA 12)",
    .sonames =
        (const char *const[]){"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so", NULL},
    .symbols = cublaslt_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cublaslt,
};
tb_library tb__library_cufft = {
    .name = "cufft",
    .title = "cuFFT",
    .package = "pip install nvidia-cufft (CUDA 13) or nvidia-cufft-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so", NULL},
    .symbols = cufft_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cufft,
};
tb_library tb__library_cusolver = {
    .name = "cusolver",
    .title = "cuSOLVER",
    .package = "pip install nvidia-cusolver (CUDA 13) or nvidia-cusolver-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so", NULL},
    .symbols = cusolver_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cusolver,
};
tb_library tb__library_cusparselt = {
    .name = "cusparselt",
    .title = "cuSPARSELt",
    .package = "pip install nvidia-cusparselt-cu13 (CUDA 13) or nvidia-cusparselt-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcusparseLt.so.0", "libcusparseLt.so", NULL},
    .symbols = cusparselt_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cusparselt,
};
tb_library tb__library_cudss = {
    .name = "cudss",
    .title = "cuDSS",
    .package = "pip install nvidia-cudss-cu13 (CUDA 13) or nvidia-cudss-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcudss.so.1", "libcudss.so.0", "libcudss.so", NULL},
    .symbols = cudss_symbols,
    .wheel = "/nvidia/*/lib",
    .table = &tb__cudss,
};

/* For programs that call them themselves. */
static const tb_symbol no_symbols[] = {{NULL, 0, false}};
static tb_library cusparse = {
    .name = "cusparse",
    .title = "cuSPARSE",
    .package = "pip install nvidia-cusparse (CUDA 13) or nvidia-cusparse-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL},
    .symbols = no_symbols,
    .wheel = "/nvidia/*/lib",
};
static tb_library cutensor = {
    .name = "cutensor",
    .title = "cuTENSOR",
    .package = "pip install cutensor-cu13 (CUDA 13) or cutensor-cu12 (CUDA 12)",
    .sonames = (const char *const[]){"libcutensor.so.2", "libcutensor.so.1", "libcutensor.so", NULL},
    .symbols = no_symbols,
    .wheel = "/cutensor/lib",
};
static tb_library *const libraries[] = {
    &tb__library_cuda,
    &tb__library_nvrtc,
    &tb__library_cublas,
    &tb__library_cublaslt,
    &tb__library_cufft,
    &tb__library_cusolver,
    &tb__library_cusparselt,
    &tb__library_cudss,
    &cusparse,
    &cutensor,
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* ---- where to look -------------------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *extra_dirs; /* from tb__library_path; guarded by the mutex */

void tb__library_path(const char *dirs)
{
    pthread_mutex_lock(&mutex);
    free(extra_dirs);
    extra_dirs = dirs ? strdup(dirs) : NULL;
    for (int i = 0; i < LIBRARIES; i++) {
        free(libraries[i]->failure);
        libraries[i]->failure = NULL;
    }
    pthread_mutex_unlock(&mutex);
}

typedef struct search {
    tb_library *l;
    bool open;      /* false: a readable file is enough */
    bool preferred; /* which majors this pass takes */
    bool found;
    tb_text tried; /* for the message */
} search;

/* Whether the driver runs what a library of this major makes: its own major and older ones. */
static bool runs(const char *soname)
{
    const char *so = strstr(soname, ".so");
    int major = so && so[3] == '.' ? atoi(so + 4) : 0;
    if (!tb__driver_version || strncmp(soname, "libcuda.", 8) == 0) return true;
    return major && major <= tb__driver_version / 1000;
}

static void keep_handle(tb_library *l, void *handle, const char *name)
{
    struct link_map *map = NULL;
    l->handle = handle;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name[0]) name = map->l_name;
    snprintf(l->path, sizeof l->path, "%s", name);
}

static bool try_loaded(search *s)
{
    for (const char *const *name = s->l->sonames; *name; name++) {
        if (runs(*name) != s->preferred) continue;
        void *handle = dlopen(*name, RTLD_NOW | RTLD_NOLOAD);
        if (!handle) continue;
        keep_handle(s->l, handle, *name);
        return s->found = true;
    }
    return false;
}

static bool try_dir(search *s, const char *dir)
{
    char path[sizeof s->l->path];
    if (s->preferred) tb__text_addf(&s->tried, "\n  %s", dir);
    for (const char *const *name = s->l->sonames; *name; name++) {
        if (runs(*name) != s->preferred) continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, *name) >= sizeof path) continue;
        if (access(path, R_OK) != 0) continue;
        if (!s->open) {
            memcpy(s->l->path, path, sizeof path);
            return s->found = true;
        }
        void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (handle) {
            keep_handle(s->l, handle, path);
            return s->found = true;
        }
        tb__text_addf(&s->tried, "\n    %s", dlerror());
    }
    return false;
}

static bool try_glob(search *s, const char *base, const char *pattern, bool note)
{
    char full[1024];
    glob_t g;
    if ((size_t)snprintf(full, sizeof full, "%s%s", base, pattern) >= sizeof full) return false;
    int rc = glob(full, 0, NULL, &g);
    if (rc != 0) {
        if (note && s->preferred) tb__text_addf(&s->tried, "\n  %s", full);
        if (rc != GLOB_NOMATCH) globfree(&g);
        return false;
    }
    for (size_t i = g.gl_pathc; i-- > 0 && !s->found;) try_dir(s, g.gl_pathv[i]);
    globfree(&g);
    return s->found;
}

/* A list of directories separated by colons: library directories, or places that wheels are installed to. */
static bool try_list(search *s, const char *dirs)
{
    char dir[1024];
    while (dirs && *dirs) {
        size_t n = strcspn(dirs, ":");
        if (n > 0 && n < sizeof dir) {
            memcpy(dir, dirs, n);
            dir[n] = 0;
            if (try_dir(s, dir) || (s->l->wheel && try_glob(s, dir, s->l->wheel, true))) return true;
        }
        dirs += n + (dirs[n] == ':');
    }
    return false;
}

/* Where this library is part of a Python package, NVIDIA's wheels are installed beside that package. */
static bool try_wheels(search *s)
{
    char dir[1024];
    Dl_info info;
    if (!dladdr(&extra_dirs, &info) || !info.dli_fname) return false;
    if ((size_t)snprintf(dir, sizeof dir, "%s", info.dli_fname) >= sizeof dir) return false;
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(dir, '/');
        if (!slash) return false;
        *slash = 0;
    }
    return try_glob(s, dir, s->l->wheel, false);
}

static bool try_toolkit(search *s, const char *variable)
{
    const char *root = getenv(variable);
    if (!root || !*root) return false;
    return try_glob(s, root, "/lib64", true) || try_glob(s, root, "/lib", true);
}

static bool try_toolkits(search *s)
{
    return try_toolkit(s, "CUDA_PATH") || try_toolkit(s, "CUDA_HOME") ||
           try_glob(s, "/usr/local/cuda", "/lib64", true) || try_glob(s, "/usr/local/cuda-*", "/lib64", false);
}

static bool try_system(search *s)
{
    if (s->preferred) tb__text_add(&s->tried, "\n  the system's library path");
    for (const char *const *name = s->l->sonames; *name; name++) {
        if (runs(*name) != s->preferred) continue;
        void *handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (!handle) continue;
        keep_handle(s->l, handle, *name);
        return s->found = true;
    }
    return false;
}

static bool look(search *s)
{
    return try_loaded(s) || try_list(s, getenv("TOMBAC_LIBRARY_PATH")) || try_list(s, extra_dirs) ||
           (s->l->wheel && (try_wheels(s) || try_toolkits(s))) || try_system(s) ||
           try_glob(s, "/usr/lib/wsl/lib", "", false) || try_glob(s, "/usr/lib64-nvidia", "", false);
}

static bool find(search *s)
{
    s->preferred = true;
    if (look(s)) return true;
    s->preferred = false;
    return look(s);
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

static tb_status fill_table(tb_library *l)
{
    for (const tb_symbol *symbol = l->symbols; symbol->name; symbol++) {
        void *address = dlsym(l->handle, symbol->name);
        if (!address && !symbol->optional)
            return tb__fail(TB_ERR_LIBRARY, "%s at %s is too old: it lacks %s; %s", l->title, l->path, symbol->name,
                            l->package);
        memcpy((char *)l->table + symbol->slot, &address, sizeof address);
    }
    return TB_OK;
}

static tb_status fail_missing(const search *s)
{
    tb_text names = {0};
    for (const char *const *name = s->l->sonames; *name; name++)
        tb__text_addf(&names, "%s%s", names.len ? ", " : "", *name);
    tb_status status =
        tb__fail(TB_ERR_LIBRARY, "%s was not found: %s. Looked for %s among the libraries already loaded and in%s",
                 s->l->title, s->l->package, names.s ? names.s : "", s->tried.s ? s->tried.s : "");
    tb__text_free(&names);
    return status;
}

static tb_status load(tb_library *l)
{
    search s = {.l = l, .open = true};
    if (l->failure) return tb__fail(TB_ERR_LIBRARY, "%s", l->failure);
    if (!l->handle) find(&s);
    tb_status status = l->handle ? fill_table(l) : fail_missing(&s);
    if (status != TB_OK) l->failure = strdup(tb_error_message());
    tb__text_free(&s.tried);
    return status;
}

tb_status tb__library_load(tb_library *l)
{
    if (__atomic_load_n(&l->ready, __ATOMIC_ACQUIRE)) return TB_OK;
    pthread_mutex_lock(&mutex);
    tb_status status = l->ready ? TB_OK : load(l);
    if (status == TB_OK) __atomic_store_n(&l->ready, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return status;
}

tb_status tb_library_handle(const char *name, void **out)
{
    TB_NOT_NULL(name, out);
    for (int i = 0; i < LIBRARIES; i++) {
        if (strcmp(libraries[i]->name, name) != 0) continue;
        TB_TRY(tb__library_load(libraries[i]));
        *out = libraries[i]->handle;
        return TB_OK;
    }
    return tb__fail(TB_ERR_VALUE, "tb_library_handle: no library is called '%s'", name);
}

bool tb__library_file(tb_library *l, char *path, size_t cap)
{
    search s = {.l = l};
    pthread_mutex_lock(&mutex);
    const bool found = l->path[0] || find(&s);
    if (found) snprintf(path, cap, "%s", l->path);
    pthread_mutex_unlock(&mutex);
    tb__text_free(&s.tried);
    return found;
}

bool tb__library_identity(tb_library *l, char *buf, size_t cap)
{
    struct stat st;
    char path[sizeof l->path], real[4096];
    if (!tb__library_file(l, path, sizeof path) || !realpath(path, real) || stat(real, &st) != 0) return false;
    const char *name = strrchr(real, '/');
    snprintf(buf, cap, "%s %lld %lld", name ? name + 1 : real, (long long)st.st_size, (long long)st.st_mtime);
    return true;
}
