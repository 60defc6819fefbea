/* user.h - user kernels (ElementwiseKernel, ReductionKernel): their parameters, and the CUDA C++ around the user's
 * expressions. Text and layouts only: nothing here calls a backend. */
#ifndef TB_CODEGEN_USER_H
#define TB_CODEGEN_USER_H
#include "base/text.h"
#include "codegen/layout.h"
#include "tombac/tombac.h"

enum { TB_USER_MAXPARAM = 64, TB_USER_ARGS = 4032 };

/* ---- user_params.c: parameter lists ----------------------------------------------------------------------------- */

typedef struct tb_user_param {
    char *name;
    tb_dtype dtype; /* TB_NODTYPE: whatever the placeholder stands for in a call */
    char letter;    /* the placeholder */
    bool raw, writable;
} tb_user_param;

typedef struct tb_user_params {
    int nin, n; /* inputs, then outputs */
    tb_user_param param[TB_USER_MAXPARAM];
} tb_user_params;

extern const char *const tb__ctype[TB_NDTYPE]; /* "float", "long long", "complex<float>" */

/* "raw T x, float32 y" twice. `who` names the kernel in messages. Free with tb__user_params_free, also on failure. */
tb_status tb__user_params_parse(const char *who, const char *in, const char *out, tb_user_params *p);
void tb__user_params_free(tb_user_params *p);
/* The dtype of every parameter in a call. types: before it, those of the arrays given, TB_NODTYPE for all else. */
tb_status tb__user_params_types(const char *who, const tb_user_params *p, const tb_operand *in, uint8_t *types);

/* ---- user_args.c: what both kinds of kernel hand to the user's code ---------------------------------------------- */

/* Where a token stands in some text, as a word of its own; NULL if nowhere. */
const char *tb__find_word(const char *text, const char *word);
/* Headers for types and names that the kernel uses. text: all of the user's code, NULL-terminated. */
void tb__user_headers(const tb_user_params *p, const uint8_t *types, bool on_host, const char *const *text,
                      tb_text *out);
/* typedefs of the placeholders. */
void tb__user_typedefs(const tb_user_params *p, const uint8_t *types, tb_text *out);

/* How a raw array enters the source. */
typedef struct tb_user_raw {
    uint8_t ndim;
    bool contiguous, narrow; /* C order; byte offsets and element numbers fit 31 bits */
} tb_user_raw;

/* Raw arrays and scalars: as fields of a struct, and as local names made from the struct `from`. Parameters that are
 * neither are left out: is_element[k]. */
void tb__user_fields(const tb_user_params *p, const uint8_t *types, const bool *is_element, const tb_user_raw *raw,
                     tb_text *out);
void tb__user_locals(const tb_user_params *p, const uint8_t *types, const bool *is_element, const tb_user_raw *raw,
                     const char *from, tb_text *out);
/* The values, in the same order; each field starts at a multiple of 8 bytes. A raw array is its address, its size, its
 * shape and its strides; one without dimensions has 1 and 0 for these. */
unsigned char *tb__user_put_word(unsigned char *to, int64_t x);
unsigned char *tb__user_put_scalar(unsigned char *to, const tb_scalar *s);

/* ---- user_elementwise.c ----------------------------------------------------------------------------------------- */

typedef struct tb_user_code {
    const char *name, *operation, *preamble, *loop_prep, *after_loop; /* never NULL */
} tb_user_code;

/* How a non-raw array is walked. */
typedef enum tb_user_access {
    TB_USER_SAME,   /* one element for all points */
    TB_USER_LINEAR, /* point i is element i */
    TB_USER_UNIT,   /* neighbours along the last dimension are neighbours in memory */
    TB_USER_SPREAD, /* one element along the last dimension */
    TB_USER_STRIDED,
} tb_user_access;

/* Everything the source depends on beside the code. */
typedef struct tb_user_variant {
    uint8_t ndim; /* dimensions of the loop; 1 with no STRIDED or UNIT or SPREAD access: a plain index */
    uint8_t flat, wide, on_host, vector;
    uint8_t unroll;
    uint8_t type[TB_USER_MAXPARAM];
    uint8_t kind[TB_USER_MAXPARAM]; /* 0: scalar, 1: element, 2: raw */
    uint8_t access[TB_USER_MAXPARAM];
    tb_user_raw raw[TB_USER_MAXPARAM];
} tb_user_variant;

