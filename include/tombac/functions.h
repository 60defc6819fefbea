/* functions.h - every elementwise function, reduction and running form by its name: the second half of tombac.h, which
 * includes it.
 *
 * Made by tools/functions.py from the rows of src/tables/elementwise.def and reductions.def.
 *
 * A name that ends in _s is of a function whose second operand is a number instead of an array, one that begins with
 * tb_s_ of one whose first operand is. Functions whose name ends in _into write to an array of the caller's, which may
 * be an operand: tb_add_s_into(x, tb_scalar_int(1), x). All is as by tb_ufunc_call, tb_reduce and tb_scan without more
 * arguments; those have other dtypes and castings, masks, several axes, initial values and ddof, which is 0 here. */
#ifndef TB_FUNCTIONS_H
#define TB_FUNCTIONS_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h, which includes this"
#endif
/* clang-format off */

/* ---- named functions: arithmetic -------------------------------------------------------------------------------- */

/* Adds the arguments. */
TB_API tb_status tb_add(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_add_into(tb_array *a, tb_array *b, tb_array *into); /* tb_add, written to into */
TB_API tb_status tb_add_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_add where b is a number */
TB_API tb_status tb_add_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_add_s, written to into */
TB_API tb_status tb_s_add(tb_scalar a, tb_array *b, tb_array **out); /* tb_add where a is a number */
TB_API tb_status tb_s_add_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_add, written to into */

/* Subtracts the second argument from the first. */
TB_API tb_status tb_subtract(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_subtract_into(tb_array *a, tb_array *b, tb_array *into); /* tb_subtract, written to into */
TB_API tb_status tb_subtract_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_subtract where b is a number */
TB_API tb_status tb_subtract_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_subtract_s, written to into */
TB_API tb_status tb_s_subtract(tb_scalar a, tb_array *b, tb_array **out); /* tb_subtract where a is a number */
TB_API tb_status tb_s_subtract_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_subtract, written to into */

/* Multiplies the arguments. */
TB_API tb_status tb_multiply(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_multiply_into(tb_array *a, tb_array *b, tb_array *into); /* tb_multiply, written to into */
TB_API tb_status tb_multiply_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_multiply where b is a number */
TB_API tb_status tb_multiply_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_multiply_s, written to into */
TB_API tb_status tb_s_multiply(tb_scalar a, tb_array *b, tb_array **out); /* tb_multiply where a is a number */
TB_API tb_status tb_s_multiply_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_multiply, written to into */

/* Divides the first argument by the second; integers give floats. Alias true_divide. */
TB_API tb_status tb_divide(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_divide_into(tb_array *a, tb_array *b, tb_array *into); /* tb_divide, written to into */
TB_API tb_status tb_divide_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_divide where b is a number */
TB_API tb_status tb_divide_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_divide_s, written to into */
TB_API tb_status tb_s_divide(tb_scalar a, tb_array *b, tb_array **out); /* tb_divide where a is a number */
TB_API tb_status tb_s_divide_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_divide, written to into */

/* The largest whole number not above the quotient. */
TB_API tb_status tb_floor_divide(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_floor_divide_into(tb_array *a, tb_array *b, tb_array *into); /* tb_floor_divide, written to into */
TB_API tb_status tb_floor_divide_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_floor_divide where b is a number */
/* tb_floor_divide_s, written to into */
TB_API tb_status tb_floor_divide_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_floor_divide(tb_scalar a, tb_array *b, tb_array **out); /* tb_floor_divide where a is a number */
/* tb_s_floor_divide, written to into */
TB_API tb_status tb_s_floor_divide_into(tb_scalar a, tb_array *b, tb_array *into);

/* The remainder of floor_divide: it has the divisor's sign. Alias mod. */
TB_API tb_status tb_remainder(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_remainder_into(tb_array *a, tb_array *b, tb_array *into); /* tb_remainder, written to into */
TB_API tb_status tb_remainder_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_remainder where b is a number */
TB_API tb_status tb_remainder_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_remainder_s, written to into */
TB_API tb_status tb_s_remainder(tb_scalar a, tb_array *b, tb_array **out); /* tb_remainder where a is a number */
TB_API tb_status tb_s_remainder_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_remainder, written to into */

/* The quotient and the remainder, as floor_divide and remainder give them. */
TB_API tb_status tb_divmod(tb_array *a, tb_array *b, tb_array **out1, tb_array **out2);
/* tb_divmod, written to into1 and into2 */
TB_API tb_status tb_divmod_into(tb_array *a, tb_array *b, tb_array *into1, tb_array *into2);
/* tb_divmod where b is a number */
TB_API tb_status tb_divmod_s(tb_array *a, tb_scalar b, tb_array **out1, tb_array **out2);
/* tb_divmod_s, written to into1 and into2 */
TB_API tb_status tb_divmod_s_into(tb_array *a, tb_scalar b, tb_array *into1, tb_array *into2);
/* tb_divmod where a is a number */
TB_API tb_status tb_s_divmod(tb_scalar a, tb_array *b, tb_array **out1, tb_array **out2);
/* tb_s_divmod, written to into1 and into2 */
TB_API tb_status tb_s_divmod_into(tb_scalar a, tb_array *b, tb_array *into1, tb_array *into2);

/* The remainder of division, with the dividend's sign. */
TB_API tb_status tb_fmod(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_fmod_into(tb_array *a, tb_array *b, tb_array *into); /* tb_fmod, written to into */
TB_API tb_status tb_fmod_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_fmod where b is a number */
TB_API tb_status tb_fmod_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_fmod_s, written to into */
TB_API tb_status tb_s_fmod(tb_scalar a, tb_array *b, tb_array **out); /* tb_fmod where a is a number */
TB_API tb_status tb_s_fmod_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_fmod, written to into */

/* The first argument raised to the second; integers wrap around, and truncate for negative exponents. Alias pow. */
TB_API tb_status tb_power(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_power_into(tb_array *a, tb_array *b, tb_array *into); /* tb_power, written to into */
TB_API tb_status tb_power_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_power where b is a number */
TB_API tb_status tb_power_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_power_s, written to into */
TB_API tb_status tb_s_power(tb_scalar a, tb_array *b, tb_array **out); /* tb_power where a is a number */
TB_API tb_status tb_s_power_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_power, written to into */

/* The first argument raised to the second, in double precision at least. */
TB_API tb_status tb_float_power(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_float_power_into(tb_array *a, tb_array *b, tb_array *into); /* tb_float_power, written to into */
TB_API tb_status tb_float_power_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_float_power where b is a number */
/* tb_float_power_s, written to into */
TB_API tb_status tb_float_power_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_float_power(tb_scalar a, tb_array *b, tb_array **out); /* tb_float_power where a is a number */
/* tb_s_float_power, written to into */
TB_API tb_status tb_s_float_power_into(tb_scalar a, tb_array *b, tb_array *into);

/* The argument with its sign turned. */
TB_API tb_status tb_negative(tb_array *a, tb_array **out);
TB_API tb_status tb_negative_into(tb_array *a, tb_array *into); /* tb_negative, written to into */

/* The argument. */
TB_API tb_status tb_positive(tb_array *a, tb_array **out);
TB_API tb_status tb_positive_into(tb_array *a, tb_array *into); /* tb_positive, written to into */

/* The magnitude; real for complex arguments. Alias abs. */
TB_API tb_status tb_absolute(tb_array *a, tb_array **out);
TB_API tb_status tb_absolute_into(tb_array *a, tb_array *into); /* tb_absolute, written to into */

/* The magnitude of real numbers, as floats. */
TB_API tb_status tb_fabs(tb_array *a, tb_array **out);
TB_API tb_status tb_fabs_into(tb_array *a, tb_array *into); /* tb_fabs, written to into */

/* -1, 0 or 1; for complex arguments the number divided by its magnitude. */
TB_API tb_status tb_sign(tb_array *a, tb_array **out);
TB_API tb_status tb_sign_into(tb_array *a, tb_array *into); /* tb_sign, written to into */

/* One divided by the argument; integers truncate. */
TB_API tb_status tb_reciprocal(tb_array *a, tb_array **out);
TB_API tb_status tb_reciprocal_into(tb_array *a, tb_array *into); /* tb_reciprocal, written to into */

/* The argument multiplied by itself. */
TB_API tb_status tb_square(tb_array *a, tb_array **out);
TB_API tb_status tb_square_into(tb_array *a, tb_array *into); /* tb_square, written to into */

/* The complex conjugate. Alias conj. */
TB_API tb_status tb_conjugate(tb_array *a, tb_array **out);
TB_API tb_status tb_conjugate_into(tb_array *a, tb_array *into); /* tb_conjugate, written to into */

/* The greatest common divisor. */
TB_API tb_status tb_gcd(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_gcd_into(tb_array *a, tb_array *b, tb_array *into); /* tb_gcd, written to into */
TB_API tb_status tb_gcd_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_gcd where b is a number */
TB_API tb_status tb_gcd_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_gcd_s, written to into */
TB_API tb_status tb_s_gcd(tb_scalar a, tb_array *b, tb_array **out); /* tb_gcd where a is a number */
TB_API tb_status tb_s_gcd_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_gcd, written to into */

/* The least common multiple. */
TB_API tb_status tb_lcm(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_lcm_into(tb_array *a, tb_array *b, tb_array *into); /* tb_lcm, written to into */
TB_API tb_status tb_lcm_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_lcm where b is a number */
TB_API tb_status tb_lcm_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_lcm_s, written to into */
TB_API tb_status tb_s_lcm(tb_scalar a, tb_array *b, tb_array **out); /* tb_lcm where a is a number */
TB_API tb_status tb_s_lcm_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_lcm, written to into */

/* ---- named functions: powers, exponentials, logarithms ---------------------------------------------------------- */

/* The square root. */
TB_API tb_status tb_sqrt(tb_array *a, tb_array **out);
TB_API tb_status tb_sqrt_into(tb_array *a, tb_array *into); /* tb_sqrt, written to into */

/* The cube root. */
TB_API tb_status tb_cbrt(tb_array *a, tb_array **out);
TB_API tb_status tb_cbrt_into(tb_array *a, tb_array *into); /* tb_cbrt, written to into */

/* e to the power of the argument. */
TB_API tb_status tb_exp(tb_array *a, tb_array **out);
TB_API tb_status tb_exp_into(tb_array *a, tb_array *into); /* tb_exp, written to into */

/* 2 to the power of the argument. */
TB_API tb_status tb_exp2(tb_array *a, tb_array **out);
TB_API tb_status tb_exp2_into(tb_array *a, tb_array *into); /* tb_exp2, written to into */

/* exp(x) - 1, accurate near 0. */
TB_API tb_status tb_expm1(tb_array *a, tb_array **out);
TB_API tb_status tb_expm1_into(tb_array *a, tb_array *into); /* tb_expm1, written to into */

/* The natural logarithm. */
TB_API tb_status tb_log(tb_array *a, tb_array **out);
TB_API tb_status tb_log_into(tb_array *a, tb_array *into); /* tb_log, written to into */

/* The logarithm to base 2. */
TB_API tb_status tb_log2(tb_array *a, tb_array **out);
TB_API tb_status tb_log2_into(tb_array *a, tb_array *into); /* tb_log2, written to into */

/* The logarithm to base 10. */
TB_API tb_status tb_log10(tb_array *a, tb_array **out);
TB_API tb_status tb_log10_into(tb_array *a, tb_array *into); /* tb_log10, written to into */

/* log(1 + x), accurate near 0. */
TB_API tb_status tb_log1p(tb_array *a, tb_array **out);
TB_API tb_status tb_log1p_into(tb_array *a, tb_array *into); /* tb_log1p, written to into */

/* log(exp(x) + exp(y)). */
TB_API tb_status tb_logaddexp(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_logaddexp_into(tb_array *a, tb_array *b, tb_array *into); /* tb_logaddexp, written to into */
TB_API tb_status tb_logaddexp_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_logaddexp where b is a number */
TB_API tb_status tb_logaddexp_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_logaddexp_s, written to into */
TB_API tb_status tb_s_logaddexp(tb_scalar a, tb_array *b, tb_array **out); /* tb_logaddexp where a is a number */
TB_API tb_status tb_s_logaddexp_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_logaddexp, written to into */

/* log2(2**x + 2**y). */
TB_API tb_status tb_logaddexp2(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_logaddexp2_into(tb_array *a, tb_array *b, tb_array *into); /* tb_logaddexp2, written to into */
TB_API tb_status tb_logaddexp2_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_logaddexp2 where b is a number */
TB_API tb_status tb_logaddexp2_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_logaddexp2_s, written to into */
TB_API tb_status tb_s_logaddexp2(tb_scalar a, tb_array *b, tb_array **out); /* tb_logaddexp2 where a is a number */
TB_API tb_status tb_s_logaddexp2_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_logaddexp2, written to into */

/* The modified Bessel function of the first kind of order 0. */
TB_API tb_status tb_i0(tb_array *a, tb_array **out);
TB_API tb_status tb_i0_into(tb_array *a, tb_array *into); /* tb_i0, written to into */

/* sin(pi x) / (pi x), and 1 at 0. */
TB_API tb_status tb_sinc(tb_array *a, tb_array **out);
TB_API tb_status tb_sinc_into(tb_array *a, tb_array *into); /* tb_sinc, written to into */

/* ---- named functions: trigonometry ------------------------------------------------------------------------------ */

/* The sine of an angle in radians. */
TB_API tb_status tb_sin(tb_array *a, tb_array **out);
TB_API tb_status tb_sin_into(tb_array *a, tb_array *into); /* tb_sin, written to into */

/* The cosine of an angle in radians. */
TB_API tb_status tb_cos(tb_array *a, tb_array **out);
TB_API tb_status tb_cos_into(tb_array *a, tb_array *into); /* tb_cos, written to into */

/* The tangent of an angle in radians. */
TB_API tb_status tb_tan(tb_array *a, tb_array **out);
TB_API tb_status tb_tan_into(tb_array *a, tb_array *into); /* tb_tan, written to into */

/* The inverse sine, in radians. Alias asin. */
TB_API tb_status tb_arcsin(tb_array *a, tb_array **out);
TB_API tb_status tb_arcsin_into(tb_array *a, tb_array *into); /* tb_arcsin, written to into */

/* The inverse cosine, in radians. Alias acos. */
TB_API tb_status tb_arccos(tb_array *a, tb_array **out);
TB_API tb_status tb_arccos_into(tb_array *a, tb_array *into); /* tb_arccos, written to into */

/* The inverse tangent, in radians. Alias atan. */
TB_API tb_status tb_arctan(tb_array *a, tb_array **out);
TB_API tb_status tb_arctan_into(tb_array *a, tb_array *into); /* tb_arctan, written to into */

/* The angle of the point (y, x) = (first, second), in radians. Alias atan2. */
TB_API tb_status tb_arctan2(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_arctan2_into(tb_array *a, tb_array *b, tb_array *into); /* tb_arctan2, written to into */
TB_API tb_status tb_arctan2_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_arctan2 where b is a number */
TB_API tb_status tb_arctan2_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_arctan2_s, written to into */
TB_API tb_status tb_s_arctan2(tb_scalar a, tb_array *b, tb_array **out); /* tb_arctan2 where a is a number */
TB_API tb_status tb_s_arctan2_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_arctan2, written to into */

/* The length of the hypotenuse. */
TB_API tb_status tb_hypot(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_hypot_into(tb_array *a, tb_array *b, tb_array *into); /* tb_hypot, written to into */
TB_API tb_status tb_hypot_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_hypot where b is a number */
TB_API tb_status tb_hypot_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_hypot_s, written to into */
TB_API tb_status tb_s_hypot(tb_scalar a, tb_array *b, tb_array **out); /* tb_hypot where a is a number */
TB_API tb_status tb_s_hypot_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_hypot, written to into */

/* The hyperbolic sine. */
TB_API tb_status tb_sinh(tb_array *a, tb_array **out);
TB_API tb_status tb_sinh_into(tb_array *a, tb_array *into); /* tb_sinh, written to into */

/* The hyperbolic cosine. */
TB_API tb_status tb_cosh(tb_array *a, tb_array **out);
TB_API tb_status tb_cosh_into(tb_array *a, tb_array *into); /* tb_cosh, written to into */

/* The hyperbolic tangent. */
TB_API tb_status tb_tanh(tb_array *a, tb_array **out);
TB_API tb_status tb_tanh_into(tb_array *a, tb_array *into); /* tb_tanh, written to into */

/* The inverse hyperbolic sine. Alias asinh. */
TB_API tb_status tb_arcsinh(tb_array *a, tb_array **out);
TB_API tb_status tb_arcsinh_into(tb_array *a, tb_array *into); /* tb_arcsinh, written to into */

/* The inverse hyperbolic cosine. Alias acosh. */
TB_API tb_status tb_arccosh(tb_array *a, tb_array **out);
TB_API tb_status tb_arccosh_into(tb_array *a, tb_array *into); /* tb_arccosh, written to into */

/* The inverse hyperbolic tangent. Alias atanh. */
TB_API tb_status tb_arctanh(tb_array *a, tb_array **out);
TB_API tb_status tb_arctanh_into(tb_array *a, tb_array *into); /* tb_arctanh, written to into */

/* Degrees to radians. */
TB_API tb_status tb_deg2rad(tb_array *a, tb_array **out);
TB_API tb_status tb_deg2rad_into(tb_array *a, tb_array *into); /* tb_deg2rad, written to into */

/* Radians to degrees. */
TB_API tb_status tb_rad2deg(tb_array *a, tb_array **out);
TB_API tb_status tb_rad2deg_into(tb_array *a, tb_array *into); /* tb_rad2deg, written to into */

/* Radians to degrees. */
TB_API tb_status tb_degrees(tb_array *a, tb_array **out);
TB_API tb_status tb_degrees_into(tb_array *a, tb_array *into); /* tb_degrees, written to into */

/* Degrees to radians. */
TB_API tb_status tb_radians(tb_array *a, tb_array **out);
TB_API tb_status tb_radians_into(tb_array *a, tb_array *into); /* tb_radians, written to into */

/* ---- named functions: rounding, parts of floating-point numbers ------------------------------------------------- */

/* The largest whole number not above the argument. */
TB_API tb_status tb_floor(tb_array *a, tb_array **out);
TB_API tb_status tb_floor_into(tb_array *a, tb_array *into); /* tb_floor, written to into */

/* The smallest whole number not below the argument. */
TB_API tb_status tb_ceil(tb_array *a, tb_array **out);
TB_API tb_status tb_ceil_into(tb_array *a, tb_array *into); /* tb_ceil, written to into */

/* The argument without its fraction. */
TB_API tb_status tb_trunc(tb_array *a, tb_array **out);
TB_API tb_status tb_trunc_into(tb_array *a, tb_array *into); /* tb_trunc, written to into */

/* The argument rounded towards zero. */
TB_API tb_status tb_fix(tb_array *a, tb_array **out);
TB_API tb_status tb_fix_into(tb_array *a, tb_array *into); /* tb_fix, written to into */

/* The nearest whole number; halves go to the even one. */
TB_API tb_status tb_rint(tb_array *a, tb_array **out);
TB_API tb_status tb_rint_into(tb_array *a, tb_array *into); /* tb_rint, written to into */

/* The fraction and the whole part, both with the argument's sign. */
TB_API tb_status tb_modf(tb_array *a, tb_array **out1, tb_array **out2);
TB_API tb_status tb_modf_into(tb_array *a, tb_array *into1, tb_array *into2); /* tb_modf, written to into1 and into2 */

/* The mantissa in [0.5, 1) and the exponent of 2. */
TB_API tb_status tb_frexp(tb_array *a, tb_array **out1, tb_array **out2);
/* tb_frexp, written to into1 and into2 */
TB_API tb_status tb_frexp_into(tb_array *a, tb_array *into1, tb_array *into2);

/* The first argument times 2 to the power of the second. */
TB_API tb_status tb_ldexp(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_ldexp_into(tb_array *a, tb_array *b, tb_array *into); /* tb_ldexp, written to into */
TB_API tb_status tb_ldexp_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_ldexp where b is a number */
TB_API tb_status tb_ldexp_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_ldexp_s, written to into */
TB_API tb_status tb_s_ldexp(tb_scalar a, tb_array *b, tb_array **out); /* tb_ldexp where a is a number */
TB_API tb_status tb_s_ldexp_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_ldexp, written to into */

/* The first argument's magnitude with the second's sign. */
TB_API tb_status tb_copysign(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_copysign_into(tb_array *a, tb_array *b, tb_array *into); /* tb_copysign, written to into */
TB_API tb_status tb_copysign_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_copysign where b is a number */
TB_API tb_status tb_copysign_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_copysign_s, written to into */
TB_API tb_status tb_s_copysign(tb_scalar a, tb_array *b, tb_array **out); /* tb_copysign where a is a number */
TB_API tb_status tb_s_copysign_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_copysign, written to into */

/* The next representable number after the first argument towards the second. */
TB_API tb_status tb_nextafter(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_nextafter_into(tb_array *a, tb_array *b, tb_array *into); /* tb_nextafter, written to into */
TB_API tb_status tb_nextafter_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_nextafter where b is a number */
TB_API tb_status tb_nextafter_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_nextafter_s, written to into */
TB_API tb_status tb_s_nextafter(tb_scalar a, tb_array *b, tb_array **out); /* tb_nextafter where a is a number */
TB_API tb_status tb_s_nextafter_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_nextafter, written to into */

/* The distance to the next representable number away from zero; of float16, upwards. */
TB_API tb_status tb_spacing(tb_array *a, tb_array **out);
TB_API tb_status tb_spacing_into(tb_array *a, tb_array *into); /* tb_spacing, written to into */

/* Whether the sign bit is set. */
TB_API tb_status tb_signbit(tb_array *a, tb_array **out);
TB_API tb_status tb_signbit_into(tb_array *a, tb_array *into); /* tb_signbit, written to into */

/* Whether it is not a number. */
TB_API tb_status tb_isnan(tb_array *a, tb_array **out);
TB_API tb_status tb_isnan_into(tb_array *a, tb_array *into); /* tb_isnan, written to into */

/* Whether it is an infinity of either sign. */
TB_API tb_status tb_isinf(tb_array *a, tb_array **out);
TB_API tb_status tb_isinf_into(tb_array *a, tb_array *into); /* tb_isinf, written to into */

/* Whether it is neither infinite nor not a number. */
TB_API tb_status tb_isfinite(tb_array *a, tb_array **out);
TB_API tb_status tb_isfinite_into(tb_array *a, tb_array *into); /* tb_isfinite, written to into */

/* The step function: 0 below 0, the second argument at 0, 1 above. */
TB_API tb_status tb_heaviside(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_heaviside_into(tb_array *a, tb_array *b, tb_array *into); /* tb_heaviside, written to into */
TB_API tb_status tb_heaviside_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_heaviside where b is a number */
TB_API tb_status tb_heaviside_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_heaviside_s, written to into */
TB_API tb_status tb_s_heaviside(tb_scalar a, tb_array *b, tb_array **out); /* tb_heaviside where a is a number */
TB_API tb_status tb_s_heaviside_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_heaviside, written to into */

/* ---- named functions: comparison, logic ------------------------------------------------------------------------- */

/* Whether the arguments are equal. */
TB_API tb_status tb_equal(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_equal_into(tb_array *a, tb_array *b, tb_array *into); /* tb_equal, written to into */
TB_API tb_status tb_equal_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_equal where b is a number */
TB_API tb_status tb_equal_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_equal_s, written to into */
TB_API tb_status tb_s_equal(tb_scalar a, tb_array *b, tb_array **out); /* tb_equal where a is a number */
TB_API tb_status tb_s_equal_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_equal, written to into */

/* Whether the arguments differ. */
TB_API tb_status tb_not_equal(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_not_equal_into(tb_array *a, tb_array *b, tb_array *into); /* tb_not_equal, written to into */
TB_API tb_status tb_not_equal_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_not_equal where b is a number */
TB_API tb_status tb_not_equal_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_not_equal_s, written to into */
TB_API tb_status tb_s_not_equal(tb_scalar a, tb_array *b, tb_array **out); /* tb_not_equal where a is a number */
TB_API tb_status tb_s_not_equal_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_not_equal, written to into */

/* Whether the first argument is less than the second. */
TB_API tb_status tb_less(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_less_into(tb_array *a, tb_array *b, tb_array *into); /* tb_less, written to into */
TB_API tb_status tb_less_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_less where b is a number */
TB_API tb_status tb_less_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_less_s, written to into */
TB_API tb_status tb_s_less(tb_scalar a, tb_array *b, tb_array **out); /* tb_less where a is a number */
TB_API tb_status tb_s_less_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_less, written to into */

/* Whether the first argument is less than or equal to the second. */
TB_API tb_status tb_less_equal(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_less_equal_into(tb_array *a, tb_array *b, tb_array *into); /* tb_less_equal, written to into */
TB_API tb_status tb_less_equal_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_less_equal where b is a number */
TB_API tb_status tb_less_equal_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_less_equal_s, written to into */
TB_API tb_status tb_s_less_equal(tb_scalar a, tb_array *b, tb_array **out); /* tb_less_equal where a is a number */
TB_API tb_status tb_s_less_equal_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_less_equal, written to into */

/* Whether the first argument is greater than the second. */
TB_API tb_status tb_greater(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_greater_into(tb_array *a, tb_array *b, tb_array *into); /* tb_greater, written to into */
TB_API tb_status tb_greater_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_greater where b is a number */
TB_API tb_status tb_greater_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_greater_s, written to into */
TB_API tb_status tb_s_greater(tb_scalar a, tb_array *b, tb_array **out); /* tb_greater where a is a number */
TB_API tb_status tb_s_greater_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_greater, written to into */

/* Whether the first argument is greater than or equal to the second. */
TB_API tb_status tb_greater_equal(tb_array *a, tb_array *b, tb_array **out);
/* tb_greater_equal, written to into */
TB_API tb_status tb_greater_equal_into(tb_array *a, tb_array *b, tb_array *into);
/* tb_greater_equal where b is a number */
TB_API tb_status tb_greater_equal_s(tb_array *a, tb_scalar b, tb_array **out);
/* tb_greater_equal_s, written to into */
TB_API tb_status tb_greater_equal_s_into(tb_array *a, tb_scalar b, tb_array *into);
/* tb_greater_equal where a is a number */
TB_API tb_status tb_s_greater_equal(tb_scalar a, tb_array *b, tb_array **out);
/* tb_s_greater_equal, written to into */
TB_API tb_status tb_s_greater_equal_into(tb_scalar a, tb_array *b, tb_array *into);

/* Whether both arguments are true (not 0). */
TB_API tb_status tb_logical_and(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_logical_and_into(tb_array *a, tb_array *b, tb_array *into); /* tb_logical_and, written to into */
TB_API tb_status tb_logical_and_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_logical_and where b is a number */
/* tb_logical_and_s, written to into */
TB_API tb_status tb_logical_and_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_logical_and(tb_scalar a, tb_array *b, tb_array **out); /* tb_logical_and where a is a number */
/* tb_s_logical_and, written to into */
TB_API tb_status tb_s_logical_and_into(tb_scalar a, tb_array *b, tb_array *into);

/* Whether at least one argument is true (not 0). */
TB_API tb_status tb_logical_or(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_logical_or_into(tb_array *a, tb_array *b, tb_array *into); /* tb_logical_or, written to into */
TB_API tb_status tb_logical_or_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_logical_or where b is a number */
TB_API tb_status tb_logical_or_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_logical_or_s, written to into */
TB_API tb_status tb_s_logical_or(tb_scalar a, tb_array *b, tb_array **out); /* tb_logical_or where a is a number */
TB_API tb_status tb_s_logical_or_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_logical_or, written to into */

/* Whether exactly one argument is true (not 0). */
TB_API tb_status tb_logical_xor(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_logical_xor_into(tb_array *a, tb_array *b, tb_array *into); /* tb_logical_xor, written to into */
TB_API tb_status tb_logical_xor_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_logical_xor where b is a number */
/* tb_logical_xor_s, written to into */
TB_API tb_status tb_logical_xor_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_logical_xor(tb_scalar a, tb_array *b, tb_array **out); /* tb_logical_xor where a is a number */
/* tb_s_logical_xor, written to into */
TB_API tb_status tb_s_logical_xor_into(tb_scalar a, tb_array *b, tb_array *into);

/* Whether the argument is false (0). */
TB_API tb_status tb_logical_not(tb_array *a, tb_array **out);
TB_API tb_status tb_logical_not_into(tb_array *a, tb_array *into); /* tb_logical_not, written to into */

/* The greater argument; NaN if either is. */
TB_API tb_status tb_maximum(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_maximum_into(tb_array *a, tb_array *b, tb_array *into); /* tb_maximum, written to into */
TB_API tb_status tb_maximum_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_maximum where b is a number */
TB_API tb_status tb_maximum_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_maximum_s, written to into */
TB_API tb_status tb_s_maximum(tb_scalar a, tb_array *b, tb_array **out); /* tb_maximum where a is a number */
TB_API tb_status tb_s_maximum_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_maximum, written to into */

/* The lesser argument; NaN if either is. */
TB_API tb_status tb_minimum(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_minimum_into(tb_array *a, tb_array *b, tb_array *into); /* tb_minimum, written to into */
TB_API tb_status tb_minimum_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_minimum where b is a number */
TB_API tb_status tb_minimum_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_minimum_s, written to into */
TB_API tb_status tb_s_minimum(tb_scalar a, tb_array *b, tb_array **out); /* tb_minimum where a is a number */
TB_API tb_status tb_s_minimum_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_minimum, written to into */

/* The greater argument; a number rather than NaN. */
TB_API tb_status tb_fmax(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_fmax_into(tb_array *a, tb_array *b, tb_array *into); /* tb_fmax, written to into */
TB_API tb_status tb_fmax_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_fmax where b is a number */
TB_API tb_status tb_fmax_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_fmax_s, written to into */
TB_API tb_status tb_s_fmax(tb_scalar a, tb_array *b, tb_array **out); /* tb_fmax where a is a number */
TB_API tb_status tb_s_fmax_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_fmax, written to into */

/* The lesser argument; a number rather than NaN. */
TB_API tb_status tb_fmin(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_fmin_into(tb_array *a, tb_array *b, tb_array *into); /* tb_fmin, written to into */
TB_API tb_status tb_fmin_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_fmin where b is a number */
TB_API tb_status tb_fmin_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_fmin_s, written to into */
TB_API tb_status tb_s_fmin(tb_scalar a, tb_array *b, tb_array **out); /* tb_fmin where a is a number */
TB_API tb_status tb_s_fmin_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_fmin, written to into */

/* ---- named functions: bits -------------------------------------------------------------------------------------- */

/* The bits that both arguments have. */
TB_API tb_status tb_bitwise_and(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_bitwise_and_into(tb_array *a, tb_array *b, tb_array *into); /* tb_bitwise_and, written to into */
TB_API tb_status tb_bitwise_and_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_bitwise_and where b is a number */
/* tb_bitwise_and_s, written to into */
TB_API tb_status tb_bitwise_and_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_bitwise_and(tb_scalar a, tb_array *b, tb_array **out); /* tb_bitwise_and where a is a number */
/* tb_s_bitwise_and, written to into */
TB_API tb_status tb_s_bitwise_and_into(tb_scalar a, tb_array *b, tb_array *into);

/* The bits that at least one argument has. */
TB_API tb_status tb_bitwise_or(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_bitwise_or_into(tb_array *a, tb_array *b, tb_array *into); /* tb_bitwise_or, written to into */
TB_API tb_status tb_bitwise_or_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_bitwise_or where b is a number */
TB_API tb_status tb_bitwise_or_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_bitwise_or_s, written to into */
TB_API tb_status tb_s_bitwise_or(tb_scalar a, tb_array *b, tb_array **out); /* tb_bitwise_or where a is a number */
TB_API tb_status tb_s_bitwise_or_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_bitwise_or, written to into */

/* The bits that exactly one argument has. */
TB_API tb_status tb_bitwise_xor(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_bitwise_xor_into(tb_array *a, tb_array *b, tb_array *into); /* tb_bitwise_xor, written to into */
TB_API tb_status tb_bitwise_xor_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_bitwise_xor where b is a number */
/* tb_bitwise_xor_s, written to into */
TB_API tb_status tb_bitwise_xor_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_bitwise_xor(tb_scalar a, tb_array *b, tb_array **out); /* tb_bitwise_xor where a is a number */
/* tb_s_bitwise_xor, written to into */
TB_API tb_status tb_s_bitwise_xor_into(tb_scalar a, tb_array *b, tb_array *into);

/* The bits turned over; not, for bool. Alias bitwise_not, bitwise_invert. */
TB_API tb_status tb_invert(tb_array *a, tb_array **out);
TB_API tb_status tb_invert_into(tb_array *a, tb_array *into); /* tb_invert, written to into */

/* Bits shifted up; counts outside the width give 0. Alias bitwise_left_shift. */
TB_API tb_status tb_left_shift(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_left_shift_into(tb_array *a, tb_array *b, tb_array *into); /* tb_left_shift, written to into */
TB_API tb_status tb_left_shift_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_left_shift where b is a number */
TB_API tb_status tb_left_shift_s_into(tb_array *a, tb_scalar b, tb_array *into); /* tb_left_shift_s, written to into */
TB_API tb_status tb_s_left_shift(tb_scalar a, tb_array *b, tb_array **out); /* tb_left_shift where a is a number */
TB_API tb_status tb_s_left_shift_into(tb_scalar a, tb_array *b, tb_array *into); /* tb_s_left_shift, written to into */

/* Bits shifted down, the sign filling in; counts outside the width leave the sign alone. Alias bitwise_right_shift. */
TB_API tb_status tb_right_shift(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_right_shift_into(tb_array *a, tb_array *b, tb_array *into); /* tb_right_shift, written to into */
TB_API tb_status tb_right_shift_s(tb_array *a, tb_scalar b, tb_array **out); /* tb_right_shift where b is a number */
/* tb_right_shift_s, written to into */
TB_API tb_status tb_right_shift_s_into(tb_array *a, tb_scalar b, tb_array *into);
TB_API tb_status tb_s_right_shift(tb_scalar a, tb_array *b, tb_array **out); /* tb_right_shift where a is a number */
/* tb_s_right_shift, written to into */
TB_API tb_status tb_s_right_shift_into(tb_scalar a, tb_array *b, tb_array *into);

/* The number of bits set in the magnitude. */
TB_API tb_status tb_bitwise_count(tb_array *a, tb_array **out);
TB_API tb_status tb_bitwise_count_into(tb_array *a, tb_array *into); /* tb_bitwise_count, written to into */

/* ---- named functions: reductions -------------------------------------------------------------------------------- */


/* Sum of the elements over the given axes. */
TB_API tb_status tb_sum(tb_array *a, int axis, tb_array **out);
/* Product of the elements over the given axes. */
TB_API tb_status tb_prod(tb_array *a, int axis, tb_array **out);
/* Smallest element over the given axes; NaN if there is one. */
TB_API tb_status tb_min(tb_array *a, int axis, tb_array **out);
/* Largest element over the given axes; NaN if there is one. */
TB_API tb_status tb_max(tb_array *a, int axis, tb_array **out);
/* Index of the first smallest element along an axis, or of the flattened array. */
TB_API tb_status tb_argmin(tb_array *a, int axis, tb_array **out);
/* Index of the first largest element along an axis, or of the flattened array. */
TB_API tb_status tb_argmax(tb_array *a, int axis, tb_array **out);
/* Whether any element over the given axes is true. */
TB_API tb_status tb_any(tb_array *a, int axis, tb_array **out);
/* Whether all elements over the given axes are true. */
TB_API tb_status tb_all(tb_array *a, int axis, tb_array **out);
/* Arithmetic mean over the given axes; integers are averaged in float64. */
TB_API tb_status tb_mean(tb_array *a, int axis, tb_array **out);
/* Variance over the given axes: mean(abs(a - mean(a))**2), divided by n - ddof. */
TB_API tb_status tb_var(tb_array *a, int axis, tb_array **out);
/* Standard deviation over the given axes: the square root of var. */
TB_API tb_status tb_std(tb_array *a, int axis, tb_array **out);
/* Number of elements that are not zero. */
TB_API tb_status tb_count_nonzero(tb_array *a, int axis, tb_array **out);
/* Largest minus smallest element. */
TB_API tb_status tb_ptp(tb_array *a, int axis, tb_array **out);
/* Sum of the elements over the given axes, NaN counted as zero. */
TB_API tb_status tb_nansum(tb_array *a, int axis, tb_array **out);
/* Product of the elements over the given axes, NaN counted as one. */
TB_API tb_status tb_nanprod(tb_array *a, int axis, tb_array **out);
/* Smallest element over the given axes that is not NaN. */
TB_API tb_status tb_nanmin(tb_array *a, int axis, tb_array **out);
/* Largest element over the given axes that is not NaN. */
TB_API tb_status tb_nanmax(tb_array *a, int axis, tb_array **out);
/* Index of the first smallest element that is not NaN; -1 where all are. */
TB_API tb_status tb_nanargmin(tb_array *a, int axis, tb_array **out);
/* Index of the first largest element that is not NaN; -1 where all are. */
TB_API tb_status tb_nanargmax(tb_array *a, int axis, tb_array **out);
/* The logarithm of the sum of the elements' exponentials, without overflow. */
TB_API tb_status tb_logsumexp(tb_array *a, int axis, tb_array **out);
/* The entropy of the elements divided by their sum, in units of e; -inf of numbers of both signs. */
TB_API tb_status tb_entropy(tb_array *a, int axis, tb_array **out);

/* ---- named functions: running forms ----------------------------------------------------------------------------- */

/* Running sum along an axis, or of the flattened array. */
TB_API tb_status tb_cumsum(tb_array *a, int axis, tb_array **out);
/* Running product along an axis, or of the flattened array. */
TB_API tb_status tb_cumprod(tb_array *a, int axis, tb_array **out);
/* cumsum with NaN counted as zero. */
TB_API tb_status tb_nancumsum(tb_array *a, int axis, tb_array **out);
/* cumprod with NaN counted as one. */
TB_API tb_status tb_nancumprod(tb_array *a, int axis, tb_array **out);
#endif
