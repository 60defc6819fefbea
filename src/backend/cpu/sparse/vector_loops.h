/* vector_loops.h - what LSQR and LSMR do to vectors, of which each is read once. Included by least_squares.c for each
 * type of elements: REAL is it, LOOP(name) a loop's name. Complex vectors are real ones of twice the length, since all
 * factors are real. Sums are of eight parts, which fill a register. */

static double LOOP(squares)(int64_t n, const void *x_)
{
    const REAL *x = x_;
    double sum[8] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) sum[j] += (double)x[i + j] * (double)x[i + j];
    for (; i < n; i++) rest += (double)x[i] * (double)x[i];
    return total(sum, rest);
}

static void LOOP(scale)(int64_t n, double factor_, void *x_)
{
    const REAL factor = (REAL)factor_;
    REAL *x = x_;
    for (int64_t i = 0; i < n; i++) x[i] *= factor;
}

/* x becomes y - factor x; the sum of its squares. */
static double LOOP(turn)(int64_t n, const void *y_, double factor_, void *x_)
{
    const REAL factor = (REAL)factor_;
    const REAL *restrict y = y_;
    REAL *restrict x = x_;
    double sum[8] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) {
            const REAL z = y[i + j] - factor * x[i + j];
            x[i + j] = z;
            sum[j] += (double)z * (double)z;
        }
    for (; i < n; i++) {
        x[i] = y[i] - factor * x[i];
        rest += (double)x[i] * (double)x[i];
    }
    return total(sum, rest);
}

static void LOOP(narrow)(int64_t n, const double *x, void *to_)
{
    REAL *to = to_;
    for (int64_t i = 0; i < n; i++) to[i] = (REAL)x[i];
}

static void LOOP(widen)(int64_t n, const void *x_, double *to)
{
    const REAL *x = x_;
    for (int64_t i = 0; i < n; i++) to[i] = (double)x[i];
}

/* x moves along w, and w becomes v + back w; the sum of w's squares before. */
static double LOOP(move)(int64_t n, const void *v_, double along, double back, double *restrict x, double *restrict w)
{
    const REAL *restrict v = v_;
    double sum[8] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) {
            const double z = w[i + j];
            sum[j] += z * z;
            x[i + j] += along * z;
            w[i + j] = (double)v[i + j] + back * z;
        }
    for (; i < n; i++) {
        const double z = w[i];
        rest += z * z;
        x[i] += along * z;
        w[i] = (double)v[i] + back * z;
    }
    return total(sum, rest);
}

/* hbar becomes h - back hbar, x moves along it, and h becomes v - turn h; the sum of x's squares. */
static double LOOP(move_twice)(int64_t n, const void *v_, const double factor[3], double *restrict x,
                               double *restrict h, double *restrict hbar)
{
    const REAL *restrict v = v_;
    const double back = factor[0], along = factor[1], turn = factor[2];
    double sum[8] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) {
            const double z = h[i + j] - back * hbar[i + j], moved = x[i + j] + along * z;
            hbar[i + j] = z;
            x[i + j] = moved;
            sum[j] += moved * moved;
            h[i + j] = (double)v[i + j] - turn * h[i + j];
        }
    for (; i < n; i++) {
        hbar[i] = h[i] - back * hbar[i];
        x[i] += along * hbar[i];
        rest += x[i] * x[i];
        h[i] = (double)v[i] - turn * h[i];
    }
    return total(sum, rest);
}

static const vector_loops LOOP(loops) = {
    LOOP(squares), LOOP(scale), LOOP(turn), LOOP(narrow), LOOP(widen), LOOP(move), LOOP(move_twice),
};
