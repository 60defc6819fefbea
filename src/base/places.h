/* places.h - where in a program a call came from: the return addresses on the calling thread's stack, for messages. */
#ifndef TB_BASE_PLACES_H
#define TB_BASE_PLACES_H
#include "base/text.h"

enum { TB_PLACES = 8 };

typedef struct tb_places {
    int n; /* 0: the C library has no way to tell */
    void *at[TB_PLACES];
} tb_places;

/* Innermost first, from whoever called the library; linked into the program itself, from within the library. */
void tb__places_here(tb_places *out);
/* A line a place: file(function+offset) [address], as addr2line and debuggers take it. */
void tb__places_add(tb_text *t, const tb_places *p);
#endif
