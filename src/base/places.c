/* places.c - return addresses and their names, where the C library has <execinfo.h>. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/places.h"

#ifdef TB_HAVE_EXECINFO
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { INSIDE = 24 }; /* calls within the library that are looked through for the one that came into it */

/* The addresses that the library was loaded to; none where it is a part of the program. */
typedef struct image {
    bool known;
    uintptr_t first, end;
} image;

static bool holds(const struct dl_phdr_info *of, uintptr_t address)
{
    for (int i = 0; i < of->dlpi_phnum; i++) {
        const uintptr_t first = of->dlpi_addr + of->dlpi_phdr[i].p_vaddr;
        if (of->dlpi_phdr[i].p_type == PT_LOAD && address - first < of->dlpi_phdr[i].p_memsz) return true;
    }
    return false;
}

static int look_at(struct dl_phdr_info *of, size_t size, void *result)
{
    image *library = result;
    const bool is_program = !library->known; /* it comes first */
    (void)size;
    library->known = true;
    if (!holds(of, (uintptr_t)&tb__places_here)) return 0;
    for (int i = 0; i < of->dlpi_phnum && !is_program; i++) {
        const uintptr_t first = of->dlpi_addr + of->dlpi_phdr[i].p_vaddr, end = first + of->dlpi_phdr[i].p_memsz;
        if (of->dlpi_phdr[i].p_type != PT_LOAD) continue;
        if (library->end == 0 || first < library->first) library->first = first;
        if (end > library->end) library->end = end;
    }
    return 1;
}

/* Under the core lock. */
static const image *own_image(void)
{
    static image library;
    if (!library.known) dl_iterate_phdr(look_at, &library);
    return &library;
}

void tb__places_here(tb_places *out)
{
    void *at[INSIDE + TB_PLACES];
    const image *library = own_image();
    const int n = backtrace(at, INSIDE + TB_PLACES);
    int first = n > 1; /* this function */
    while (first < n && (uintptr_t)at[first] - library->first < library->end - library->first) first++;
    out->n = n - first < TB_PLACES ? n - first : TB_PLACES;
    memcpy(out->at, at + first, (size_t)out->n * sizeof *at);
}

/* What is returned to may be the next function's first instruction: the call is a byte before. */
static void add_place(tb_text *t, char *at)
{
    Dl_info d;
    tb__text_addf(t, "\n    ");
    if (!dladdr(at - 1, &d) || !d.dli_fname) {
        tb__text_addf(t, "[%p]", (void *)at);
        return;
    }
    const char *from = d.dli_sname ? d.dli_saddr : d.dli_fbase;
    tb__text_addf(t, "%s(%s+0x%zx) [%p]", d.dli_fname, d.dli_sname ? d.dli_sname : "", (size_t)(at - from), (void *)at);
}

void tb__places_add(tb_text *t, const tb_places *p)
{
    for (int i = 0; i < p->n; i++) add_place(t, p->at[i]);
    if (p->n == 0) tb__text_addf(t, " a place that the stack does not tell");
}
#else
void tb__places_here(tb_places *out) { out->n = 0; }

void tb__places_add(tb_text *t, const tb_places *p)
{
    (void)p;
    tb__text_addf(t, " a place that this C library cannot tell");
}
#endif
