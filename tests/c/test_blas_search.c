/* test_blas_search.c - which BLAS is taken of those that are installed. Each case is a process of its own, whose
 * LD_LIBRARY_PATH has made-up libraries (fake_blas.c, in the folder of the argument) under the names of real ones. The
 * names that a case does not use are a library without routines there, so that what this machine has is not found. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { MOST = 4, PATH_SIZE = 1024, OWN = 8 }; /* OWN: what the library's own loops give */

typedef struct row {
    const char *name;
    struct {
        const char *name, *is; /* libNAME is fake library IS */
    } there[MOST];
    double number;     /* what products give */
    const char *shown; /* a part of tb_show_config's line */
} row;

static const row rows[] = {
    {"openblas", {{"openblas.so.0", "openblas"}, {"blas.so.3", "reference"}}, 2, "OpenBLAS ("},
    {"order", {{"blis.so.4", "blis"}, {"mkl_rt.so.2", "mkl"}, {"blas.so.3", "reference"}}, 4, "MKL ("},
    {"blis", {{"blis.so.4", "blis"}, {"blas.so.3", "reference"}}, 3, "BLIS ("},
    {"alternative", {{"blas.so.3", "openblas"}}, 2, "OpenBLAS ("},
    {"reference", {{"blas.so.3", "reference"}}, OWN, "reference implementation ("},
    {"in_disguise", {{"openblas.so.0", "reference"}, {"blis.so.4", "blis"}}, 3, "BLIS ("},
    {"long_integers", {{"openblas.so.0", "long"}, {"blas.so.3", "reference"}}, OWN, "reference implementation ("},
    {"flexiblas", {{"flexiblas.so.3", "flexi"}, {"blas.so.3", "reference"}}, 6, "FlexiBLAS: OPENBLAS ("},
    {"flexiblas_netlib", {{"flexiblas.so.3", "flexi_netlib"}}, OWN, "reference implementation ("},
    {"none", {{NULL, NULL}}, OWN, "none found"},
};
enum { NROW = sizeof rows / sizeof *rows };

/* ---- a case, in a process of its own ----------------------------------------------------------------------------- */

static int nwarning;
static tb_status warning_status = TB_OK;

static tb_status heard(const char *message)
{
    CHECK(strstr(message, "Install OpenBLAS") != NULL);
    nwarning++;
    return warning_status;
}

static void check_config(const row *r)
{
    char *text = NULL;
    if (!CHECK_OK(tb_show_config(&text))) return;
    const char *line = strstr(text, "BLAS  "), *shown = line ? strstr(line, r->shown) : NULL;
    if (!line || !shown || shown > strchr(line, '\n')) fprintf(stderr, "%s: %s", r->name, line ? line : text);
    CHECK(line && shown && shown < strchr(line, '\n'));
    tb_free(text);
}

static void check_products(const row *r)
{
    const int64_t shape[2] = {OWN, OWN};
    const bool slow = r->number == OWN;
    double numbers[OWN * OWN] = {0};
    tb_array *a = NULL;
    CHECK_OK(tb_full(TB_F64, 2, shape, 'C', tb_scalar_float(1), &a));
    for (int i = 0; i < 3; i++) {
        tb_array *c = NULL;
        warning_status = i == 0 ? TB_ERR_CALLER : TB_OK;
        if (slow && i == 0) {
            CHECK(tb_matmul(a, a, &c) == TB_ERR_CALLER);
            continue;
        }
        if (!CHECK_OK(tb_matmul(a, a, &c))) break;
        CHECK_OK(tb_array_get(c, numbers, NULL, NULL, true));
        CHECK(numbers[0] == r->number && numbers[OWN * OWN - 1] == r->number);
        tb_array_release(c);
    }
    CHECK(nwarning == slow);
    CHECK(tb_needs_blas() == slow);
    tb_array_release(a);
}

static int run_case(const row *r)
{
    tb_warning_function_set(heard);
    check_config(r);
    CHECK(nwarning == 0);
    check_products(r);
    if (check_failures) fprintf(stderr, "in the case %s\n", r->name);
    return check_report();
}

/* ---- a folder for it --------------------------------------------------------------------------------------------- */

static const char *const hidden[] = {
    "openblas.so.0",    "openblasp.so.0", "openblaso.so.0",
    "openblas.so",      "mkl_rt.so.3",    "mkl_rt.so.2",
    "mkl_rt.so.1",      "mkl_rt.so",      "blis-mt.so.5",
    "blis-mt.so.4",     "blis-mt.so",     "blis.so.5",
    "blis.so.4",        "blis.so.3",      "blis.so",
    "flexiblas.so.3",   "flexiblas.so",   "nvpl_blas_lp64_gomp.so.0",
    "armpl_lp64_mp.so", "tatlas.so.3",    "satlas.so.3",
    "blas.so.3",        "blas.so",
};
enum { NHIDDEN = sizeof hidden / sizeof *hidden };

static const char *library_of(const row *r, const char *name)
{
    for (int i = 0; i < MOST && r->there[i].name; i++)
        if (strcmp(r->there[i].name, name) == 0) return r->there[i].is;
    return "empty";
}

static void link_libraries(const row *r, const char *fakes, const char *folder, bool make)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    for (int i = 0; i < NHIDDEN; i++) {
        snprintf(from, sizeof from, "%s/libfake_%s.so", fakes, library_of(r, hidden[i]));
        snprintf(to, sizeof to, "%s/lib%s", folder, hidden[i]);
        CHECK(access(from, R_OK) == 0);
        CHECK((make ? symlink(from, to) : unlink(to)) == 0);
    }
}

static void start_case(char *self, int number, const char *fakes)
{
    char folder[] = "/tmp/test_blas_search.XXXXXX", text[16];
    int status = -1;
    if (!mkdtemp(folder)) exit(1);
    snprintf(text, sizeof text, "%d", number);
    link_libraries(&rows[number], fakes, folder, true);
    pid_t child = fork();
    if (child == 0) {
        setenv("LD_LIBRARY_PATH", folder, 1);
        execv(self, (char *[]){self, text, (char *)"case", NULL});
        _exit(127);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    link_libraries(&rows[number], fakes, folder, false);
    CHECK(rmdir(folder) == 0);
}

int main(int argc, char **argv)
{
    if (argc == 3) return run_case(&rows[atoi(argv[1])]);
    if (argc != 2) return 2;
    for (int i = 0; i < NROW; i++) start_case(argv[0], i, argv[1]);
    return check_report();
}
