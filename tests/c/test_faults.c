/* test_faults.c - every call of the backend, every block of the pool and every allocation on the host fails once, in
 * each of the programs of fault_programs.c.
 *
 * After a failure each array has the content of before the step or of after it, or reading it fails as long as calls
 * fail; once they do not, all arrays agree on one of the two, the program goes on from there, and ends as it would have
 * without. Nothing is left behind. */
#include <stdlib.h>
#include <string.h>

#include "blas_loops.h"
#include "check.h"
#include "fault_programs.h"
#include "faults.h"

enum { STEPS = 160, BYTES = 16 * 3 * 4096, TRIES = 20000 };

typedef struct content {
    size_t size; /* 0: no array */
    char *bytes;
} content;

static content expected[STEPS + 1][SLOTS]; /* after so many steps */
static int nstep;
static tb_fusion fusion;
static const char *doing = "";
static bool told; /* of each run before it begins: for crashes */

static bool wrong(const fault *f, long k, int step, const char *what)
{
    check_failures++;
    if (check_failures <= 40)
        fprintf(stderr, "%s: row %d, %s %ld (%s)%s, status %d, step %d: %s\n", doing, f->row, "call", k, faults_name(),
                f->stays ? " and later" : "", f->status, step, what);
    return false;
}

/* ---- contents ------------------------------------------------------------------------------------------------- */

static size_t size_of(const tb_array *a) { return (size_t)tb_array_size(a) * tb_dtype_size(tb_array_dtype(a)); }

static bool read_slot(tb_array *a, char *into)
{
    return size_of(a) <= BYTES && tb_array_get(a, into, NULL, NULL, true) == TB_OK;
}

/* Each element is old or new. */
static bool is_mixed(const content *old, const content *new, const tb_array *a, const char *got)
{
    if (!a || old->size != new->size || old->size != size_of(a) + 1) return false;
    size_t item = tb_dtype_size(tb_array_dtype(a));
    for (size_t i = 0; i < size_of(a); i += item)
        if (memcmp(old->bytes + i, got + i, item) != 0 && memcmp(new->bytes + i, got + i, item) != 0) return false;
    return true;
}

static bool has(const content *c, const tb_array *a, const char *got)
{
    return c->size == (a ? size_of(a) + 1 : 0) && (!a || memcmp(c->bytes, got, size_of(a)) == 0);
}

static void remember(int step, const slots *s)
{
    static char got[BYTES];
    for (int i = 0; i < SLOTS; i++) {
        content *c = &expected[step][i];
        free(c->bytes);
        *c = (content){0};
        if (s->capturing && step > 0 && expected[step - 1][i].size) { /* which cannot be read now */
            c->size = expected[step - 1][i].size;
            c->bytes = malloc(c->size);
            memcpy(c->bytes, expected[step - 1][i].bytes, c->size);
        } else if (s->a[i] && !s->capturing && CHECK_OK(read_slot(s->a[i], got) ? TB_OK : TB_ERR_INTERNAL)) {
            c->size = size_of(s->a[i]) + 1;
            c->bytes = malloc(c->size);
            memcpy(c->bytes, got, size_of(s->a[i]));
        }
    }
}

/* ---- one run -------------------------------------------------------------------------------------------------- */

static void release(slots *s)
{
    tb_stream *null;
    tb_fusion_set(fusion);
    CHECK_OK(tb_device_use(0));
    CHECK_OK(tb_stream_null(&null));
    CHECK_OK(tb_stream_use(null));
    tb_allocator_use(false, NULL);
    for (int i = 0; i < SLOTS; i++) tb_array_release(s->a[i]);
    if (s->graph) tb_graph_release(s->graph);
    if (s->event) tb_event_release(s->event);
    if (s->stream) tb_stream_release(s->stream);
    if (s->kernel) tb_elementwise_release(s->kernel);
    if (s->reducer) tb_reducer_release(s->reducer);
    if (s->function) tb_function_release(s->function);
    if (s->module) tb_module_release(s->module);
    if (s->allocator) tb_allocator_release(s->allocator);
}

