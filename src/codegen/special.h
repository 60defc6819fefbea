/* special.h - the texts of special functions, and their functions for user kernels. */
#ifndef TB_CODEGEN_SPECIAL_H
#define TB_CODEGEN_SPECIAL_H
#include "base/text.h"

/* What these texts call, themselves included: sets of TB_CALLS of tables/loops.h. */
unsigned tb__special_calls(unsigned texts);
void tb__special_texts(unsigned texts, tb_text *out);

/* Namespace `special` for user code: every operation that is a special function under its name (a leading underscore
 * less), made of its loops. All arguments float give float, others double; functions of complex numbers take what has
 * real() and imag() and is made of the two: complex<T>, std::complex<T>, thrust::complex<T>. The arguments that are
 * complex are of one type. Two results are a pair, with members first and second.
 * code: only functions whose names are in one of these texts, NULL-terminated; NULL: all. */
void tb__special_functions(const char *const *code, tb_text *out);
#endif
