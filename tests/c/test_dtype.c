/* test_dtype.c - dtype tables, promotion, casting rules, scalars, NEP 50. The whole of NumPy's tables is
 * compared from Python (tests/python/test_promotion.py); here are the properties and the corners. */
#include "base/half.h"
#include "check.h"
#include <math.h>

static void test_names(void)
{
    CHECK(strcmp(tb_dtype_name(TB_F32), "float32") == 0);
    CHECK(tb_dtype_char(TB_C128) == 'D');
    CHECK(tb_dtype_size(TB_C128) == 16 && tb_dtype_size(TB_BOOL) == 1);
    CHECK(tb_dtype_kind(TB_U8) == TB_KIND_INT && tb_dtype_is_unsigned(TB_U8) && !tb_dtype_is_unsigned(TB_BOOL));
    CHECK(tb_dtype_real(TB_C64) == TB_F32 && tb_dtype_real(TB_I8) == TB_I8);
    CHECK(strcmp(tb_dtype_name(TB_BF16), "bfloat16") == 0 && tb_dtype_char(TB_BF16) == 'E');
    CHECK(tb_dtype_size(TB_BF16) == 2 && tb_dtype_kind(TB_BF16) == TB_KIND_FLOAT && tb_dtype_real(TB_BF16) == TB_BF16);
}

static void test_promotion(void)
{
    for (tb_dtype a = 0; a < TB_NDTYPE; a++) {
        CHECK(tb_promote(a, a) == a);
        for (tb_dtype b = 0; b < TB_NDTYPE; b++) {
            tb_dtype both = tb_promote(a, b);
            CHECK(both == tb_promote(b, a));
            CHECK(tb_can_cast(a, both, TB_CAST_SAFE) && tb_can_cast(b, both, TB_CAST_SAFE));
            CHECK(!tb_can_cast(a, b, TB_CAST_SAFE) || tb_can_cast(a, b, TB_CAST_SAME_KIND));
            CHECK(tb_can_cast(a, b, TB_CAST_UNSAFE));
            CHECK(tb_can_cast(a, b, TB_CAST_NO) == (a == b));
        }
    }
    CHECK(tb_promote(TB_I64, TB_U64) == TB_F64);
    CHECK(tb_promote(TB_I32, TB_F32) == TB_F64);
    CHECK(tb_promote(TB_U8, TB_I8) == TB_I16);
    CHECK(!tb_can_cast(TB_I32, TB_U64, TB_CAST_SAME_KIND));
    CHECK(tb_can_cast(TB_F64, TB_F16, TB_CAST_SAME_KIND));
    CHECK(tb_promote(TB_BF16, TB_U8) == TB_BF16 && tb_promote(TB_BF16, TB_BOOL) == TB_BF16);
    CHECK(tb_promote(TB_BF16, TB_F16) == TB_F32 && tb_promote(TB_BF16, TB_I16) == TB_F32);
    CHECK(tb_promote(TB_BF16, TB_I32) == TB_F64 && tb_promote(TB_BF16, TB_C64) == TB_C64);
    CHECK(tb_can_cast(TB_BF16, TB_F32, TB_CAST_SAFE) && !tb_can_cast(TB_BF16, TB_F16, TB_CAST_SAFE));
    CHECK(tb_can_cast(TB_F16, TB_BF16, TB_CAST_SAME_KIND) && !tb_can_cast(TB_BF16, TB_I64, TB_CAST_SAME_KIND));
}

static double half(double x) { return tb__half_to_double(tb__half_from_double(x)); }

static void test_half(void)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        double x = tb__half_to_double((uint16_t)h);
        if (!isnan(x)) CHECK(tb__half_from_double(x) == h);
    }
    CHECK(half(65519.99) == 65504 && isinf(half(65520)));
    CHECK(half(2049) == 2048 && half(2051) == 2052); /* ties go to even */
    CHECK(half(0x1p-25) == 0 && half(0x1.000001p-25) == 0x1p-24);
    CHECK(signbit(half(-0.0)) && isnan(half(NAN)));
}

static double bfloat(double x) { return tb__bfloat_to_double(tb__bfloat_from_double(x)); }

static void test_bfloat(void)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        double x = tb__bfloat_to_double((uint16_t)h);
        if (!isnan(x)) CHECK(tb__bfloat_from_double(x) == h);
        else CHECK(isnan(bfloat(x)));
    }
    CHECK(bfloat(0x1.fefp127) == 0x1.fep127 && isinf(bfloat(0x1.ffp127)) && isinf(bfloat(-1e300)));
    CHECK(bfloat(257) == 256 && bfloat(259) == 260);                     /* ties go to even */
    CHECK(bfloat(257 + 0x1p-40) == 258 && bfloat(259 - 0x1p-40) == 258); /* which a float takes these for */
    CHECK(bfloat(0x1p-134) == 0 && bfloat(0x1.000001p-134) == 0x1p-133 && bfloat(1e-300) == 0);
    CHECK(signbit(bfloat(-0.0)) && signbit(bfloat(-1e-300)) && isnan(bfloat(NAN)));
}

