/* combine_loops.h - a function of the elements of two matrices, where either has one, for rows `from` up to `to`; how
 * many are zero is returned. Included by combine_types.h for each width of indices, dtype and function: INDEX, VALUE,
 * RESULT, FUNCTION(x, y), IS_ZERO(x) of a result, MASKED(x, mask), which is 0 or x as the mask is 0 or -1, and a loop's
 * name LOOP(name). */

static int64_t LOOP(combine)(const tb_sparse_combination *c, int64_t from, int64_t to)
{
    const INDEX *a_start = c->a.start, *a = c->a.index, *b_start = c->b.start, *b = c->b.index, *start = c->start;
    const VALUE *a_data = c->a_data, *b_data = c->b_data, none = {0};
    int64_t zeros = 0;
    for (int64_t r = from; r < to; r++) {
        INDEX i = a_start[r], k = b_start[r], *index = (INDEX *)c->index + start[r];
        INDEX *const end =
            (INDEX *)c->index + start[r + 1]; /* rows said to be in order, which are not, end there, too */
        RESULT *data = (RESULT *)c->data + start[r];
        const INDEX a_end = a_start[r + 1], b_end = b_start[r + 1];
        for (; i < a_end && k < b_end && index < end && a[i] == b[k]; i++, k++) { /* often the whole row */
            const RESULT z = FUNCTION(a_data[i], b_data[k]);
            *index++ = a[i];
            *data++ = z;
            zeros += IS_ZERO(z);
        }
        while (i < a_end && k < b_end && index < end) {
            /* All bits or none, since a branch would be foreseen as often as not. */
            const INDEX x = a[i], y = b[k], left = -(INDEX)(x <= y), right = -(INDEX)(y <= x);
            const RESULT z = FUNCTION(MASKED(a_data[i], left), MASKED(b_data[k], right));
            *index++ = y ^ ((x ^ y) & left);
            *data++ = z;
            zeros += IS_ZERO(z);
            i -= left;
            k -= right;
        }
        for (; i < a_end && index < end; i++) {
            const RESULT z = FUNCTION(a_data[i], none);
            *index++ = a[i];
            *data++ = z;
            zeros += IS_ZERO(z);
        }
        for (; k < b_end && index < end; k++) {
            const RESULT z = FUNCTION(none, b_data[k]);
            *index++ = b[k];
            *data++ = z;
            zeros += IS_ZERO(z);
        }
        for (; index < end; zeros++) {
            *index++ = 0;
            memset(data++, 0, sizeof *data);
        }
    }
    return zeros;
}
