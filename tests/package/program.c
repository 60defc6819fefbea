/* program.c - what somebody who has libtombac installed builds first: 1 + 2 + ... + 100, and the version. */
#include <stdio.h>
#include <string.h>
#include <tombac/tombac.h>

#if TB_VERSION_NUMBER < TB_VERSION_MAKE(0, 1, 0)
#error "an old header"
#endif

int main(void)
{
    int64_t numbers[100], sum = 0;
    tb_array *x = NULL;
    tb_status status = tb_arange(TB_I64, tb_scalar_int(1), tb_scalar_int(1), 100, &x);
    if (status == TB_OK) status = tb_array_get(x, numbers, NULL, NULL, true);
    if (status != TB_OK) {
        fprintf(stderr, "%s\n", tb_error_message());
        return 1;
    }
    for (int i = 0; i < 100; i++) sum += numbers[i];
    tb_array_release(x);
    printf("%s %lld\n", tb_version(), (long long)sum);
    return strcmp(tb_version(), TB_VERSION) != 0;
}
