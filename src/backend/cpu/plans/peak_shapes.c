/* peak_shapes.c - how prominent and how wide peaks are.
 *
 * One walks from each peak until there is an element that is above it, or not above the height of its width. Where that
 * takes long, elements are passed by the nodes of a tree, which says what the least and the largest of 64 are, of 64
 * times as many, and so on. It is made where walks lead, and no node before the walk has been as long as the node is:
 * few peaks take no longer for it, and of many none goes past all of a long signal. */
#include <math.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"

enum { BITS = 6, FAN = 1 << BITS, LEVELS = 6, LANES = 8, PIECE = 1 << 12, MOST_PIECES = 16, NEAR = 32 };
enum { CLEARED = 9 }; /* one walks past 2^-CLEARED of the signal before it is worth clearing the tree for it */

#define FOR_A_SIDE static inline __attribute__((always_inline))

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

typedef struct node {
    double least, most; /* both NaN if one of the elements is */
} node;

typedef struct tree {
    const double *x;
    int64_t n, spent; /* elements that were walked past without it */
    int levels;       /* 0: it is not there yet. Only nodes that have all their elements are */
    node *nodes[LEVELS];
    uint8_t *known[LEVELS];
} tree;

static int bits_of(int level) { return BITS * (level + 1); }

static node of_elements(const double *x)
{
    double least[LANES], most[LANES];
    int64_t none[LANES] = {0};
    node all = {INFINITY, -INFINITY};
    for (int l = 0; l < LANES; l++) least[l] = most[l] = x[l];
    for (int i = 0; i < FAN; i += LANES)
        for (int l = 0; l < LANES; l++) {
            const double v = x[i + l];
            least[l] = v < least[l] ? v : least[l];
            most[l] = v > most[l] ? v : most[l];
            none[l] |= v != v;
        }
    for (int l = 0; l < LANES; l++) {
        if (none[l]) return (node){NAN, NAN};
        all.least = least[l] < all.least ? least[l] : all.least;
        all.most = most[l] > all.most ? most[l] : all.most;
    }
    return all;
}

static node look(tree *t, int level, int64_t i)
{
    if (t->known[level][i]) return t->nodes[level][i];
    node all = {INFINITY, -INFINITY};
    if (level == 0) all = of_elements(t->x + i * FAN);
    for (int64_t k = i * FAN; level > 0 && k < (i + 1) * FAN && all.most == all.most; k++) {
        const node part = look(t, level - 1, k);
        all.least = part.least >= all.least ? all.least : part.least;
        all.most = part.most <= all.most ? all.most : part.most;
    }
    t->nodes[level][i] = all;
    t->known[level][i] = 1;
    return all;
}

/* Where there is no memory for it one goes on without. */
static void make_tree(tree *t)
{
    int64_t count = 0;
    for (int64_t m = t->n >> BITS; m > 0; m >>= BITS) count += m;
    node *nodes = tb__scratch((size_t)count * (sizeof *nodes + 1));
    if (!nodes) return;
    uint8_t *known = (uint8_t *)(nodes + count);
    memset(known, 0, (size_t)count);
    for (int64_t m = t->n >> BITS; m > 0 && t->levels < LEVELS; m >>= BITS) {
        t->nodes[t->levels] = nodes;
        t->known[t->levels++] = known;
        nodes += m;
        known += m;
    }
}

