/* index_loops.h - loops over the structure of sparse matrices, for rows or elements `from` up to `to`. Included by
 * index_loops.c for each width of indices: INDEX is their type, LOOP(name) a loop's name. */

static void LOOP(rows)(const void *start_, int64_t from, int64_t to, void *row_)
{
    const INDEX *start = start_;
    INDEX *row = row_;
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) row[k] = (INDEX)r;
}

/* Whether rows begin where those before end, and indices are in range; and how often, from one element to the next of
 * all rows, indices do not rise. */
static bool LOOP(is_valid)(const tb_sparse_pattern *p, int64_t n, int64_t from, int64_t to, INDEX *falls)
{
    const INDEX *start = p->start, *index = p->index;
    const INDEX last = (INDEX)(p->cols - 1);
    const int64_t begin = start[from], end = start[to];
    INDEX outside = 0, count = 0; /* as wide as an index, for vectors: there are no more than of these */
    for (int64_t r = from; r < to; r++) outside |= start[r + 1] < start[r] ? -1 : 0;
    if (outside < 0 || begin < 0 || end > n || (p->cols == 0 && begin < end)) return false;
    if (begin < end) outside = index[begin] | (INDEX)(last - index[begin]);
    for (int64_t k = begin + 1; k < end; k++) {
        outside |= index[k] | (INDEX)(last - index[k]);
        count += index[k] <= index[k - 1];
    }
    *falls = count;
    return outside >= 0;
}

static int LOOP(check)(const tb_sparse_pattern *p, int64_t n, int64_t from, int64_t to)
{
    const INDEX *start = p->start, *index = p->index;
    int found = TB_SPARSE_SORTED | TB_SPARSE_UNIQUE | TB_SPARSE_VALID;
    INDEX falls;
    if (!LOOP(is_valid)(p, n, from, to, &falls)) return 0;
    for (int64_t r = from; r < to; r++) { /* falls from one row to the next are none */
        const INDEX k = start[r];
        if (k > start[from] && k < start[r + 1]) falls -= index[k] <= index[k - 1];
    }
    if (falls == 0) return found;
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r] + 1; k < start[r + 1]; k++)
            if (index[k] <= index[k - 1]) found &= index[k] < index[k - 1] ? TB_SPARSE_VALID : ~TB_SPARSE_UNIQUE;
    return found;
}

/* ---- grouping: elements counted row by row in each part of them, then put where the counts say ------------------- */

/* False: there is no such row. The table must not be written beyond its end, though rows have been checked before. */
static bool LOOP(count)(const void *row_, int64_t rows, int64_t from, int64_t to, void *table_)
{
    const INDEX *row = row_;
    INDEX *table = table_;
    for (int64_t k = from; k < to; k++) {
        if ((uint64_t)row[k] >= (uint64_t)rows) return false;
        table[row[k]]++;
    }
    return true;
}

/* Whether rows of elements `from` up to `to` ascend, and all are in the matrix: then those whose last element is among
 * these have their end in g->start, and columns are where they go. */
static bool LOOP(in_order)(const tb_sparse_grouping *g, int64_t from, int64_t to)
{
    const INDEX *row = g->row, *col = g->col, last = (INDEX)(g->cols - 1);
    INDEX *start = g->start, *index = g->index, wrong = 0;
    if (from == to) return true;
    for (int64_t k = tb__max(from, 1); k < to && !wrong;) /* mostly the first few say that there is no order */
        for (const int64_t end = tb__min(k + 256, to); k < end; k++) wrong |= row[k] < row[k - 1];
    if (wrong || row[from] < 0 || row[to - 1] >= g->rows || g->cols == 0) return false;
    for (int64_t k = from; k < to; k++) {
        index[k] = col[k];
        wrong |= col[k] | (INDEX)(last - col[k]);
    }
    int64_t end = to;
    while (to < g->n && end > from && row[end - 1] == row[to]) end--;
    for (int64_t k = from; k < end; k++) start[row[k] + 1] = (INDEX)(k + 1);
    return wrong >= 0;
}

