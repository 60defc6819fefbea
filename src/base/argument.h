/* argument.h - what public functions ask of their arguments before they look at anything: first thing in each of them.
 *
 * Whoever calls from C may have passed on what an earlier, failed call left NULL: the message then goes on with what
 * that call said. Failures name the function and the parameter, so these are used under the public names alone. */
#ifndef TB_BASE_ARGUMENT_H
#define TB_BASE_ARGUMENT_H
#include <limits.h>

#include "base/error.h"
#include "base/object.h"
#include "base/record.h"

tb_status tb__fail_null(const char *function, const char *parameter) __attribute__((cold));
tb_status tb__fail_choice(const char *function, const char *parameter, long long value) __attribute__((cold));
tb_status tb__fail_count(const char *function, const char *parameter, long long value, long long most)
    __attribute__((cold));

#define TB_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TB_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* TB_OBJECT_INTERNAL for what is no handle. */
#define TB_KIND_OF(p)                                                                               \
    _Generic((p), tb_array *: TB_OBJECT_ARRAY, const tb_array *: TB_OBJECT_ARRAY,                   \
             tb_buffer *: TB_OBJECT_BUFFER, const tb_buffer *: TB_OBJECT_BUFFER,                    \
             tb_stream *: TB_OBJECT_STREAM, const tb_stream *: TB_OBJECT_STREAM,                    \
             tb_event *: TB_OBJECT_EVENT, const tb_event *: TB_OBJECT_EVENT,                        \
             tb_allocator *: TB_OBJECT_ALLOCATOR, const tb_allocator *: TB_OBJECT_ALLOCATOR,        \
             tb_module *: TB_OBJECT_MODULE, const tb_module *: TB_OBJECT_MODULE,                    \
             tb_function *: TB_OBJECT_FUNCTION, const tb_function *: TB_OBJECT_FUNCTION,            \
             tb_graph *: TB_OBJECT_GRAPH, const tb_graph *: TB_OBJECT_GRAPH,                        \
             tb_elementwise *: TB_OBJECT_ELEMENTWISE, const tb_elementwise *: TB_OBJECT_ELEMENTWISE, \
             tb_reducer *: TB_OBJECT_REDUCER, const tb_reducer *: TB_OBJECT_REDUCER,                \
             default: TB_OBJECT_INTERNAL)
/* Never without TOMBAC_DEBUG. */
#define TB_WAS_RELEASED(p)                                          \
    (TB_KIND_OF(p) != TB_OBJECT_INTERNAL && TB_UNLIKELY(tb__debug) && \
     tb__object_ended(TB_KIND_OF(p), (const void *)(p)))
