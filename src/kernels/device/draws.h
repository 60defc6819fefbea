/* draws.h - draws by rejection, those of all elements of a thread together. Device only.
 *
 * The threads of a warp wait for the last of them that is still taking attempts. After one number each that would be
 * every time; so a thread goes on to its next element as soon as one is done, and they wait for each other only once.
 * It is also less code: there is one attempt, whatever the number of elements. */

/* step(k, e, r) takes attempt k of element e: it is true where *r is its number. */
template <class T, int N, class F> TB_FN void tb_draws(T (&r)[N], F step)
{
    int e = 0;
    tb_u32 k = 0;
#pragma unroll 1
    while (e < N) {
        const bool done = step(k, e, &r[e]);
        k = done ? 0 : k + 1;
        e += done;
    }
}
