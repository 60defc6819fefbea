/* kernel.c - kernels of one's own from C: an elementwise one from an expression, and one of a module in CUDA C++ with
 * shared memory. Runs on a GPU, or on the CPU with a C++ compiler. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { N = 1024, BLOCK = 256, NBLOCK = N / BLOCK };

/* out = (x - 3)^2; the dtype of T is that of the array. */
static tb_status squared_distance(tb_array *x, tb_array **out)
{
    const tb_elementwise_source source = {sizeof(tb_elementwise_source), .in_params = "T x, T y", .out_params = "T z",
                                          .operation = "z = (x - y) * (x - y)", .name = "squared_distance"};
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(3)}};
    tb_elementwise *k = NULL;
    tb_status status = tb_elementwise_new(&source, &k);
    if (status == TB_OK) status = tb_elementwise_call(k, in, out, NULL);
    tb_elementwise_release(k);
    return status;
}

static const char block_sums[] = "extern \"C\" __global__ void block_sums(const float *x, float *sums, int n)\n"
                                 "{\n"
                                 "    extern __shared__ float part[];\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    part[threadIdx.x] = i < n ? x[i] : 0;\n"
                                 "    for (int half = blockDim.x / 2; half > 0; half /= 2) {\n"
                                 "        __syncthreads();\n"
                                 "        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];\n"
                                 "    }\n"
                                 "    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];\n"
                                 "}\n";

/* sums: one number for each block. */
static tb_status sum_blocks(tb_array *x, tb_array *sums)
{
    const int32_t n = N;
    const tb_module_source source = {sizeof(tb_module_source), .code = block_sums, .name = "block_sums.cu"};
    const tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {NBLOCK, 1, 1}, .block = {BLOCK, 1, 1},
                                   .shared = BLOCK * sizeof(float)};
    const tb_kernel_arg args[3] = {{.array = x}, {.array = sums}, {.bytes = &n, .size = sizeof n}};
    tb_module *m = NULL;
    tb_function *f = NULL;
    tb_status status = tb_module_compile(&source, NULL, &m);
    if (status == TB_OK) status = tb_module_function(m, "block_sums", &f);
    if (status == TB_OK) status = tb_function_launch(f, &shape, NULL, 3, args);
    tb_function_release(f);
    tb_module_release(m);
    return status;
}

int main(void)
{
    const int64_t nblock = NBLOCK;
    float got[NBLOCK] = {0};
    tb_array *x = NULL, *squares = NULL, *sums = NULL;
    tb_status status = tb_arange(TB_F32, tb_scalar_int(0), tb_scalar_int(1), N, &x);
    if (status == TB_OK) status = squared_distance(x, &squares);
    if (status == TB_OK) status = tb_empty(TB_F32, 1, &nblock, 'C', &sums);
    if (status == TB_OK) status = sum_blocks(squares, sums);
    if (status == TB_OK) status = tb_array_get(sums, got, NULL, NULL, true);
    if (status != TB_OK) fprintf(stderr, "%s\n", tb_error_message());

    double sum = 0, expected = 0;
    for (int i = 0; i < NBLOCK; i++) sum += got[i];
    for (int i = 0; i < N; i++) expected += (double)(i - 3) * (i - 3);
    if (status == TB_OK) printf("sum of (x - 3)^2 on %s: %.0f, expected %.0f\n", tb_backend_name(), sum, expected);
    tb_array_release(x);
    tb_array_release(squares);
    tb_array_release(sums);
    double error = sum / expected - 1;
    return status != TB_OK || error > 1e-6 || error < -1e-6;
}
