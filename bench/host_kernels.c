/* host_kernels.c - a tiled matrix product with barriers on the CPU: how fast threads of a block are switched.
 *
 * Built twice (tests/c/meson.build): as it is, and with TB_FIBER_UCONTEXT, which switches by swapcontext. Run both on
 * an idle machine:  <build>/tests/c/host_kernels [n], <build>/tests/c/host_kernels_swapcontext [n] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tombac/tombac.h"

enum { TILE = 16, ROUNDS = 5 };

static const char source[] = "extern \"C\" __global__ void mm(const float *A, const float *B, float *C, int n)\n"
                             "{\n"
                             "    __shared__ float a[16][16], b[16][16];\n"
                             "    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;\n"
                             "    float s = 0;\n"
                             "    for (int t = 0; t < n / 16; t++) {\n"
                             "        a[threadIdx.y][threadIdx.x] = A[row * n + t * 16 + threadIdx.x];\n"
                             "        b[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * n + col];\n"
                             "        __syncthreads();\n"
                             "        for (int k = 0; k < 16; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];\n"
                             "        __syncthreads();\n"
                             "    }\n"
                             "    C[row * n + col] = s;\n"
                             "}\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(tb_status status)
{
    if (status == TB_OK) return;
    fprintf(stderr, "%s\n", tb_error_message());
    exit(1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    int64_t shape[2] = {n, n};
    tb_module *module;
    tb_function *f;
    tb_array *a, *b, *c;
    check(tb_module_compile(&(tb_module_source){sizeof(tb_module_source), .code = source}, NULL, &module));
    check(tb_module_function(module, "mm", &f));
    check(tb_full(TB_F32, 2, shape, 'C', tb_scalar_float(1), &a));
    check(tb_full(TB_F32, 2, shape, 'C', tb_scalar_float(2), &b));
    check(tb_empty(TB_F32, 2, shape, 'C', &c));
    uint32_t blocks = (uint32_t)n / TILE;
    tb_launch_shape launch = {sizeof(tb_launch_shape), .grid = {blocks, blocks, 1}, .block = {TILE, TILE, 1}};
    tb_kernel_arg args[] = {{.array = a}, {.array = b}, {.array = c}, {.bytes = &n, .size = sizeof n}};
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        check(tb_function_launch(f, &launch, NULL, 4, args));
        check(tb_device_synchronize(0));
        double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    double switches = 2.0 * (n / TILE) * n * n;
    printf("n = %d: %.1f ms, %.1f ns for each of %.0f arrivals at a barrier\n", n, 1e3 * best, 1e9 * best / switches,
           switches);
    tb_array_release(a);
    tb_array_release(b);
    tb_array_release(c);
    tb_function_release(f);
    tb_module_release(module);
    return 0;
}
