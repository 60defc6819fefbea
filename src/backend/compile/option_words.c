/* option_words.c - the options of CUDA's compilers as users spell them. Options, names and expressions become lines of
 * sources and words of commands, so nothing in them may end a line. */
#include "backend/compile/option_words.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

int tb__option_letter(const char *const *words, int n, const char *name, char letter, const char **value)
{
    const char *o = words[0];
    size_t len = strlen(name);
    bool is_name = o[0] == '-' && o[1] == '-' && strncmp(o + 2, name, len) == 0 && (!o[2 + len] || o[2 + len] == '=');
    if (!is_name && (o[0] != '-' || o[1] != letter)) return 0;
    const char *rest = is_name ? o + 2 + len : o + 2;
    *value = NULL;
    if (!*rest) {
        if (n > 1) *value = words[1];
        return n > 1 ? 2 : 1;
    }
    if (*rest == '=') rest++;
    else rest += strspn(rest, " ");
    *value = rest;
    return 1;
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' && *text != '\t') return true;
    return false;
}

static tb_status check_list(const char *name, int n, const char *const *list)
{
    if (n < 0 || (n > 0 && !list))
        return tb__fail(TB_ERR_VALUE, "%s are %d, but where they are is %s", name, n, list ? "given" : "NULL");
    for (int i = 0; i < n; i++)
        if (!list[i]) return tb__fail(TB_ERR_VALUE, "%s: number %d is NULL", name, i);
    return TB_OK;
}

tb_status tb__options_check(const tb_module_source *source)
{
    if (!source->code) return tb__fail(TB_ERR_VALUE, "source.code is NULL");
    TB_TRY(check_list("options", source->noption, source->options));
    TB_TRY(check_list("expressions", source->nexpression, source->expressions));
    if (source->name && has_control(source->name))
        return tb__fail(TB_ERR_VALUE, "the name of a source must not contain control characters: %s", source->name);
    for (int i = 0; i < source->noption; i++) {
        const char *o = source->options[i];
        if (has_control(o))
            return tb__fail(TB_ERR_VALUE,
                            "a compiler's option must not contain control characters, such as the end of"
                            " a line: option %d, %s",
                            i, o);
        if (o[0] == '@') return tb__fail(TB_ERR_VALUE, "options cannot be read from a file: %s", o);
    }
    for (int i = 0; i < source->nexpression; i++)
        if (has_control(source->expressions[i]))
            return tb__fail(TB_ERR_VALUE, "a name expression must not contain control characters: %s",
                            source->expressions[i]);
    return TB_OK;
}
