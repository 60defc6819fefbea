/* test_misuse.c - every function of the header with every kind of wrong argument (misuse.py writes the calls): nothing
 * crashes, aborts or waits for ever; NULL that is no answer fails, and the message names the parameter. Handles that
 * were released are passed with TOMBAC_DEBUG=1 only, where functions fail, or if they cannot, stop the process. Each
 * call is made in a process of its own. */
#include "check.h"
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct wrong_call {
    int (*call)(void);
    const char *text, *parameter;
    enum { MAY_DO_ANYTHING, MUST_FAIL, FAILS_AS_RELEASED, STOPS_AS_RELEASED } outcome;
} wrong_call;

static char memory[1 << 16];
static const int64_t shape[2] = {2, 3}, strides[2] = {24, 8};
static int64_t numbers[64];
static const int axes[2] = {1, 0};
static tb_dtype dtypes[16] = {TB_F64, TB_F64};
static tb_scalar scalar, bad_scalar = {.dtype = (tb_dtype)99};
static tb_array *x, *number, *square, *complex_numbers, *starts, *states, *mask, *results[16], *pair[2];
static tb_pattern pattern, new_pattern;
static tb_least_squares least_squares = {.limit = 2};
static tb_tree tree, new_tree;
static tb_triangulation triangulation;
static tb_array *records, *record_pair[2];
static tb_operand record_operands[4];
static tb_dtype record;
static const tb_field record_fields[2] = {{"x", TB_F32, 0, 0, NULL}, {"y", TB_F64, 8, 1, (const int64_t[]){2}}};
static const tb_record record_source = {sizeof(tb_record), "a record", TB_RECORD_FIELDS, 24, 2, record_fields};
static tb_buffer *buffer;
static tb_stream *stream, *new_stream;
static tb_event *event, *events[8];
static tb_allocator *allocator, *new_allocator;
static tb_module *module, *new_module;
static tb_function *function, *new_function;
static tb_graph *graph, *new_graph;
static tb_elementwise *elementwise, *new_elementwise;
static tb_reducer *reducer, *new_reducer;
static tb_array *gone_array;
static tb_buffer *gone_buffer;
static tb_stream *gone_stream;
static tb_event *gone_event;
static tb_allocator *gone_allocator;
static tb_function *gone_function;
static tb_graph *gone_graph;
static tb_elementwise *gone_elementwise;
static tb_reducer *gone_reducer;
static tb_operand operands[4];
static tb_index key;
static tb_rng rng;
static const tb_filter filter = {1, 1, false, (const double[]){1, 1}, (const double[]){1, 0.5}};
static const tb_window window = {
    .nplace = 1, .place = shape, .weights = (const double[]){1}, .edge = (const tb_spline_edge[2]){0}};
static tb_ufunc_args ufunc_args = {sizeof(tb_ufunc_args), TB_NODTYPE, TB_CAST_SAME_KIND, 'K', NULL};
static tb_reduce_args reduce_args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
static const tb_module_source module_source = {sizeof(tb_module_source),
                                               .code = "extern \"C\" __global__ void f(double *x) { x[0] = 1; }"};
static const tb_fft_callback callback_within = {sizeof(tb_fft_callback), .source = &module_source, .function = "f"};
static const tb_elementwise_source elementwise_source = {sizeof(tb_elementwise_source), .in_params = "T x",
                                                         .out_params = "T y", .operation = "y = x"};
static const tb_reducer_source reducer_source = {
    sizeof(tb_reducer_source), .in_params = "T x",       .out_params = "T y", .map_expr = "x",
    .reduce_expr = "a + b",    .post_map_expr = "y = a", .identity = "0"};
static const tb_launch_shape launch_shape = {sizeof(tb_launch_shape), {1, 1, 1}, {1, 1, 1}, 0, false};
static tb_kernel_arg kernel_arg;

static struct DLManagedTensor *plain;
static struct DLManagedTensorVersioned *versioned;

static struct DLManagedTensor *plain_tensor(void)
{
    CHECK_OK(tb_to_dlpack(x, &plain));
    return plain;
}

static struct DLManagedTensorVersioned *versioned_tensor(void)
{
    CHECK_OK(tb_to_dlpack_versioned(x, false, &versioned));
    return versioned;
}

static void callback(void *arg) { (void)arg; }

static tb_status allocate(void *arg, size_t bytes, tb_buffer **out)
{
    (void)arg;
    return tb_buffer_new_in(NULL, bytes, out);
}

#include "misuse_calls.h"