/* Rows without elements end where those before do. */
static void LOOP(fill_ends)(int64_t rows, void *start_)
{
    INDEX *start = start_;
    for (int64_t r = 0; r < rows; r++) start[r + 1] = tb__max(start[r + 1], start[r]);
}

/* The tables of n parts, one after the other, become where each part's elements of a row begin. */
static void LOOP(begin)(int64_t n, int64_t rows, void *tables_, void *start_)
{
    INDEX *tables = tables_, *start = start_, sum = 0;
    for (int64_t r = 0; r < rows; r++) {
        start[r] = sum;
        for (int64_t i = 0; i < n; i++) {
            const INDEX count = tables[i * rows + r];
            tables[i * rows + r] = sum;
            sum += count;
        }
    }
    start[rows] = sum;
}

static void LOOP(place)(const tb_sparse_group *g, int64_t from, int64_t to, void *table_)
{
    const INDEX *row = g->row, *col = g->col;
    INDEX *table = table_, *index = g->index, *order = g->order;
    for (int64_t k = from; k < to; k++) {
        const INDEX at = table[row[k]]++;
        index[at] = col[k];
        order[at] = (INDEX)k;
    }
}

/* ---- rows put in order ------------------------------------------------------------------------------------------- */

enum { LOOP(SHORT) = 24 };

static void LOOP(insert)(int64_t n, INDEX *index, INDEX *order)
{
    for (int64_t i = 1; i < n; i++) {
        const INDEX x = index[i], o = order[i];
        int64_t k = i;
        for (; k > 0 && index[k - 1] > x; k--) {
            index[k] = index[k - 1];
            order[k] = order[k - 1];
        }
        index[k] = x;
        order[k] = o;
    }
}

static void LOOP(merge)(int64_t n, int64_t half, const INDEX *index, const INDEX *order, INDEX *to, INDEX *to_order)
{
    for (int64_t i = 0, a = 0, b = half; i < n; i++) {
        const bool first = b == n || (a < half && index[a] <= index[b]);
        const int64_t at = first ? a++ : b++;
        to[i] = index[at];
        to_order[i] = order[at];
    }
}

/* Merges runs of growing length from one array to the other and back; room: 2 n. */
static void LOOP(sort_long)(int64_t n, INDEX *index, INDEX *order, INDEX *room)
{
    INDEX *from = index, *from_order = order, *to = room, *to_order = room + n;
    for (int64_t i = 0; i < n; i += LOOP(SHORT)) LOOP(insert)(tb__min(LOOP(SHORT), n - i), index + i, order + i);
    for (int64_t run = LOOP(SHORT); run < n; run *= 2) {
        for (int64_t i = 0; i < n; i += 2 * run) {
            const int64_t m = tb__min(2 * run, n - i);
            LOOP(merge)(m, tb__min(run, m), from + i, from_order + i, to + i, to_order + i);
        }
        INDEX *swap = from;
        from = to, to = swap;
        swap = from_order;
        from_order = to_order, to_order = swap;
    }
    if (from == index) return;
    memcpy(index, from, (size_t)n * sizeof *index);
    memcpy(order, from_order, (size_t)n * sizeof *order);
}

static bool LOOP(is_sorted)(int64_t n, const INDEX *index)
{
    for (int64_t i = 1; i < n; i++)
        if (index[i] < index[i - 1]) return false;
    return true;
}

/* Puts a row in order; `order` says which element each one was. */
static void LOOP(sort_row)(int64_t n, void *index, void *order_, void *room)
{
    INDEX *order = order_;
    for (int64_t i = 0; i < n; i++) order[i] = (INDEX)i;
    if (n <= LOOP(SHORT)) LOOP(insert)(n, index, order);
    else LOOP(sort_long)(n, index, order, room);
}

