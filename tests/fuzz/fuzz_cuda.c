/* fuzz_cuda.c - CUDA C++ to C++ for the host: any text is rewritten, or refused with a message. */
#include "backend/cpu/user/user.h"
#include "fuzz.h"

static void rewrite(const char *code, bool preprocessed)
{
    static const char *const expressions[] = {"scale<float>", "&ns::table", "add"};
    const tb_module_source source = {sizeof(tb_module_source), .code = code, .nexpression = 3,
                                     .expressions = expressions};
    tb_text out = {0};
    bool macros = false;
    const tb_status status = tb__rewrite(&source, code, preprocessed, &out, &macros);
    if (status != TB_OK) FUZZ_CHECK(*tb_error_message());
    else if (preprocessed || !macros) FUZZ_CHECK(out.s && strstr(out.s, "TB_MODULE("));
    tb__text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    char *code = fuzz_line(&in, true);
    rewrite(code, false);
    rewrite(code, true);
    free(code);
    return 0;
}
