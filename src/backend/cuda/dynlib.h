/* dynlib.h - finding and opening the CUDA libraries at run time.
 *
 * Search order: already loaded by the process; the directories of TOMBAC_LIBRARY_PATH and tb__library_path, and the lib
 * directories of NVIDIA's wheels below them and beside this library; for all but the driver CUDA_PATH, CUDA_HOME and
 * /usr/local/cuda*; the system's own path. Majors that the driver can run come before newer ones. */
#ifndef TB_BACKEND_CUDA_DYNLIB_H
#define TB_BACKEND_CUDA_DYNLIB_H
#include "backend/cuda/abi_cudart.h"
#include "base/text.h"
#include "tombac/tombac.h"

typedef struct tb_symbol {
    const char *name;
    size_t slot; /* byte offset of the function pointer in the library's table */
    bool optional;
} tb_symbol;

typedef struct tb_library {
    const char *name;           /* "nvrtc" */
    const char *title;          /* "NVRTC" */
    const char *package;        /* who brings it, for the message when it is missing */
    const char *const *sonames; /* NULL-terminated, newest first */
    const tb_symbol *symbols;   /* terminated by a NULL name */
    void *table;                /* where the function pointers go */
    const char *wheel;          /* where wheels have it, below the folder they are installed to: a pattern. NULL: it is
                                    neither in wheels nor in toolkits */
    void *handle;
    bool ready;      /* every symbol is there */
    char *failure;   /* the message of the search that found nothing: it is not made twice */
    char path[1024]; /* of the file found; "" before */
} tb_library;

typedef struct tb_cu_table {
#define TB_FN(name, symbol, parameters) CUresult (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#include "backend/cuda/driver.def"
#include "backend/cuda/driver_cudart.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_cu_table;

typedef struct tb_nvrtc_table {
#define TB_FN(name, symbol, parameters) nvrtcResult (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#include "backend/cuda/nvrtc.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_nvrtc_table;

typedef struct tb_cublas_table {
#define TB_FN(name, symbol, parameters) cublasStatus_t (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#define TB_FN_TYPED(name, s, d, c, z, parameters) cublasStatus_t(*name[4]) parameters;
#include "backend/cuda/cublas.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_cublas_table;

typedef struct tb_cublaslt_table {
#define TB_FN(name, parameters) cublasStatus_t (*name) parameters;
#include "backend/cuda/cublaslt.def"
#undef TB_FN
} tb_cublaslt_table;

typedef struct tb_cusolver_table {
#define TB_FN(name, symbol, parameters) cusolverStatus_t (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#undef TB_FN_TYPED
#define TB_FN_TYPED(name, s, d, c, z, parameters) cusolverStatus_t(*name[4]) parameters;
#include "backend/cuda/cusolver.def"
#undef TB_FN_TYPED
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_cusolver_table;

typedef struct tb_cufft_table {
#define TB_FN(name, symbol, parameters) cufftResult (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#include "backend/cuda/cufft.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_cufft_table;

typedef struct tb_cusparselt_table {
#define TB_FN(name, parameters) cusparseStatus_t (*name) parameters;
#define TB_FN_OPTIONAL TB_FN
#include "backend/cuda/cusparselt.def"
#undef TB_FN_OPTIONAL
#undef TB_FN
} tb_cusparselt_table;

typedef struct tb_cudss_table {
#define TB_FN(name, parameters) cudssStatus_t (*name) parameters;
#include "backend/cuda/cudss.def"
#undef TB_FN
} tb_cudss_table;

extern tb_cu_table tb__cu;
extern tb_nvrtc_table tb__nvrtc;
extern tb_cublas_table tb__cublas;
extern tb_cublaslt_table tb__cublaslt;
extern tb_cusolver_table tb__cusolver;
extern tb_cufft_table tb__cufft;
extern tb_cusparselt_table tb__cusparselt;
extern tb_cudss_table tb__cudss;
/* Those that the library itself calls. */
extern tb_library tb__library_cuda, tb__library_nvrtc, tb__library_cublas, tb__library_cublaslt, tb__library_cusolver,
    tb__library_cufft, tb__library_cusparselt, tb__library_cudss;

/* CUDA version of the driver, as 12040; 0 before it is known. Set by whoever opened the driver. */
extern int tb__driver_version;

/* Opens the library and fills its table; one branch once that is done. TB_ERR_LIBRARY with every place looked at when
 * it is not there. Safe from several threads. */
tb_status tb__library_load(tb_library *l);
/* Which file tb__library_load would open, without opening it where that can be helped. False when there is none. */
bool tb__library_file(tb_library *l, char *path, size_t cap);
/* Its name, size and date, into buf. */
bool tb__library_identity(tb_library *l, char *buf, size_t cap);
#endif
