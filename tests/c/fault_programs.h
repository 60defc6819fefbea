/* fault_programs.h - small programs in steps, for test_faults.c. A step that fails has left its slots as they were, and
 * may be taken again. */
#ifndef TB_TESTS_FAULT_PROGRAMS_H
#define TB_TESTS_FAULT_PROGRAMS_H
#include "tombac/tombac.h"

enum { SLOTS = 48, LAST = -1 }; /* LAST: there is no such step */

/* What a program has made so far. */
typedef struct slots {
    tb_array *a[SLOTS];
    tb_rng rng;
    tb_stream *stream;
    tb_event *event;
    tb_module *module;
    tb_function *function;
    tb_graph *graph;
    tb_allocator *allocator;
    tb_elementwise *kernel;
    tb_reducer *reducer;
    long run; /* differs from run to run: for sources that are not to be known already */
    bool capturing;
} slots;

typedef struct fault_program {
    const char *name;
    int (*step)(int step, slots *s); /* a tb_status, or LAST */
    bool compiles;                   /* takes a compiler, and its time */
    bool keeps;                      /* blocks that a graph keeps are lost where there is no memory to note them */
    bool parts;                      /* a step may write some of several elements, and can be taken again then */
} fault_program;

int fault_equations(int step, slots *s); /* fault_equations.c */
int fault_eigenvalues(int step, slots *s);
int fault_functions(int step, slots *s);
int fault_points(int step, slots *s); /* fault_points.c */
int fault_peaks(int step, slots *s);
int fault_sparse(int step, slots *s); /* fault_sparse.c */
int fault_sparse_routines(int step, slots *s);
extern const fault_program fault_programs[];
extern const int fault_nprogram;
extern int64_t fault_n; /* elements of the programs' arrays */
#endif
