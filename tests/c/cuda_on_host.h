/* cuda_on_host.h - enough of CUDA C++ to run generated kernels on the host, for tests: every thread of a block is a
 * fiber, blocks run one after another, in shuffled order where they may. Barriers and warp shuffles switch fibers;
 * nothing is parallel, but a thread gets no further than its barriers let it, so that missing ones show. C++. */
#ifndef TB_TESTS_CUDA_ON_HOST_H
#define TB_TESTS_CUDA_ON_HOST_H
#include <functional>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <vector>

struct dim3 {
    unsigned x, y, z;
};

static dim3 threadIdx, blockIdx, blockDim, gridDim;

#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__

enum { FIBER_STACK = 64 << 10, FIBERS = 256 };

struct fiber {
    ucontext_t context;
    bool done;
};

static fiber fibers[FIBERS];
static ucontext_t scheduler;
static unsigned running, fiber_count;
static const std::function<void()> *fiber_body;

static void set_thread(unsigned k)
{
    running = k;
    threadIdx = dim3{k % blockDim.x, k / blockDim.x, 0};
}

static void fiber_yield()
{
    const unsigned me = running;
    swapcontext(&fibers[me].context, &scheduler);
    set_thread(me);
}

static void fiber_main()
{
    (*fiber_body)();
    fibers[running].done = true;
}

/* Those who wait for each other: a block or a warp. */
struct gathering {
    unsigned size, arrived, round;
};

static gathering whole_block, warps[FIBERS / 32];

static void meet(gathering &g)
{
    const unsigned round = g.round;
    if (++g.arrived == g.size) {
        g.arrived = 0;
        g.round++;
        return;
    }
    while (g.round == round) fiber_yield();
}

static void run_block(const std::function<void()> &body)
{
    static std::vector<char> stacks(size_t(FIBER_STACK) * FIBERS);
    fiber_count = blockDim.x * blockDim.y;
    fiber_body = &body;
    whole_block = gathering{fiber_count, 0, 0};
    for (unsigned k = 0; k < FIBERS / 32; k++)
        warps[k] = gathering{k * 32 + 32 <= fiber_count ? 32 : fiber_count % 32, 0, 0};
    for (unsigned k = 0; k < fiber_count; k++) {
        getcontext(&fibers[k].context);
        fibers[k].context.uc_stack.ss_sp = stacks.data() + size_t(FIBER_STACK) * k;
        fibers[k].context.uc_stack.ss_size = FIBER_STACK;
        fibers[k].context.uc_link = &scheduler;
        fibers[k].done = false;
        makecontext(&fibers[k].context, fiber_main, 0);
    }
    for (unsigned left = fiber_count, idle = 0; left;) {
        for (unsigned n = fiber_count; n-- > 0;) {
            if (fibers[n].done) continue;
            set_thread(n);
            swapcontext(&scheduler, &fibers[n].context);
            left -= fibers[n].done;
        }
        if (++idle > 1000000) {
            fprintf(stderr, "threads wait for a barrier that others do not reach\n");
            abort();
        }
    }
}

/* `ordered`: blocks wait for blocks of lower numbers, which a GPU starts first. */
static void run_grid(dim3 grid, dim3 block, bool ordered, const std::function<void()> &body)
{
    std::vector<unsigned> order(grid.x * grid.y);
    for (unsigned k = 0; k < order.size(); k++) {
        const unsigned other = ordered ? k : unsigned(rand()) % (k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    gridDim = grid;
    blockDim = block;
    for (unsigned k : order) {
        blockIdx = dim3{k % grid.x, k / grid.x, 0};
        run_block(body);
    }
}

static inline void __syncthreads() { meet(whole_block); }
static inline void __threadfence() {}
static inline void __nanosleep(unsigned) {}
static inline unsigned __float_as_uint(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t(a) * b >> 32); }
static inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return uint64_t((unsigned __int128)a * b >> 64); }

#define ATOMIC(name, update)                             \
    template <class T> static inline T name(T *p, T x)   \
    {                                                    \
        const T old = *p;                                \
        update;                                          \
        return old;                                      \
    }
ATOMIC(atomicAdd, *p += x)
ATOMIC(atomicAnd, *p &= x)
ATOMIC(atomicOr, *p |= x)
ATOMIC(atomicXor, *p ^= x)
ATOMIC(atomicExch, *p = x)
#undef ATOMIC

template <class T> static inline T atomicCAS(T *p, T seen, T x)
{
    const T old = *p;
    if (old == seen) *p = x;
    return old;
}

static inline unsigned shuffle(unsigned x, unsigned from)
{
    static unsigned slot[FIBERS];
    const unsigned me = running;
    slot[me] = x;
    meet(warps[me / 32]);
    const unsigned got = slot[me / 32 * 32 + from];
    meet(warps[me / 32]);
    return got;
}

static inline void __syncwarp() { shuffle(0, 0); }
static inline unsigned __shfl_sync(unsigned, unsigned x, unsigned lane) { return shuffle(x, lane & 31); }

static inline unsigned __shfl_down_sync(unsigned, unsigned x, unsigned d)
{
    const unsigned lane = running % 32;
    return shuffle(x, lane + d < 32 ? lane + d : lane);
}

static inline unsigned __shfl_up_sync(unsigned, unsigned x, unsigned d)
{
    const unsigned lane = running % 32;
    return shuffle(x, lane >= d ? lane - d : lane);
}
#endif
