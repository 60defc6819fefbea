/* expm_of_type.h - exponentials of matrices of one dtype, included by expm.c once for each: T the elements, SIZE(x)
 * their absolute value or a little more, PART(z) what they hold of a complex number, NAME(function). */

typedef struct NAME(work) {
    const tb_lapack_item *x;
    int n;
    bool is_narrow;
    double *v, *w;                     /* vectors for norms */
    double complex *diagonal, *beside; /* of a triangle */
    int *pivots;
    T *a, *p2, *p4, *p6, *u, *v_, *t; /* a, its powers, and room */
} NAME(work);

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* out = |a| in, whose largest element is returned, or NaN. */
static double NAME(sums)(int n, const T *a, const double *in, double *out)
{
    double most = 0;
    for (int i = 0; i < n; i++) out[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) out[i] += SIZE(a[(size_t)j * (size_t)n + (size_t)i]) * in[j];
    for (int i = 0; i < n; i++)
        if (!(out[i] <= most)) {
            most = out[i];
            if (isnan(most)) return most;
        }
    return most;
}

static double NAME(norm)(const NAME(work) * k, const T *a)
{
    for (int i = 0; i < k->n; i++) k->v[i] = 1;
    return NAME(sums)(k->n, a, k->v, k->w);
}

/* log2 of the norm of |a| to this power. */
static double NAME(log_of_power)(const NAME(work) * k, int power)
{
    double log = 0, *in = k->v, *out = k->w;
    for (int i = 0; i < k->n; i++) in[i] = 1;
    for (int i = 0; i < power; i++) {
        const double most = NAME(sums)(k->n, k->a, in, out);
        if (most == 0) return -INFINITY;
        for (int l = 0; l < k->n; l++) out[l] /= most;
        log += log2(most);
        double *other = in;
        in = out;
        out = other;
    }
    return log;
}

/* How many halvings more the backward error of this degree needs, of which the norms of powers say nothing (the
 * function ell of the paper). Up to the bound it needs none. */
static int NAME(more)(const NAME(work) * k, const degree *d, double norm, int halvings)
{
    if (ldexp(norm, -halvings) <= d->bound) return 0;
    const double power = NAME(log_of_power)(k, 2 * d->m + 1) - log2(norm) - 2.0 * d->m * halvings;
    const double excess = (power - d->error + (k->is_narrow ? 24 : 53)) / (2 * d->m);
    return excess > 0 ? (int)ceil(excess) : 0;
}

/* ---- sums and products ------------------------------------------------------------------------------------------- */

static void NAME(scale)(T *a, size_t count, int halvings)
{
    const T factor = (T)ldexp(1, -halvings);
    for (size_t i = 0; halvings && i < count; i++) a[i] *= factor;
}

/* c = a b, or that is added to c. Without a BLAS by loops. */
static void NAME(multiply)(const NAME(work) * k, const T *a, const T *b, bool add, T *c)
{
    const int n = k->n;
    const size_t side = (size_t)n;
    const T one = 1, beta = add ? 1 : 0;
    if (k->x->blas) {
        k->x->blas->gemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &beta, c, &n, 1, 1);
        return;
    }
    if (!add) memset(c, 0, side * side * sizeof *c);
    for (size_t j = 0; j < side; j++)
        for (size_t l = 0; l < side; l++)
            for (size_t i = 0; i < side; i++) c[j * side + i] += a[l * side + i] * b[j * side + l];
}

/* odd = sum of c[2 i + 1] a^(2 i), even = sum of c[2 i] a^(2 i), for i up to 3. */
static void NAME(combine)(const NAME(work) * k, const double *c, T *odd, T *even)
{
    const size_t n = (size_t)k->n, count = n * n;
    const T e1 = (T)c[2], o1 = (T)c[3], e2 = (T)c[4], o2 = (T)c[5], e3 = (T)c[6], o3 = (T)c[7];
    for (size_t i = 0; i < count; i++) odd[i] = o1 * k->p2[i], even[i] = e1 * k->p2[i];
    for (size_t i = 0; c[4] != 0 && i < count; i++) odd[i] += o2 * k->p4[i], even[i] += e2 * k->p4[i];
    for (size_t i = 0; c[6] != 0 && i < count; i++) odd[i] += o3 * k->p6[i], even[i] += e3 * k->p6[i];
    for (size_t i = 0; i < n; i++) odd[i * (n + 1)] += (T)c[1], even[i * (n + 1)] += (T)c[0];
}

