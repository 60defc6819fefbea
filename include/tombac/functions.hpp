/* functions.hpp - the functions of functions.h over tombac::array: the second half of tombac.hpp, which includes it.
 *
 * Made by tools/functions.py from the rows of src/tables/elementwise.def and reductions.def. */
#ifndef TOMBAC_FUNCTIONS_HPP
#define TOMBAC_FUNCTIONS_HPP
#ifndef TOMBAC_HPP
#error "include tombac/tombac.hpp, which includes this"
#endif
/* clang-format off */

namespace tombac {

/* ---- arithmetic ------------------------------------------------------------------------------------------------- */

/* Adds the arguments. */
inline array add(const array &a, const array &b) { return detail::made(tb_add, a.get(), b.get()); }
inline array add(const array &a, const number &b) { return detail::made(tb_add_s, a.get(), b.get()); }
inline array add(const number &a, const array &b) { return detail::made(tb_s_add, a.get(), b.get()); }

/* Subtracts the second argument from the first. */
inline array subtract(const array &a, const array &b) { return detail::made(tb_subtract, a.get(), b.get()); }
inline array subtract(const array &a, const number &b) { return detail::made(tb_subtract_s, a.get(), b.get()); }
inline array subtract(const number &a, const array &b) { return detail::made(tb_s_subtract, a.get(), b.get()); }

/* Multiplies the arguments. */
inline array multiply(const array &a, const array &b) { return detail::made(tb_multiply, a.get(), b.get()); }
inline array multiply(const array &a, const number &b) { return detail::made(tb_multiply_s, a.get(), b.get()); }
inline array multiply(const number &a, const array &b) { return detail::made(tb_s_multiply, a.get(), b.get()); }

/* Divides the first argument by the second; integers give floats. */
inline array divide(const array &a, const array &b) { return detail::made(tb_divide, a.get(), b.get()); }
inline array divide(const array &a, const number &b) { return detail::made(tb_divide_s, a.get(), b.get()); }
inline array divide(const number &a, const array &b) { return detail::made(tb_s_divide, a.get(), b.get()); }

/* The largest whole number not above the quotient. */
inline array floor_divide(const array &a, const array &b) { return detail::made(tb_floor_divide, a.get(), b.get()); }
inline array floor_divide(const array &a, const number &b) { return detail::made(tb_floor_divide_s, a.get(), b.get()); }
inline array floor_divide(const number &a, const array &b) { return detail::made(tb_s_floor_divide, a.get(), b.get()); }

/* The remainder of floor_divide: it has the divisor's sign. */
inline array remainder(const array &a, const array &b) { return detail::made(tb_remainder, a.get(), b.get()); }
inline array remainder(const array &a, const number &b) { return detail::made(tb_remainder_s, a.get(), b.get()); }
inline array remainder(const number &a, const array &b) { return detail::made(tb_s_remainder, a.get(), b.get()); }

/* The quotient and the remainder, as floor_divide and remainder give them. */
inline std::pair<array, array> divmod(const array &a, const array &b)
{
    return detail::made_two(tb_divmod, a.get(), b.get());
}
inline std::pair<array, array> divmod(const array &a, const number &b)
{
    return detail::made_two(tb_divmod_s, a.get(), b.get());
}
inline std::pair<array, array> divmod(const number &a, const array &b)
{
    return detail::made_two(tb_s_divmod, a.get(), b.get());
}

/* The remainder of division, with the dividend's sign. */
inline array fmod(const array &a, const array &b) { return detail::made(tb_fmod, a.get(), b.get()); }
inline array fmod(const array &a, const number &b) { return detail::made(tb_fmod_s, a.get(), b.get()); }
inline array fmod(const number &a, const array &b) { return detail::made(tb_s_fmod, a.get(), b.get()); }

/* The first argument raised to the second; integers wrap around, and truncate for negative exponents. */
inline array power(const array &a, const array &b) { return detail::made(tb_power, a.get(), b.get()); }
inline array power(const array &a, const number &b) { return detail::made(tb_power_s, a.get(), b.get()); }
inline array power(const number &a, const array &b) { return detail::made(tb_s_power, a.get(), b.get()); }

/* The first argument raised to the second, in double precision at least. */
inline array float_power(const array &a, const array &b) { return detail::made(tb_float_power, a.get(), b.get()); }
inline array float_power(const array &a, const number &b) { return detail::made(tb_float_power_s, a.get(), b.get()); }
inline array float_power(const number &a, const array &b) { return detail::made(tb_s_float_power, a.get(), b.get()); }

/* The argument with its sign turned. */
inline array negative(const array &a) { return detail::made(tb_negative, a.get()); }

/* The argument. */
inline array positive(const array &a) { return detail::made(tb_positive, a.get()); }

/* The magnitude; real for complex arguments. */
inline array absolute(const array &a) { return detail::made(tb_absolute, a.get()); }

/* The magnitude of real numbers, as floats. */
inline array fabs(const array &a) { return detail::made(tb_fabs, a.get()); }

/* -1, 0 or 1; for complex arguments the number divided by its magnitude. */
inline array sign(const array &a) { return detail::made(tb_sign, a.get()); }

/* One divided by the argument; integers truncate. */
inline array reciprocal(const array &a) { return detail::made(tb_reciprocal, a.get()); }

/* The argument multiplied by itself. */
inline array square(const array &a) { return detail::made(tb_square, a.get()); }

/* The complex conjugate. */
inline array conjugate(const array &a) { return detail::made(tb_conjugate, a.get()); }

/* The greatest common divisor. */
inline array gcd(const array &a, const array &b) { return detail::made(tb_gcd, a.get(), b.get()); }
inline array gcd(const array &a, const number &b) { return detail::made(tb_gcd_s, a.get(), b.get()); }
inline array gcd(const number &a, const array &b) { return detail::made(tb_s_gcd, a.get(), b.get()); }

/* The least common multiple. */
inline array lcm(const array &a, const array &b) { return detail::made(tb_lcm, a.get(), b.get()); }
inline array lcm(const array &a, const number &b) { return detail::made(tb_lcm_s, a.get(), b.get()); }
inline array lcm(const number &a, const array &b) { return detail::made(tb_s_lcm, a.get(), b.get()); }

/* ---- powers, exponentials, logarithms --------------------------------------------------------------------------- */

/* The square root. */
inline array sqrt(const array &a) { return detail::made(tb_sqrt, a.get()); }

/* The cube root. */
inline array cbrt(const array &a) { return detail::made(tb_cbrt, a.get()); }

/* e to the power of the argument. */
inline array exp(const array &a) { return detail::made(tb_exp, a.get()); }

/* 2 to the power of the argument. */
inline array exp2(const array &a) { return detail::made(tb_exp2, a.get()); }

/* exp(x) - 1, accurate near 0. */
inline array expm1(const array &a) { return detail::made(tb_expm1, a.get()); }

/* The natural logarithm. */
inline array log(const array &a) { return detail::made(tb_log, a.get()); }

/* The logarithm to base 2. */
inline array log2(const array &a) { return detail::made(tb_log2, a.get()); }

/* The logarithm to base 10. */
inline array log10(const array &a) { return detail::made(tb_log10, a.get()); }

/* log(1 + x), accurate near 0. */
inline array log1p(const array &a) { return detail::made(tb_log1p, a.get()); }

/* log(exp(x) + exp(y)). */
inline array logaddexp(const array &a, const array &b) { return detail::made(tb_logaddexp, a.get(), b.get()); }
inline array logaddexp(const array &a, const number &b) { return detail::made(tb_logaddexp_s, a.get(), b.get()); }
inline array logaddexp(const number &a, const array &b) { return detail::made(tb_s_logaddexp, a.get(), b.get()); }

/* log2(2**x + 2**y). */
inline array logaddexp2(const array &a, const array &b) { return detail::made(tb_logaddexp2, a.get(), b.get()); }
inline array logaddexp2(const array &a, const number &b) { return detail::made(tb_logaddexp2_s, a.get(), b.get()); }
inline array logaddexp2(const number &a, const array &b) { return detail::made(tb_s_logaddexp2, a.get(), b.get()); }

/* The modified Bessel function of the first kind of order 0. */
inline array i0(const array &a) { return detail::made(tb_i0, a.get()); }

/* sin(pi x) / (pi x), and 1 at 0. */
inline array sinc(const array &a) { return detail::made(tb_sinc, a.get()); }

/* ---- trigonometry ----------------------------------------------------------------------------------------------- */

/* The sine of an angle in radians. */
inline array sin(const array &a) { return detail::made(tb_sin, a.get()); }

/* The cosine of an angle in radians. */
inline array cos(const array &a) { return detail::made(tb_cos, a.get()); }

/* The tangent of an angle in radians. */
inline array tan(const array &a) { return detail::made(tb_tan, a.get()); }

/* The inverse sine, in radians. */
inline array arcsin(const array &a) { return detail::made(tb_arcsin, a.get()); }

/* The inverse cosine, in radians. */
inline array arccos(const array &a) { return detail::made(tb_arccos, a.get()); }

/* The inverse tangent, in radians. */
inline array arctan(const array &a) { return detail::made(tb_arctan, a.get()); }

/* The angle of the point (y, x) = (first, second), in radians. */
inline array arctan2(const array &a, const array &b) { return detail::made(tb_arctan2, a.get(), b.get()); }
inline array arctan2(const array &a, const number &b) { return detail::made(tb_arctan2_s, a.get(), b.get()); }
inline array arctan2(const number &a, const array &b) { return detail::made(tb_s_arctan2, a.get(), b.get()); }

/* The length of the hypotenuse. */
inline array hypot(const array &a, const array &b) { return detail::made(tb_hypot, a.get(), b.get()); }
inline array hypot(const array &a, const number &b) { return detail::made(tb_hypot_s, a.get(), b.get()); }
inline array hypot(const number &a, const array &b) { return detail::made(tb_s_hypot, a.get(), b.get()); }

/* The hyperbolic sine. */
inline array sinh(const array &a) { return detail::made(tb_sinh, a.get()); }

/* The hyperbolic cosine. */
inline array cosh(const array &a) { return detail::made(tb_cosh, a.get()); }

/* The hyperbolic tangent. */
inline array tanh(const array &a) { return detail::made(tb_tanh, a.get()); }

/* The inverse hyperbolic sine. */
inline array arcsinh(const array &a) { return detail::made(tb_arcsinh, a.get()); }

/* The inverse hyperbolic cosine. */
inline array arccosh(const array &a) { return detail::made(tb_arccosh, a.get()); }

/* The inverse hyperbolic tangent. */
inline array arctanh(const array &a) { return detail::made(tb_arctanh, a.get()); }

/* Degrees to radians. */
inline array deg2rad(const array &a) { return detail::made(tb_deg2rad, a.get()); }

/* Radians to degrees. */
inline array rad2deg(const array &a) { return detail::made(tb_rad2deg, a.get()); }

/* Radians to degrees. */
inline array degrees(const array &a) { return detail::made(tb_degrees, a.get()); }

/* Degrees to radians. */
inline array radians(const array &a) { return detail::made(tb_radians, a.get()); }

/* ---- rounding, parts of floating-point numbers ------------------------------------------------------------------ */

/* The largest whole number not above the argument. */
inline array floor(const array &a) { return detail::made(tb_floor, a.get()); }

/* The smallest whole number not below the argument. */
inline array ceil(const array &a) { return detail::made(tb_ceil, a.get()); }

/* The argument without its fraction. */
inline array trunc(const array &a) { return detail::made(tb_trunc, a.get()); }

/* The argument rounded towards zero. */
inline array fix(const array &a) { return detail::made(tb_fix, a.get()); }

/* The nearest whole number; halves go to the even one. */
inline array rint(const array &a) { return detail::made(tb_rint, a.get()); }

/* The fraction and the whole part, both with the argument's sign. */
inline std::pair<array, array> modf(const array &a) { return detail::made_two(tb_modf, a.get()); }

/* The mantissa in [0.5, 1) and the exponent of 2. */
inline std::pair<array, array> frexp(const array &a) { return detail::made_two(tb_frexp, a.get()); }

/* The first argument times 2 to the power of the second. */
inline array ldexp(const array &a, const array &b) { return detail::made(tb_ldexp, a.get(), b.get()); }
inline array ldexp(const array &a, const number &b) { return detail::made(tb_ldexp_s, a.get(), b.get()); }
inline array ldexp(const number &a, const array &b) { return detail::made(tb_s_ldexp, a.get(), b.get()); }

/* The first argument's magnitude with the second's sign. */
inline array copysign(const array &a, const array &b) { return detail::made(tb_copysign, a.get(), b.get()); }
inline array copysign(const array &a, const number &b) { return detail::made(tb_copysign_s, a.get(), b.get()); }
inline array copysign(const number &a, const array &b) { return detail::made(tb_s_copysign, a.get(), b.get()); }

/* The next representable number after the first argument towards the second. */
inline array nextafter(const array &a, const array &b) { return detail::made(tb_nextafter, a.get(), b.get()); }
inline array nextafter(const array &a, const number &b) { return detail::made(tb_nextafter_s, a.get(), b.get()); }
inline array nextafter(const number &a, const array &b) { return detail::made(tb_s_nextafter, a.get(), b.get()); }

/* The distance to the next representable number away from zero; of float16, upwards. */
inline array spacing(const array &a) { return detail::made(tb_spacing, a.get()); }

/* Whether the sign bit is set. */
inline array signbit(const array &a) { return detail::made(tb_signbit, a.get()); }

/* Whether it is not a number. */
inline array isnan(const array &a) { return detail::made(tb_isnan, a.get()); }

/* Whether it is an infinity of either sign. */
inline array isinf(const array &a) { return detail::made(tb_isinf, a.get()); }

/* Whether it is neither infinite nor not a number. */
inline array isfinite(const array &a) { return detail::made(tb_isfinite, a.get()); }

/* The step function: 0 below 0, the second argument at 0, 1 above. */
inline array heaviside(const array &a, const array &b) { return detail::made(tb_heaviside, a.get(), b.get()); }
inline array heaviside(const array &a, const number &b) { return detail::made(tb_heaviside_s, a.get(), b.get()); }
inline array heaviside(const number &a, const array &b) { return detail::made(tb_s_heaviside, a.get(), b.get()); }

/* ---- comparison, logic ------------------------------------------------------------------------------------------ */

/* Whether the arguments are equal. */
inline array equal(const array &a, const array &b) { return detail::made(tb_equal, a.get(), b.get()); }
inline array equal(const array &a, const number &b) { return detail::made(tb_equal_s, a.get(), b.get()); }
inline array equal(const number &a, const array &b) { return detail::made(tb_s_equal, a.get(), b.get()); }

/* Whether the arguments differ. */
inline array not_equal(const array &a, const array &b) { return detail::made(tb_not_equal, a.get(), b.get()); }
inline array not_equal(const array &a, const number &b) { return detail::made(tb_not_equal_s, a.get(), b.get()); }
inline array not_equal(const number &a, const array &b) { return detail::made(tb_s_not_equal, a.get(), b.get()); }

/* Whether the first argument is less than the second. */
inline array less(const array &a, const array &b) { return detail::made(tb_less, a.get(), b.get()); }
inline array less(const array &a, const number &b) { return detail::made(tb_less_s, a.get(), b.get()); }
inline array less(const number &a, const array &b) { return detail::made(tb_s_less, a.get(), b.get()); }

/* Whether the first argument is less than or equal to the second. */
inline array less_equal(const array &a, const array &b) { return detail::made(tb_less_equal, a.get(), b.get()); }
inline array less_equal(const array &a, const number &b) { return detail::made(tb_less_equal_s, a.get(), b.get()); }
inline array less_equal(const number &a, const array &b) { return detail::made(tb_s_less_equal, a.get(), b.get()); }

/* Whether the first argument is greater than the second. */
inline array greater(const array &a, const array &b) { return detail::made(tb_greater, a.get(), b.get()); }
inline array greater(const array &a, const number &b) { return detail::made(tb_greater_s, a.get(), b.get()); }
inline array greater(const number &a, const array &b) { return detail::made(tb_s_greater, a.get(), b.get()); }

/* Whether the first argument is greater than or equal to the second. */
inline array greater_equal(const array &a, const array &b) { return detail::made(tb_greater_equal, a.get(), b.get()); }
inline array greater_equal(const array &a, const number &b)
{
    return detail::made(tb_greater_equal_s, a.get(), b.get());
}
inline array greater_equal(const number &a, const array &b)
{
    return detail::made(tb_s_greater_equal, a.get(), b.get());
}

/* Whether both arguments are true (not 0). */
inline array logical_and(const array &a, const array &b) { return detail::made(tb_logical_and, a.get(), b.get()); }
inline array logical_and(const array &a, const number &b) { return detail::made(tb_logical_and_s, a.get(), b.get()); }
inline array logical_and(const number &a, const array &b) { return detail::made(tb_s_logical_and, a.get(), b.get()); }

/* Whether at least one argument is true (not 0). */
inline array logical_or(const array &a, const array &b) { return detail::made(tb_logical_or, a.get(), b.get()); }
inline array logical_or(const array &a, const number &b) { return detail::made(tb_logical_or_s, a.get(), b.get()); }
inline array logical_or(const number &a, const array &b) { return detail::made(tb_s_logical_or, a.get(), b.get()); }

/* Whether exactly one argument is true (not 0). */
inline array logical_xor(const array &a, const array &b) { return detail::made(tb_logical_xor, a.get(), b.get()); }
inline array logical_xor(const array &a, const number &b) { return detail::made(tb_logical_xor_s, a.get(), b.get()); }
inline array logical_xor(const number &a, const array &b) { return detail::made(tb_s_logical_xor, a.get(), b.get()); }

/* Whether the argument is false (0). */
inline array logical_not(const array &a) { return detail::made(tb_logical_not, a.get()); }

/* The greater argument; NaN if either is. */
inline array maximum(const array &a, const array &b) { return detail::made(tb_maximum, a.get(), b.get()); }
inline array maximum(const array &a, const number &b) { return detail::made(tb_maximum_s, a.get(), b.get()); }
inline array maximum(const number &a, const array &b) { return detail::made(tb_s_maximum, a.get(), b.get()); }

/* The lesser argument; NaN if either is. */
inline array minimum(const array &a, const array &b) { return detail::made(tb_minimum, a.get(), b.get()); }
inline array minimum(const array &a, const number &b) { return detail::made(tb_minimum_s, a.get(), b.get()); }
inline array minimum(const number &a, const array &b) { return detail::made(tb_s_minimum, a.get(), b.get()); }

/* The greater argument; a number rather than NaN. */
inline array fmax(const array &a, const array &b) { return detail::made(tb_fmax, a.get(), b.get()); }
inline array fmax(const array &a, const number &b) { return detail::made(tb_fmax_s, a.get(), b.get()); }
inline array fmax(const number &a, const array &b) { return detail::made(tb_s_fmax, a.get(), b.get()); }

/* The lesser argument; a number rather than NaN. */
inline array fmin(const array &a, const array &b) { return detail::made(tb_fmin, a.get(), b.get()); }
inline array fmin(const array &a, const number &b) { return detail::made(tb_fmin_s, a.get(), b.get()); }
inline array fmin(const number &a, const array &b) { return detail::made(tb_s_fmin, a.get(), b.get()); }

/* ---- bits ------------------------------------------------------------------------------------------------------- */

/* The bits that both arguments have. */
inline array bitwise_and(const array &a, const array &b) { return detail::made(tb_bitwise_and, a.get(), b.get()); }
inline array bitwise_and(const array &a, const number &b) { return detail::made(tb_bitwise_and_s, a.get(), b.get()); }
inline array bitwise_and(const number &a, const array &b) { return detail::made(tb_s_bitwise_and, a.get(), b.get()); }

/* The bits that at least one argument has. */
inline array bitwise_or(const array &a, const array &b) { return detail::made(tb_bitwise_or, a.get(), b.get()); }
inline array bitwise_or(const array &a, const number &b) { return detail::made(tb_bitwise_or_s, a.get(), b.get()); }
inline array bitwise_or(const number &a, const array &b) { return detail::made(tb_s_bitwise_or, a.get(), b.get()); }

/* The bits that exactly one argument has. */
inline array bitwise_xor(const array &a, const array &b) { return detail::made(tb_bitwise_xor, a.get(), b.get()); }
inline array bitwise_xor(const array &a, const number &b) { return detail::made(tb_bitwise_xor_s, a.get(), b.get()); }
inline array bitwise_xor(const number &a, const array &b) { return detail::made(tb_s_bitwise_xor, a.get(), b.get()); }

/* The bits turned over; not, for bool. */
inline array invert(const array &a) { return detail::made(tb_invert, a.get()); }

/* Bits shifted up; counts outside the width give 0. */
inline array left_shift(const array &a, const array &b) { return detail::made(tb_left_shift, a.get(), b.get()); }
inline array left_shift(const array &a, const number &b) { return detail::made(tb_left_shift_s, a.get(), b.get()); }
inline array left_shift(const number &a, const array &b) { return detail::made(tb_s_left_shift, a.get(), b.get()); }

/* Bits shifted down, the sign filling in; counts outside the width leave the sign alone. */
inline array right_shift(const array &a, const array &b) { return detail::made(tb_right_shift, a.get(), b.get()); }
inline array right_shift(const array &a, const number &b) { return detail::made(tb_right_shift_s, a.get(), b.get()); }
inline array right_shift(const number &a, const array &b) { return detail::made(tb_s_right_shift, a.get(), b.get()); }

/* The number of bits set in the magnitude. */
inline array bitwise_count(const array &a) { return detail::made(tb_bitwise_count, a.get()); }

/* ---- reductions, running forms ---------------------------------------------------------------------------------- */

/* Sum of the elements over the given axes. */
inline array sum(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_sum, a.get(), axis); }

