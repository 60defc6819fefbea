/* kernel.h - inside src/backend/gpu: from a variant to functions that can be launched.
 *
 *   bundle.c   machine code that came with the build
 *   kernel_name.c  what a kernel is called in a cache; the user's is compile/disk.c
 *   kernel.c   the kernels of this process, by variant
 *   profile.c      whether a plan was met before, and what it has cost that its kernel was not there
 *   cost.c     what a kernel would save, what it takes to make it, and whether that is worth it
 *   steps.c   a plan taken apart into plans of one operation
 *   ready.c    the launches of all these, before the first is made; which kernels they lack
 *   tier.c     which of these to use now
 *   compilers.c  the threads that compile
 *   recent.c   launches made lately
 *   launch.c   running a plan; fill.c one that needs no kernel
 *   queue.c    what is kept for a stream */
#ifndef TB_BACKEND_GPU_KERNEL_H
#define TB_BACKEND_GPU_KERNEL_H
#include "backend/gpu/gpu.h"

/* ---- kernel_name.c ---- */
/* The name of what the compiler makes of `source` here. False when there is none: then nothing is cached under it. */
bool tb__disk_name(const char *source, int arch, tb_kernel_name *out);
/* The name of the same for the kernels that are shipped, whatever compiler made them. */
void tb__disk_shipped_name(const char *source, int arch, tb_kernel_name *out);

/* ---- bundle.c ---- */
/* A shipped kernel that the architecture runs. */
bool tb__bundle_read(const char *source, int arch, tb_image *out);
/* What a bundle, aligned to 8 bytes, has under a name. Nothing in it is taken to be right. */
bool tb__bundle_find(const char *data, uint64_t size, const tb_kernel_name *name, tb_image *out);
/* Writes the bundle of an architecture: what a build makes. Loaded from a file called sm_<arch>.tbk. */
bool tb__bundle_write(const char *path, size_t n, const tb_kernel_name *names, const tb_image *images);

/* ---- kernel.c ---- */
typedef enum tb_kernel_state {
    TB_KERNEL_MISSING,  /* nobody has compiled it */
    TB_KERNEL_QUEUED,   /* a thread of compilers.c has it, or will */
    TB_KERNEL_COMPILED, /* `image` is there */
    TB_KERNEL_FAILED,   /* it could not be compiled: `failure` */
    TB_KERNEL_READY,    /* loaded: `function` may be launched */
} tb_kernel_state;

/* Where a kernel may come from: each takes longer than the one before, and is asked after it. */
typedef enum tb_kernel_place { TB_IN_PROCESS, TB_SHIPPED, TB_ON_DISK } tb_kernel_place;

typedef struct tb_kernel {
    int state; /* atomic: a thread of compilers.c moves it on from QUEUED */
    int device;
    tb_kernel_place searched; /* it is neither there nor in the places before */
    tb_status failure;
    bool read;       /* `image` is a file's: it may be one that the driver does not load, */
    bool distrusted; /* as one was that had been made in a hurry */
    tb_image image;
    bool improved; /* atomic: the image was made in a hurry, and `better` takes its place */
    tb_image better;
    void *function;
    bool early; /* as tb_gpu_function says */
    struct tb_kernel *next;
    uint64_t hash;
    int keylen;
    unsigned char key[];
} tb_kernel;

/* The kernel of a variant, made (MISSING) if it is new. Kernels live as long as the process. */
tb_status tb__kernel_get(int device, const tb_variant *v, tb_kernel **out);
/* Looks for the kernel, MISSING before it, in all places up to `place`. READY after it, or `searched`. */
tb_status tb__kernel_search(tb_kernel *k, const tb_plan *p, tb_kernel_place place);
/* Compiles it here and now. READY after it. */
tb_status tb__kernel_compile(tb_kernel *k, const tb_plan *p);
/* COMPILED to READY; to MISSING where a file could not be loaded, which counts as one that is not there. */
tb_status tb__kernel_load(tb_kernel *k);

static inline tb_kernel_state tb__kernel_state(const tb_kernel *k)
{
    return (tb_kernel_state)__atomic_load_n(&k->state, __ATOMIC_ACQUIRE);
}

static inline void tb__kernel_set_state(tb_kernel *k, tb_kernel_state state)
{
    __atomic_store_n(&k->state, state, __ATOMIC_RELEASE);
}

/* ---- recent.c ---- */
/* What the driver is called with. */
typedef struct tb_launch {
    void *function;
    bool early;
    uint32_t grid[3], block[3];
    _Alignas(16) unsigned char params[256];
} tb_launch;
/* A launch of p, whose outline is o, by the memory of an earlier one of the same outline. */
bool tb__recent_find(int device, const tb_outline *o, const tb_plan *p, tb_launch *out);
/* Has launches found anew: a kernel has been improved. From any thread, without locks. */
void tb__recent_forget(void);
/* Remembers the launch of a variant with its kernel, which is READY, unless that is not worth it. */
void tb__recent_add(int device, const tb_outline *o, const tb_kernel *k, const tb_variant *v);

/* ---- profile.c ---- */
/* A plan whose kernels are the same, but for layout. */
typedef struct tb_profile {
    uint64_t hash; /* 0: nothing is here */
    uint64_t lost; /* nanoseconds that it took longer step by step, all in all */
    bool before;   /* it has run step by step, or its kernel has been waited for */
} tb_profile;
/* Valid until the next call; NULL where memory runs out. */
tb_profile *tb__profile_of(int device, const tb_plan *p);