static bool LOOP(sort)(const tb_sparse_pattern *p, int64_t from, int64_t to, void *index_, void *order_)
{
    const INDEX *start = p->start;
    for (int64_t r = from; r < to; r++) {
        const int64_t n = start[r + 1] - start[r];
        INDEX *index = (INDEX *)index_ + start[r], *order = (INDEX *)order_ + start[r], *room;
        if (n <= LOOP(SHORT)) {
            LOOP(insert)(n, index, order);
        } else if (!LOOP(is_sorted)(n, index)) {
            room = tb__scratch((size_t)n * 2 * sizeof *room);
            if (!room) return false;
            LOOP(sort_long)(n, index, order, room);
        }
    }
    return true;
}

/* ---- what is new of a row ---------------------------------------------------------------------------------------- */

/* Counts of rows, shifted by one row, become where they begin. False: there are too many. */
static bool LOOP(sum_up)(int64_t rows, void *start_)
{
    INDEX *start = start_;
    int64_t sum = start[0] = 0;
    for (int64_t r = 0; r < rows; r++) start[r + 1] = (INDEX)(sum += start[r + 1]);
    return sizeof(INDEX) == 8 || sum <= INT32_MAX;
}

static void LOOP(unique)(const tb_sparse_pattern *p, int64_t from, int64_t to, void *start_, void *index_, void *first_)
{
    const INDEX *start = p->start, *index = p->index;
    INDEX *new_start = start_, *new_index = index_, *first = first_;
    for (int64_t r = from; r < to; r++) {
        INDEX at = new_index ? new_start[r] : 0;
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            if (k > start[r] && index[k] == index[k - 1]) continue;
            if (new_index) {
                new_index[at] = index[k];
                first[at] = k;
            }
            at++;
        }
        if (!new_index) new_start[r + 1] = at;
    }
}

enum { LOOP(LANES) = 8, LOOP(COMPARED) = 40 };

/* How many of the numbers at b are among those at a. */
static void LOOP(count_lanes)(const INDEX *a, int64_t na, const INDEX *b, INDEX *equal)
{
    for (int64_t i = 0; i < na; i++)
        for (int lane = 0; lane < LOOP(LANES); lane++) equal[lane] += b[lane] == a[i];
}

/* How many of two short rows' columns are the same, of which each has none twice: by comparing each with each, which is
 * done in vectors. */
static INDEX LOOP(count_pairs)(const INDEX *a, int64_t na, const INDEX *b, int64_t nb)
{
    INDEX equal[LOOP(LANES)] = {0}, rest[LOOP(LANES)], both = 0;
    int64_t k = 0;
    for (; k + LOOP(LANES) <= nb; k += LOOP(LANES)) LOOP(count_lanes)(a, na, b + k, equal);
    for (int lane = 0; lane < LOOP(LANES); lane++) rest[lane] = k + lane < nb ? b[k + lane] : -1;
    if (k < nb) LOOP(count_lanes)(a, na, rest, equal);
    for (int lane = 0; lane < LOOP(LANES); lane++) both += equal[lane];
    return both;
}

