/* combine_ordered.h - combine_loops.h for each function of one dtype whose numbers have an order. */
#ifdef WRAPS
#define SUM(x, y) ((VALUE)((uint64_t)(x) + (uint64_t)(y)))
#define DIFFERENCE(x, y) ((VALUE)((uint64_t)(x) - (uint64_t)(y)))
#define PRODUCT(x, y) ((VALUE)((uint64_t)(x) * (uint64_t)(y)))
#else
#define SUM(x, y) ((x) + (y))
#define DIFFERENCE(x, y) ((x) - (y))
#define PRODUCT(x, y) ((x) * (y))
#endif

#define RESULT VALUE
#define NAME add
#define FUNCTION(x, y) SUM(x, y)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME subtract
#define FUNCTION(x, y) DIFFERENCE(x, y)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME multiply
#define ONLY_BOTH
#define FUNCTION(x, y) PRODUCT(x, y)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef ONLY_BOTH
#undef FUNCTION
#define NAME maximum
#define FUNCTION(x, y) EXTREME(x, y, >)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME minimum
#define FUNCTION(x, y) EXTREME(x, y, <)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#undef RESULT
#define RESULT uint8_t
#define NAME not_equal
#define FUNCTION(x, y) ((x) != (y))
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME less
#define FUNCTION(x, y) ((x) < (y))
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME greater
#define FUNCTION(x, y) ((x) > (y))
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#undef RESULT
#undef SUM
#undef DIFFERENCE
#undef PRODUCT
