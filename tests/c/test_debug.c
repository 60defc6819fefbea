/* test_debug.c - handles that are released too often, or used after their release. Each wrong program runs in a process
 * of its own, which is this test with the names of a kind of handle and of what is done wrong as arguments: with
 * TOMBAC_DEBUG=1 it is stopped, or a call fails, and what was released is named; without, nothing comes of it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN true /* without TOMBAC_DEBUG it is the sanitizer that stops wrong programs */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN true
#endif
#endif
#ifndef WITH_ASAN
#define WITH_ASAN false
#endif

/* ---- the kinds of handles -------------------------------------------------------------------------------------- */

static void *make_array(void) { return range(TB_F32, 0, 3); }

static void *make_pending(void)
{
    tb_array *a = range(TB_F32, 0, 3), *b;
    tb_fusion_set(TB_FUSION_ALL);
    b = call("add", a, a);
    tb_array_release(a);
    return b;
}

static void *make_deep(void)
{
    tb_array *a = NULL;
    CHECK_OK(tb_empty(TB_I16, 6, (int64_t[]){1, 2, 1, 2, 1, 2}, 'C', &a));
    return a;
}

static void *make_buffer(void)
{
    tb_buffer *b = NULL;
    CHECK_OK(tb_buffer_new(64, &b));
    return b;
}

static void *make_stream(void)
{
    tb_stream *s = NULL;
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    return s;
}

static void *make_event(void)
{
    tb_event *e = NULL;
    CHECK_OK(tb_init());
    CHECK_OK(tb_event_new(0, &e));
    return e;
}

static void *make_allocator(void)
{
    tb_allocator *a = NULL;
    CHECK_OK(tb_init());
    CHECK_OK(tb_allocator_pool(NULL, &a));
    return a;
}

static void *make_module(void)
{
    tb_module *m = NULL;
    tb_module_source source = TB_MODULE_SOURCE_INIT;
    source.code = "extern \"C\" __global__ void k(int *x) { *x = 1; }";
    CHECK_OK(tb_module_compile(&source, NULL, &m));
    return m;
}

static void *make_function(void)
{
    tb_module *m = make_module();
    tb_function *f = NULL;
    CHECK_OK(tb_module_function(m, "k", &f));
    tb_module_release(m);
    return f;
}

static void *make_graph(void)
{
    tb_stream *s = make_stream();
    tb_graph *g = NULL;
    CHECK_OK(tb_stream_capture_begin(s, 2));
    CHECK_OK(tb_stream_capture_end(s, &g));
    tb_stream_release(s);
    return g;
}

static void *make_elementwise(void)
{
    tb_elementwise *k = NULL;
    tb_elementwise_source source = TB_ELEMENTWISE_SOURCE_INIT;
    source.in_params = "T x", source.out_params = "T y", source.operation = "y = x", source.name = "same";
    CHECK_OK(tb_elementwise_new(&source, &k));
    return k;
}

static void *make_reducer(void)
{
    tb_reducer *k = NULL;
    tb_reducer_source source = TB_REDUCER_SOURCE_INIT;
    source.in_params = "T x", source.out_params = "T y", source.map_expr = "x", source.reduce_expr = "a + b";
    source.post_map_expr = "y = a", source.identity = "0";
    CHECK_OK(tb_reducer_new(&source, &k));
    return k;
}

static tb_status use_array(void *a)
{
    tb_array *out;
    return tb_copy(a, 'C', &out);
}

static tb_status use_operand(void *a)
{
    tb_array *out;
    const tb_operand in[2] = {tb_operand_array(a), tb_operand_array(a)};
    return tb_ufunc_call(tb_ufunc_find("add"), in, &out, NULL);
}

static tb_status use_buffer(void *b)
{
    tb_array *out;
    return tb_array_on_buffer(b, 0, TB_F32, 1, (int64_t[]){4}, NULL, &out);
}

static tb_status use_stream(void *s) { return tb_stream_use(s); }
static tb_status use_event(void *e) { return tb_event_record(e, NULL); }

static tb_status use_allocator(void *a)
{
    tb_buffer *b;
    return tb_buffer_new_in(a, 64, &b);
}

