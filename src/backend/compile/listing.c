/* listing.c - a source with line numbers. A message has room for some 8000 characters, so a long source is cut to what
 * the compiler complains about. */
#include "backend/compile/listing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 4000, AROUND = 6, MOST_PLACES = 8 }; /* characters; lines; places */

/* Line numbers that the log names, each once. */
static int find_places(const char *log, const char *name, int *places)
{
    int n = 0;
    size_t len = strlen(name);
    for (const char *p = log; p && n < MOST_PLACES && (p = strstr(p, name)) != NULL; p += len) {
        if (p[len] != '(' && p[len] != ':') continue;
        int line = atoi(p + len + 1);
        bool known = line <= 0;
        for (int i = 0; i < n; i++) known |= places[i] == line;
        if (!known) places[n++] = line;
    }
    return n;
}

static bool is_near(int line, int n, const int *places)
{
    for (int i = 0; i < n; i++)
        if (abs(line - places[i]) <= AROUND) return true;
    return false;
}

void tb__listing_add(tb_text *t, const char *source, const char *log, const char *name)
{
    int places[MOST_PLACES];
    bool all = strlen(source) <= ALL, left_out = false;
    int n = all ? 0 : find_places(log, name, places);
    size_t start = t->len;
    for (int line = 1; *source; line++) {
        size_t len = strcspn(source, "\n");
        bool shown = all || (n > 0 ? is_near(line, n, places) : t->len - start < ALL);
        if (shown) tb__text_addf(t, "%s%4d  %.*s\n", left_out ? "      ...\n" : "", line, (int)len, source);
        left_out = !shown;
        source += len + (source[len] == '\n');
    }
    if (left_out) tb__text_add(t, "      ...\n");
}
