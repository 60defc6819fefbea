/* find_set.c - the numbers of the bytes that are set, out of many: counted piece by piece, then written, so that pieces
 * can be spread over the threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 16, RUN = 64, SHORT_COUNTS = 64 };

typedef struct find_job {
    const uint8_t *flags;
    int64_t n;
    int64_t *count; /* of a piece; then of those before it */
    int64_t *numbers;
} find_job;

static int64_t count_set(const uint8_t *flags, int64_t n)
{
    int64_t total = 0;
    for (int64_t at = 0; at < n; at += 255) {
        uint8_t sum = 0; /* as many as fit */
        const int64_t end = tb__min(at + 255, n);
        for (int64_t k = at; k < end; k++) sum = (uint8_t)(sum + flags[k]);
        total += sum;
    }
    return total;
}

/* Whether a byte is set is as good as random: a number is always written, and passed over by the next if it is not. */
static void write_set(const uint8_t *flags, int64_t from, int64_t to, int64_t *numbers)
{
    int64_t run[RUN];
    for (int64_t at = from; at < to; at += RUN) {
        const int64_t end = tb__min(at + RUN, to);
        int64_t n = 0;
        for (int64_t k = at; k < end; k++) {
            run[n] = k;
            n += flags[k];
        }
        memcpy(numbers, run, (size_t)n * sizeof *run);
        numbers += n;
    }
}

static bool count_piece(void *arg, int64_t task)
{
    const find_job *j = arg;
    const int64_t at = task * PIECE;
    j->count[task] = count_set(j->flags + at, tb__min(PIECE, j->n - at));
    return true;
}

static bool write_piece(void *arg, int64_t task)
{
    const find_job *j = arg;
    const int64_t at = task * PIECE;
    write_set(j->flags, at, tb__min(at + PIECE, j->n), j->numbers + j->count[task]);
    return true;
}

tb_status tb__cpu_find_set(const uint8_t *flags, int64_t n, int64_t *count, int64_t *numbers)
{
    int64_t few[SHORT_COUNTS], pieces = tb__ceil_div(n, PIECE), total = 0;
    find_job j = {flags, n, few, numbers};
    if (pieces > SHORT_COUNTS) j.count = malloc((size_t)pieces * sizeof *j.count);
    if (!j.count) return tb__fail_memory((size_t)pieces * sizeof *j.count, 0, 0, 0);
    tb_status status = tb__parallel(pieces, count_piece, &j);
    for (int64_t i = 0; i < pieces; i++) {
        const int64_t here = j.count[i];
        j.count[i] = total;
        total += here;
    }
    if (status == TB_OK && numbers) status = tb__parallel(pieces, write_piece, &j);
    if (j.count != few) free(j.count);
    *count = total;
    return status;
}
