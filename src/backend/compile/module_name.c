/* module_name.c - what names a user's source in the caches: its text, its options, and the files it includes.
 *
 * Included files are looked for in the folders that the options name. Those of a toolkit are covered by the compiler's
 * own part of a name. Which #include lines a compiler will follow depends on macros; here all of them are followed,
 * which at worst compiles once more than needed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/compile/disk.h"
#include "backend/compile/option_words.h"
#include "base/text.h"
#include "tombac/tombac.h"

enum { MAX_DIRS = 32, MAX_FILES = 256, PATH_SIZE = 1024 };

typedef struct scan {
    tb_name_hash *hash;
    const char *dirs[MAX_DIRS];
    int ndir;
    char *seen[MAX_FILES]; /* paths of the files that are part of the name */
    int nseen;
} scan;

static void find_dirs(scan *s, const tb_module_source *source)
{
    for (int i = 0, taken; i < source->noption; i += taken ? taken : 1) {
        const char *dir = NULL;
        taken = tb__option_letter(source->options + i, source->noption - i, "include-path", 'I', &dir);
        if (dir && s->ndir < MAX_DIRS) s->dirs[s->ndir++] = dir;
    }
}

static bool seen_before(const scan *s, const char *path)
{
    for (int i = 0; i < s->nseen; i++)
        if (strcmp(s->seen[i], path) == 0) return true;
    return false;
}

/* Of a pipe or a device there is no content that could be part of a name. */
static bool read_file(const char *path, tb_text *out)
{
    char buf[4096];
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    for (ssize_t n = 1; good && n > 0;) {
        n = read(fd, buf, sizeof buf);
        if (n > 0) tb__text_addn(out, buf, (size_t)n);
        good = (n >= 0 || errno == EINTR) && !out->failed;
        if (n < 0) n = 1;
    }
    close(fd);
    return good;
}

static void scan_text(scan *s, const char *text, const char *dir);

/* Adds the file at dir/name, if there is one, and what it includes. */
static bool add_file(scan *s, const char *dir, const char *name)
{
    char path[PATH_SIZE];
    tb_text text = {0};
    int n = name[0] == '/' ? snprintf(path, sizeof path, "%s", name) : snprintf(path, sizeof path, "%s/%s", dir, name);
    if (n >= PATH_SIZE || s->nseen == MAX_FILES) return false;
    if (seen_before(s, path)) return true;
    bool there = read_file(path, &text);
    char *copy = there ? strdup(path) : NULL;
    if (copy) {
        s->seen[s->nseen++] = copy;
        tb__name_add_text(s->hash, path);
        tb__name_add(s->hash, text.s ? text.s : "", text.len);
        *strrchr(path, '/') = 0;
        if (text.s) scan_text(s, text.s, path);
    }
    tb__text_free(&text);
    return there;
}

/* The name in an #include line, or false. */
static bool included_name(const char *line, char *name, bool *quoted)
{
    line += strspn(line, " \t");
    if (*line++ != '#') return false;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0) return false;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '<' && *line != '"') return false;
    *quoted = *line == '"';
    size_t n = strcspn(line + 1, *quoted ? "\"\n" : ">\n");
    if (n == 0 || n >= PATH_SIZE) return false;
    memcpy(name, line + 1, n);
    name[n] = 0;
    return true;
}

/* `dir` is where the text itself lies, or NULL. */
static void scan_text(scan *s, const char *text, const char *dir)
{
    char name[PATH_SIZE];
    bool quoted;
    while (*text) {
        if (included_name(text, name, &quoted)) {
            bool found = quoted && dir && add_file(s, dir, name);
            for (int i = 0; i < s->ndir && !found; i++) found = add_file(s, s->dirs[i], name);
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* Files that the options name to be included first. */
static void scan_first(scan *s, const tb_module_source *source)
{
    static const char *const spellings[] = {"-include", "--include", "--pre-include", "-pre-include"};
    for (int i = 0; i < source->noption; i++) {
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
            const char *o = source->options[i];
            size_t n = strlen(spellings[k]);
            if (strncmp(o, spellings[k], n) != 0 || (o[n] && o[n] != '=')) continue;
            const char *name = o[n] ? o + n + 1 : i + 1 < source->noption ? source->options[i + 1] : "";
            bool found = add_file(s, ".", name);
            for (int d = 0; d < s->ndir && !found; d++) found = add_file(s, s->dirs[d], name);
        }
    }
}

void tb__source_name(const tb_module_source *source, tb_name_hash *out)
{
    scan s = {.hash = out};
    tb__name_start(out);
    tb__name_add_text(out, source->code);
    tb__name_add_text(out, source->name ? source->name : "");
    tb__name_add_text(out, source->nvcc ? "nvcc" : "");
    tb__name_add_text(out, source->waits ? "waits" : "");
    tb__name_add(out, &source->noption, sizeof source->noption);
    for (int i = 0; i < source->noption; i++) tb__name_add_text(out, source->options[i]);
    for (int i = 0; i < source->nexpression; i++) tb__name_add_text(out, source->expressions[i]);
    find_dirs(&s, source);
    scan_first(&s, source);
    if (s.ndir) scan_text(&s, source->code, ".");
    for (int i = 0; i < s.nseen; i++) free(s.seen[i]);
} /* NOLINT(clang-analyzer-unix.Malloc): the analyzer loses count of what has been seen */

bool tb__same_expression(const char *a, const char *b)
{
    for (;;) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (*a != *b) return false;
        if (!*a) return true;
        a++;
        b++;
    }
}