static tb_status use_function(void *f)
{
    int value;
    return tb_function_attribute(f, 0, &value);
}

static tb_status use_graph(void *g) { return tb_graph_launch(g, NULL); }

static tb_status use_elementwise(void *k)
{
    tb_array *a = range(TB_F32, 0, 3), *out;
    const tb_operand in = tb_operand_array(a);
    tb_status status = tb_elementwise_call(k, &in, &out, NULL);
    tb_array_release(a);
    return status;
}

static tb_status use_reducer(void *k)
{
    tb_array *a = range(TB_F32, 0, 3), *out;
    const tb_operand in = tb_operand_array(a);
    tb_status status = tb_reducer_call(k, &in, &out, NULL);
    tb_array_release(a);
    return status;
}

static void look_at_array(void *a) { CHECK(tb_array_ndim(a) == 1); }
static void look_at_buffer(void *b) { CHECK(tb_buffer_size(b) == 64); }
static void look_at_stream(void *s) { CHECK(tb_stream_device(s) == 0); }
static void look_at_event(void *e) { CHECK(tb_event_handle(e) != 0); }
static void look_at_function(void *f) { CHECK(tb_function_name(f) != NULL); }
static void look_at_graph(void *g) { CHECK(tb_graph_handle(g) != 0); }
static void look_at_elementwise(void *k) { CHECK(tb_elementwise_nin(k) == 1); }
static void look_at_reducer(void *k) { CHECK(tb_reducer_nin(k) == 1); }

#define HANDLE(type) \
    static void release_##type(void *p) { tb_##type##_release(p); }
#define RETAINED(type) \
    HANDLE(type) \
    static void retain_##type(void *p) { tb_##type##_retain(p); }
RETAINED(array)
RETAINED(buffer)
RETAINED(stream)
HANDLE(event)
RETAINED(allocator)
RETAINED(module)
RETAINED(function)
RETAINED(graph)
HANDLE(elementwise)
HANDLE(reducer)

typedef struct kind {
    const char *name, *called; /* in messages */
    void *(*make)(void);
    void (*release)(void *), (*retain)(void *);
    tb_status (*use)(void *);
    void (*look)(void *);
} kind;

