/* option_words.h - the options of CUDA's compilers as users spell them. */
#ifndef TB_BACKEND_COMPILE_OPTION_WORDS_H
#define TB_BACKEND_COMPILE_OPTION_WORDS_H
#include "tombac/tombac.h"

/* Options with an argument that have one letter as well: -Dx, "-D x", -D=x, -D and x, --define-macro=x, --define-macro
 * and x. Returns how many of the n words (n >= 1) are one such option, whose argument goes to *value; 0: it is none.
 * *value is NULL where there is no argument. */
int tb__option_letter(const char *const *words, int n, const char *name, char letter, const char **value);
/* TB_ERR_VALUE for what no compiler's option, no file's name and no name expression holds: control characters, and for
 * options that stand for more options, @file. */
tb_status tb__options_check(const tb_module_source *source);
#endif
