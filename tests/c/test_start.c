/* test_start.c - what is looked at before anything runs: the version, the processor's level (from tables of registers
 * that no machine here need have), the environment. */
#include <stdlib.h>

#include "base/environment.h"
#include "base/processor.h"
#include "check.h"

/* Registers of processors that were sold: what CPUID gives on them. */
static const tb_cpuid core2 = {.leaf1_ecx = 0x0008e3fd, .extended_ecx = 0x00000001};
static const tb_cpuid nehalem = {.leaf1_ecx = 0x0098e3fd, .extended_ecx = 0x00000001};
static const tb_cpuid haswell = {
    .leaf1_ecx = 0x7ffafbff, .leaf7_ebx = 0x000027ab, .extended_ecx = 0x00000021, .saved = 0x07};
static const tb_cpuid skylake_server = {
    .leaf1_ecx = 0x7ffefbff, .leaf7_ebx = 0xd39ffffb, .extended_ecx = 0x00000121, .saved = 0xe7};

static void test_levels(void)
{
    CHECK(tb__cpuid_level(&(tb_cpuid){0}) == 1);
    CHECK(tb__cpuid_level(&core2) == 1);
    CHECK(tb__cpuid_level(&nehalem) == 2);
    CHECK(tb__cpuid_level(&haswell) == 3);
    CHECK(tb__cpuid_level(&skylake_server) == 4);
    CHECK(strcmp(tb__cpuid_lacks(&core2, 2), "POPCNT") == 0);
    CHECK(tb__cpuid_lacks(&nehalem, 2) == NULL);
}

/* Each bit counts: code of a level may use any instruction of it. */
static void test_each_feature(void)
{
    int at[5] = {0};
    for (int r = 0; r < 3; r++) {
        for (int bit = 0; bit < 32; bit++) {
            tb_cpuid c = skylake_server;
            uint32_t *reg = r == 0 ? &c.leaf1_ecx : r == 1 ? &c.leaf7_ebx : &c.extended_ecx;
            if (!(*reg >> bit & 1)) continue;
            *reg &= ~(1u << bit);
            const int level = tb__cpuid_level(&c);
            at[level]++;
            CHECK((level == 4) == (tb__cpuid_lacks(&c, 4) == NULL));
        }
    }
    CHECK(at[1] == 7); /* what v2 adds to the first level */
    CHECK(at[2] == 9); /* what v3 adds to v2, OSXSAVE among it */
    CHECK(at[3] == 5); /* what v4 adds to v3 */
    CHECK(at[4] > 20);
}

/* A hypervisor or a kernel may leave registers unsaved whose instructions the processor has. */
static void test_what_the_system_saves(void)
{
    tb_cpuid c = skylake_server;
    c.saved = 0x07;
    CHECK(tb__cpuid_level(&c) == 3);
    c.saved = 0x67; /* the upper sixteen registers of AVX512 are missing */
    CHECK(tb__cpuid_level(&c) == 3);
    c.saved = 0x03;
    CHECK(tb__cpuid_level(&c) == 2);
    CHECK(strstr(tb__cpuid_lacks(&c, 3), "saves") != NULL);
}

static void test_this_machine(void)
{
    CHECK_OK(tb_processor_check());
#ifdef __x86_64__
    CHECK(tb__processor_level() >= 2);
#else
    CHECK(tb__processor_level() == 0);
#endif
}

static void test_version(void)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", TB_VERSION_MAJOR, TB_VERSION_MINOR, TB_VERSION_PATCH);
    CHECK(strcmp(tb_version(), BUILD_VERSION) == 0);
    CHECK(strcmp(TB_VERSION, BUILD_VERSION) == 0);
    CHECK(strcmp(numbers, BUILD_VERSION) == 0);
#if TB_VERSION_NUMBER < TB_VERSION_MAKE(0, 1, 0) || TB_VERSION_NUMBER >= TB_VERSION_MAKE(TB_VERSION_MAJOR + 1, 0, 0)
    CHECK(false);
#endif
    CHECK(TB_VERSION_MAKE(0, 9, 10) > TB_VERSION_MAKE(0, 9, 9) && TB_VERSION_MAKE(1, 0, 0) > TB_VERSION_MAKE(0, 10, 0));
}

/* A value for a variable: -1 for one that it cannot be. */
static void check_value(const char *name, tb_variable v, const char *text, int64_t value)
{
    setenv(name, text, 1);
    CHECK(tb__environment(v, 77) == (value < 0 ? 77 : value));
    if (value < 0) {
        CHECK(check_status_at(tb__environment_check(), TB_ERR_VALUE, __FILE__, __LINE__, name));
        CHECK(strstr(tb_error_message(), name) != NULL);
    }
    if (value >= 0) CHECK_OK(tb__environment_check());
    unsetenv(name);
}

static void test_environment(void)
{
    static const struct {
        const char *name;
        tb_variable v;
        const char *good, *bad[4];
        int64_t value;
    } rows[] = {
        {"TOMBAC_FUSION", TB_ENV_FUSION, "all", {"2", "on", "All"}, 2},
        {"TOMBAC_STRICT_INDICES", TB_ENV_STRICT_INDICES, "1", {"2", "yes", "True"}, 1},
        {"TOMBAC_COMPILE", TB_ENV_COMPILE, "sync", {"Sync", "0"}, 0},
        {"TOMBAC_NUM_THREADS", TB_ENV_NUM_THREADS, "16", {"0", "-1", "two", "2.5"}, 16},
        {"TOMBAC_CPU_DEVICES", TB_ENV_CPU_DEVICES, "64", {"0", "65", "1 ", "0x2"}, 64},
        {"TOMBAC_CPU_ISA", TB_ENV_CPU_ISA, "avx2", {"avx", "sse2"}, 1},
        {"TOMBAC_STREAM_BYTES", TB_ENV_STREAM_BYTES, "0", {"-1", "1M", "99999999999999999999"}, 0},
        {"TOMBAC_CACHE_SIZE", TB_ENV_CACHE_SIZE, "1.5M", {"-1", "M", "1MB", "1e400M"}, 3 << 19},
        {"TOMBAC_SOLVERS", TB_ENV_SOLVERS, "device", {"cpu", "Host"}, 1},
        {"TOMBAC_TF32", TB_ENV_TF32, "1", {"2", "tf32"}, 1},
        {"TOMBAC_SPARSE_SOLVERS", TB_ENV_SPARSE_SOLVERS, "device", {"cpu", "Host"}, 1},
        {"TOMBAC_BARRIER", TB_ENV_BARRIER, "volta", {"pascal"}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_value(rows[i].name, rows[i].v, rows[i].good, rows[i].value);
        for (int k = 0; k < 4 && rows[i].bad[k]; k++) check_value(rows[i].name, rows[i].v, rows[i].bad[k], -1);
        setenv(rows[i].name, "", 1); /* as if it were not set */
        CHECK_OK(tb__environment_check());
        CHECK(tb__environment(rows[i].v, 77) == 77);
        unsetenv(rows[i].name);
    }
    setenv("TOMBAC_NUM_THREADS", "many", 1);
    CHECK_FAILS(tb_init(), TB_ERR_VALUE, "TOMBAC_NUM_THREADS is \"many\"");
    unsetenv("TOMBAC_NUM_THREADS");
    CHECK_OK(tb_init());
}

int main(void)
{
    test_version();
    test_levels();
    test_each_feature();
    test_what_the_system_saves();
    test_this_machine();
    test_environment();
    return check_report();
}
