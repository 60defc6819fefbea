/* check.h - assertions for the C unit tests. A failed check prints where and what, and the test goes on; main returns
 * check_report(), which is 0 only when nothing failed. */
#ifndef TB_TESTS_CHECK_H
#define TB_TESTS_CHECK_H
#include "tombac/tombac.h"
#include <stdio.h>
#include <string.h>

static int check_failures;

static inline void check_at(bool ok, const char *file, int line, const char *what)
{
    if (ok) return;
    check_failures++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

static inline bool check_status_at(tb_status got, tb_status expected, const char *file, int line, const char *what)
{
    if (got == expected) return true;
    check_failures++;
    fprintf(stderr, "%s:%d: %s: status %d, expected %d: %s\n", file, line, what, got, expected, tb_error_message());
    return false;
}

static inline int check_report(void)
{
    if (check_failures) fprintf(stderr, "%d checks failed\n", check_failures);
    return check_failures != 0;
}

#define CHECK(condition) check_at((condition), __FILE__, __LINE__, #condition)
/* Evaluates to true when the call succeeded. */
#define CHECK_OK(call) check_status_at((call), TB_OK, __FILE__, __LINE__, #call)
/* The call must fail with this status and a message that contains `text`. */
#define CHECK_FAILS(call, status, text)                                                                             \
    do {                                                                                                            \
        if (check_status_at((call), status, __FILE__, __LINE__, #call) && !strstr(tb_error_message(), text)) {       \
            fprintf(stderr, "the message was: %s\n", tb_error_message());                                           \
            check_at(false, __FILE__, __LINE__, "the message lacks: " text);                                        \
        }                                                                                                           \
    } while (0)
#endif
