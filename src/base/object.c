/* object.c - structures after their end, and the table of those that there are: see object.h.
 *
 * The core lock guards everything. Invariants: what is in the ring has ended; with TOMBAC_DEBUG the table has an entry
 * for every handle, from when it was made until its structure leaves the ring. */
#include "base/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/places.h"
#include "base/text.h"

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, size) ((void)(p), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(p, size) ((void)(p), (void)(size))
#endif

enum {
    RING = 1 << 16, /* structures that are kept after their end with TOMBAC_DEBUG */
    FEW = 64,       /* and without */
    LISTS = 1 << 14,
    HEAD = 8 /* bytes at the start of a structure that are never poisoned: `refs` is among them */
};

bool tb__debug;
int tb__recycle_most = TB_RECYCLED;

__attribute__((constructor)) static void read_mode(void)
{
    tb__debug = tb__environment(TB_ENV_DEBUG, 0) == 1;
#ifdef WITH_ASAN
    tb__recycle_most = 0; /* the sanitizer is to see every end */
#endif
    if (tb__debug) tb__recycle_most = 0;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

typedef struct entry {
    struct entry *next;
    const void *p;
    tb_object kind;
    uint64_t number; /* among those of the kind, from 1 */
    bool ended;
    tb_places made, released;
    char text[256];
} entry;

static entry **table;

static entry **find(const void *p)
{
    entry **link = &table[(((uintptr_t)p >> 4) * UINT64_C(0x9e3779b97f4a7c15)) >> 50];
    while (*link && (*link)->p != p) link = &(*link)->next;
    return link;
}

void tb__object_note(tb_object kind, void *p)
{
    static uint64_t made[TB_OBJECT_INTERNAL];
    _Static_assert(LISTS == 1 << (64 - 50), "the hash has as many bits as there are lists");
    tb__lock();
    if (!table) table = calloc(LISTS, sizeof *table);
    entry **link = table ? find(p) : NULL, *e = link ? *link : NULL;
    if (link && !e) e = calloc(1, sizeof *e);
    if (e) {
        *e = (entry){.next = *link ? (*link)->next : NULL, .p = p, .kind = kind, .number = ++made[kind]};
        tb__places_here(&e->made);
        *link = e;
    }
    tb__unlock();
}

static void note_end(tb_object kind, const void *p, const char *text)
{
    entry *e = table && kind != TB_OBJECT_INTERNAL ? *find(p) : NULL;
    if (!e) return;
    e->ended = true;
    if (text) snprintf(e->text, sizeof e->text, " (%s)", text);
    tb__places_here(&e->released);
}

static void forget(const void *p)
{
    entry **link = table ? find(p) : NULL, *e = link ? *link : NULL;
    if (!e) return;
    *link = e->next;
    free(e);
}

/* ---- after the end -------------------------------------------------------------------------------------------- */

typedef struct remains {
    void *p;
    size_t size;
} remains;

/* Puts it in the place of the oldest, which goes. */
static void keep_a_while(void *p, size_t size)
{
    static remains ring[RING];
    static unsigned next;
    remains *place = &ring[next];
    next = (next + 1) % (tb__debug ? RING : FEW);
    if (tb__debug && place->p) {
        ASAN_UNPOISON_MEMORY_REGION(place->p, place->size);
        forget(place->p);
    }
    free(place->p);
    *place = (remains){p, size};
}

void tb__object_end(tb_object kind, void *p, size_t size, const char *text)
{
#ifdef WITH_ASAN
    if (!tb__debug) {
        free(p);
        return;
    }
#endif
    tb__lock();
    *(int *)p = 0;
    if (tb__debug) {
        note_end(kind, p, text);
        memset((char *)p + HEAD, TB_PATTERN, size - HEAD);
        ASAN_POISON_MEMORY_REGION((char *)p + HEAD, size - HEAD);
    }
    keep_a_while(p, size);
    tb__unlock();
}

/* ---- use after the end ---------------------------------------------------------------------------------------- */

bool tb__object_ended(tb_object kind, const void *p)
{
    tb__lock();
    const entry *e = table && p ? *find(p) : NULL;
    const bool ended = e && e->kind == kind && e->ended;
    tb__unlock();
    return ended;
}

static const char *const names[] = {"array",  "buffer",   "stream", "event",  "allocator",
                                    "module", "function", "graph",  "kernel", "reduction kernel"};

const char *tb__object_name(tb_object kind) { return names[kind]; }

static void add_places(tb_text *t, const char *what, const tb_places *p)
{
    tb__text_addf(t, "\n  %s at", what);
    tb__places_add(t, p);
}

/* What is known of p, and where it is used now. */
static tb_text describe(const char *function, const char *parameter, tb_object kind, const void *p)
{
    tb_text t = {0};
    tb_places here;
    tb__lock();
    const entry *e = table ? *find(p) : NULL;
    tb__places_here(&here);
    tb__text_addf(&t, "%s: %s is ", function, parameter);
    if (e && e->ended)
        tb__text_addf(&t, "%s %llu%s, which was released", names[kind], (unsigned long long)e->number, e->text);
    else tb__text_addf(&t, "a %s to which the program has no reference left", names[kind]);
    add_places(&t, "used", &here);
    if (e && e->ended) add_places(&t, "released", &e->released);
    if (e) add_places(&t, "made", &e->made);
    tb__unlock();
    return t;
}

tb_status tb__fail_ended(const char *function, const char *parameter, tb_object kind, const void *p)
{
    tb_text t = describe(function, parameter, kind, p);
    const char *text = t.s ? t.s : "a handle was used after its release";
    fprintf(stderr, "tombac: %s\n", text);
    tb__fail(TB_ERR_VALUE, "%s", text);
    tb__text_free(&t);
    return TB_ERR_VALUE;
}

tb_status tb__check_ended(const char *function, const char *parameter, int n, const void *first, size_t step)
{
    for (int i = 0; i < n; i++) {
        tb_array *a;
        char which[64];
        memcpy(&a, (const char *)first + (size_t)i * step, sizeof(a));
        if (!tb__object_ended(TB_OBJECT_ARRAY, a)) continue;
        snprintf(which, sizeof which, n == 1 ? "%s" : "%s[%d]", parameter, i);
        return tb__fail_ended(function, which, TB_OBJECT_ARRAY, a);
    }
    return TB_OK;
}

void tb__stop_ended(const char *function, const char *parameter, tb_object kind, const void *p)
{
    tb__fail_ended(function, parameter, kind, p);
    abort();
}

void *tb__stop_if_ended(const char *function, const char *parameter, tb_object kind, const void *p)
{
    if (tb__object_ended(kind, p)) tb__stop_ended(function, parameter, kind, p);
    return (void *)(uintptr_t)p;
}
