/* record.h - dtypes whose elements are moved but not computed with: fields side by side, bytes, times.
 *
 * Each is described once and has a number from then on, which is a tb_dtype like any other: whatever takes a dtype
 * takes records, or says that it does not. Descriptions live as long as the process, so that reading them takes no lock
 * and arrays need not count references. The low byte of such a number is RECORD_MARK, which is no other dtype's: so it
 * is none where a dtype is kept in a byte (expressions, plans), and tables by that byte have a row for it. */
#ifndef TB_BASE_RECORD_H
#define TB_BASE_RECORD_H
#include "tombac/tombac.h"

enum { TB_RECORD_MARK = 254 };

/* Of any tb_dtype that an array has; whether there is such a record is asked by tb__record_known alone. */
static inline bool tb__is_record(tb_dtype t) { return (unsigned)t > UINT8_MAX; }
/* NULL if tb_record_new did not give this number. */
const tb_record *tb__record_known(tb_dtype t);
/* A part of each element: bytes that all belong to fields, or a field that has gaps itself. */
typedef struct tb_run {
    int64_t offset, size;
    const tb_field *field; /* NULL: the bytes */
} tb_run;
/* What assignment writes of an element of t: no byte that belongs to no field, since it may be another field's of the
 * records that a view looks at. *n is 0 where that is all of it, and for numbers. */
const tb_run *tb__record_runs(tb_dtype t, int *n);
/* Where elements of t have to begin: the size of a number's part, 1 for records, whose fields are moved by bytes where
 * they must be. */
int64_t tb__dtype_alignment(tb_dtype t);
/* tb_can_cast, where one of the two is a record. */
bool tb__record_can_cast(tb_dtype from, tb_dtype to, tb_casting rule);
#endif