/* The non-raw arrays of a call, broadcast to one shape. */
typedef struct tb_user_walk {
    int n, ndim;
    int64_t size, shape[TB_MAXDIM];
    int64_t itemsize[TB_USER_MAXPARAM];
    const char *ptr[TB_USER_MAXPARAM];
    int64_t strides[TB_USER_MAXPARAM][TB_MAXDIM];
} tb_user_walk;

/* ---- user_layout.c ---- */
/* Drops dimensions of 1 and merges neighbours; C order stays. */
void tb__user_walk_merge(tb_user_walk *w);
void tb__user_walk_access(const tb_user_walk *w, bool *flat, bool *wide, uint8_t *access);
/* For flat walks on a GPU. vector 0: element by element. */
void tb__user_walk_vector(const tb_user_walk *w, const uint8_t *access, const bool *writable, unsigned work,
                          uint8_t *vector, uint8_t *unroll);

enum { TB_USER_SCALAR, TB_USER_ELEMENT, TB_USER_RAW };
enum { TB_USER_HOST_CHUNK = 16384 }; /* points a block takes on the CPU */

/* What can be told from the code alone. */
typedef struct tb_user_traits {
    bool vector;  /* elements may be copies of what is in memory */
    bool indexer; /* _ind is used */
    uint8_t work; /* 0: short, 1: middling, 2: long */
} tb_user_traits;

/* Whether code takes the address of what is called `name`. */
bool tb__takes_address(const char *code, const char *name);
void tb__user_traits(const tb_user_params *p, const tb_user_code *c, tb_user_traits *t);
tb_status tb__user_elementwise(const tb_user_params *p, const tb_user_code *c, const tb_user_variant *v, tb_text *out);

/* ---- user_reduction.c, user_reduction_host.c -------------------------------------------------------------------- */

typedef struct tb_user_reduce_code {
    const char *map, *reduce, *post_map, *preamble; /* never NULL */
    const char *identity;                           /* "": none */
    const char *reduce_type;                        /* "": the output's */
} tb_user_reduce_code;

/* A call's element arrays are the loads of a plan, the output is its store; kind is as in tb_user_variant. */
typedef struct tb_user_reduce {
    const tb_user_params *params;
    const tb_user_reduce_code *code;
    const uint8_t *type, *kind;
    const tb_user_raw *raw;
    const tb_plan *plan;
    int in_ndim, out_ndim; /* of the input, of the result without reduced dimensions of 1 */
} tb_user_reduce;

/* Whether the position of elements matters to the code. */
bool tb__user_reduce_ordered(const tb_user_reduce_code *c);

/* The code's indices of the element (reduced dimensions first) and of the result: objects that are told their number,
 * copies of what is at the end of the parameter block. Nothing where the code does not mention them. */
bool tb__user_has_indexers(const tb_user_reduce_code *c);
bool tb__user_post_has_position(const tb_user_reduce_code *c);
void tb__user_indexer_fields(const tb_user_reduce *u, tb_text *out);
void tb__user_indexer_locals(const tb_user_reduce *u, bool map, const char *from, tb_text *out);
unsigned char *tb__user_put_indexer(unsigned char *to, int ndim, const int64_t *shape);
/* headers, typedefs, preamble, _type_reduce. */
void tb__user_reduce_prologue(const tb_user_reduce *u, bool on_host, tb_text *out);
/* For a GPU: the plan's layout decides the form of kernel, tb_main. */
tb_status tb__user_reduction(const tb_user_reduce *u, const tb_layout *l, tb_text *out);

/* On the CPU a block of one thread makes a part of a result, or of a tile of neighbouring results; tb_second combines
 * parts. Sizes do not depend on the number of threads. */
typedef struct tb_user_host_layout {
    bool column; /* neighbouring results lie side by side in the inner dimension */
    int na, nb;
    uint8_t dim[TB_MAXDIM]; /* of the plan: kept ones, then reduced ones */
    int64_t rows, along, part, parts, tasks, rows_per_task, tiles;
    uint8_t access[TB_PLAN_MAXLOAD];
} tb_user_host_layout;

enum { TB_USER_HOST_TILE = 2048, TB_USER_HOST_SECOND = 64 }; /* results a task of tb_main, tb_second makes */

void tb__user_host_layout(const tb_plan *p, tb_user_host_layout *h);
tb_status tb__user_reduction_host(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out);
/* The parameter block up to the user's fields; *workspace_at is where the address of the workspace goes. */
unsigned char *tb__user_host_pack(const tb_plan *p, const tb_user_host_layout *h, unsigned char *to,
                                  unsigned char **workspace_at);
#endif
