/* parabolas.c - the lower envelope of the parabolas that stand on a line's elements (P. F. Felzenszwalb, D. P.
 * Huttenlocher, Distance transforms of sampled functions, 2012): in time that grows with the line's length. */
#include "backend/cpu/plans/plans.h"

enum { PIECE = 1 << 15 };

typedef struct envelope {
    const tb_parabolas *p;
    int64_t each; /* lines of a piece */
} envelope;

/* Which parabolas are the least somewhere, by where they stand, and up to where each of them is. */
static int64_t find_envelope(const double *a, int64_t n, double step, int64_t *at, double *until)
{
    const double unit = 1 / (step * step);
    int64_t top = -1;
    for (int64_t i = 0; i < n; i++) {
        if (!(a[i] < TB_FAR)) continue;
        const double here = a[i] * unit + (double)i * (double)i;
        while (top >= 0) {
            const double k = (double)at[top], meet = (here - (a[at[top]] * unit + k * k)) / (2 * ((double)i - k));
            until[top] = meet;
            if (top == 0 || meet > until[top - 1]) break;
            top--;
        }
        at[++top] = i;
    }
    return top + 1;
}

/* Without a distance between elements the least of them is near all. */
static int64_t find_least(const double *a, int64_t n, int64_t *at)
{
    at[0] = 0;
    for (int64_t i = 1; i < n; i++)
        if (a[i] < a[at[0]]) at[0] = i;
    return 1;
}

static void follow(const tb_parabolas *p, int64_t from, int64_t count, const int64_t *at, const double *until)
{
    const double *a = p->in + from;
    for (int64_t i = 0, k = 0; i < p->n; i++) {
        while (k + 1 < count && until[k] < (double)i) k++;
        const int64_t j = count ? at[k] : i;
        const double apart = (double)(i - j) * p->step, least = a[j] + apart * apart;
        p->least[from + i] = least < TB_FAR ? least : TB_FAR;
        if (p->nearest) p->nearest[from + i] = j;
    }
}

static bool envelope_piece(void *arg, int64_t task)
{
    const envelope *e = arg;
    const tb_parabolas *p = e->p;
    int64_t *at = tb__scratch((size_t)p->n * (sizeof *at + sizeof(double)));
    if (!at) return false;
    double *until = (double *)(void *)(at + p->n);
    for (int64_t line = task * e->each; line < tb__min((task + 1) * e->each, p->lines); line++) {
        const double *a = p->in + line * p->n;
        const int64_t count = p->step == 0 ? find_least(a, p->n, at) : find_envelope(a, p->n, p->step, at, until);
        follow(p, line * p->n, count, at, until);
    }
    return true;
}

tb_status tb__cpu_parabolas(const tb_parabolas *p)
{
    envelope e = {p, tb__max(PIECE / p->n, 1)};
    return tb__parallel(tb__ceil_div(p->lines, e.each), envelope_piece, &e);
}