/* The parts of the numerator, odd powers in u and even ones in v_: of degree 13 higher ones are products with the
 * sixth, of degree 9 the eighth is one. */
static void NAME(numerator)(const NAME(work) * k, const degree *d)
{
    const size_t count = (size_t)k->n * (size_t)k->n;
    NAME(combine)(k, d->c, k->t, k->v_);
    if (d->m == 9) {
        NAME(multiply)(k, k->p4, k->p4, false, k->u);
        for (size_t i = 0; i < count; i++) k->t[i] += (T)d->c[9] * k->u[i], k->v_[i] += (T)d->c[8] * k->u[i];
    } else if (d->m == 13) {
        for (size_t i = 0; i < count; i++)
            k->u[i] = (T)d->c[9] * k->p2[i] + (T)d->c[11] * k->p4[i] + (T)d->c[13] * k->p6[i];
        NAME(multiply)(k, k->p6, k->u, true, k->t);
        for (size_t i = 0; i < count; i++)
            k->u[i] = (T)d->c[8] * k->p2[i] + (T)d->c[10] * k->p4[i] + (T)d->c[12] * k->p6[i];
        NAME(multiply)(k, k->p6, k->u, true, k->v_);
    }
    NAME(multiply)(k, k->a, k->t, false, k->u);
}

/* The approximation in place of a. */
static int NAME(approximate)(const NAME(work) * k, const degree *d)
{
    const size_t count = (size_t)k->n * (size_t)k->n;
    NAME(numerator)(k, d);
    for (size_t i = 0; i < count; i++) {
        k->a[i] = k->v_[i] + k->u[i];
        k->v_[i] -= k->u[i];
    }
    const int info = tb__lapack_getrf(k->x, k->v_, k->pivots);
    return info < 0 ? info : tb__lapack_getrs(k->x, k->v_, k->pivots, k->a);
}

/* ---- degree and halvings ----------------------------------------------------------------------------------------- */

