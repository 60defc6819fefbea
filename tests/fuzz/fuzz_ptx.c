/* fuzz_ptx.c - inline PTX to C++: the input is what stands in the string of an asm statement with three operands. */
#include "backend/cpu/user/user.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    char *ptx = fuzz_line(&in, true);
    tb_text code = {0}, out = {0};
    bool macros;
    tb__text_add(&code, "__global__ void k(unsigned *x, float y) { asm volatile(\"");
    for (const char *s = ptx; *s; s++) {
        if (*s == '\n') tb__text_add(&code, "\\n");
        else if (*s == '"' || *s == '\\') tb__text_addf(&code, "\\%c", *s);
        else tb__text_addn(&code, s, 1);
    }
    tb__text_add(&code, "\" : \"=r\"(x[0]) : \"r\"(x[1]), \"f\"(y) : \"memory\"); }\n");
    const tb_module_source source = {sizeof(tb_module_source), .code = code.s};
    /* A statement, or a static_assert where there is no version for the CPU. */
    FUZZ_CHECK(tb__rewrite(&source, code.s, true, &out, &macros) == TB_OK);
    FUZZ_CHECK(strstr(out.s, "TB_KERNEL_LOOPS(") || strstr(out.s, "TB_KERNEL_WAITS("));
    tb__text_free(&code);
    tb__text_free(&out);
    free(ptx);
    return 0;
}