static void test_scalar_cast(void)
{
    tb_scalar s, weak = {.dtype = TB_I64, .weak = true, .v.i = 300};
    CHECK_FAILS(tb_scalar_cast(weak, TB_U8, &s), TB_ERR_OVERFLOW, "Python integer 300 out of bounds for uint8");
    CHECK_FAILS(tb_scalar_cast(tb_scalar_int(-1), TB_U64, &s), TB_ERR_OVERFLOW, "-1 out of bounds for uint64");
    CHECK_OK(tb_scalar_cast(tb_scalar_int(-128), TB_I8, &s));
    CHECK(s.v.i == -128 && s.dtype == TB_I8 && !s.weak);
    weak.weak = false;
    CHECK_OK(tb_scalar_cast(weak, TB_U8, &s));
    CHECK(s.v.u == 44);
    CHECK_OK(tb_scalar_cast(tb_scalar_float(0.1), TB_F32, &s));
    CHECK(s.v.f == (double)0.1f);
    CHECK_OK(tb_scalar_cast(tb_scalar_float(1e6), TB_F16, &s));
    CHECK(isinf(s.v.f));
    CHECK_OK(tb_scalar_cast(tb_scalar_float(1e6), TB_BF16, &s));
    CHECK(s.v.f == 999424 && s.dtype == TB_BF16);
    CHECK_OK(tb_scalar_cast(tb_scalar_int((1 << 30) + (1 << 22) + 1), TB_BF16, &s));
    CHECK(s.v.f == 1 << 30); /* by way of float */
    CHECK_OK(tb_scalar_cast(tb_scalar_float(NAN), TB_I32, &s));
    CHECK(s.v.i == INT32_MIN);
    tb_scalar z = {.dtype = TB_C128, .v.c = {2.5, -1}};
    CHECK_OK(tb_scalar_cast(z, TB_I16, &s));
    CHECK(s.v.i == 2);
    CHECK_OK(tb_scalar_cast(tb_scalar_int(2), TB_C64, &s));
    CHECK(s.v.c.re == 2 && s.v.c.im == 0);
    CHECK_OK(tb_scalar_cast(tb_scalar_float(0.5), TB_BOOL, &s));
    CHECK(s.v.i == 1);
}

static tb_dtype mixed(tb_dtype array, tb_scalar scalar)
{
    tb_dtype t = TB_NODTYPE;
    CHECK_OK(tb_result_type(1, &array, 1, &scalar, &t));
    return t;
}

static void test_result_type(void)
{
    tb_scalar complex_one = {.dtype = TB_C128, .weak = true, .v.c = {1, 0}};
    tb_scalar truth = {.dtype = TB_BOOL, .weak = true, .v.i = 1};
    tb_scalar strong = {.dtype = TB_F64, .v.f = 1};
    tb_dtype t;
    CHECK(mixed(TB_U8, tb_scalar_int(1)) == TB_U8);
    CHECK(mixed(TB_BOOL, tb_scalar_int(1)) == TB_I64);
    CHECK(mixed(TB_F16, tb_scalar_float(1e9)) == TB_F16);
    CHECK(mixed(TB_BF16, tb_scalar_float(1e300)) == TB_BF16 && mixed(TB_BF16, tb_scalar_int(1)) == TB_BF16);
    CHECK(mixed(TB_BF16, complex_one) == TB_C64 && mixed(TB_BF16, strong) == TB_F64);
    CHECK(mixed(TB_I8, tb_scalar_float(1)) == TB_F64);
    CHECK(mixed(TB_F16, complex_one) == TB_C64 && mixed(TB_F32, complex_one) == TB_C64);
    CHECK(mixed(TB_I8, complex_one) == TB_C128 && mixed(TB_F64, complex_one) == TB_C128);
    CHECK(mixed(TB_F32, strong) == TB_F64 && mixed(TB_I8, truth) == TB_I8);
    CHECK_FAILS(tb_result_type(0, NULL, 0, NULL, &t), TB_ERR_VALUE, "at least one");
}

int main(void)
{
    test_names();
    test_promotion();
    test_half();
    test_bfloat();
    test_scalar_cast();
    test_result_type();
    return check_report();
}