/* Product of the elements over the given axes. */
inline array prod(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_prod, a.get(), axis); }

/* Smallest element over the given axes; NaN if there is one. */
inline array min(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_min, a.get(), axis); }

/* Largest element over the given axes; NaN if there is one. */
inline array max(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_max, a.get(), axis); }

/* Index of the first smallest element along an axis, or of the flattened array. */
inline array argmin(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_argmin, a.get(), axis); }

/* Index of the first largest element along an axis, or of the flattened array. */
inline array argmax(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_argmax, a.get(), axis); }

/* Whether any element over the given axes is true. */
inline array any(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_any, a.get(), axis); }

/* Whether all elements over the given axes are true. */
inline array all(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_all, a.get(), axis); }

/* Arithmetic mean over the given axes; integers are averaged in float64. */
inline array mean(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_mean, a.get(), axis); }

/* Variance over the given axes: mean(abs(a - mean(a))**2), divided by n - ddof. */
inline array var(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_var, a.get(), axis); }

/* Standard deviation over the given axes: the square root of var. */
inline array std(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_std, a.get(), axis); }

/* Number of elements that are not zero. */
inline array count_nonzero(const array &a, int axis = TB_ALL_AXES)
{
    return detail::made(tb_count_nonzero, a.get(), axis);
}

