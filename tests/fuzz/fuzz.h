/* fuzz.h - what the targets have in common: reading choices off an input, and checks that end the process.
 *
 * A target is a file with LLVMFuzzerTestOneInput. `make fuzz` links it with libFuzzer, which makes inputs up; otherwise
 * it is linked with replay.c and goes over the inputs in corpus/<target>. What a target checks must hold for any
 * input: the fuzzer looks for one where it does not. */
#ifndef TB_TESTS_FUZZ_H
#define TB_TESTS_FUZZ_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* What is left of the input; past its end everything is 0. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

static inline unsigned fuzz_byte(fuzz_input *in)
{
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++;
}

/* Less than n. */
static inline int fuzz_below(fuzz_input *in, int n) { return (int)(fuzz_byte(in) % (unsigned)n); }

/* Small numbers mostly; now and then one of those that break arithmetic, or any. */
static inline int64_t fuzz_int(fuzz_input *in)
{
    static const int64_t odd[] = {INT64_MIN, INT64_MIN + 1,    INT64_MAX,        INT64_MAX - 1,      INT32_MIN,
                                  INT32_MAX, (int64_t)1 << 32, (int64_t)1 << 61, -((int64_t)1 << 61)};
    const unsigned tag = fuzz_byte(in);
    if (tag < 0xe0) return (int64_t)(tag % 16) - 6;
    if (tag < 0xf8) return odd[tag % (sizeof odd / sizeof *odd)];
    uint64_t x = 0;
    for (int i = 0; i < 8; i++) x = x << 8 | fuzz_byte(in);
    return (int64_t)x;
}

/* The next line as a string, or all that is left of it; free it. Zero bytes become question marks. */
static inline char *fuzz_line(fuzz_input *in, bool rest)
{
    const uint8_t *end = rest || in->left == 0 ? NULL : memchr(in->at, '\n', in->left);
    const size_t n = end ? (size_t)(end - in->at) : in->left;
    char *s = malloc(n + 1);
    FUZZ_CHECK(s != NULL);
    for (size_t i = 0; i < n; i++) s[i] = in->at[i] ? (char)in->at[i] : '?';
    s[n] = 0;
    in->at += n + (end != NULL);
    in->left -= n + (end != NULL);
    return s;
}
#endif