static bool has_tree(tree *t)
{
    if (t->levels) return true;
    t->spent += FAN;
    if (t->spent > t->n >> CLEARED && t->n >= FAN) make_tree(t);
    return t->levels > 0;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

/* From a peak to `end` on the left (side -1) or on the right (1), both included. */
typedef struct walk {
    int64_t peak, end;
    double bound;
    int64_t at; /* the first element that ends it, or `end` */
    /* The lowest element before that, the nearest one of equal ones. */
    double least;
    int64_t base;
    int level; /* not negative: `base` is the number of the node of this level that it is in */
} walk;

/* Whether elements between these two are passed. */
FOR_A_SIDE bool passes(bool down, const walk *w, double least, double most)
{
    return down ? least > w->bound : most <= w->bound;
}

/* The largest node that begins at i, ends before the walk does and is not longer than the walk has been; -1: none. */
FOR_A_SIDE int widest(const tree *t, const walk *w, int side, int64_t i)
{
    const int64_t begins = side > 0 ? i : i + 1, gone = (i - w->peak) * side, left = (w->end - i) * side + 1;
    const int64_t room = gone < left ? gone : left;
    int level = begins ? __builtin_ctzll((unsigned long long)begins) / BITS - 1 : -1;
    if (level >= t->levels) level = t->levels - 1;
    while (level >= 0 && (int64_t)1 << bits_of(level) > room) level--;
    return level;
}

/* From i over whole nodes to one that has the walk's end in it. */
FOR_A_SIDE int64_t leap(tree *t, walk *w, bool down, int side, int64_t i)
{
    for (;;) {
        int level = widest(t, w, side, i);
        node of = {0, 0};
        for (; level >= 0; level--) {
            of = look(t, level, i >> bits_of(level));
            if (passes(down, w, of.least, of.most)) break;
        }
        if (level < 0) return i;
        if (!down && of.least < w->least) {
            w->least = of.least;
            w->base = i >> bits_of(level);
            w->level = level;
        }
        i += side * ((int64_t)1 << bits_of(level));
    }
}

/* From one element to the next, as far as `to`; whether the walk has ended. */
FOR_A_SIDE bool step(const double *x, walk *w, bool down, int side, int64_t from, int64_t to)
{
    double least = w->least;
    int64_t i = from, base = -1;
    for (; i != to + side; i += side) {
        const double value = x[i];
        if (!passes(down, w, value, value)) break;
        if (down) continue;
        base = value < least ? i : base;
        least = value < least ? value : least;
    }
    if (base >= 0) {
        w->least = least;
        w->base = base;
        w->level = -1;
    }
    w->at = i == to + side ? to : i;
    return i != to + side;
}

/* How far it is to `edge`, or to the end if that comes first. */
FOR_A_SIDE int64_t nearer(const walk *w, int side, int64_t edge) { return (w->end - edge) * side < 0 ? w->end : edge; }

/* Goes on from w->at to the end of the walk. */
FOR_A_SIDE void go_on(tree *t, walk *w, bool down, int side)
{
    int64_t i = w->at + side;
    while ((w->end - i) * side >= 0) {
        if (step(t->x, w, down, side, i, nearer(w, side, side > 0 ? i | (FAN - 1) : i & -FAN))) return;
        i = w->at + side;
        if ((i - w->peak) * side >= FAN && has_tree(t)) i = leap(t, w, down, side, i);
        w->at = i - side;
    }
}

static __attribute__((noinline)) void go_far(tree *t, walk *w, bool down, int side)
{
    if (down) side < 0 ? go_on(t, w, true, -1) : go_on(t, w, true, 1);
    else side < 0 ? go_on(t, w, false, -1) : go_on(t, w, false, 1);
}

/* Most walks are short: the rest of the long ones is not in their way. */
FOR_A_SIDE void go(tree *t, walk *w, bool down, int side)
{
    if (step(t->x, w, down, side, w->peak, nearer(w, side, w->peak + side * NEAR)) || w->at == w->end) return;
    go_far(t, w, down, side);
}

/* Where in its node the lowest element is, seen from the peak. */
FOR_A_SIDE int64_t base_of(const tree *t, const walk *w, int side)
{
    int64_t i = w->base;
    for (int level = w->level; level >= 0; level--) {
        i = i * FAN + (side > 0 ? 0 : FAN - 1);
        while ((level > 0 ? t->nodes[level - 1][i].least : t->x[i]) != w->least) i += side;
    }
    return i;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef struct shaping {
    const tb_peaks *p;
    int64_t each;
    bool flat[MOST_PIECES];
} shaping;

FOR_A_SIDE int64_t valley(tree *t, const tb_peaks *p, int64_t peak, int side)
{
    const double height = t->x[peak];
    const int64_t end = side < 0 ? tb__max(peak - p->reach, 0) : tb__min(peak + p->reach, p->n - 1);
    walk w = {.peak = peak, .end = end, .bound = height, .least = height, .base = peak, .level = -1};
    go(t, &w, false, side);
    return base_of(t, &w, side);
}

static bool find_prominence(tree *t, const tb_peaks *p, int64_t k)
{
    const int64_t peak = p->peak[k], left = valley(t, p, peak, -1), right = valley(t, p, peak, 1);
    const double lower = t->x[left], upper = t->x[right], prominence = t->x[peak] - (lower > upper ? lower : upper);
    p->left[k] = left;
    p->right[k] = right;
    p->values[0][k] = prominence;
    return prominence == 0;
}

/* Between which elements the signal comes down to a height, or the base. */
FOR_A_SIDE double crossing(tree *t, const tb_peaks *p, int64_t peak, int64_t base, double height, int side)
{
    walk w = {.peak = peak, .end = base, .bound = height};
    go(t, &w, true, side);
    const double value = t->x[w.at], before = t->x[tb__max(tb__min(w.at - side, p->n - 1), 0)];
    return value < height ? (double)w.at - side * ((height - value) / (before - value)) : (double)w.at;
}

static bool find_width(tree *t, const tb_peaks *p, int64_t k)
{
    const int64_t peak = p->peak[k];
    const double height = t->x[peak] - p->prominence[k] * p->part;
    const double left = crossing(t, p, peak, p->left_base[k], height, -1);
    const double right = crossing(t, p, peak, p->right_base[k], height, 1), width = right - left;
    p->values[0][k] = width;
    p->values[1][k] = height;
    p->values[2][k] = left;
    p->values[3][k] = right;
    return width == 0;
}

static bool shape_piece(void *arg, int64_t task)
{
    shaping *s = arg;
    const tb_peaks *p = s->p;
    tree t = {.x = p->x, .n = p->n};
    const int64_t to = tb__min((task + 1) * s->each, p->count);
    bool flat = false;
    for (int64_t k = task * s->each; k < to; k++)
        flat |= p->work == TB_PEAKS_WIDTHS ? find_width(&t, p, k) : find_prominence(&t, p, k);
    s->flat[task] = flat;
    return true;
}

tb_status tb__cpu_peak_shapes(tb_peaks *p)
{
    shaping s = {.p = p, .each = tb__max(PIECE, tb__ceil_div(p->count, MOST_PIECES))};
    const int64_t pieces = tb__ceil_div(p->count, s.each);
    const tb_status status = tb__parallel(pieces, shape_piece, &s);
    p->flat = false;
    for (int64_t i = 0; i < pieces; i++) p->flat |= s.flat[i];
    return status;
}