static void make_fixtures(void)
{
    const int64_t n = 2;
    CHECK_OK(tb_init());
    CHECK_OK(tb_full(TB_F64, 2, shape, 'C', tb_scalar_int(1), &x));
    CHECK_OK(tb_full(TB_F64, 0, NULL, 'C', tb_scalar_int(1), &number));
    CHECK_OK(tb_full(TB_F64, 2, (int64_t[]){3, 3}, 'C', tb_scalar_int(1), &square));
    CHECK_OK(tb_full(TB_C128, 2, shape, 'C', tb_scalar_int(1), &complex_numbers));
    CHECK_OK(tb_full(TB_I64, 1, &n, 'C', tb_scalar_int(0), &starts));
    CHECK_OK(tb_full(TB_F64, 3, (int64_t[]){1, 1, shape[1]}, 'C', tb_scalar_int(0), &states));
    CHECK_OK(tb_full(TB_BOOL, 2, shape, 'C', tb_scalar_int(1), &mask));
    pattern = (tb_pattern){1, 2, NULL, starts}; /* of two elements, which are the same */
    CHECK_OK(tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(2), n, &pattern.start));
    CHECK_OK(tb_tree_make(x, &tree));
    CHECK_OK(tb_stream_current(&stream));
    CHECK_OK(tb_event_new(0, &event));
    CHECK_OK(tb_allocator_pool(NULL, &allocator));
    CHECK_OK(tb_elementwise_new(&elementwise_source, &elementwise));
    CHECK_OK(tb_reducer_new(&reducer_source, &reducer));
    if (tb_module_compile(&module_source, NULL, &module) == TB_OK) CHECK_OK(tb_module_function(module, "f", &function));
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &new_stream));
    CHECK_OK(tb_stream_capture_begin(new_stream, 2));
    CHECK_OK(tb_stream_capture_end(new_stream, &graph));
    for (int i = 0; i < 4; i++) operands[i] = tb_operand_array(x);
    pair[0] = pair[1] = x;
    CHECK_OK(tb_record_new(&record_source, &record));
    CHECK_OK(tb_full(record, 2, shape, 'C', tb_scalar_int(1), &records));
    for (int i = 0; i < 4; i++) record_operands[i] = tb_operand_array(records);
    record_pair[0] = record_pair[1] = records;
    kernel_arg.array = x;
}

/* All must have been there before the first goes: what is made after it might take its place. */
static void make_released(void)
{
    CHECK_OK(tb_empty(TB_F64, 2, shape, 'C', &gone_array));
    CHECK_OK(tb_buffer_new(64, &gone_buffer));
    CHECK_OK(tb_event_new(0, &gone_event));
    CHECK_OK(tb_allocator_pool(NULL, &gone_allocator));
    CHECK_OK(tb_elementwise_new(&elementwise_source, &gone_elementwise));
    CHECK_OK(tb_reducer_new(&reducer_source, &gone_reducer));
    if (module) CHECK_OK(tb_module_function(module, "f", &gone_function));
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &gone_stream));
    CHECK_OK(tb_stream_capture_begin(gone_stream, 2));
    CHECK_OK(tb_stream_capture_end(gone_stream, &gone_graph));
    tb_array_release(gone_array);
    tb_buffer_release(gone_buffer);
    tb_event_release(gone_event);
    tb_allocator_release(gone_allocator);
    tb_elementwise_release(gone_elementwise);
    tb_reducer_release(gone_reducer);
    tb_function_release(gone_function);
    tb_stream_release(gone_stream);
    tb_graph_release(gone_graph);
}

/* What the child's exit status says. */
enum { FINE = 0, SUCCEEDED = 3, SILENT = 4 };

static void in_child(const wrong_call *c)
{
    alarm(60);
    if (c->outcome >= FAILS_AS_RELEASED) { /* with many words */
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (!freopen("/dev/null", "w", stderr)) _exit(SILENT);
    }
    const int status = c->call();
    if (c->outcome == MAY_DO_ANYTHING) _exit(FINE);
    if (c->outcome == STOPS_AS_RELEASED || status == TB_OK) _exit(SUCCEEDED);
    if (c->outcome == FAILS_AS_RELEASED && !strstr(tb_error_message(), "was released")) _exit(SILENT);
    _exit(strstr(tb_error_message(), c->parameter) ? FINE : SILENT);
}

static bool try_call(const wrong_call *c)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) in_child(c);
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    if (c->outcome == STOPS_AS_RELEASED ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT : status == FINE)
        return true;
    if (WIFSIGNALED(status)) fprintf(stderr, "%s: signal %d\n", c->text, WTERMSIG(status));
    else if (WEXITSTATUS(status) == SUCCEEDED) fprintf(stderr, "%s: no error\n", c->text);
    else if (WEXITSTATUS(status) == SILENT) fprintf(stderr, "%s: the message lacks '%s'\n", c->text, c->parameter);
    else fprintf(stderr, "%s: exit code %d\n", c->text, WEXITSTATUS(status));
    return false;
}

int main(int argc, char **argv)
{
    const char *mode = getenv("TOMBAC_DEBUG");
    const bool debug = mode && strcmp(mode, "1") == 0;
    int failed = 0;
    make_fixtures();
    if (debug) make_released();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if ((calls[i].outcome >= FAILS_AS_RELEASED) != debug) continue;
        if (argc < 2 || strstr(calls[i].text, argv[1])) failed += !try_call(&calls[i]);
    }
    CHECK(failed == 0);
    fprintf(stderr, "%zu calls, %d failed\n", sizeof calls / sizeof *calls, failed);
    return check_report();
}