static INDEX LOOP(count_common)(const INDEX *a, int64_t na, const INDEX *b, int64_t nb)
{
    int64_t i = 0, k = 0, both = 0;
    while (i < na && k < nb) {
        const INDEX x = a[i], y = b[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    return (INDEX)both;
}

static INDEX LOOP(count_match)(const INDEX *a, int64_t na, const INDEX *b, int64_t nb, bool any)
{
    const int64_t most = tb__min(na, nb), all = na + nb;
    int64_t both = 0;
    while (both < most && a[both] == b[both]) both++; /* often the whole row */
    a += both, na -= both;
    b += both, nb -= both;
    if (na && nb) both += (tb__max(na, nb) <= LOOP(COMPARED) ? LOOP(count_pairs) : LOOP(count_common))(a, na, b, nb);
    return (INDEX)(any ? all - both : both);
}

static void LOOP(fill_any)(const INDEX *a, INDEX i, INDEX a_end, const INDEX *b, INDEX k, INDEX b_end, INDEX *index,
                           INDEX *from_a, INDEX *from_b)
{
    while (i < a_end && k < b_end) {
        /* All bits or none, since a branch would be foreseen as often as not. */
        const INDEX x = a[i], y = b[k], left = -(INDEX)(x <= y), right = -(INDEX)(y <= x);
        *index++ = y ^ ((x ^ y) & left);
        *from_a++ = i | ~left;
        *from_b++ = k | ~right;
        i -= left;
        k -= right;
    }
    for (; i < a_end; i++) {
        *index++ = a[i];
        *from_a++ = i;
        *from_b++ = -1;
    }
    for (; k < b_end; k++) {
        *index++ = b[k];
        *from_a++ = -1;
        *from_b++ = k;
    }
}

static void LOOP(fill_both)(const INDEX *a, INDEX i, INDEX a_end, const INDEX *b, INDEX k, INDEX b_end, INDEX *index,
                            INDEX *from_a, INDEX *from_b)
{
    while (i < a_end && k < b_end) {
        const INDEX x = a[i], y = b[k];
        if (x == y) {
            *index++ = x;
            *from_a++ = i;
            *from_b++ = k;
        }
        i += x <= y;
        k += y <= x;
    }
}

static void LOOP(match)(const tb_sparse_match *m, int64_t from, int64_t to)
{
    const INDEX *a_start = m->a->start, *a = m->a->index, *b_start = m->b->start, *b = m->b->index;
    INDEX *start = m->start, *index = m->index, *from_a = m->from_a, *from_b = m->from_b;
    for (int64_t r = from; r < to; r++) {
        const INDEX i = a_start[r], k = b_start[r], a_end = a_start[r + 1], b_end = b_start[r + 1];
        if (!index) {
            start[r + 1] = LOOP(count_match)(a + i, a_end - i, b + k, b_end - k, m->any);
        } else {
            const INDEX at = start[r];
            (m->any ? LOOP(fill_any) : LOOP(fill_both))(a, i, a_end, b, k, b_end, index + at, from_a + at, from_b + at);
        }
    }
}

/* ---- rows and elements asked for by number -------------------------------------------------------------------- */

static void LOOP(take)(const tb_sparse_pattern *p, const void *row_, int64_t from, int64_t to, void *start_,
                       void *index_, void *from_)
{
    const INDEX *start = p->start, *index = p->index, *row = row_;
    INDEX *new_start = start_, *new_index = index_, *source = from_;
    for (int64_t i = from; i < to; i++) {
        const INDEX first = start[row[i]], n = start[row[i] + 1] - first;
        if (!new_index) {
            new_start[i + 1] = n;
            continue;
        }
        for (INDEX k = 0; k < n; k++) {
            new_index[new_start[i] + k] = index[first + k];
            source[new_start[i] + k] = first + k;
        }
    }
}

static void LOOP(find)(const tb_sparse_pattern *p, const void *row_, const void *col_, int64_t from, int64_t to,
                       void *out_)
{
    const INDEX *start = p->start, *index = p->index, *row = row_, *col = col_;
    INDEX *out = out_;
    for (int64_t i = from; i < to; i++) {
        INDEX low = start[row[i]], n = start[row[i] + 1] - low;
        const INDEX end = low + n, x = col[i];
        while (n > 0) {
            const INDEX half = n / 2;
            const bool beyond = index[low + half] < x;
            low = beyond ? low + half + 1 : low;
            n = beyond ? n - half - 1 : half;
        }
        out[i] = low < end && index[low] == x ? low : -1;
    }
}

/* ---- rows and columns with their values -------------------------------------------------------------------------- */

/* False: some row is none. */
static bool LOOP(count_rows)(const tb_sparse_move *m, int64_t from, int64_t to)
{
    const INDEX *start = m->a.start, *row = m->picked;
    INDEX *new_start = m->start;
    for (int64_t i = from; i < to; i++) {
        if ((uint64_t)row[i] >= (uint64_t)m->a.rows) return false;
        new_start[i + 1] = start[row[i] + 1] - start[row[i]];
    }
    return true;
}

enum { LOOP(AHEAD) = 8 }; /* rows, which memory is asked for before they are copied */

static void LOOP(copy)(const INDEX *index, const char *values, size_t item, INDEX n, INDEX *out, char *moved)
{
    memcpy(out, index, (size_t)n * sizeof *out);
    memcpy(moved, values, (size_t)n * item);
}

static void LOOP(fill_rows)(const tb_sparse_move *m, int64_t from, int64_t to)
{
    const INDEX *start = m->a.start, *index = m->a.index, *row = m->picked, *new_start = m->start;
    const char *values = m->values;
    const size_t item = m->item;
    for (int64_t i = from; i < to; i++) {
        const INDEX k = start[row[i]], at = new_start[i];
        if (i + LOOP(AHEAD) < to) {
            const INDEX next = start[row[i + LOOP(AHEAD)]];
            __builtin_prefetch(index + next);
            __builtin_prefetch(values + (size_t)next * item);
        }
        LOOP(copy)(index + k, values + (size_t)k * item, item, new_start[i + 1] - at, (INDEX *)m->index + at,
                   (char *)m->moved + (size_t)at * item);
    }
}

/* The table: where each column's places begin, cols + 1 numbers, then the n places, those of one column as they come,
 * and one that none has. False: some column is none. */
static bool LOOP(order_cols)(const tb_sparse_move *m)
{
    const INDEX *col = m->picked;
    INDEX *place = m->table, *order = place + m->a.cols + 1, sum = 0;
    memset(place, 0, (size_t)(m->a.cols + 1) * sizeof *place);
    for (int64_t i = 0; i < m->n; i++) {
        if ((uint64_t)col[i] >= (uint64_t)m->a.cols) return false;
        place[col[i] + 1]++;
    }
    for (int64_t c = 1; c <= m->a.cols; c++) {
        const INDEX count = place[c];
        place[c] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < m->n; i++) order[place[col[i] + 1]++] = (INDEX)i;
    order[m->n] = 0;
    return true;
}

static bool LOOP(count_cols)(const tb_sparse_move *m, int64_t from, int64_t to)
{
    const INDEX *start = m->a.start, *index = m->a.index, *place = m->table;
    INDEX *new_start = m->start;
    for (int64_t r = from; r < to; r++) {
        INDEX n = 0;
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            if ((uint64_t)index[k] >= (uint64_t)m->a.cols) return false;
            n += place[index[k] + 1] - place[index[k]];
        }
        new_start[r + 1] = n;
    }
    return true;
}

static void LOOP(begin_joined)(const tb_sparse_sides *q, int64_t from, int64_t to)
{
    for (int64_t r = from; r < to; r++) {
        INDEX sum = 0;
        for (int i = 0; i < q->count; i++) sum += ((const INDEX *)q->sides[i].a.start)[r];
        ((INDEX *)q->start)[r] = sum;
    }
}

static void LOOP(join)(const tb_sparse_sides *q, int64_t from, int64_t to)
{
    for (int64_t r = from; r < to; r++) {
        const INDEX begin = ((const INDEX *)q->start)[r];
        INDEX *out = (INDEX *)q->index + begin;
        char *moved = (char *)q->moved + (size_t)begin * q->item;
        for (int i = 0; i < q->count; i++) {
            const tb_sparse_side *s = &q->sides[i];
            const INDEX *start = s->a.start, *index = (const INDEX *)s->a.index + start[r], n = start[r + 1] - start[r];
            const INDEX shift = (INDEX)s->shift;
            for (INDEX k = 0; k < n; k++) out[k] = index[k] + shift;
            if (n > 0) memcpy(moved, (const char *)s->values + (size_t)start[r] * q->item, (size_t)n * q->item);
            out += n;
            moved += (size_t)n * q->item;
        }
    }
}

/* ---- products ------------------------------------------------------------------------------------------------- */

static int64_t LOOP(work)(const tb_sparse_pair *q, int64_t r)
{
    const INDEX *start = q->a->start, *a = q->a->index, *b_start = q->b->start;
    int64_t products = 0;
    for (INDEX i = start[r]; i < start[r + 1]; i++) products += b_start[a[i] + 1] - b_start[a[i]];
    return products;
}

/* How many columns a row of a product has, by a place for each; -1: no memory. */
static INDEX LOOP(count_dense)(const tb_sparse_pair *q, int64_t r)
{
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index;
    const size_t cols = (size_t)q->b->cols;
    uint8_t *there = tb__scratch(cols);
    INDEX n = 0;
    if (!there) return -1;
    memset(there, 0, cols);
    for (INDEX i = a_start[r]; i < a_start[r + 1]; i++)
        for (INDEX k = b_start[a[i]]; k < b_start[a[i] + 1]; k++) there[b[k]] = 1;
    for (size_t c = 0; c < cols; c++) n += there[c];
    return n;
}

/* How many columns rows of a product have: a column's place says the row that it was last seen in. */
static bool LOOP(count_in_places)(const tb_sparse_pair *q, int64_t from, int64_t to)
{
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index;
    INDEX *start = q->start, *row = tb__scratch((size_t)q->b->cols * sizeof *row);
    if (!row) return false;
    memset(row, 0xff, (size_t)q->b->cols * sizeof *row);
    for (int64_t r = from; r < to; r++) {
        INDEX n = 0;
        for (INDEX i = a_start[r]; i < a_start[r + 1]; i++)
            for (INDEX k = b_start[a[i]], end = b_start[a[i] + 1]; k < end; k++) {
                n += row[b[k]] != (INDEX)r;
                row[b[k]] = (INDEX)r;
            }
        start[r + 1] = n;
    }
    return true;
}

/* The same, where each is put into a table once. */
static bool LOOP(count_product)(const tb_sparse_pair *q, int64_t from, int64_t to)
{
    if (q->places) return LOOP(count_in_places)(q, from, to);
    const INDEX *a_start = q->a->start, *a = q->a->index, *b_start = q->b->start, *b = q->b->index;
    INDEX *start = q->start;
    for (int64_t r = from; r < to; r++) {
        const int64_t work = LOOP(work)(q, r);
        if (tb__sparse_is_dense(q->b->cols, work)) {
            if ((start[r + 1] = LOOP(count_dense)(q, r)) < 0) return false;
            continue;
        }
        const tb_sparse_table t = tb__sparse_table(q->b->cols, work, sizeof(INDEX), sizeof(INDEX));
        INDEX *keys = t.room, n = 0;
        if (!keys) return false;
        for (INDEX i = a_start[r]; i < a_start[r + 1]; i++)
            for (INDEX k = b_start[a[i]]; k < b_start[a[i] + 1]; k++) {
                uint64_t at = tb__sparse_slot(&t, (uint64_t)b[k]);
                while (keys[at] != b[k] && keys[at] != -1) at = (at + 1) & t.mask;
                n += keys[at] == -1;
                keys[at] = b[k];
            }
        start[r + 1] = n;
    }
    return true;
}

static int64_t LOOP(at)(const void *numbers, int64_t i) { return ((const INDEX *)numbers)[i]; }

const tb_index_loops LOOP(tb__index_loops) = {
    sizeof(INDEX),    LOOP(at),         LOOP(rows),         LOOP(check),         LOOP(count),      LOOP(begin),
    LOOP(place),      LOOP(sort),       LOOP(sort_row),     LOOP(sum_up),        LOOP(unique),     LOOP(match),
    LOOP(take),       LOOP(find),       LOOP(work),         LOOP(count_product), LOOP(count_rows), LOOP(fill_rows),
    LOOP(order_cols), LOOP(count_cols), LOOP(begin_joined), LOOP(join),          LOOP(in_order),   LOOP(fill_ends),
};
