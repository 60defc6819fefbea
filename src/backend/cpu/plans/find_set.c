/* find_set.c - the numbers of the bytes that are set, out of many, the elements at these numbers, or others in their
 * places: counted piece by piece, then written, so that pieces can be spread over the threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 16, RUN = 64, FEW = 2, SHORT_COUNTS = 64 };

typedef struct find_job {
    const tb_mask *set;
    int64_t *count; /* of a piece; then of those before it */
} find_job;

static const uint64_t ONES = 0x0101010101010101;

/* Whether each of a run's bytes is 0 or 1, and then how many are 1. */
static bool is_plain(const uint8_t *flags, int64_t *count)
{
    uint64_t any = 0, sum = 0;
    for (int i = 0; i < RUN; i += 8) {
        uint64_t word;
        memcpy(&word, flags + i, sizeof word);
        any |= word;
        sum += word;
    }
    *count = (int64_t)((sum * ONES) >> 56);
    return (any & ~ONES) == 0;
}

static int64_t count_set(const uint8_t *flags, int64_t n)
{
    int64_t total = 0, count;
    for (int64_t at = 0; at < n; at += RUN) {
        if (n - at >= RUN && is_plain(flags + at, &count)) {
            total += count;
            continue;
        }
        for (int64_t k = at; k < tb__min(at + RUN, n); k++) total += flags[k] != 0;
    }
    return total;
}

/* Where the first run begins, from `at` on, that is not all zeros. */
static int64_t next_run(const uint8_t *flags, int64_t at, int64_t to)
{
    for (; to - at >= RUN; at += RUN) {
        uint64_t any = 0;
        for (int i = 0; i < RUN; i += 8) {
            uint64_t word;
            memcpy(&word, flags + at + i, sizeof word);
            any |= word;
        }
        if (any) break;
    }
    return at;
}

/* n bytes, a run's at most, as 0 and 1: those that are there, or in `plain`. */
static const uint8_t *truth_of(const uint8_t *flags, int64_t n, uint8_t *plain)
{
    int64_t count;
    if (n == RUN && is_plain(flags, &count)) return flags;
    for (int64_t k = 0; k < n; k++) plain[k] = flags[k] != 0;
    return plain;
}

/* The numbers of the bytes that are 1 in a run, and how many; -1 where they are many, or not all bytes are 0 or 1. */
static int64_t few_of(const uint8_t *flags, int64_t length, int64_t *run)
{
    int64_t n = 0, count;
    if (length < RUN || !is_plain(flags, &count) || count > FEW) return -1;
    for (int i = 0; i < RUN; i += 8) {
        uint64_t word;
        memcpy(&word, flags + i, sizeof word);
        for (; word; word &= word - 1) run[n++] = i + __builtin_ctzll(word) / 8;
    }
    return n;
}

/* The numbers in a run from `at` on, and how many. Whether a byte is set is as good as random: a number is always
 * written, and passed over by the next if it is not. */
static int64_t run_of(const uint8_t *flags, int64_t at, int64_t length, int64_t *run)
{
    uint8_t plain[RUN];
    int64_t n = few_of(flags + at, length, run);
    for (int64_t k = 0; k < n; k++) run[k] += at;
    if (n >= 0) return n;
    const uint8_t *truth = truth_of(flags + at, length, plain);
    n = 0;
    for (int64_t k = 0; k < length; k++) {
        run[n] = at + k;
        n += truth[k];
    }
    return n;
}

static void write_numbers(const uint8_t *flags, int64_t from, int64_t to, int64_t *numbers)
{
    int64_t run[RUN];
    for (int64_t at = next_run(flags, from, to); at < to; at = next_run(flags, at + RUN, to)) {
        const int64_t n = run_of(flags, at, tb__min(RUN, to - at), run);
        memcpy(numbers, run, (size_t)n * sizeof *run);
        numbers += n;
    }
}

/* The same with elements, which need not be aligned. */
#define PICK(T, NAME) \
    static void NAME(const uint8_t *flags, int64_t from, int64_t to, const char *elements, char *out) \
    { \
        T run[RUN]; \
        int64_t number[FEW]; \
        uint8_t plain[RUN]; \
        for (int64_t at = next_run(flags, from, to); at < to; at = next_run(flags, at + RUN, to)) { \
            const int64_t length = tb__min(RUN, to - at), few = few_of(flags + at, length, number); \
            const char *here = elements + at * (int64_t)sizeof(T); \
            for (int64_t k = 0; k < few; k++, out += sizeof(T)) \
                memcpy(out, here + number[k] * (int64_t)sizeof(T), sizeof(T)); \
            if (few >= 0) continue; \
            const uint8_t *truth = truth_of(flags + at, length, plain); \
            size_t n = 0; \
            for (int64_t k = 0; k < length; k++, here += sizeof(T)) { \
                memcpy(&run[n], here, sizeof(T)); \
                n += truth[k]; \
            } \
            memcpy(out, run, n * sizeof(T)); \
            out += n * sizeof(T); \
        } \
    }

