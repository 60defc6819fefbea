/* sparse.h - src/backend/cpu/sparse: the structure and the products of sparse matrices on the host.
 *
 *   index_loops.h .c      loops over the structure, for either width of indices
 *   pattern.c             those on all threads
 *   product_loops.h .c    loops over values as well, for each dtype
 *   row_loops.h .c        those over rows of dense arrays, for each instruction set
 *   product.c             those on all threads
 *   move_loops.h moves.c  rows and columns picked, and matrices joined, with their values
 *   group_loops.h groups.c  elements put in order with their values
 *   combine_loops.h .c    elementwise functions of two matrices
 *   formats.c             dense arrays, diagonals, and matrices of diagonals
 *   components.c          connected components of graphs
 *   least_squares.c       LSQR and LSMR, with the loops over vectors in vector_loops.h
 *   triangle.c            equations with a triangle */
#ifndef TB_BACKEND_CPU_SPARSE_SPARSE_H
#define TB_BACKEND_CPU_SPARSE_SPARSE_H
#include "backend/cpu/loops/isa.h"
#include "backend/sparse.h"
#include "base/arith.h"
#include "base/threads.h"

typedef struct tb_sparse_match {
    const tb_sparse_pattern *a, *b;
    bool any;
    void *start, *index, *from_a, *from_b;
} tb_sparse_match;

/* A product of two matrices. */
typedef struct tb_sparse_pair tb_sparse_pair;
struct tb_sparse_pair {
    const tb_sparse_pattern *a, *b;
    const void *a_data, *b_data;
    void *start, *index, *data;
    int64_t (*work)(const tb_sparse_pair *q, int64_t row); /* how many products a row has */
    bool places; /* each column has a place, which a part of the rows clears once */
};

/* A hash table of a row's columns, with open addressing: keys, -1 where there is none. The thread's scratch memory. */
typedef struct tb_sparse_table {
    void *room; /* mask + 1 items, of which the keys are the first */
    uint64_t mask;
    uint64_t factor;
    int shift;
} tb_sparse_table;

/* For at most so many of `cols` columns; items of so many bytes, of which the key takes `key`. Where the
 * columns are few each has its own place. */
tb_sparse_table tb__sparse_table(int64_t cols, int64_t most, size_t size, size_t key);

/* Whether a row of so many products is made quicker with a place for each column, of which most are looked at. */
static inline bool tb__sparse_is_dense(int64_t cols, int64_t products) { return cols <= products && cols <= 1 << 12; }

static inline uint64_t tb__sparse_slot(const tb_sparse_table *t, uint64_t col)
{
    return col * t->factor >> t->shift & t->mask;
}

/* What index_loops.h says. */
typedef struct tb_index_loops {
    size_t size;
    int64_t (*at)(const void *numbers, int64_t i);
    void (*rows)(const void *start, int64_t from, int64_t to, void *row);
    int (*check)(const tb_sparse_pattern *p, int64_t n, int64_t from, int64_t to);
    bool (*count)(const void *row, int64_t rows, int64_t from, int64_t to, void *table);
    void (*begin)(int64_t n, int64_t rows, void *tables, void *start);
    void (*place)(const tb_sparse_group *g, int64_t from, int64_t to, void *table);
    bool (*sort)(const tb_sparse_pattern *p, int64_t from, int64_t to, void *index, void *order);
    void (*sort_row)(int64_t n, void *index, void *order, void *room); /* room for 2 n; order becomes what it was */
    bool (*sum_up)(int64_t rows, void *start);
    void (*unique)(const tb_sparse_pattern *p, int64_t from, int64_t to, void *start, void *index, void *first);
    void (*match)(const tb_sparse_match *m, int64_t from, int64_t to);
    void (*take)(const tb_sparse_pattern *p, const void *row, int64_t from, int64_t to, void *start, void *index,
                 void *source);
    void (*find)(const tb_sparse_pattern *p, const void *row, const void *col, int64_t from, int64_t to, void *out);
    int64_t (*work)(const tb_sparse_pair *q, int64_t row);
    bool (*count_product)(const tb_sparse_pair *q, int64_t from, int64_t to);
    bool (*count_rows)(const tb_sparse_move *m, int64_t from, int64_t to);
    void (*fill_rows)(const tb_sparse_move *m, int64_t from, int64_t to);
    bool (*order_cols)(const tb_sparse_move *m);
    bool (*count_cols)(const tb_sparse_move *m, int64_t from, int64_t to);
    void (*begin_joined)(const tb_sparse_sides *q, int64_t from, int64_t to);
    void (*join)(const tb_sparse_sides *q, int64_t from, int64_t to);
    bool (*in_order)(const tb_sparse_grouping *g, int64_t from, int64_t to);
    void (*fill_ends)(int64_t rows, void *start);
} tb_index_loops;

