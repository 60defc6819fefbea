/* test_quick.c - quick.h against the processor's division, bit for bit: random bit patterns, magnitudes near the bounds
 * and near powers of two, special values; quotients with approximate reciprocals that are off, too. */
#include "check.h"
#include <math.h>
#include <stdint.h>

static float nudge; /* of the approximation, in units in the last place */

static float near_reciprocal(float b)
{
    const float r = 1 / b;
    return nudge == 0 || !isfinite(r) || r == 0 ? r : nextafterf(r, nudge * INFINITY);
}

#define TB_RECIPROCAL_NEAR(b) near_reciprocal(b)
#include "kernels/types.h"

#include "kernels/quick.h"

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t state = 1;

static uint32_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static bool agrees(float a, float b)
{
    if (nudge != 0 && (bits_of(b) & 0x7fffff) == 0x7fffff) return true; /* Markstein's exception */
    const bool quotient = tb_rare_divide(a, b) || bits_of(tb_quick_divide(a, b)) == bits_of(a / b);
    return quotient && (nudge != 0 || tb_rare_reciprocal(b) || bits_of(tb_quick_reciprocal(b)) == bits_of(1 / b));
}

static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1, -1, 3, 0x1p-62f, 0x1p63f, -0x1.fffffep62f,
                                0x1.fffffep-63f, 0x1p-126f, 0x1p-149f, 0x1.fffffep127f, 0x1.fffffep0f};
enum { NSPECIAL = sizeof special / sizeof *special };

static void test_special(void)
{
    for (int i = 0; i < NSPECIAL; i++)
        for (int k = 0; k < NSPECIAL; k++) CHECK(agrees(special[i], special[k]));
    CHECK(!tb_rare_divide(0, 3) && !tb_rare_divide(-0.0f, 3) && !tb_rare_divide(0x1p-62f, -0x1.fffffep62f));
    CHECK(tb_rare_divide(1, 0) && tb_rare_divide(NAN, 1) && tb_rare_divide(1, NAN) && tb_rare_divide(INFINITY, 1));
    CHECK(tb_rare_reciprocal(0) && tb_rare_reciprocal(0x1p63f) && tb_rare_reciprocal(0x1.fffffep-63f));
}

/* Mantissas of few ones, or of few zeros, are where roundings are close. */
static float close_to_power(void)
{
    const uint32_t low = random_bits() >> (9 + random_bits() % 23), exponent = 60 + random_bits() % 136;
    return from_bits(exponent << 23 | (random_bits() & 1 ? low : 0x7fffff - low) | (random_bits() & 0x80000000));
}

static void test_random(void)
{
    int wrong = 0, common = 0;
    for (int i = 0; i < 1500000; i++) {
        const float a = from_bits(random_bits()), b = from_bits(random_bits());
        const float c = close_to_power(), d = close_to_power();
        wrong += !agrees(a, b) + !agrees(c, d) + !agrees(a, d) + !agrees(d, c);
        common += !tb_rare_divide(a, b);
    }
    CHECK(wrong == 0 && common > 300000);
}

int main(void)
{
    for (nudge = -1; nudge <= 1; nudge++) {
        test_special();
        test_random();
    }
    return check_report();
}