static void end_capture(slots *s)
{
    s->capturing = false;
    if (tb_stream_capture_status(s->stream) == 0) return;
    tb_graph *g = NULL;
    if (tb_stream_capture_end(s->stream, &g) == TB_OK) tb_graph_release(g);
}

/* While calls fail: what can be read is right. */
static void read_while_failing(const fault *f, long k, slots *s, int step, bool parts)
{
    static char got[BYTES];
    for (int i = 0; i < SLOTS; i++) {
        tb_array *a = s->a[i];
        if (!a || !read_slot(a, got)) continue;
        if (parts && is_mixed(&expected[step][i], &expected[step + 1][i], a, got)) continue;
        if (!has(&expected[step][i], a, got) && !has(&expected[step + 1][i], a, got))
            wrong(f, k, step, "what is read meanwhile is neither old nor new");
    }
}

typedef enum state { OLD, NEW, SAME, TORN } state;

/* Of all slots, once nothing fails: as before the step, as after it, as both where it changes nothing, or neither. */
static state state_of(const fault *f, long k, slots *s, int step, bool backward, bool parts)
{
    static char got[BYTES];
    bool old = true, new = true;
    for (int j = 0; j < SLOTS; j++) {
        int i = backward ? SLOTS - 1 - j : j;
        tb_array *a = s->a[i];
        if (a && !read_slot(a, got)) {
            fprintf(stderr, "%s\n", tb_error_message());
            return wrong(f, k, step, "an array cannot be read though nothing fails any more"), TORN;
        }
        bool is_old = has(&expected[step][i], a, got), is_new = has(&expected[step + 1][i], a, got);
        if (parts && is_mixed(&expected[step][i], &expected[step + 1][i], a, got)) {
            new &= is_new;
            continue;
        }
        if (!is_old && !is_new) {
            char text[64];
            snprintf(text, sizeof text, "slot %d is neither old nor new", i);
            return wrong(f, k, step, text), TORN;
        }
        old &= is_old;
        new &= is_new;
    }
    if (!old && !new) return wrong(f, k, step, "some arrays are old and some are new"), TORN;
    return old && new ? SAME : old ? OLD : NEW;
}

/* In a capture nothing has run, and what was recorded before the failure counts as done: an array may have been
 * assigned another one's old content, but nothing that was never written. */
static void check_after_capture(const fault *f, long k, slots *s, int step)
{
    static char got[BYTES];
    end_capture(s);
    faults_end();
    for (int i = 0; i < 2; i++) {
        bool found = false;
        if (!read_slot(s->a[i], got)) wrong(f, k, step, "an array cannot be read after the capture");
        for (int n = 0; n <= nstep; n++)
            for (int j = 0; j < SLOTS; j++) found |= has(&expected[n][j], s->a[i], got);
        if (!found) wrong(f, k, step, "an array is garbage after the capture");
    }
}

/* Takes the steps from `step` on. The one that failed, or nstep. */
static int take_steps(const fault_program *p, slots *s, int step)
{
    while (step < nstep && p->step(step, s) == TB_OK) step++;
    return step;
}

static void recover(const fault_program *p, const fault *f, long k, slots *s, int step)
{
    read_while_failing(f, k, s, step, p->parts);
    faults_end();
    state now = state_of(f, k, s, step, k % 2, p->parts);
    if (now == TORN) return;
    if (now == SAME && step == nstep - 1) now = NEW;
    int reached = take_steps(p, s, now == NEW ? step + 1 : step);
    if (reached < nstep) {
        fprintf(stderr, "%s\n", tb_error_message());
        wrong(f, k, reached, "fails though nothing is told to any more");
    } else if (state_of(f, k, s, nstep - 1, false, false) == OLD) {
        wrong(f, k, nstep - 1, "the last step did nothing");
    }
}

/* Of both devices' pools, which keep nothing that is free. */
static size_t bytes_used(void)
{
    size_t used = 0;
    for (int device = 0; device < 2; device++) {
        tb_pool_stats stats;
        CHECK_OK(tb_pool_free_all(NULL, device, NULL));
        CHECK_OK(tb_pool_statistics(NULL, device, &stats, sizeof stats));
        used += stats.used_bytes;
    }
    return used;
}

