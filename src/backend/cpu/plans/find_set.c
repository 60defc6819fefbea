/* find_set.c - the numbers of the bytes that are set, out of many, or the elements at these numbers: counted piece by
 * piece, then written, so that pieces can be spread over the threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 16, RUN = 64, SHORT_COUNTS = 64 };

typedef struct find_job {
    const tb_mask *set;
    int64_t *count; /* of a piece; then of those before it */
} find_job;

/* 1 for any byte but 0, without a comparison: the sum of these is what each step waits for. */
static unsigned is_set(uint8_t flag) { return (flag + 255u) >> 8; }

static int64_t count_set(const uint8_t *flags, int64_t n)
{
    int64_t total = 0;
    for (int64_t at = 0; at < n; at += 255) {
        uint8_t sum = 0; /* as many as fit */
        const int64_t end = tb__min(at + 255, n);
        for (int64_t k = at; k < end; k++) sum = (uint8_t)(sum + (flags[k] != 0));
        total += sum;
    }
    return total;
}

/* Whether a byte is set is as good as random: a number is always written, and passed over by the next if it is not. */
static void write_numbers(const uint8_t *flags, int64_t from, int64_t to, int64_t *numbers)
{
    int64_t run[RUN];
    for (int64_t at = from; at < to; at += RUN) {
        const int64_t end = tb__min(at + RUN, to);
        int64_t n = 0;
        for (int64_t k = at; k < end; k++) {
            run[n] = k;
            n += is_set(flags[k]);
        }
        memcpy(numbers, run, (size_t)n * sizeof *run);
        numbers += n;
    }
}

/* The same with elements, which need not be aligned. */
#define PICK(T, NAME)                                                                                 \
    static void NAME(const uint8_t *flags, int64_t from, int64_t to, const char *elements, char *out) \
    {                                                                                                 \
        T run[RUN];                                                                                   \
        for (int64_t at = from; at < to; at += RUN) {                                                 \
            const int64_t end = tb__min(at + RUN, to);                                                \
            size_t n = 0;                                                                             \
            for (int64_t k = at; k < end; k++) {                                                      \
                memcpy(&run[n], elements + k * (int64_t)sizeof(T), sizeof(T));                        \
                n += is_set(flags[k]);                                                                        \
            }                                                                                         \
            memcpy(out, run, n * sizeof(T));                                                          \
            out += n * sizeof(T);                                                                     \
        }                                                                                             \
    }

typedef struct two_words {
    uint64_t word[2];
} two_words;

PICK(uint8_t, pick_1)
PICK(uint16_t, pick_2)
PICK(uint32_t, pick_4)
PICK(uint64_t, pick_8)
PICK(two_words, pick_16)

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
    write_set(j->set, at, tb__min(at + PIECE, j->set->n), j->count[task]);
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
