/* combine_loops.h - a function of the elements of two matrices, where either has one and the result is not zero, for
 * rows `from` up to `to`. Included by combine_types.h for each width of indices, dtype and function: INDEX, VALUE,
 * RESULT, FUNCTION(x, y), IS_ZERO(x) of a result, MASKED(x, mask), which is 0 or x as the mask is 0 or -1, and a loop's
 * name LOOP(name). ONLY_BOTH: where both have one.
 *
 * Where the next element comes from is known when the last one is, so that a merge waits more than it works: two rows
 * are merged by turns, one of the first and one of the second half. The results of a half are left in the room that
 * both matrices have before its first row, one behind the other, and start[r + 1] is how many there are in row r. */

/* What is not wanted is written as well, and the next one over it. */
#define TAKE(s, column, value)           \
    do {                                 \
        const RESULT z_ = (value);       \
        const int64_t kept = !IS_ZERO(z_); \
        *s.index = (column);             \
        *s.data = z_;                    \
        s.index += kept;                 \
        s.data += kept;                  \
    } while (0)
#define IS_IN_BOTH(s) (s.i < s.a_end && s.k < s.b_end)
#ifdef ONLY_BOTH
enum { LOOP(only_both) = true };
#define JOINED(x, y, left, right) MASKED(FUNCTION(x, y), (left) & (right))
#else
enum { LOOP(only_both) = false };
#define JOINED(x, y, left, right) FUNCTION(MASKED(x, left), MASKED(y, right))
#endif
/* Masks of all bits or none, since a branch would be foreseen as often as not. */
#define STEP(s)                                                                                                   \
    do {                                                                                                          \
        const INDEX x_ = a[s.i], y_ = b[s.k];                                                                     \
        const int64_t left = -(int64_t)(x_ <= y_), right = -(int64_t)(y_ <= x_);                                  \
        TAKE(s, y_ ^ ((x_ ^ y_) & (INDEX)left), JOINED(a_data[s.i], b_data[s.k], left, right)); \
        s.i -= left;                                                                                              \
        s.k -= right;                                                                                             \
    } while (0)
#define BEGIN(s, r)                                                              \
    do {                                                                         \
        s.first = s.index;                                                       \
        s.i = a_start[r], s.a_end = a_start[(r) + 1];                            \
        s.k = b_start[r], s.b_end = b_start[(r) + 1];                            \
        for (; IS_IN_BOTH(s) && a[s.i] == b[s.k]; s.i++, s.k++) /* often all */  \
            TAKE(s, a[s.i], FUNCTION(a_data[s.i], b_data[s.k]));                 \
    } while (0)
#define END(s, r)                                                                \
    do {                                                                         \
        while (IS_IN_BOTH(s)) STEP(s);                                           \
        for (; !LOOP(only_both) && s.i < s.a_end; s.i++) TAKE(s, a[s.i], FUNCTION(a_data[s.i], none)); \
        for (; !LOOP(only_both) && s.k < s.b_end; s.k++) TAKE(s, b[s.k], FUNCTION(none, b_data[s.k])); \
        start[(r) + 1] = (INDEX)(s.index - s.first);                             \
    } while (0)

static void LOOP(combine)(const tb_sparse_combination *c, int64_t from, int64_t to)
{
    const INDEX *a_start = c->a.start, *a = c->a.index, *b_start = c->b.start, *b = c->b.index;
    const VALUE *a_data = c->a_data, *b_data = c->b_data, none = {0};
    INDEX *start = c->start;
    const int64_t half = (to - from) / 2, middle = from + half;
    struct {
        INDEX *index, *first;
        RESULT *data;
        int64_t i, a_end, k, b_end;
    } p, q;
    p.index = (INDEX *)c->room.index + a_start[from] + b_start[from];
    p.data = (RESULT *)c->room.data + a_start[from] + b_start[from];
    q.index = (INDEX *)c->room.index + a_start[middle] + b_start[middle];
    q.data = (RESULT *)c->room.data + a_start[middle] + b_start[middle];
    for (int64_t r = from; r < middle; r++) {
        BEGIN(p, r);
        BEGIN(q, r + half);
        while (IS_IN_BOTH(p) && IS_IN_BOTH(q)) {
            STEP(p);
            STEP(q);
        }
        END(p, r);
        END(q, r + half);
    }
    for (int64_t r = middle + half; r < to; r++) { /* where their number is odd */
        BEGIN(q, r);
        END(q, r);
    }
}

#undef TAKE
#undef IS_IN_BOTH
#undef JOINED
#undef STEP
#undef BEGIN
#undef END