/* Whether the k-th call was there to fail. */
static bool run(const fault_program *p, const fault *f, long k)
{
    static long runs;
    slots s = {.rng = {.seed = 7}, .run = ++runs};
    size_t before = bytes_used();
    if (told) fprintf(stderr, "%s: row %d, call %ld, stays %d, status %d\n", doing, f->row, k, f->stays, f->status);
    faults_begin(f, k);
    int step = take_steps(p, &s, 0);
    if (step < nstep && s.capturing) check_after_capture(f, k, &s, step);
    else if (step < nstep) recover(p, f, k, &s, step);
    else recover(p, f, k, &s, nstep - 1); /* reading may fail */
    bool struck = faults_struck() > 0;
    if (step < nstep && !struck) wrong(f, k, step, "fails though nothing was told to");
    release(&s);
    if (bytes_used() != before && !(p->keeps && f->row == FAULT_HOST))
        wrong(f, k, step, "memory of the pool is still in use");
    if (tb_work_pending()) wrong(f, k, step, "something is still pending");
    return struck;
}

static void reference(const fault_program *p)
{
    slots s = {.rng = {.seed = 7}};
    tb_fusion before = tb_fusion_set(TB_FUSION_OFF);
    nstep = 0;
    remember(0, &s);
    for (int status; nstep < STEPS && (status = p->step(nstep, &s)) != LAST; remember(++nstep, &s))
        if (!check_status_at((tb_status)status, TB_OK, __FILE__, __LINE__, p->name)) break;
    release(&s);
    tb_fusion_set(before);
}

/* ---- all runs: test_faults [program [whether each run is told of]] ---------------------------------------------- */

static const fault faults[] = {
    {FAULT_CALLS, false, TB_ERR_DEVICE},  {FAULT_CALLS, false, TB_ERR_MEMORY}, {FAULT_CALLS, true, TB_ERR_DEVICE},
    {FAULT_BLOCKS, false, TB_ERR_MEMORY}, {FAULT_BLOCKS, true, TB_ERR_MEMORY}, {FAULT_LIMIT, false, TB_ERR_MEMORY},
    {FAULT_HOST, false, TB_ERR_DEVICE},   {FAULT_HOST, true, TB_ERR_DEVICE},
};

static long run_all(const fault_program *p, const fault *f)
{
    long k = 1, outstanding = faults_outstanding();
    while (k < TRIES && run(p, f, k)) k++;
    CHECK(k < TRIES);
    /* The event that stands for a stream's end goes with the next stream; modules are kept for whoever needs them. */
    if (!p->compiles && faults_outstanding() > outstanding + 1)
        wrong(f, k, 0, "something of the backend's is not given back");
    return k;
}

static long run_program(const fault_program *p, bool large, tb_fusion mode)
{
    static const char *const modes[] = {"off", "on", "all"};
    char text[128];
    long runs = 0;
    fault_n = large ? 1500 : 40;
    tb_fusion_set(fusion = mode);
    snprintf(text, sizeof text, "%s, n = %d, fusion %s", p->name, (int)fault_n, modes[mode]);
    doing = text;
    reference(p);
    for (size_t j = 0; j < sizeof faults / sizeof *faults; j++)
        if (!p->compiles || j == 0 || faults[j].row == FAULT_LIMIT) runs += run_all(p, &faults[j]);
    doing = "";
    return runs;
}

int main(int argc, char **argv)
{
    long runs = 0;
    setenv("TOMBAC_CACHE_DIR", "/dev/null/none", 1); /* whatever is compiled is compiled again */
    setenv("TOMBAC_CPU_DEVICES", "2", 1);
    CHECK_OK(faults_install());
    tb_provide_blas(blas_loops, NULL);
    told = argc > 2;
    for (int i = 0; i < fault_nprogram; i++) {
        const fault_program *p = &fault_programs[i];
        if (argc > 1 && strcmp(argv[1], p->name) != 0) continue;
        for (int mode = 0; mode < 3; mode++)
            for (int large = 0; large < 2; large++)
                if (!p->compiles || (!large && mode == TB_FUSION_ON)) runs += run_program(p, large, (tb_fusion)mode);
    }
    printf("%ld runs\n", runs);
    return check_report();
}
