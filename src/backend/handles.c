/* handles.c - a table of the numbers that were given out, with what has become of them.
 *
 * What has ended stays in the table: drivers use addresses again, so that it grows no larger than the most that was
 * ever alive at a time. */
#include "backend/handles.h"

#include <stdlib.h>

#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/mapped.h"

enum { INVALID_VALUE = 1, INVALID_HANDLE = 400 };

typedef struct entry {
    int64_t value, parent;
    uint8_t kind, state; /* state UNKNOWN: the place was never used */
} entry;

static entry *table;
static size_t capacity, used;

static size_t place_of(tb_handle_kind kind, int64_t value, const entry *entries, size_t cap)
{
    uint64_t hash = ((uint64_t)value ^ (uint64_t)kind << 56) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (cap - 1);
    while (entries[i].state && (entries[i].value != value || entries[i].kind != kind)) i = (i + 1) & (cap - 1);
    return i;
}

static tb_status grow(void)
{
    size_t cap = capacity ? 2 * capacity : 64;
    entry *larger = calloc(cap, sizeof *larger);
    if (!larger) return tb__fail_memory(cap * sizeof *larger, 0, 0, 0);
    for (size_t i = 0; i < capacity; i++)
        if (table[i].state) larger[place_of(table[i].kind, table[i].value, larger, cap)] = table[i];
    free(table);
    table = larger;
    capacity = cap;
    return TB_OK;
}

static entry *find(tb_handle_kind kind, int64_t value)
{
    if (capacity == 0) return NULL;
    entry *e = &table[place_of(kind, value, table, capacity)];
    return e->state ? e : NULL;
}

static tb_status set(tb_handle_kind kind, int64_t value, tb_handle_state state, int64_t parent)
{
    entry *e = find(kind, value);
    if (!e) {
        if (4 * used >= 3 * capacity) TB_TRY(grow());
        e = &table[place_of(kind, value, table, capacity)];
        used++;
    }
    *e = (entry){value, parent, (uint8_t)kind, (uint8_t)state};
    return TB_OK;
}

tb_handle_state tb__handle_state(tb_handle_kind kind, int64_t value)
{
    const entry *e = find(kind, value);
    return e ? (tb_handle_state)e->state : TB_HANDLE_UNKNOWN;
}

tb_status tb__handle_set(tb_handle_kind kind, int64_t value, tb_handle_state state)
{
    return set(kind, value, state, 0);
}

tb_status tb__handle_set_part(tb_handle_kind kind, int64_t value, int64_t parent)
{
    return set(kind, value, TB_HANDLE_OWNED, parent);
}

void tb__handle_end(tb_handle_kind kind, int64_t value)
{
    entry *e = find(kind, value);
    if (e) e->state = TB_HANDLE_ENDED;
}

void tb__handle_end_parts(int64_t parent)
{
    for (size_t i = 0; i < capacity; i++)
        if (table[i].state == TB_HANDLE_OWNED && table[i].parent == parent) table[i].state = TB_HANDLE_ENDED;
}

static bool is_alive(tb_handle_state state) { return state == TB_HANDLE_GIVEN || state == TB_HANDLE_OWNED; }

static tb_status invalid_handle(const char *who, tb_handle_kind kind)
{
    if (kind == TB_HANDLE_POOL) return tb__fail_device(INVALID_VALUE, who, "cudaErrorInvalidValue: invalid argument");
    return tb__fail_device(INVALID_HANDLE, who, "cudaErrorInvalidResourceHandle: invalid resource handle");
}

/* Drivers' handles are addresses of theirs, but for textures and surfaces, which they look up. Other libraries make
 * streams and events too, and a driver may give them an address that was one of ours. */
static bool may_be_foreign(tb_handle_kind kind, int64_t value)
{
    enum { HEAD = 16 };
    const bool often = kind == TB_HANDLE_STREAM || kind == TB_HANDLE_EVENT;
    if (tb__backend->on_host || value == 0) return false;
    for (int k = 0; k <= TB_HANDLE_LINKER; k++) {
        const tb_handle_state state = tb__handle_state((tb_handle_kind)k, value);
        if (is_alive(state) || (state == TB_HANDLE_ENDED && !often)) return false;
    }
    return kind == TB_HANDLE_TEXTURE || kind == TB_HANDLE_SURFACE || tb__is_mapped((void *)(intptr_t)value, HEAD);
}

tb_status tb__handle_check(const char *who, tb_handle_kind kind, int64_t value)
{
    if (is_alive(tb__handle_state(kind, value)) || may_be_foreign(kind, value)) return TB_OK;
    return invalid_handle(who, kind);
}

/* Freeing what is no block of the program's is an invalid value in CUDA; which blocks there are, the backend knows. */
tb_status tb__handle_check_end(const char *who, tb_handle_kind kind, int64_t value)
{
    tb_handle_state state = tb__handle_state(kind, value);
    if (kind == TB_HANDLE_MEMORY && tb__pool_has((void *)(intptr_t)value)) state = TB_HANDLE_OWNED;
    if (kind == TB_HANDLE_MEMORY && state != TB_HANDLE_OWNED) return TB_OK; /* backends know their blocks */
    if (state == TB_HANDLE_ENDED) return invalid_handle(who, kind);
    if (state != TB_HANDLE_OWNED) return tb__handle_check(who, kind, value);
    if (kind == TB_HANDLE_MEMORY)
        return tb__fail_device(INVALID_VALUE, who,
                               "cudaErrorInvalidValue: invalid argument: the memory belongs to an"
                               " object or a pool of the library");
    return tb__fail_device(INVALID_HANDLE, who,
                           "cudaErrorInvalidResourceHandle: it belongs to an object, which ends"
                           " it");
}
