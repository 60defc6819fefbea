/* stack.h - one matrix as LAPACK's routines take it, and the work space that they ask for. */
#ifndef TB_BACKEND_CPU_SOLVERS_STACK_H
#define TB_BACKEND_CPU_SOLVERS_STACK_H
#include "backend/cpu/plans/blas.h"
#include "backend/cpu/solvers/lapack.h"

typedef struct tb_lapack_space {
    void *work; /* nwork elements; -1: the routine only says how many it wants, in the first one */
    int nwork;
    void *real;
    size_t real_bytes;
    int *integer, ninteger;
} tb_lapack_space;

typedef struct tb_lapack_item {
    const struct tb_lapack_routine *routine;
    tb_lapack_function function; /* NULL: what it is made of is in lapack and blas */
    const tb_lapack *lapack;
    const tb_blas *blas; /* or NULL */
    int m, n, k;
    char job, uplo, trans, diag;
    bool is_complex, is_narrow; /* the dtype; narrow: its parts are float32 */
    size_t item;                /* bytes of an element */
    void *a, *b, *c, *v;
    int *pivots;
    tb_lapack_space need; /* of every matrix of the stack */
} tb_lapack_item;

typedef struct tb_lapack_routine {
    int (*call)(const tb_lapack_item *x, tb_lapack_space *space); /* returns LAPACK's info */
    bool asks;                                                    /* for work space, by nwork -1 */
    /* Sets real_bytes and ninteger, if it wants those. False: more than LAPACK can count. */
    bool (*measure)(const tb_lapack_item *x, tb_lapack_space *need);
} tb_lapack_routine;

extern const tb_lapack_routine tb__lapack_routines[];

/* Everything but the addresses of operands. */
tb_status tb__lapack_item_like(const tb_solve *q, const tb_lapack *lapack, tb_lapack_item *out);
#endif
