/* record.c - see record.h: the table of all records, and which of them can be cast to which. */
#include "base/record.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/lock.h"
#include "base/shape.h"

/* What is kept of a record. */
typedef struct entry {
    tb_record record; /* first */
    int nrun;         /* 0: all bytes are the fields' */
    tb_run *runs;
} entry;

/* By number; the first is never used. Written under the core lock, each once. */
static _Atomic(const entry *) table[TB_RECORDS_MAX];
static unsigned count = 1;

static tb_dtype dtype_of(unsigned number) { return (tb_dtype)(number << 8 | TB_RECORD_MARK); }

static const entry *entry_of(tb_dtype t)
{
    const unsigned number = (unsigned)t >> 8;
    if (((unsigned)t & UINT8_MAX) != TB_RECORD_MARK || number >= TB_RECORDS_MAX) return NULL;
    return atomic_load_explicit(&table[number], memory_order_acquire);
}

const tb_record *tb__record_known(tb_dtype t)
{
    const entry *e = entry_of(t);
    return e ? &e->record : NULL;
}

const tb_run *tb__record_runs(tb_dtype t, int *n)
{
    const entry *e = entry_of(t);
    *n = e ? e->nrun : 0;
    return e ? e->runs : NULL;
}

static bool is_dtype(tb_dtype t) { return (unsigned)t < TB_NDTYPE || tb__record_known(t); }

int64_t tb__dtype_alignment(tb_dtype t) { return tb__is_record(t) ? 1 : (int64_t)tb_dtype_size(tb_dtype_real(t)); }

/* ---- making them ------------------------------------------------------------------------------------------------- */

static tb_status fail_field(const tb_field *f, const char *what)
{
    return tb__fail(TB_ERR_VALUE, "tb_record_new: field '%s' %s", f->name, what);
}

static tb_status check_field(const tb_record *r, int i)
{
    const tb_field *f = &r->fields[i];
    int64_t size;
    if (!f->name) return tb__fail_null("tb_record_new", "fields[].name");
    if (!is_dtype(f->dtype)) return fail_field(f, "is of no dtype");
    if (f->ndim < 0 || f->ndim > TB_MAXDIM) return fail_field(f, "has a number of dimensions that no array has");
    if (f->ndim > 0 && !f->shape) return tb__fail_null("tb_record_new", "fields[].shape");
    TB_TRY(tb__shape_size("tb_record_new", f->ndim, f->shape, tb_dtype_size(f->dtype), &size));
    if (f->offset < 0 || f->offset > r->size || size * (int64_t)tb_dtype_size(f->dtype) > r->size - f->offset)
        return fail_field(f, "leaves the record");
    for (int k = 0; k < i; k++)
        if (strcmp(r->fields[k].name, f->name) == 0) return fail_field(f, "is there twice");
    return TB_OK;
}

static tb_status check_record(const tb_record *r)
{
    if (r->size < 1 || r->size > INT32_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_record_new: a record has from 1 to 2^31-1 bytes, not %lld",
                        (long long)r->size);
    if ((unsigned)r->kind > TB_RECORD_TIME) return tb__fail_choice("tb_record_new", "record->kind", r->kind);
    if (r->nfield < 0 || (r->nfield > 0 && r->kind != TB_RECORD_FIELDS))
        return tb__fail_count("tb_record_new", "record->nfield", r->nfield, r->kind == TB_RECORD_FIELDS ? INT_MAX : 0);
    if (r->nfield > 0 && !r->fields) return tb__fail_null("tb_record_new", "record->fields");
    if (r->kind == TB_RECORD_TIME && r->size != 8)
        return tb__fail(TB_ERR_VALUE, "tb_record_new: a time has 8 bytes, not %lld", (long long)r->size);
    for (int i = 0; i < r->nfield; i++) TB_TRY(check_field(r, i));
    return TB_OK;
}

static bool same_field(const tb_field *a, const tb_field *b)
{
    return a->dtype == b->dtype && a->offset == b->offset && a->ndim == b->ndim && strcmp(a->name, b->name) == 0 &&
           (a->ndim == 0 || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0);
}