static const kind kinds[] = {
    {"array", "array 1 (float32, shape (3,))", make_array, release_array, retain_array, use_array, look_at_array},
    {"operand", "array 1 (float32, shape (3,))", make_array, release_array, NULL, use_operand, NULL},
    {"pending", "array 2 (float32, shape (3,))", make_pending, release_array, retain_array, use_array, look_at_array},
    {"deep", "(int16, shape (1, 2, 1, 2, 1, 2))", make_deep, release_array, retain_array, use_array, NULL},
    {"buffer", "buffer 1", make_buffer, release_buffer, retain_buffer, use_buffer, look_at_buffer},
    {"stream", "stream 1", make_stream, release_stream, retain_stream, use_stream, look_at_stream},
    {"event", "event 1", make_event, release_event, NULL, use_event, look_at_event},
    {"allocator", "allocator 1", make_allocator, release_allocator, retain_allocator, use_allocator, NULL},
    {"module", "a module to which the program has no reference", make_module, release_module, retain_module, NULL,
     NULL},
    {"function", "function 1 (k)", make_function, release_function, retain_function, use_function, look_at_function},
    {"graph", "graph 1", make_graph, release_graph, retain_graph, use_graph, look_at_graph},
    {"elementwise", "kernel 1 (same)", make_elementwise, release_elementwise, NULL, use_elementwise,
     look_at_elementwise},
    {"reducer", "reduction kernel 1 (reduce_kernel)", make_reducer, release_reducer, NULL, use_reducer,
     look_at_reducer},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

/* ---- wrong programs -------------------------------------------------------------------------------------------- */

/* Seen by other names than static ones: messages are to name them. */
__attribute__((noinline)) void first_release(const kind *k, void *p);
__attribute__((noinline)) void second_release(const kind *k, void *p);

void first_release(const kind *k, void *p)
{
    k->release(p);
    __asm__ volatile(""); /* the call is no jump */
}

void second_release(const kind *k, void *p)
{
    k->release(p);
    __asm__ volatile("");
}

/* Two new arrays are two, and have the right numbers. */
static void check_all_is_well(void)
{
    tb_array *a = range(TB_F32, 0, 3), *b = range(TB_F32, 10, 3), *c = call("add", a, b);
    CHECK(a != b && holds(a, ((float[]){0, 1, 2})) && holds(b, ((float[]){10, 11, 12})));
    CHECK(gives(c, ((float[]){10, 12, 14})));
    tb_array_release(a);
    tb_array_release(b);
}

static int run_wrong(const char *name, const char *what)
{
    const kind *k = kinds;
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    while (strcmp(k->name, name) != 0) k++;
    void *p = k->make();
    first_release(k, p);
    if (strcmp(what, "release") == 0) second_release(k, p);
    if (strcmp(what, "release") == 0) k->release(p);
    if (strcmp(what, "retain") == 0) k->retain(p);
    if (strcmp(what, "look") == 0) k->look(p);
    if (strcmp(what, "use") == 0) CHECK_FAILS(k->use(p), TB_ERR_VALUE, "was released");
    check_all_is_well();
    return check_report();
}

/* ---- their processes ------------------------------------------------------------------------------------------- */

static char *self, said[1 << 16];

/* Its exit status, or less than 0: the signal that ended it. */
static int run(const char *debug, const char *name, const char *what)
{
    int ends[2], status = 0;
    size_t n = 0;
    ssize_t got;
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        setenv("TOMBAC_DEBUG", debug, 1);
        execv(self, (char *[]){self, (char *)name, (char *)what, NULL});
        _exit(127);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + n, sizeof said - 1 - n)) > 0) n += (size_t)got;
    said[n] = 0;
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int count(const char *text)
{
    int n = 0;
    for (const char *at = said; (at = strstr(at, text)); at++) n++;
    return n;
}

static void check_that(bool ok, const kind *k, const char *what)
{
    if (!ok) fprintf(stderr, "%s, %s:\n%s\n", k->name, what, said);
    CHECK(ok);
}

static void test_stopped(const kind *k)
{
    const bool is_cached = strcmp(k->name, "module") == 0; /* it lives on */
    const int status = run("1", k->name, "release");
    check_that(status == -SIGABRT && count(k->called) == 1 && count("_release: ") == 1, k, "release");
    check_that(count("\n  used at\n") == 1 && count("\n  released at\n") == !is_cached, k, "places");
    if (count("that this C library cannot tell") == 0)
        check_that(count("(second_release+") == 1 && count("(first_release+") == !is_cached, k, "names of places");
    if (k->retain) check_that(run("1", k->name, "retain") == -SIGABRT && count("_retain: ") == 1, k, "retain");
    if (k->look) check_that(run("1", k->name, "look") == -SIGABRT && count(k->called) == 1, k, "look");
    if (k->use) check_that(run("1", k->name, "use") == 0 && count(k->called) == 1, k, "use");
}

static void test_ignored(const kind *k)
{
    check_that(run("0", k->name, "release") == 0 && count(" was given a released ") == 1, k, "release, ignored");
    if (k->retain)
        check_that(run("0", k->name, "retain") == 0 && count(" was given a released ") == 1, k, "retain, ignored");
}

/* What is not the caller's to release ends with nobody. */
static int run_borrowed(void)
{
    tb_stream *s = NULL;
    CHECK_OK(tb_stream_null(&s));
    for (int i = 0; i < 3; i++) tb_stream_release(s);
    check_all_is_well();
    return check_report();
}