typedef struct two_words {
    uint64_t word[2];
} two_words;

PICK(uint8_t, pick_1)
PICK(uint16_t, pick_2)
PICK(uint32_t, pick_4)
PICK(uint64_t, pick_8)
PICK(two_words, pick_16)

/* Values from number `first` on to where bytes are set. */
#define PUT(T, NAME) \
    static void NAME(const tb_mask *x, int64_t from, int64_t to, int64_t first) \
    { \
        int64_t run[RUN], next = first % x->nvalue; \
        char *out = x->out; \
        for (int64_t at = next_run(x->flags, from, to); at < to; at = next_run(x->flags, at + RUN, to)) { \
            const int64_t n = run_of(x->flags, at, tb__min(RUN, to - at), run); \
            for (int64_t k = 0, some; k < n; k += some) { \
                const char *values = x->values + next * (int64_t)sizeof(T); \
                some = tb__min(n - k, x->nvalue - next); \
                for (int64_t j = 0; j < some; j++) \
                    memcpy(out + run[k + j] * (int64_t)sizeof(T), values + j * (int64_t)sizeof(T), sizeof(T)); \
                next = next + some == x->nvalue ? 0 : next + some; \
            } \
        } \
    }

PUT(uint8_t, put_1)
PUT(uint16_t, put_2)
PUT(uint32_t, put_4)
PUT(uint64_t, put_8)
PUT(two_words, put_16)

static void put_values(const tb_mask *x, int64_t from, int64_t to, int64_t first)
{
    switch (x->item) {
    case 1: put_1(x, from, to, first); return;
    case 2: put_2(x, from, to, first); return;
    case 4: put_4(x, from, to, first); return;
    case 8: put_8(x, from, to, first); return;
    default: put_16(x, from, to, first); return;
    }
}

static void write_set(const tb_mask *x, int64_t from, int64_t to, int64_t before)
{
    char *out = (char *)x->out + before * (x->elements ? x->item : (int64_t)sizeof(int64_t));
    if (!x->elements) {
        write_numbers(x->flags, from, to, (int64_t *)(void *)out);
        return;
    }
    switch (x->item) {
    case 1: pick_1(x->flags, from, to, x->elements, out); return;
    case 2: pick_2(x->flags, from, to, x->elements, out); return;
    case 4: pick_4(x->flags, from, to, x->elements, out); return;
    case 8: pick_8(x->flags, from, to, x->elements, out); return;
    default: pick_16(x->flags, from, to, x->elements, out); return;
    }
}

static bool count_piece(void *arg, int64_t task)
{
    const find_job *j = arg;
    const int64_t at = task * PIECE;
    j->count[task] = count_set(j->set->flags + at, tb__min(PIECE, j->set->n - at));
    return true;
}

static bool write_piece(void *arg, int64_t task)
{
    const find_job *j = arg;
    const int64_t at = task * PIECE;
    const int64_t to = tb__min(at + PIECE, j->set->n);
    if (j->set->values) put_values(j->set, at, to, j->count[task]);
    else write_set(j->set, at, to, j->count[task]);
    return true;
}

tb_status tb__cpu_find_set(const tb_mask *x, int64_t *count)
{
    int64_t few[SHORT_COUNTS], pieces = tb__ceil_div(x->n, PIECE), total = 0;
    find_job j = {x, few};
    if (pieces > SHORT_COUNTS) j.count = malloc((size_t)pieces * sizeof *j.count);
    if (!j.count) return tb__fail_memory((size_t)pieces * sizeof *j.count, 0, 0, 0);
    tb_status status = tb__parallel(pieces, count_piece, &j);
    for (int64_t i = 0; i < pieces; i++) {
        const int64_t here = j.count[i];
        j.count[i] = total;
        total += here;
    }
    if (status == TB_OK && x->out) status = tb__parallel(pieces, write_piece, &j);
    if (j.count != few) free(j.count);
    *count = total;
    return status;
}