static bool same_record(const tb_record *a, const tb_record *b)
{
    if (a->kind != b->kind || a->size != b->size || a->nfield != b->nfield || strcmp(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->nfield; i++)
        if (!same_field(&a->fields[i], &b->fields[i])) return false;
    return true;
}

/* ---- what belongs to fields -------------------------------------------------------------------------------------- */

static int64_t bytes_of(const tb_field *f)
{
    int64_t bytes = (int64_t)tb_dtype_size(f->dtype);
    for (int d = 0; d < f->ndim; d++) bytes *= f->shape[d];
    return bytes;
}

static bool has_gaps(const tb_field *f)
{
    const entry *e = entry_of(f->dtype);
    return e && e->nrun > 0;
}

static int by_offset(const void *a, const void *b)
{
    const tb_run *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Fields side by side, or on top of each other, become one; those with gaps stay on their own. */
static int merge(int n, tb_run *runs)
{
    int kept = 0;
    qsort(runs, (size_t)n, sizeof *runs, by_offset);
    for (int i = 0; i < n; i++) {
        tb_run *last = kept > 0 ? &runs[kept - 1] : NULL;
        const int64_t end = runs[i].offset + runs[i].size;
        if (!last || last->field || runs[i].field || runs[i].offset > last->offset + last->size) runs[kept++] = runs[i];
        else if (end > last->offset + last->size) last->size = end - last->offset;
    }
    return kept;
}

/* There is room for a run a field. */
static void find_runs(entry *e)
{
    const tb_record *r = &e->record;
    int n = 0;
    for (int i = 0; i < r->nfield; i++) {
        const tb_field *f = &r->fields[i];
        if (bytes_of(f) > 0) e->runs[n++] = (tb_run){f->offset, bytes_of(f), has_gaps(f) ? f : NULL};
    }
    n = merge(n, e->runs);
    const bool whole = n == 1 && !e->runs->field && e->runs->size == r->size;
    e->nrun = r->kind != TB_RECORD_FIELDS || whole ? 0 : n;
    /* Where nothing belongs to fields, the one run is of no bytes. */
    if (r->kind == TB_RECORD_FIELDS && n == 0) *e->runs = (tb_run){0}, e->nrun = 1;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* A copy in one block: the record, its fields, runs and shapes, then the text. */
static const entry *copy_of(const tb_record *from)
{
    size_t lengths = 0, text = strlen(from->name) + 1;
    for (int i = 0; i < from->nfield; i++) {
        lengths += (size_t)from->fields[i].ndim;
        text += strlen(from->fields[i].name) + 1;
    }
    const size_t nfield = (size_t)from->nfield;
    entry *e = malloc(sizeof *e + nfield * sizeof(tb_field) + (nfield + 1) * sizeof(tb_run) +
                      lengths * sizeof(int64_t) + text);
    if (!e) return NULL;
    tb_record *r = &e->record;
    tb_field *f = (tb_field *)(e + 1);
    e->runs = (tb_run *)(f + nfield);
    int64_t *shape = (int64_t *)(e->runs + nfield + 1);
    char *name = (char *)(shape + lengths);
    *r = *from;
    r->struct_size = sizeof *r;
    r->fields = f;
    r->name = strcpy(name, from->name);
    name += strlen(name) + 1;
    for (int i = 0; i < from->nfield; i++, f++) {
        *f = from->fields[i];
        f->name = strcpy(name, from->fields[i].name);
        name += strlen(name) + 1;
        f->shape = shape;
        for (int d = 0; d < f->ndim; d++) *shape++ = from->fields[i].shape[d];
    }
    find_runs(e);
    return e;
}

/* The number of the record, which may be new. */
static tb_status find_or_add(const tb_record *r, unsigned *number)
{
    for (*number = 1; *number < count; ++*number)
        if (same_record(&table[*number]->record, r)) return TB_OK;
    if (count == TB_RECORDS_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_record_new: there are %d different records already", TB_RECORDS_MAX - 1);
    const entry *kept = copy_of(r);
    if (!kept) return tb__fail_memory(sizeof *kept, 0, 0, 0);
    atomic_store_explicit(&table[count++], kept, memory_order_release);
    return TB_OK;
}

tb_status tb_record_new(const tb_record *record, tb_dtype *out)
{
    char name[48];
    unsigned number;
    tb_record r;
    TB_NOT_NULL(record, out);
    TB_WHOLE_ARGS(tb_record, record, TB_RECORD_INIT);
    TB_TRY(check_record(record));
    r = *record;
    if (!r.name) {
        snprintf(name, sizeof name, "record of %lld bytes", (long long)r.size);
        r.name = name;
    }
    tb__lock();
    const tb_status status = find_or_add(&r, &number);
    tb__unlock();
    if (status == TB_OK) *out = dtype_of(number);
    return status;
}

tb_status tb_record_of(tb_dtype t, tb_record *out, size_t size)
{
    TB_NOT_NULL(out);
    const tb_record *r = tb__record_known(t);
    if (!r) return tb__fail(TB_ERR_TYPE, "tb_record_of: %s is no record", tb_dtype_name(t));
    tb__fill_struct(out, size, r, sizeof *r);
    return TB_OK;
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */

static bool is_one_value(const tb_field *f)
{
    for (int d = 0; d < f->ndim; d++)
        if (f->shape[d] != 1) return false;
    return true;
}

/* Whether a field of shape `from` can be taken for one of shape `to`: it is broadcast. */
static bool fits_field(const tb_field *from, const tb_field *to)
{
    if (is_one_value(from)) return true;
    if (from->ndim > to->ndim) return false;
    for (int d = 0; d < from->ndim; d++) {
        const int64_t n = from->shape[d];
        if (n != 1 && n != to->shape[to->ndim - from->ndim + d]) return false;
    }
    return true;
}

static bool same_shape(const tb_field *a, const tb_field *b)
{
    return a->ndim == b->ndim && (a->ndim == 0 || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0);
}

/* NumPy's rule: by position. Names that differ are safe, another layout is equivalent. */
static bool can_cast_fields(const tb_record *from, const tb_record *to, tb_casting rule)
{
    if (from->nfield != to->nfield || (rule == TB_CAST_NO && from->size != to->size)) return false;
    for (int i = 0; i < from->nfield; i++) {
        const tb_field *a = &from->fields[i], *b = &to->fields[i];
        if (!tb_can_cast(a->dtype, b->dtype, rule) || !fits_field(a, b)) return false;
        if (!same_shape(a, b) && rule < (a->ndim == 0 ? TB_CAST_SAFE : TB_CAST_UNSAFE)) return false;
        if (rule < TB_CAST_SAFE && strcmp(a->name, b->name) != 0) return false;
        if (rule == TB_CAST_NO && a->offset != b->offset) return false;
    }
    return true;
}

/* Bytes take the bytes of anything that has no fields. */
static bool can_cast_to_bytes(tb_dtype from, const tb_record *r, tb_dtype to, tb_casting rule)
{
    if (r && r->kind == TB_RECORD_FIELDS) return false;
    const bool all = tb_dtype_size(from) <= tb_dtype_size(to);
    return rule == TB_CAST_UNSAFE || (rule == TB_CAST_SAME_KIND && (all || r)) || (rule == TB_CAST_SAFE && all);
}

bool tb__record_can_cast(tb_dtype from, tb_dtype to, tb_casting rule)
{
    const tb_record *a = tb__record_known(from), *b = tb__record_known(to);
    if (!is_dtype(from) || !is_dtype(to) || (unsigned)rule > TB_CAST_UNSAFE) return false;
    if (from == to) return true;
    if (a && b && a->kind == TB_RECORD_FIELDS && b->kind == TB_RECORD_FIELDS) return can_cast_fields(a, b, rule);
    if (b && b->kind == TB_RECORD_BYTES) return can_cast_to_bytes(from, a, to, rule);
    if (rule != TB_CAST_UNSAFE || (a && a->kind == TB_RECORD_BYTES)) return false;
    if (a && a->kind == TB_RECORD_FIELDS)
        return a->nfield == 1 && a->fields->ndim == 0 && tb_can_cast(a->fields->dtype, to, rule);
    if (b && b->kind == TB_RECORD_FIELDS) {
        for (int i = 0; i < b->nfield; i++)
            if (!tb_can_cast(from, b->fields[i].dtype, rule)) return false;
        return true;
    }
    return !(a && b); /* a time and a number; of times in different units one does not know how they relate */
}