/* A handle that may be NULL: it has not been released. TB_NOT_NULL asks for this too. */
#define TB_NOT_RELEASED(p)                                                                                       \
    do {                                                                                                         \
        if (TB_WAS_RELEASED(p)) return tb__fail_ended(__func__, #p, TB_KIND_OF(p), (const void *)(p)); \
    } while (0)
/* For functions that cannot fail: whether there is no such handle. They end the process if it was released. p is a
 * parameter, and written, so that it need not be kept across the call. */
#define TB_IS_NONE(p) \
    (TB_UNLIKELY(!(p)) || \
     (TB_UNLIKELY(tb__debug) && !((p) = tb__stop_if_ended(__func__, #p, TB_KIND_OF(p), (p)))))
/* TB_NOT_RELEASED for an array of each of n items, of which `array` is the first one's. The items may be NULL. */
#define TB_NONE_RELEASED(n, items, array)                                                               \
    do {                                                                                                \
        if (TB_UNLIKELY(tb__debug) && (items))                                                          \
            TB_TRY(tb__check_ended(__func__, #items, (n), (const void *)&(array), sizeof *(items))); \
    } while (0)

/* One to four pointers, none of which may be NULL, nor a released handle. */
#define TB_NOT_NULL(...) \
    TB_NOT_NULL_PICK(__VA_ARGS__, TB_NOT_NULL_4, TB_NOT_NULL_3, TB_NOT_NULL_2, TB_NOT_NULL_1)(__VA_ARGS__)
#define TB_NOT_NULL_PICK(a, b, c, d, chosen, ...) chosen
#define TB_NOT_NULL_1(a)                                                  \
    do {                                                                  \
        if (TB_UNLIKELY(!(a))) return tb__fail_null(__func__, #a);        \
        TB_NOT_RELEASED(a); \
    } while (0)
#define TB_NOT_NULL_2(a, b)                                                                  \
    do {                                                                                     \
        if (TB_UNLIKELY(!(a) || !(b))) return tb__fail_null(__func__, !(a) ? #a : #b);       \
        TB_NOT_RELEASED(a); \
        TB_NOT_RELEASED(b); \
    } while (0)
#define TB_NOT_NULL_3(a, b, c) \
    do {                       \
        TB_NOT_NULL_2(a, b);   \
        TB_NOT_NULL_1(c);      \
    } while (0)
#define TB_NOT_NULL_4(a, b, c, d) \
    do {                          \
        TB_NOT_NULL_2(a, b);      \
        TB_NOT_NULL_2(c, d);      \
    } while (0)

/* A value of an enumeration that starts with 0 and has n. */
#define TB_IS_CHOICE(x, n)                                                                              \
    do {                                                                                                \
        if (TB_UNLIKELY((unsigned)(x) >= (unsigned)(n))) return tb__fail_choice(__func__, #x, (long long)(x)); \
    } while (0)
#define TB_IS_DTYPE(t) TB_IS_CHOICE(t, TB_NDTYPE)
#define TB_IS_DTYPE_OR_NONE(t)                \
    do {                                      \
        if ((t) != TB_NODTYPE) TB_IS_DTYPE(t); \
    } while (0)
/* What elements may be, numbers or not. */
#define TB_IS_ELEMENT(t)                                \
    do {                                                \
        if (!tb__record_known(t)) TB_IS_DTYPE(t);       \
    } while (0)
#define TB_IS_ELEMENT_OR_NONE(t)                  \
    do {                                          \
        if ((t) != TB_NODTYPE) TB_IS_ELEMENT(t);  \
    } while (0)
/* The elements are numbers, which the operation computes with. */
tb_status tb__fail_record(const char *function, tb_dtype t) __attribute__((cold));
#define TB_ARE_NUMBERS(who, t)                                          \
    do {                                                                \
        if (TB_UNLIKELY(tb__is_record(t))) return tb__fail_record(who, t); \
    } while (0)
#define TB_IS_CASTING(x) TB_IS_CHOICE(x, TB_CAST_UNSAFE + 1)
/* 'C', 'F', 'A' or 'K'. */
#define TB_IS_ORDER(x)                                                                             \
    do {                                                                                           \
        if (TB_UNLIKELY((x) != 'C' && (x) != 'F' && (x) != 'A' && (x) != 'K'))                     \
            return tb__fail_choice(__func__, #x, (long long)(x));                                  \
    } while (0)
/* From 0 to `most`. */
#define TB_IS_COUNT(n, most)                                                                         \
    do {                                                                                             \
        if (TB_UNLIKELY((n) < 0 || (n) > (most)))                                                    \
            return tb__fail_count(__func__, #n, (long long)(n), (long long)(most));                  \
    } while (0)
/* A shape of up to TB_MAXDIM extents; NULL will do for none. */
#define TB_IS_SHAPE(ndim, shape)                 \
    do {                                         \
        TB_IS_COUNT(ndim, TB_MAXDIM);            \
        if ((ndim) > 0) TB_NOT_NULL_1(shape);    \
    } while (0)

/* A structure that begins with its size. One from a program built with a shorter one has the rest from the defaults;
 * one of a longer one must not use what this library does not know. `args` then points to a whole structure. */
tb_status tb__whole_args(const char *function, const char *parameter, const void **args, const void *defaults,
                         void *own, size_t size);
#define TB_WHOLE_ARGS(type, args, init)                                                                      \
    static const type args##_default = init;                                                                  \
    type args##_own;                                                                                  \
    if (!(args)) {                                                                                           \
        (args) = &args##_default;                                                                            \
    } else if (TB_UNLIKELY((args)->struct_size != sizeof args##_own)) {                                  \
        const void *args##_whole = (args);                                                                   \
        TB_TRY(tb__whole_args(__func__, #args, &args##_whole, &args##_default, &args##_own, sizeof args##_own)); \
        (args) = args##_whole;                                                                               \
    }
/* A structure of the caller's, which may be shorter or longer, gets what there is and otherwise zeros. */
void tb__fill_struct(void *out, size_t size, const void *own, size_t own_size);
/* n operands that say what they are. */
tb_status tb__check_operands(const char *function, const char *parameter, int n, const tb_operand *in);
#define TB_ARE_OPERANDS(n, in)                              \
    do {                                                    \
        TB_NONE_RELEASED(n, in, (in)->array);               \
        TB_TRY(tb__check_operands(__func__, #in, (n), (in))); \
    } while (0)
#endif