/* What product_loops.h says. */
typedef struct tb_product_loops {
    bool (*multiply)(const tb_sparse_pair *q, int64_t from, int64_t to);
    bool (*dense)(const tb_sparse_dense *d, int64_t from, int64_t to);
    void (*diagonal)(const tb_sparse_diagonal *d, int64_t from, int64_t to);
    void (*count_bands)(const tb_sparse_bands *b, int64_t from, int64_t to);
    void (*place_bands)(const tb_sparse_bands *b, int64_t from, int64_t to);
    void (*block_diagonal)(const tb_sparse_form *f, int64_t from, int64_t to); /* rows of blocks */
} tb_product_loops;

/* What row_loops.h says. */
typedef struct tb_row_loops {
    void (*by_vector)(const tb_sparse_product *p, int64_t from, int64_t to, void *out);
    void (*by_matrix)(const tb_sparse_product *p, int64_t from, int64_t to, void *out);
    void (*transposed)(const tb_sparse_product *p, int64_t from, int64_t to, void *out);
    void (*sum)(int64_t n, const void *more, void *sum);
    void (*by_bands)(const tb_sparse_form *f, int64_t from, int64_t to);
    void (*by_blocks)(const tb_sparse_form *f, int64_t from, int64_t to); /* rows of blocks */
} tb_row_loops;

/* For a dtype but float16. */
const tb_product_loops *tb__product_loops(tb_dtype t, bool wide);
/* For rows of n elements. */
const tb_row_loops *tb__row_loops(tb_dtype t, bool wide, int64_t n);
TB_ISA_EXTERN(const tb_row_loops *const, tb__row_loops_, [TB_NDTYPE][2])

extern const tb_index_loops tb__index_loops_32, tb__index_loops_64;

static inline const tb_index_loops *tb__index_loops(bool wide)
{
    return wide ? &tb__index_loops_64 : &tb__index_loops_32;
}

/* The row where part i of n parts of a pattern begins, all of about the same work: rows and elements count alike. */
int64_t tb__sparse_part(const tb_sparse_pattern *p, int64_t n, int64_t i);
/* How many parts there are if each has about so much work. */
int64_t tb__sparse_parts(const tb_sparse_pattern *p, int64_t work);

/* formats.c */
tb_status tb__cpu_sparse_dense(const tb_sparse_dense *d);
tb_status tb__cpu_sparse_diagonal(const tb_sparse_diagonal *d);
tb_status tb__cpu_sparse_bands(const tb_sparse_bands *b);

/* forms.c */
tb_status tb__cpu_sparse_matmul_bands(const tb_sparse_form *f);
tb_status tb__cpu_sparse_matmul_blocks(const tb_sparse_form *f);
tb_status tb__cpu_sparse_block_diagonal(const tb_sparse_form *f);

/* groups.c */
tb_status tb__cpu_sparse_group_values(const tb_sparse_grouping *g);

/* moves.c */
tb_status tb__cpu_sparse_take_rows(const tb_sparse_move *m);
tb_status tb__cpu_sparse_take_cols(const tb_sparse_move *m);
tb_status tb__cpu_sparse_join(const tb_sparse_sides *q);

/* combine.c */
tb_status tb__cpu_sparse_combine(const tb_sparse_combination *c);

/* components.c */
tb_status tb__cpu_sparse_components(const tb_sparse_pattern *p, bool strong, int32_t *label, int64_t *count);

tb_status tb__cpu_sparse_forest(const tb_sparse_pattern *p, const int64_t *order, bool *kept);

/* matching.c */
tb_status tb__cpu_sparse_matching(const tb_sparse_pattern *p, int64_t n, int32_t *column, int32_t *row);

/* searches.c */
tb_status tb__cpu_sparse_search(tb_sparse_search *s, int64_t n);
tb_status tb__cpu_sparse_tree(const tb_sparse_tree *t);
/* A graph of n edges that go both ways, with their lengths unless data is NULL, in memory that is the caller's. */
tb_status tb__sparse_both_ways(const tb_sparse_pattern *p, const double *data, int64_t n, tb_sparse_pattern *out,
                               const double **values, void **room);

/* paths.c */
tb_status tb__cpu_sparse_paths(const tb_sparse_paths *s, int64_t n);

/* least_squares.c */
tb_status tb__cpu_sparse_least_squares(tb_sparse_least_squares *l);

/* triangle.c */
tb_status tb__cpu_sparse_triangle(const tb_sparse_triangle *t);

/* product.c */
tb_status tb__cpu_sparse_product(const tb_sparse_product *p);
tb_status tb__cpu_sparse_multiply(const tb_sparse_pattern *a, const tb_sparse_pattern *b, tb_dtype dtype,
                                  const void *a_data, const void *b_data, void *start, void *index, void *data);

extern const tb_sparse_routines tb__cpu_sparse;
#endif
