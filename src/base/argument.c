/* argument.c - the failures of arguments that cannot be what they are. */
#include "base/argument.h"

#include <stdio.h>
#include <string.h>

/* What a NULL is passed on from is worth more than where it was noticed: the first message is kept to the end. */
static const char link[] = " (passed on? The failure before: ";

tb_status tb__fail_null(const char *function, const char *parameter)
{
    const char *before = tb_error_message(), *first = strstr(before, link);
    if (!*before) return tb__fail(TB_ERR_VALUE, "%s: %s is NULL", function, parameter);
    if (first) return tb__fail(TB_ERR_VALUE, "%s: %s is NULL%s", function, parameter, first);
    return tb__fail(TB_ERR_VALUE, "%s: %s is NULL%s%s)", function, parameter, link, before);
}

tb_status tb__fail_record(const char *function, tb_dtype t)
{
    return tb__fail(TB_ERR_TYPE, "%s: elements are numbers, not %s", function, tb_dtype_name(t));
}

tb_status tb__fail_choice(const char *function, const char *parameter, long long value)
{
    return tb__fail(TB_ERR_VALUE, "%s: %s is %lld, which is none of its values", function, parameter, value);
}

tb_status tb__fail_count(const char *function, const char *parameter, long long value, long long most)
{
    return tb__fail(TB_ERR_VALUE, "%s: %s is %lld; from 0 to %lld are possible", function, parameter, value, most);
}

tb_status tb__whole_args(const char *function, const char *parameter, const void **args, const void *defaults,
                         void *own, size_t size)
{
    const unsigned char *from = *args;
    size_t given;
    if (!from) {
        *args = defaults;
        return TB_OK;
    }
    memcpy(&given, from, sizeof given);
    if (given < sizeof given || given > UINT16_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: %s->struct_size is %zu, not the size of the structure", function, parameter,
                        given);
    for (size_t i = size; i < given; i++)
        if (from[i] != 0)
            return tb__fail(TB_ERR_VALUE, "%s: *%s uses members that this version of the library does not have",
                            function, parameter);
    memcpy(own, defaults, size);
    memcpy(own, from, given < size ? given : size);
    *args = own;
    return TB_OK;
}

tb_status tb__check_operands(const char *function, const char *parameter, int n, const tb_operand *in)
{
    for (int i = 0; i < n; i++) {
        if (TB_LIKELY((in[i].kind == TB_OPERAND_ARRAY && in[i].array) ||
                      (in[i].kind == TB_OPERAND_SCALAR && !in[i].array && (unsigned)in[i].scalar.dtype < TB_NDTYPE)))
            continue;
        char name[64];
        snprintf(name, sizeof name, n == 1 ? "%s" : "%s[%d]", parameter, i);
        if (in[i].kind == TB_OPERAND_ARRAY) return tb__fail_null(function, name);
        if (in[i].kind == TB_OPERAND_SCALAR && in[i].array)
            return tb__fail(TB_ERR_VALUE, "%s: %s is a scalar with an array", function, name);
        if (in[i].kind == TB_OPERAND_SCALAR)
            return tb__fail_choice(function, "the dtype of a scalar", in[i].scalar.dtype);
        return tb__fail(TB_ERR_VALUE, "%s: %s is neither an array nor a scalar (tb_operand_array, tb_operand_scalar)",
                        function, name);
    }
    return TB_OK;
}

void tb__fill_struct(void *out, size_t size, const void *own, size_t own_size)
{
    memcpy(out, own, size < own_size ? size : own_size);
    if (size > own_size) memset((char *)out + own_size, 0, size - own_size);
}