/* Largest minus smallest element. */
inline array ptp(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_ptp, a.get(), axis); }

/* Sum of the elements over the given axes, NaN counted as zero. */
inline array nansum(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nansum, a.get(), axis); }

/* Product of the elements over the given axes, NaN counted as one. */
inline array nanprod(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nanprod, a.get(), axis); }

/* Smallest element over the given axes that is not NaN. */
inline array nanmin(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nanmin, a.get(), axis); }

/* Largest element over the given axes that is not NaN. */
inline array nanmax(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nanmax, a.get(), axis); }

/* Index of the first smallest element that is not NaN; -1 where all are. */
inline array nanargmin(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nanargmin, a.get(), axis); }

/* Index of the first largest element that is not NaN; -1 where all are. */
inline array nanargmax(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nanargmax, a.get(), axis); }

/* The logarithm of the sum of the elements' exponentials, without overflow. */
inline array logsumexp(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_logsumexp, a.get(), axis); }

/* The entropy of the elements divided by their sum, in units of e; -inf of numbers of both signs. */
inline array entropy(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_entropy, a.get(), axis); }

/* Running sum along an axis, or of the flattened array. */
inline array cumsum(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_cumsum, a.get(), axis); }

/* Running product along an axis, or of the flattened array. */
inline array cumprod(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_cumprod, a.get(), axis); }

/* cumsum with NaN counted as zero. */
inline array nancumsum(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nancumsum, a.get(), axis); }

/* cumprod with NaN counted as one. */
inline array nancumprod(const array &a, int axis = TB_ALL_AXES) { return detail::made(tb_nancumprod, a.get(), axis); }

} // namespace tombac
#endif