/* ---- cost.c ---- */
/* Nanoseconds, roughly: that one run step by step takes longer than the whole, and that compiling the whole takes. */
uint64_t tb__cost_saved(const tb_plan *p, const tb_speed *speed);
uint64_t tb__cost_compile(const tb_plan *p);
typedef enum tb_when { TB_LATER, TB_SOON, TB_NOW } tb_when;
/* When to compile the whole of a plan, which may have run step by step before: not yet, in the background, or before it
 * runs. */
tb_when tb__cost_when(uint64_t saved, bool before, uint64_t compile);

/* ---- steps.c ---- */
enum { TB_STEPS_MAX = TB_PLAN_MAXINSTR + TB_PLAN_MAXSTORE + 1 };

/* A plan as a sequence of plans of at most one operation, with temporaries between them. */
typedef struct tb_steps {
    const tb_plan *plan;
    int n;
    int ncopy;
    int8_t direct[TB_PLAN_MAXINSTR]; /* the store that an instruction's step writes itself, or -1: a temporary */
    int8_t copy[TB_PLAN_MAXSTORE];   /* stores that steps of their own write at the end */
    uint8_t slot[TB_PLAN_MAXINSTR];  /* which temporary */
    int nslot;
    size_t slot_size[TB_PLAN_MAXINSTR];
} tb_steps;

/* False when p cannot be taken apart. */
bool tb__steps_of(const tb_plan *p, tb_steps *out);
/* Step i, finished, with the temporaries at the given addresses (those of tb__pool_alloc, or any as well aligned). */
void tb__steps_plan(const tb_steps *steps, int i, void *const *slots, tb_plan *out);

/* ---- ready.c ---- */
/* A plan step by step whose kernels are all READY: nothing has run, but nothing is missing any more. */
typedef struct tb_ready {
    tb_steps steps;
    void *slots[TB_PLAN_MAXINSTR]; /* the temporaries */
    tb_launch *launch;             /* of each step; those without a function need scratch memory besides */
} tb_ready;

/* Makes p ready to run step by step, with kernels found up to `place`. False, and nothing to be given back, where that
 * cannot be: it cannot be taken apart, a kernel is not there, or memory has run out. */
bool tb__ready_steps(tb_stream *s, const tb_plan *p, tb_kernel_place place, tb_ready *out);
/* Gives the temporaries back; kernels that are enqueued still use them. */
void tb__ready_free(tb_stream *s, tb_ready *r);

/* Threads that compile, at most. */
enum { TB_COMPILERS_MAX = 8 };

/* Kernels by which a plan can run: the whole, or, with `steps`, all of those that were missing of its steps. */
typedef struct tb_wanted {
    tb_kernel *whole;
    bool steps;
    int nstep;
    tb_kernel *step[TB_COMPILERS_MAX];
} tb_wanted;
/* Has p's steps compiled that are missing, as far as threads have nothing to do. They are a way if that is all of
 * them, no more than there may be threads, and if the stream has room for what is between them. */
void tb__ready_want(tb_stream *s, const tb_plan *p, tb_wanted *w);

/* ---- compilers.c ---- */
enum { TB_WORTH_WAITING = -1 }; /* as uint64_t: worth more than any time that may be saved */
/* Has p's kernel k, MISSING before it and QUEUED after it, read from disk or compiled. False: it cannot be, and k is as
 * it was. worth: nanoseconds that were lost by not having it; jobs that are worth more come first. What somebody waits
 * for is compiled in a hurry, where tb__tier_hurries, and once more when nobody has waited for a while. */
bool tb__compilers_submit(tb_kernel *k, const tb_plan *p, uint64_t worth);
void tb__compilers_raise(const tb_kernel *k, uint64_t worth); /* of a kernel that is QUEUED */
int tb__compilers_idle(void); /* threads that have nothing to do, those that may still be started among them */
/* Until one of the ways is there, or will not be; without any of the caller's locks but the core lock, if it has it. */
void tb__compilers_wait_for(const tb_wanted *w);

/* ---- tier.c ---- */
/* How to run a plan. WAIT: not yet; tb__tier_wait returns when it is to be tried again. */
typedef enum tb_tier_choice { TB_TIER_WHOLE, TB_TIER_STEPS, TB_TIER_WAIT } tb_tier_choice;
/* Runs a plan that is new, if it is not worth to be compiled yet and its steps are at hand: STEPS, and `steps` is
 * filled. WHOLE: there is more to be thought about. */
tb_tier_choice tb__tier_meet(tb_stream *s, const tb_plan *p, tb_ready *steps);
/* Decides how to run p on s, whose kernel k is not READY. WHOLE: k is READY now. STEPS: `steps` is filled. */
tb_status tb__tier_choose(tb_stream *s, tb_kernel *k, const tb_plan *p, tb_ready *steps, tb_tier_choice *out);
/* Brings k as far as it gets with the places, none of which takes long. */
tb_status tb__tier_advance(tb_kernel *k, const tb_plan *p, tb_kernel_place place);
/* Whether kernels that somebody waits for are compiled in a hurry first. Under the core lock. */
bool tb__tier_hurries(void);
/* Makes k READY whatever it takes. */
tb_status tb__tier_force(tb_kernel *k, const tb_plan *p);

/* ---- fill.c ---- */
/* Runs p if it needs no kernel. */
tb_status tb__gpu_fill(tb_stream *s, const tb_plan *p, bool *done);
#endif
