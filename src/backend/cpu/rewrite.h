/* rewrite.h - inside the rewriter: tokens of C++ (rewrite_lex.c), what is made of them (rewrite.c), and inline PTX
 * (rewrite_ptx.c). */
#ifndef TB_BACKEND_CPU_REWRITE_H
#define TB_BACKEND_CPU_REWRITE_H
#include "backend/cpu/module.h"

typedef enum tb_token_kind {
    TB_TOKEN_WORD, TB_TOKEN_NUMBER, TB_TOKEN_STRING, TB_TOKEN_MARK, TB_TOKEN_DIRECTIVE
} tb_token_kind;

/* A token is a piece of the text; marks are single characters, so that >> closes two templates. Comments are none. */
typedef struct tb_token {
    tb_token_kind kind;
    uint32_t at, len;
    int line;
} tb_token;

typedef struct tb_tokens {
    const char *text;
    tb_token *list;
    int n, cap;
    bool failed; /* no memory */
} tb_tokens;

void tb__tokens_of(const char *text, tb_tokens *out);
void tb__tokens_free(tb_tokens *t);

static inline bool tb__token_is(const tb_tokens *t, int i, const char *word)
{
    if (i < 0 || i >= t->n) return false;
    size_t n = strlen(word);
    return t->list[i].len == n && memcmp(t->text + t->list[i].at, word, n) == 0;
}

/* The token that closes the bracket at i, or t->n. */
int tb__token_close(const tb_tokens *t, int i);

/* rewrite_ptx.c: the C++ statements that inline PTX stands for, on operands tb_operand_0 and so on. False: `what` is
 * the statement that there is none for. */
bool tb__ptx_translate(const char *text, tb_text *out, char *what, size_t room);
#endif
