/* product_dtypes.h - the file LOOPS for each dtype. Included by product_types.h for each width of indices: INDEX is
 * their type, FOR_WIDTH(name, NAME) a loop's name for it. */
#define LOOP(name) FOR_WIDTH(name, NAME)

#define NOT_ZERO(x) ((x) != 0)
#define VALUE uint8_t
#define NAME truth
#define ADD_PRODUCT(sum, x, y) ((sum) |= (uint8_t)((x) & (y)))
#define ADD(sum, x) ((sum) |= (x))
#include LOOPS
#undef VALUE
#undef NAME
#undef ADD_PRODUCT
#undef ADD

#define ADD_PRODUCT(sum, x, y) ((sum) = (VALUE)((sum) + (uint32_t)(x) * (y)))
#define ADD(sum, x) ((sum) = (VALUE)((sum) + (x)))
#define VALUE uint8_t
#define NAME u8
#include LOOPS
#undef VALUE
#undef NAME
#define VALUE uint16_t
#define NAME u16
#include LOOPS
#undef VALUE
#undef NAME
#undef ADD_PRODUCT

#define ADD_PRODUCT(sum, x, y) ((sum) += (x) * (y))
#define VALUE uint32_t
#define NAME u32
#include LOOPS
#undef VALUE
#undef NAME
#define VALUE uint64_t
#define NAME u64
#include LOOPS
#undef VALUE
#undef NAME
#define VALUE float
#define NAME f32
#include LOOPS
#undef VALUE
#undef NAME
#define VALUE double
#define NAME f64
#include LOOPS
#undef VALUE
#undef NAME
#undef ADD_PRODUCT
#undef ADD
#undef NOT_ZERO

#define NOT_ZERO(x) ((x).re != 0 || (x).im != 0)
#define ADD_PRODUCT(sum, x, y) \
    ((sum).re += (x).re * (y).re - (x).im * (y).im, (sum).im += (x).re * (y).im + (x).im * (y).re)
#define ADD(sum, x) ((sum).re += (x).re, (sum).im += (x).im)
#define VALUE pair32
#define NAME c64
#include LOOPS
#undef VALUE
#undef NAME
#define VALUE pair64
#define NAME c128
#include LOOPS
#undef VALUE
#undef NAME
#undef ADD_PRODUCT
#undef ADD
#undef NOT_ZERO
#undef LOOP
