/* jit_table.h - what was compiled for which types of arguments: shared by jit_launch.c and vectorize.c. */
#ifndef TBPY_JIT_TABLE_H
#define TBPY_JIT_TABLE_H
#include "core.h"

#include <stdatomic.h>

enum { JIT_MAXARG = 64, JIT_NBUCKET = 64 };

/* One argument of a call: what code for it depends on, and the array (borrowed) or number itself. */
typedef struct tbpy_jit_arg {
    uint64_t key;
    tb_array *array; /* NULL: a number, or None if `none` */
    tb_scalar scalar;
} tbpy_jit_arg;

/* An entry of a table; types that hold more begin with it. Entries live as long as their table. */
typedef struct tbpy_jit_entry {
    struct tbpy_jit_entry *next;
    uint64_t hash;
    int narg, device;
    uint64_t *key; /* narg words */
} tbpy_jit_entry;

/* Entries are published by a compare-and-swap and never change after that, so that readers need no lock. */
typedef struct tbpy_jit_table {
    _Atomic(tbpy_jit_entry *) bucket[JIT_NBUCKET];
} tbpy_jit_table;

/* Reads the arguments of a call of `who`: ndarrays, numbers, None. layout: dimensions, contiguity and extents are part
 * of an array's key; otherwise its dtype alone is. TypeError names the position of anything else. */
int tbpy_jit_read(PyObject *who, PyObject *const *objs, Py_ssize_t n, bool layout, tbpy_jit_arg *out);
uint64_t tbpy_jit_hash(int n, const tbpy_jit_arg *args, int device);
tbpy_jit_entry *tbpy_jit_find(tbpy_jit_table *t, uint64_t hash, int n, const tbpy_jit_arg *args, int device);
/* Puts e, whose narg, hash, device and key are filled in here, into the table. -1: no memory; e is untouched. */
int tbpy_jit_publish(tbpy_jit_table *t, tbpy_jit_entry *e, uint64_t hash, int n, const tbpy_jit_arg *args, int device);
/* Calls release on every entry. */
void tbpy_jit_clear(tbpy_jit_table *t, void (*release)(tbpy_jit_entry *e));
/* What tombacx.jit compiles for: a tuple with an entry for each argument: None, (dtype number, ndim, contiguous, wide)
 * of an array, or (dtype number, weak, fits in 32 bits) of a number. */
PyObject *tbpy_jit_types(int n, const tbpy_jit_arg *args);
#endif
