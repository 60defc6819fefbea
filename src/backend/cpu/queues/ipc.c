/* ipc.c - memory and events that processes share, by files in memory that the other process opens through /proc.
 *
 * Memory becomes such a file when its handle is asked for: its content is copied to one, which then takes its place, at
 * the same address. So memory that nobody shares costs nothing, and keeps its huge pages. A mapping keeps the file
 * alive, whatever the process that made it does.
 *
 * An event has a page of two counts: how often it was recorded, and the last of these that its stream has reached.
 * Whoever waits sleeps on the second (a futex). Called with the core lock held, but for what events do. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "backend/cpu/queues/queue.h"
#include "base/error.h"
#include "base/interrupt.h"

enum { HANDLE_SIZE = 64, TYPE_DEVICE = 2 };
enum { INVALID_VALUE = 1, SAME_PROCESS = 201, CANNOT_MAP = 205, INVALID_HANDLE = 400, NOT_SUPPORTED = 801 };

/* What a handle's bytes say. */
typedef struct handle {
    char kind[8];
    int pid, file;
    uint64_t size, volume, inode; /* the file's: a descriptor may stand for another one by now */
} handle;

_Static_assert(sizeof(handle) <= HANDLE_SIZE, "a handle has 64 bytes");

static const char memory_kind[8] = "tb mem", event_kind[8] = "tb evnt";

struct tb_event_page {
    uint32_t given, done;
};

static tb_status invalid(const char *who)
{
    return tb__fail_device(INVALID_VALUE, who, "cudaErrorInvalidValue: invalid argument");
}

static size_t whole_pages(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (n + page - 1) & ~(page - 1);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static tb_status no_file(const char *who)
{
    char text[160];
    snprintf(text, sizeof text, "cudaErrorNotSupported: memory cannot be made a file: %s", strerror(errno));
    return tb__fail_device(NOT_SUPPORTED, who, text);
}

/* A file in memory without a name. Kernels before 3.17 and C libraries of that age do not have them as such. */
static int open_file(void)
{
#ifdef SYS_memfd_create
    enum { CLOSE_ON_EXEC = 1 };
    int f = (int)syscall(SYS_memfd_create, "tombac", CLOSE_ON_EXEC);
    if (f >= 0 || errno != ENOSYS) return f;
#endif
    char path[] = "/dev/shm/tombac-XXXXXX";
    int named = mkostemp(path, O_CLOEXEC);
    if (named >= 0) unlink(path);
    return named;
}

static tb_status new_file(const char *who, size_t size, int *file)
{
    int f = open_file();
    if (f >= 0 && ftruncate(f, (off_t)size) != 0) {
        close(f);
        f = -1;
    }
    *file = f;
    return f >= 0 ? TB_OK : no_file(who);
}

static void *map(int file, size_t size, void *at)
{
    return mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file, 0);
}

static tb_status write_handle(const char *kind, int file, size_t size, void *out)
{
    struct stat s;
    handle h = {.pid = getpid(), .file = file, .size = size};
    if (fstat(file, &s) != 0) return no_file("an interprocess handle");
    memcpy(h.kind, kind, sizeof h.kind);
    h.volume = s.st_dev;
    h.inode = s.st_ino;
    memset(out, 0, HANDLE_SIZE);
    memcpy(out, &h, sizeof h);
    return TB_OK;
}

static tb_status read_handle(const char *who, const char *kind, const void *bytes, handle *h)
{
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->kind, kind, sizeof h->kind) != 0)
        return tb__fail_device(INVALID_HANDLE, who, "cudaErrorInvalidResourceHandle: invalid resource handle");
    if (h->pid == getpid())
        return tb__fail_device(SAME_PROCESS, who, "cudaErrorDeviceUninitialized: the handle is of this very process");
    return TB_OK;
}

static tb_status map_handle(const char *who, const handle *h, void **out)
{
    char path[64];
    struct stat s;
    void *p = MAP_FAILED;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", h->pid, h->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && fstat(file, &s) == 0 && s.st_dev == h->volume && s.st_ino == h->inode)
        p = map(file, h->size, NULL);
    if (file >= 0) close(file);
    if (p == MAP_FAILED)
        return tb__fail_device(CANNOT_MAP, who,
                               "cudaErrorMapBufferObjectFailed: the process that made the handle is"
                               " gone, has freed what it stands for, or belongs to another user");
    *out = p;
    return TB_OK;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static bool copy_to_file(int file, const char *p, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t wrote = pwrite(file, p + at, n - at < INT_MAX / 2 ? n - at : INT_MAX / 2, (off_t)at);
        if (wrote > 0) at += (size_t)wrote;
        else if (errno != EINTR) return false;
    }
    return true;
}

static tb_status share(tb_region *r)
{
    int file = -1;
    size_t size = whole_pages(r->size);
    TB_TRY(new_file("ipcGetMemHandle", size, &file));
    if (!copy_to_file(file, r->ptr, r->size) || map(file, size, r->ptr) == MAP_FAILED) {
        tb_status status = no_file("ipcGetMemHandle");
        close(file);
        return status;
    }
    r->file = file;
    return TB_OK;
}

/* The allocator gets back pages that are its own. */
void tb__cpu_unshare(tb_region *r)
{
    if (r->file < 0) return;
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap(r->ptr, whole_pages(r->size), protection, flags, -1, 0) == MAP_FAILED) return; /* it stays the file */
    close(r->file);
    r->file = -1;
}

