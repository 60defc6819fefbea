/* random_points.h - the streams of single points, from which draws by rejection take their attempts.
 *
 * A point's key is a draw of 64 bits. It selects a Philox stream of its own, apart from those of generators by the last
 * word of the counter: so a point may use any number of draws, and all points together advance the generator by their
 * keys alone. An attempt has a block, whose two halves of 64 bits are x and y below (part 0); part 1 is for what comes
 * after the attempts. */
#ifndef TB_KERNELS_RANDOM_POINTS_H
#define TB_KERNELS_RANDOM_POINTS_H

#define TB_POINT_STREAM 0x706f696eu
enum { TB_ATTEMPTS = 4096 }; /* more than any point takes */

TB_FN tb_u64 tb_point_draws(tb_u64 key, tb_u32 attempt, tb_u32 part, tb_u64 *second)
{
    tb_block c;
    c.w0 = attempt;
    c.w1 = part;
    c.w2 = 0;
    c.w3 = TB_POINT_STREAM;
    c = tb_philox_rounds(key, c, 0);
    *second = (tb_u64)c.w3 << 32 | c.w2;
    return (tb_u64)c.w1 << 32 | c.w0;
}

/* The number of one point with one parameter, by the steps of its loop. A function that device code calls: in line for
 * each point, steps are more than a GPU's cache of instructions holds, and take seconds to compile. */
#define TB_STEPS(name, loop, T, A)                              \
    TB_CALLED T name(tb_u64 key, A a)                           \
    {                                                           \
        T r;                                                    \
        tb_u32 k = 0;                                           \
        while (!tb_step_##loop(k, key, tb_set_##loop(a), &r)) k++; \
        return r;                                               \
    }

/* The numbers that an attempt makes of x and y. In double precision the first has 52 bits, the second 44, the third 32;
 * in single precision 32, 23 and 23. first and third are in (0, 1], second in [0, 1). coin, 1 or -1, is for those who
 * do not use the third. */
TB_FN double tb_first_f64(tb_u64 x, tb_u64 y)
{
    (void)y;
    return 2 - tb_f64_of_bits(0x3ff0000000000000u | x >> 12);
}

TB_FN double tb_second_f64(tb_u64 x, tb_u64 y)
{
    (void)x;
    return tb_f64_of_bits(0x3ff0000000000000u | (y >> 20 << 8)) - 1;
}

TB_FN double tb_third_f64(tb_u64 x, tb_u64 y)
{
    return 2 - tb_f64_of_bits(0x3ff0000000000000u | (x & 0xfff) << 40 | (y & 0xfffff) << 20);
}

TB_FN double tb_coin_f64(tb_u64 x, tb_u64 y)
{
    (void)x;
    return tb_f64_of_bits(0x3ff0000000000000u | y << 63);
}

TB_FN float tb_first_f32(tb_u64 x, tb_u64 y)
{
    (void)y;
    return fmaf((float)(tb_u32)x, 0x1p-32f, 0x1p-33f);
}

TB_FN float tb_second_f32(tb_u64 x, tb_u64 y)
{
    (void)y;
    return tb_f32_of_bits(0x3f800000u | (tb_u32)(x >> 41)) - 1;
}

TB_FN float tb_third_f32(tb_u64 x, tb_u64 y)
{
    (void)x;
    return 2 - tb_f32_of_bits(0x3f800000u | (tb_u32)y >> 9);
}

TB_FN float tb_coin_f32(tb_u64 x, tb_u64 y)
{
    (void)x;
    return tb_f32_of_bits(0x3f800000u | (tb_u32)(y >> 63) << 31);
}

/* Standard normal by Box and Muller (1958): the sine alone, of angles up to a quarter turn to either side, which takes
 * every value as often as over a full one. */
TB_FN double tb_attempt_normal_f64(tb_u64 x, tb_u64 y)
{
    return sqrt(-2 * tb_log_normal_f64(tb_first_f64(x, y))) * tb_sin_quarters_f64(2 * tb_second_f64(x, y) - 1);
}

TB_FN float tb_attempt_normal_f32(tb_u64 x, tb_u64 y)
{
    return sqrtf(-2 * tb_log_normal_f32(tb_first_f32(x, y))) * tb_sin_quarters_f32(2 * tb_second_f32(x, y) - 1);
}

#endif