/* Arrays that stand in other arguments. */
static int run_nested(void)
{
    tb_array *a = range(TB_I64, 0, 3), *gone = range(TB_I64, 0, 3), *pair[2] = {a, gone}, *out;
    const tb_ufunc *add = tb_ufunc_find("add"), *divmod = tb_ufunc_find("divmod");
    const tb_operand in[2] = {tb_operand_array(a), tb_operand_array(a)}, old = tb_operand_array(gone);
    tb_index key[2] = {{.kind = TB_INDEX_INT, .array = gone}, {.kind = TB_INDEX_ARRAY, .array = gone}};
    tb_ufunc_args args = TB_UFUNC_ARGS_INIT;
    args.where = gone;
    tb_array_release(gone);
    CHECK_FAILS(tb_ufunc_call(add, in, &out, &args), TB_ERR_VALUE, "args->where is array 2");
    CHECK_FAILS(tb_ufunc_into(divmod, in, pair, NULL, NULL), TB_ERR_VALUE, "into[1] is array 2");
    CHECK_FAILS(tb_assign_all(2, pair, (tb_array *[]){a, a}, TB_CAST_SAFE), TB_ERR_VALUE, "dst[1] is array 2");
    CHECK_FAILS(tb_assign_all(2, (tb_array *[]){a, a}, pair, TB_CAST_SAFE), TB_ERR_VALUE, "src[1] is array 2");
    CHECK_FAILS(tb_array_index(a, 1, &key[1], &out), TB_ERR_VALUE, "index is array 2");
    CHECK_FAILS(tb_array_index_set(a, 1, &key[0], &old), TB_ERR_VALUE, "value is array 2");
    CHECK_FAILS(tb_ufunc_update(add, a, 1, &key[1], &in[0]), TB_ERR_VALUE, "index is array 2");
    CHECK_OK(tb_array_index(a, 1, &key[0], &out));
    tb_array_release(out);
    tb_function *f = make_function();
    tb_launch_shape shape = TB_LAUNCH_SHAPE_INIT;
    const tb_kernel_arg arg = {.array = gone};
    CHECK_FAILS(tb_function_launch(f, &shape, NULL, 1, &arg), TB_ERR_VALUE, "args is array 2");
    tb_function_release(f);
    CHECK(holds(a, ((int64_t[]){0, 1, 2})));
    tb_array_release(a);
    return check_report();
}

/* ---- right programs, and memory -------------------------------------------------------------------------------- */

/* With TOMBAC_DEBUG. */
static int run_right(void)
{
    enum { MANY = 100000 };
    void *memory = NULL;
    tb_array *a = range(TB_F32, 1, 3), *view = NULL, *b;
    CHECK_OK(tb_array_data(a, &memory));
    CHECK_OK(tb_reshape(a, 2, (int64_t[]){3, 1}, 'C', NULL, &view));
    tb_array_release(a);
    CHECK(((float *)memory)[2] == 3);
    tb_array_release(view);
    CHECK(((unsigned char *)memory)[0] == 0xdd && ((unsigned char *)memory)[11] == 0xdd);
    b = range(TB_F32, 1, 3);
    CHECK(b != a && b != view);
    tb_array_release(b);
    for (int i = 0; i < MANY; i++) tb_array_release(range(TB_I8, 0, 1)); /* what is kept has an end */
    check_all_is_well();
    return check_report();
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc > 2 && strcmp(argv[1], "right") == 0) return run_right();
    if (argc > 2 && strcmp(argv[1], "nested") == 0) return run_nested();
    if (argc > 2 && strcmp(argv[1], "borrowed") == 0) return run_borrowed();
    if (argc > 2) return run_wrong(argv[1], argv[2]);
    for (int i = 0; i < NKIND; i++) {
        test_stopped(&kinds[i]);
        if (!WITH_ASAN) test_ignored(&kinds[i]);
    }
    const kind right = {.name = "right"}, borrowed = {.name = "borrowed"}, nested = {.name = "nested"};
    check_that(run("1", "right", "") == 0 && !said[0], &right, "");
    check_that(run("1", "nested", "") == 0, &nested, "");
    check_that(run("0", "borrowed", "") == 0 && count("tb_stream_release") == 1, &borrowed, "ignored");
    check_that(run("1", "borrowed", "") == -SIGABRT && count("tb_stream_release") == 1, &borrowed, "stopped");
    check_that(run("2", "array", "use") != 0 && count("TOMBAC_DEBUG is \"2\"") > 0, kinds, "no such mode");
    return check_report();
}
