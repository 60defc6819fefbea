/* error.h - the calling thread's last failure. Every fallible function returns a tb_status; these set the message. */
#ifndef TB_BASE_ERROR_H
#define TB_BASE_ERROR_H
#include "tombac/tombac.h"

/* Sets the message and returns `code`, so that `return tb__fail(TB_ERR_VALUE, "...")` reads well. */
tb_status tb__fail(tb_status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
tb_status tb__fail_axis(int axis, int ndim) __attribute__((cold));
tb_status tb__fail_memory(size_t asked, size_t used, size_t held, size_t limit) __attribute__((cold));
tb_status tb__fail_device(int driver_code, const char *call, const char *text) __attribute__((cold));
/* What the calling thread failed with last, for tb__error_put_back after calls whose failures nobody is told of. */
void *tb__error_keep(void);
void tb__error_put_back(void *kept);
/* An analyzer that looks at one file does not know that a failure is never TB_OK. */
#if defined __clang_analyzer__ && !defined TB__FAIL_ITSELF
#define tb__fail(code, ...) (tb__fail(code, __VA_ARGS__), (code))
#define tb__fail_axis(...) (tb__fail_axis(__VA_ARGS__), TB_ERR_AXIS)
#define tb__fail_memory(...) (tb__fail_memory(__VA_ARGS__), TB_ERR_MEMORY)
#define tb__fail_device(...) (tb__fail_device(__VA_ARGS__), TB_ERR_DEVICE)
#endif
/* Puts "what: " before the current message, to add context on the way up. */
void tb__error_prefix(const char *what);

#define TB_TRY(call)                                  \
    do {                                              \
        tb_status tb_try_status = (call);             \
        if (tb_try_status != TB_OK) return tb_try_status; \
    } while (0)

/* As TB_TRY, but leaves through the label `fail` with `status` set. */
#define TB_GOTO(call)                         \
    do {                                      \
        status = (call);                      \
        if (status != TB_OK) goto fail;       \
    } while (0)

/* A shape as text, "(2, 3)", into buf; returns buf. For messages. */
const char *tb__shape_text(char *buf, size_t cap, int ndim, const int64_t *shape);
#endif
