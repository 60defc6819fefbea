/* fake_handles.c - the handles of the driver without a GPU. They lie in blocks that are never given back, so that any
 * pointer can be asked whether it is one; memory is in a list of its own, since it goes by its address. */
#include "fake_handles.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, BLOCKS = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static handle *blocks[BLOCKS], *unused, *memory;
static int nblock;

static int is_memory(char kind) { return kind == 'd' || kind == 'h'; }

static void add_block(void)
{
    handle *b = nblock < BLOCKS ? calloc(BLOCK, sizeof *b) : NULL;
    if (!b) abort();
    blocks[nblock++] = b;
    for (int i = BLOCK; i-- > 0;) {
        b[i].next = unused;
        unused = &b[i];
    }
}

static handle *take(handle is)
{
    pthread_mutex_lock(&mutex);
    if (!unused) add_block();
    handle *h = unused;
    unused = h->next;
    *h = is;
    if (is_memory(is.kind)) {
        h->next = memory;
        memory = h;
    }
    pthread_mutex_unlock(&mutex);
    return h;
}

handle *fake_handle_new(char kind) { return take((handle){.kind = kind}); }

handle *fake_memory_new(char kind, void *ptr, size_t size)
{
    return take((handle){.kind = kind, .ptr = ptr, .size = size});
}

static handle *in_blocks(const void *p)
{
    for (int i = 0; i < nblock; i++) {
        const size_t at = (size_t)((uintptr_t)p - (uintptr_t)blocks[i]);
        if (at < BLOCK * sizeof(handle)) return at % sizeof(handle) ? NULL : &blocks[i][at / sizeof(handle)];
    }
    return NULL;
}

handle *fake_handle_find(const void *p, char kind)
{
    handle *h;
    pthread_mutex_lock(&mutex);
    if (is_memory(kind)) {
        for (h = memory; h && (h->kind != kind || h->ptr != p);) h = h->next;
    } else {
        h = in_blocks(p);
        if (h && h->kind != kind) h = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return h;
}

void fake_handle_free(handle *h)
{
    pthread_mutex_lock(&mutex);
    handle **at = &memory;
    if (is_memory(h->kind)) {
        while (*at != h) at = &(*at)->next;
        *at = h->next;
    }
    *h = (handle){.next = unused};
    unused = h;
    pthread_mutex_unlock(&mutex);
}

handle *fake_handle_next(handle *h, char kind)
{
    handle *found = NULL;
    int passed = !h;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < nblock && !found; i++) {
        if (!passed && (h < blocks[i] || h >= blocks[i] + BLOCK)) continue;
        for (handle *k = passed ? blocks[i] : h + 1; k < blocks[i] + BLOCK && !found; k++)
            if (k->kind == kind) found = k;
        passed = 1;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

int fake_within(const void *p, size_t n, char kind)
{
    pthread_mutex_lock(&mutex);
    const handle *h = memory;
    for (; h; h = h->next) {
        const char *start = h->ptr;
        if (h->kind == kind && (const char *)p >= start && (const char *)p + n <= start + h->size) break;
    }
    pthread_mutex_unlock(&mutex);
    return h != NULL;
}
