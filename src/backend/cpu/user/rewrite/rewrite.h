/* rewrite.h - inside the rewriter, which makes C++ for the host of CUDA C++:
 *
 *   rewrite.c          the walk over the text, and the text that comes out
 *   table.c            the tables of kernels and variables that follow it
 *   kernel.c           kernels, launches from kernels, and which kernels may wait
 *   shared.c           shared memory, and variables of the module
 *   ptx.c              inline PTX
 *   edit.c             edits of tokens, and what declarations are made of
 *   lex.c              tokens of C++ */
#ifndef TB_BACKEND_CPU_USER_REWRITE_REWRITE_H
#define TB_BACKEND_CPU_USER_REWRITE_REWRITE_H
#include "backend/cpu/user/user.h"

typedef enum tb_token_kind {
    TB_TOKEN_WORD,
    TB_TOKEN_NUMBER,
    TB_TOKEN_STRING,
    TB_TOKEN_MARK,
    TB_TOKEN_DIRECTIVE
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

/* ---- lex.c ---- */
void tb__tokens_of(const char *text, tb_tokens *out);
void tb__tokens_free(tb_tokens *t);

static inline bool tb__token_is(const tb_tokens *t, int i, const char *word)
{
    if (i < 0 || i >= t->n) return false;
    size_t n = strlen(word);
    return t->list[i].len == n && memcmp(t->text + t->list[i].at, word, n) == 0;
}

/* The token that closes the bracket at i, or t->n; and the one after it, or t->n. Text need not be C++: brackets may
 * stay open, so that what comes next may be the end. */
int tb__token_close(const tb_tokens *t, int i);
int tb__token_past(const tb_tokens *t, int i);

enum {
    TB_MOST_KERNELS = 1024,
    TB_MOST_GLOBALS = 1024,
    TB_MOST_LAUNCHES = 1024,
    TB_MOST_DEPTH = 256,
    TB_FOUND_NAME = 256
};

/* Text that replaces a token, or comes after it. */
typedef struct tb_edit {
    const char *replace; /* NULL: the token stays */
    char *after;         /* owned; NULL: nothing */
} tb_edit;

typedef struct tb_found_kernel {
    char name[TB_FOUND_NAME];
    int first, last; /* tokens of the body; first < 0: only declared */
    int max_threads;
    bool looked_up; /* extern "C" and no template */
    bool mangled;   /* found by its mangled name: a function of its own outside of namespaces */
    bool waits;
} tb_found_kernel;

typedef struct tb_found_global {
    char name[TB_FOUND_NAME];
    bool constant;
} tb_found_global;

/* name<<<...>>>(...): tokens of the name's beginning, of its last word, and of the first <. */
typedef struct tb_found_launch {
    int start, name, at;
} tb_found_launch;

typedef struct tb_rewriter {
    const tb_module_source *source;
    tb_tokens t;
    tb_edit *edits;
    tb_found_kernel *kernels;
    tb_found_global *globals;
    tb_found_launch *launches;
    int nkernel, nglobal, nlaunch;
    bool places_outside;       /* a function other than a kernel asks where it is */
    char scope[TB_MOST_DEPTH]; /* what each open brace is: n(amespace), e(xtern "C"), o(ther) */
    int depth;
    bool failed; /* no memory, or a limit */
} tb_rewriter;

/* ---- edit.c ---- */
static inline bool tb__is(const tb_rewriter *r, int i, const char *word) { return tb__token_is(&r->t, i, word); }
static inline bool tb__is_kind(const tb_rewriter *r, int i, tb_token_kind kind)
{
    return i >= 0 && i < r->t.n && r->t.list[i].kind == kind;
}
static inline bool tb__is_word(const tb_rewriter *r, int i) { return tb__is_kind(r, i, TB_TOKEN_WORD); }
static inline bool tb__is_string(const tb_rewriter *r, int i) { return tb__is_kind(r, i, TB_TOKEN_STRING); }
static inline bool tb__opens(const tb_rewriter *r, int i)
{
    return tb__is(r, i, "(") || tb__is(r, i, "[") || tb__is(r, i, "{");
}
static inline bool tb__in_function(const tb_rewriter *r) { return memchr(r->scope, 'o', (size_t)r->depth) != NULL; }

/* The marker that a preprocessor leaves where a file begins or goes on; *system: it is not the user's. */
bool tb__is_marker(const tb_rewriter *r, int i, bool *system);
void tb__copy_name(const tb_rewriter *r, int i, char name[TB_FOUND_NAME]);
void tb__put_after(tb_rewriter *r, int i, const char *text);
void tb__drop_tokens(tb_rewriter *r, int from, int to);
/* The source text of tokens [from, to], on one line. */
void tb__add_tokens(const tb_rewriter *r, int from, int to, tb_text *out);
/* The first token of the declaration that token i is in. */
int tb__declaration_start(const tb_rewriter *r, int i);
/* The token that closes the template arguments opened at i, or t.n. */
int tb__close_angle(const tb_rewriter *r, int i);
/* Whether token i is an attribute or the like, and the next one opens its argument. */
bool tb__takes_argument(const tb_rewriter *r, int i);
/* Whether one of the words (ends with NULL) is in the text. */
bool tb__mentions(const char *s, size_t n, const char *const *words);

/* ---- kernel.c ---- */
/* A kernel's declaration, with __global__ at token `at`. Returns the token at which the walk goes on. */
int tb__take_kernel(tb_rewriter *r, int at);
/* The kernel whose body has the token, or NULL. */
const tb_found_kernel *tb__kernel_at(const tb_rewriter *r, int token);
const tb_found_kernel *tb__kernel_named(const tb_rewriter *r, const char *name, size_t n);
/* A launch, if there is one with its <<< at token i, whose kernel may follow further down: what it is, is written into
 * the text at the end. */
void tb__take_launch(tb_rewriter *r, int i);
/* Once it is known which kernels wait. */
void tb__finish_launch(tb_rewriter *r, const tb_found_launch *l);
/* In the user's text, other than in the bodies of kernels. */
bool tb__mentioned_outside(const tb_rewriter *r, const char *const *words);
void tb__find_waiting(tb_rewriter *r);

/* ---- shared.c ---- */
void tb__take_shared(tb_rewriter *r, int at);
void tb__take_global(tb_rewriter *r, int at);

/* ---- ptx.c ---- */
/* asm volatile("text" : outputs : inputs : what it changes). Returns its last token. */
int tb__take_asm(tb_rewriter *r, int at);

/* ---- table.c ---- */
void tb__add_tables(const tb_rewriter *r, tb_text *out);
#endif