/* Makes a's powers as far as they are wanted, and chooses. */
static const degree *NAME(choose)(const NAME(work) * k, double norm, int *halvings)
{
    const degree *d = k->is_narrow ? narrow : wide;
    *halvings = 0;
    NAME(multiply)(k, k->a, k->a, false, k->p2);
    const double n2 = NAME(norm)(k, k->p2), d2 = fmin(sqrt(n2), norm);
    if (d2 <= d[0].bound && NAME(more)(k, &d[0], norm, 0) == 0) return &d[0];
    NAME(multiply)(k, k->p2, k->p2, false, k->p4);
    const double n4 = NAME(norm)(k, k->p4), d4 = pow(n4, 0.25);
    if (fmax(d4, pow(n4 * n2, 1.0 / 6)) <= d[1].bound && NAME(more)(k, &d[1], norm, 0) == 0) return &d[1];
    NAME(multiply)(k, k->p2, k->p4, false, k->p6);
    const double n6 = NAME(norm)(k, k->p6), d6 = pow(n6, 1.0 / 6);
    const double of_six = fmax(d4, d6), of_ten = fmax(d4, pow(n4 * n6, 0.1)); /* the eighth: fourth times fourth */
    const int last = k->is_narrow ? 2 : 4;
    for (int i = 2; i < last; i++)
        if (of_six <= d[i].bound && NAME(more)(k, &d[i], norm, 0) == 0) return &d[i];
    *halvings = halvings_below(fmin(of_six, of_ten), d[last].bound);
    *halvings += NAME(more)(k, &d[last], norm, *halvings);
    return &d[last];
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static shape NAME(shape_of)(int n, const T *a)
{
    bool above = false, below = false;
    for (int j = 0; j < n && !(above && below); j++) {
        const T *column = a + (size_t)j * (size_t)n;
        for (int i = 0; i < j && !above; i++) above = column[i] != 0;
        for (int i = j + 1; i < n && !below; i++) below = column[i] != 0;
    }
    return above && below ? FULL : above ? UPPER : below ? LOWER : DIAGONAL;
}

/* Where element i of the diagonal beside the main one is. */
static size_t NAME(beside)(int n, shape s, int i)
{
    const size_t side = (size_t)n, at = (size_t)i;
    return s == UPPER ? (at + 1) * side + at : at * side + at + 1;
}

static void NAME(keep_diagonals)(const NAME(work) * k, shape s)
{
    for (int i = 0; i < k->n; i++) {
        k->diagonal[i] = k->a[(size_t)i * ((size_t)k->n + 1)];
        k->beside[i] = i + 1 < k->n ? k->a[NAME(beside)(k->n, s, i)] : 0;
    }
}

/* The solution leaves roundings in the triangle that is zero. */
static void NAME(clear_other)(const NAME(work) * k, shape s, T *a)
{
    for (int j = 0; j < k->n; j++)
        for (int i = s == UPPER ? j + 1 : 0; i < (s == UPPER ? k->n : j); i++)
            a[(size_t)j * (size_t)k->n + (size_t)i] = 0;
}

/* The diagonals of what is the exponential after so many halvings. */
static void NAME(set_diagonals)(const NAME(work) * k, shape s, int halvings, T *a)
{
    const double part = ldexp(1, -halvings);
    for (int i = 0; i < k->n; i++) {
        a[(size_t)i * ((size_t)k->n + 1)] = (T)PART(cexp(part * k->diagonal[i]));
        if (i + 1 == k->n) return;
        const double complex slope = divided(part * k->diagonal[i], part * k->diagonal[i + 1]);
        a[NAME(beside)(k->n, s, i)] = (T)PART(part * k->beside[i] * slope);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void NAME(square)(const NAME(work) * k, shape s, int halvings)
{
    const size_t bytes = (size_t)k->n * (size_t)k->n * sizeof *k->a;
    T *from = k->a, *to = k->t;
    if (s != FULL) NAME(clear_other)(k, s, from);
    if (s != FULL) NAME(set_diagonals)(k, s, halvings, from);
    for (int i = halvings - 1; i >= 0; i--) {
        NAME(multiply)(k, from, from, false, to);
        if (s != FULL) NAME(set_diagonals)(k, s, i, to);
        T *other = from;
        from = to;
        to = other;
    }
    if (from != k->a) memcpy(k->a, from, bytes);
}

static int NAME(scale_and_square)(const NAME(work) * k, shape s, double norm)
{
    const size_t count = (size_t)k->n * (size_t)k->n;
    const int before = halvings_for(norm, k->is_narrow);
    int halvings;
    if (s != FULL) NAME(keep_diagonals)(k, s);
    NAME(scale)(k->a, count, before);
    const degree *d = NAME(choose)(k, ldexp(norm, -before), &halvings);
    NAME(scale)(k->a, count, halvings);
    NAME(scale)(k->p2, count, 2 * halvings);
    NAME(scale)(k->p4, count, 4 * halvings);
    NAME(scale)(k->p6, count, 6 * halvings);
    const int info = NAME(approximate)(k, d);
    NAME(square)(k, s, halvings + before);
    return info;
}

static void NAME(small)(int n, T *a)
{
    double complex two[4];
    if (n == 1) {
        a[0] = (T)PART(cexp(a[0]));
        return;
    }
    for (int i = 0; i < 4; i++) two[i] = a[i];
    exp_of_two(two);
    for (int i = 0; i < 4; i++) a[i] = (T)PART(two[i]);
}

static int NAME(expm)(const tb_lapack_item *x, tb_lapack_space *space)
{
    const size_t n = (size_t)x->n, count = n * n;
    T *matrices = (T *)(void *)((double complex *)space->real + 3 * n), *a = x->a;
    NAME(work)
    k = {.x = x,
         .n = x->n,
         .is_narrow = x->is_narrow,
         .diagonal = space->real,
         .pivots = space->integer,
         .a = a,
         .p2 = matrices,
         .p4 = matrices + count,
         .p6 = matrices + 2 * count,
         .u = matrices + 3 * count,
         .v_ = matrices + 4 * count,
         .t = matrices + 5 * count};
    k.beside = k.diagonal + n;
    k.v = (double *)(void *)(k.beside + n);
    k.w = k.v + n;
    const double norm = NAME(norm)(&k, a);
    if (!isfinite(norm)) return -1;
    const shape s = NAME(shape_of)(x->n, a);
    if (s == DIAGONAL)
        for (size_t i = 0; i < n; i++) a[i * (n + 1)] = (T)PART(cexp(a[i * (n + 1)]));
    else if (n <= 2) NAME(small)(x->n, a);
    else return NAME(scale_and_square)(&k, s, norm);
    return 0;
}