/* Of the whole block that the pointer is in, as CUDA does it. */
static tb_status get_memory(int64_t ptr, void *bytes)
{
    tb_region *r = tb__cpu_region((void *)(intptr_t)ptr);
    if (!r || r->type != TYPE_DEVICE || r->pool || r->opened) return invalid("ipcGetMemHandle");
    if (r->file < 0) TB_TRY(share(r));
    return write_handle(memory_kind, r->file, r->size, bytes);
}

/* What is opened: a handle that comes again stands for the same mapping. */
typedef struct opening {
    uint64_t volume, inode;
    tb_region *region;
    struct opening *next;
} opening;

static opening *openings;

static tb_status open_new(const handle *h, int64_t *out)
{
    void *p = NULL;
    opening *o = malloc(sizeof *o);
    if (!o) return tb__fail_memory(sizeof *o, 0, 0, 0);
    tb_status status = map_handle("ipcOpenMemHandle", h, &p);
    if (status == TB_OK) {
        status = tb__cpu_region_new(p, h->size, TYPE_DEVICE, &o->region);
        if (status != TB_OK) munmap(p, h->size);
    }
    if (status != TB_OK) {
        free(o);
        return status;
    }
    o->region->opened = 1;
    o->volume = h->volume;
    o->inode = h->inode;
    o->next = openings;
    openings = o;
    out[0] = (int64_t)(intptr_t)p;
    return TB_OK;
}

static tb_status open_memory(const void *bytes, int64_t *out)
{
    handle h;
    TB_TRY(read_handle("ipcOpenMemHandle", memory_kind, bytes, &h));
    for (opening *o = openings; o; o = o->next) {
        if (o->volume != h.volume || o->inode != h.inode) continue;
        o->region->opened++;
        out[0] = (int64_t)(intptr_t)o->region->ptr;
        return TB_OK;
    }
    return open_new(&h, out);
}

static tb_status close_memory(int64_t ptr)
{
    opening **link = &openings;
    while (*link && (int64_t)(intptr_t)(*link)->region->ptr != ptr) link = &(*link)->next;
    opening *o = *link;
    if (!o) return invalid("ipcCloseMemHandle");
    if (--o->region->opened > 0) return TB_OK;
    *link = o->next;
    tb__cpu_region_take(o->region->ptr);
    munmap(o->region->ptr, o->region->size);
    free(o->region);
    free(o);
    return TB_OK;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

tb_status tb__cpu_event_share(tb_cpu_event *e)
{
    int file = -1;
    TB_TRY(new_file("an interprocess event", sizeof(tb_event_page), &file));
    void *p = map(file, sizeof(tb_event_page), NULL);
    if (p == MAP_FAILED) {
        tb_status status = no_file("an interprocess event");
        close(file);
        return status;
    }
    e->page = p;
    e->file = file;
    return TB_OK;
}

void tb__cpu_event_unshare(tb_cpu_event *e)
{
    if (!e->page) return;
    munmap(e->page, sizeof *e->page);
    if (e->file >= 0) close(e->file);
}

uint32_t tb__event_page_give(tb_event_page *p) { return __atomic_add_fetch(&p->given, 1, __ATOMIC_ACQ_REL); }

uint32_t tb__event_page_given(const tb_event_page *p) { return __atomic_load_n(&p->given, __ATOMIC_ACQUIRE); }

/* Counts may wrap around. */
bool tb__event_page_reached(const tb_event_page *p, uint32_t n)
{
    return (int32_t)(__atomic_load_n(&p->done, __ATOMIC_ACQUIRE) - n) >= 0;
}

void tb__event_page_reach(tb_event_page *p, uint32_t n)
{
    uint32_t done = __atomic_load_n(&p->done, __ATOMIC_RELAXED);
    while ((int32_t)(n - done) > 0 &&
           !__atomic_compare_exchange_n(&p->done, &done, n, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
    syscall(SYS_futex, &p->done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

tb_status tb__event_page_wait(tb_event_page *p, uint32_t n)
{
    while (!tb__event_page_reached(p, n)) {
        const struct timespec most = {.tv_nsec = TB_ASK_EVERY * 1000000};
        uint32_t done = __atomic_load_n(&p->done, __ATOMIC_ACQUIRE);
        if ((int32_t)(done - n) >= 0) break;
        if (syscall(SYS_futex, &p->done, FUTEX_WAIT, done, &most, NULL, 0) == 0 || errno != ETIMEDOUT) continue;
        TB_TRY(tb__interrupted());
    }
    return TB_OK;
}

static tb_status open_event(const void *bytes, int64_t *out)
{
    handle h;
    void *p = NULL;
    tb_cpu_event *e = calloc(1, sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    tb_status status = read_handle("ipcOpenEventHandle", event_kind, bytes, &h);
    if (status == TB_OK) status = map_handle("ipcOpenEventHandle", &h, &p);
    if (status != TB_OK) {
        free(e);
        return status;
    }
    *e = (tb_cpu_event){.refs = 1, .page = p, .file = -1};
    out[0] = (int64_t)(intptr_t)e;
    return TB_OK;
}

static tb_status get_event(const tb_cpu_event *e, void *bytes)
{
    if (!e || !e->page || e->file < 0) return invalid("ipcGetEventHandle");
    return write_handle(event_kind, e->file, sizeof *e->page, bytes);
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

tb_status tb__cpu_ipc(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    void *first = (void *)(intptr_t)in[0], *second = (void *)(intptr_t)in[1];
    switch (op) {
    case TB_RT_ipcGetMemHandle: return get_memory(in[0], second);
    case TB_RT_ipcOpenMemHandle: return open_memory(first, out);
    case TB_RT_ipcCloseMemHandle: return close_memory(in[0]);
    case TB_RT_ipcGetEventHandle: return get_event(first, second);
    default: return open_event(first, out);
    }
}
