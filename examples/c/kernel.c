/* kernel.c - kernels of one's own: an elementwise one from an expression, and one of a module in CUDA C++ with shared
 * memory. They run on a GPU, or on the CPU with a C++ compiler. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { N = 1024, BLOCK = 256, NBLOCK = N / BLOCK };

static const char code[] = "extern \"C\" __global__ void block_sums(const float *x, float *sums, int n)\n"
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

int main(void)
{
    const int32_t n = N;
    double total = 0;
    tb_array *x = NULL, *squares = NULL, *sums = NULL, *sum = NULL;
    tb_elementwise *apart = NULL;
    tb_module *module = NULL;
    tb_function *block_sums = NULL;
    tb_elementwise_source expression = TB_ELEMENTWISE_SOURCE_INIT;
    expression.in_params = "T x, T y"; /* T: the array's dtype */
    expression.out_params = "T z";
    expression.operation = "z = (x - y) * (x - y)";
    tb_module_source source = TB_MODULE_SOURCE_INIT;
    source.code = code;
    tb_launch_shape shape = TB_LAUNCH_SHAPE_INIT;
    shape.grid[0] = NBLOCK, shape.block[0] = BLOCK, shape.shared = BLOCK * sizeof(float);

    tb_arange(TB_F32, tb_scalar_int(0), tb_scalar_int(1), N, &x);
    tb_elementwise_new(&expression, &apart);
    tb_elementwise_call(apart, (tb_operand[]){tb_operand_array(x), tb_operand_int(3)}, &squares, NULL);
    tb_empty(TB_F32, 1, (int64_t[]){NBLOCK}, 'C', &sums);
    tb_module_compile(&source, NULL, &module);
    tb_module_function(module, "block_sums", &block_sums);
    tb_status status = tb_function_launch(block_sums, &shape, NULL, 3,
                                          (tb_kernel_arg[]){{.array = squares}, {.array = sums}, {NULL, &n, sizeof n}});
    if (status == TB_OK) status = tb_sum(sums, TB_ALL_AXES, &sum);
    if (status != TB_OK || tb_item_f64(sum, &total) != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    else printf("the sum of (x - 3)^2 on %s: %.0f\n", tb_backend_name(), total);
    tb_function_release(block_sums);
    tb_module_release(module);
    tb_elementwise_release(apart);
    tb_array_release_all(4, (tb_array *[]){x, squares, sums, sum});
    return status != TB_OK || total != 354256384;
}
