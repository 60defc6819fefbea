/* environment.c - reading the variables of environment.h. A row's words are in the order of their values. */
#include "base/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct variable {
    const char *name;
    const char *words[4]; /* none: it is a number */
    int64_t least, most;
    bool unit;            /* K, M or G may follow */
    const char *expected; /* for the message */
} variable;

static const variable variables[TB_NENV] = {
    [TB_ENV_BACKEND] = {.name = "TOMBAC_BACKEND", .words = {"cpu", "cuda"}, .expected = "\"cpu\" or \"cuda\""},
    [TB_ENV_FUSION] = {.name = "TOMBAC_FUSION", .words = {"0", "1", "all"}, .expected = "\"0\", \"1\" or \"all\""},
    [TB_ENV_STRICT_INDICES] = {.name = "TOMBAC_STRICT_INDICES", .words = {"0", "1"}, .expected = "\"0\" or \"1\""},
    [TB_ENV_COMPILE] = {.name = "TOMBAC_COMPILE", .words = {"sync"}, .expected = "\"sync\", or not set"},
    [TB_ENV_NUM_THREADS] = {.name = "TOMBAC_NUM_THREADS",
                            .least = 1,
                            .most = 1 << 20,
                            .expected = "a number of threads, 1 or more"},
    [TB_ENV_CPU_DEVICES] = {.name = "TOMBAC_CPU_DEVICES",
                            .least = 1,
                            .most = 64,
                            .expected = "a number of devices from 1 to 64"},
    [TB_ENV_CPU_ISA] = {.name = "TOMBAC_CPU_ISA",
                        .words = {"base", "avx2", "avx512"},
                        .expected = "\"base\", \"avx2\" or \"avx512\""},
    [TB_ENV_STREAM_BYTES] = {.name = "TOMBAC_STREAM_BYTES", .most = INT64_MAX, .expected = "a number of bytes"},
    [TB_ENV_CACHE_SIZE] = {.name = "TOMBAC_CACHE_SIZE",
                           .most = INT64_MAX,
                           .unit = true,
                           .expected = "a number of bytes such as 100000000, 100M or 2G"},
    [TB_ENV_BARRIER] = {.name = "TOMBAC_BARRIER", .words = {"volta"}, .expected = "\"volta\", or not set"},
    [TB_ENV_SOLVERS] = {.name = "TOMBAC_SOLVERS", .words = {"host", "device"}, .expected = "\"host\" or \"device\""},
    [TB_ENV_SPARSE_SOLVERS] = {.name = "TOMBAC_SPARSE_SOLVERS",
                               .words = {"host", "device"},
                               .expected = "\"host\" or \"device\""},
    [TB_ENV_TF32] = {.name = "TOMBAC_TF32", .words = {"0", "1"}, .expected = "\"0\" or \"1\""},
    [TB_ENV_DEBUG] = {.name = "TOMBAC_DEBUG", .words = {"0", "1"}, .expected = "\"0\" or \"1\""},
};

static int64_t read_word(const variable *v, const char *text)
{
    for (int i = 0; i < (int)(sizeof v->words / sizeof *v->words) && v->words[i]; i++)
        if (strcmp(text, v->words[i]) == 0) return i;
    return -1;
}

/* A whole number; with a unit it may have a fraction. */
static int64_t read_number(const variable *v, const char *text)
{
    char *end;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (end == text || text[0] < '0' || text[0] > '9' || errno != 0) return -1;
    if (*end == 0) return n >= v->least && n <= v->most ? n : -1;
    if (!v->unit) return -1;
    double value = strtod(text, &end);
    const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : -1;
    if (shift < 0 || end[1] != 0) return -1;
    value *= (double)(1ll << shift);
    return value < (double)INT64_MAX ? (int64_t)value : -1;
}

/* -1: not one that it may be; *set is false where there is none. */
static int64_t read_variable(const variable *v, bool *set)
{
    const char *text = getenv(v->name);
    *set = text && *text;
    return !*set ? 0 : v->words[0] ? read_word(v, text) : read_number(v, text);
}

int64_t tb__environment(tb_variable v, int64_t otherwise)
{
    bool set;
    const int64_t value = read_variable(&variables[v], &set);
    return set && value >= 0 ? value : otherwise;
}

tb_status tb__environment_check(void)
{
    for (int i = 0; i < TB_NENV; i++) {
        bool set;
        if (read_variable(&variables[i], &set) >= 0) continue;
        return tb__fail(TB_ERR_VALUE, "%s is \"%s\"; it must be %s", variables[i].name, getenv(variables[i].name),
                        variables[i].expected);
    }
    return TB_OK;
}
