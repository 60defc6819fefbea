"""The text of the kernel that takes many steps of Golub and Kahan's process; what is to be filled in has a ``$``.

The blocks of a launch meet at barriers. A block has the same rows of the matrix and of its adjoint in each step, and
keeps in shared memory what of them, and of the vectors that nobody else reads, there is room for. What one step leaves
to the next:

    u = A v - alpha u         then |u|, for which the blocks meet; meanwhile a thread of each block does the recurrences
                              of numbers of the step before, whose vectors are changed when v is
    v = A^H u - beta v        then |v|, for which they meet again

``u`` and ``v`` are not yet of length 1 in memory. Sums are added up in one order, by each block for itself, so that all
of them come to the same numbers, and know by themselves when to stop.
"""

__all__ = ["TEXT"]

TEXT = """
template <class T> struct pair {
    T re, im;
    __device__ pair() : re(0), im(0) {}
    __device__ pair(T re, T im) : re(re), im(im) {}
    template <class U> __device__ pair(pair<U> x) : re(T(x.re)), im(T(x.im)) {}
};

inline __device__ double magnitude(double x) { return fabs(x); }
inline __device__ double square(double x) { return x * x; }
inline __device__ void add_product(float &sum, float a, float x) { sum += a * x; }
inline __device__ void add_product(double &sum, double a, double x) { sum += a * x; }
inline __device__ float from_lane(float x, int apart) { return __shfl_xor_sync(0xffffffffu, x, apart); }
inline __device__ double from_lane(double x, int apart) { return __shfl_xor_sync(0xffffffffu, x, apart); }

#if COMPLEX
template <class T, class U> inline __device__ pair<decltype(T() + U())> operator+(pair<T> a, pair<U> b)
{
    return {a.re + b.re, a.im + b.im};
}
template <class T, class U> inline __device__ pair<decltype(T() + U())> operator-(pair<T> a, pair<U> b)
{
    return {a.re - b.re, a.im - b.im};
}
template <class T, class U> inline __device__ pair<decltype(T() * U())> operator*(pair<T> a, U b)
{
    return {a.re * b, a.im * b};
}
template <class T> inline __device__ double square(pair<T> x) { return square(x.re) + square(x.im); }
template <class T> inline __device__ double magnitude(pair<T> x) { return hypot(double(x.re), double(x.im)); }
template <class T> inline __device__ void add_product(pair<T> &sum, pair<T> a, pair<T> x)
{
    sum = {sum.re + (a.re * x.re - a.im * x.im), sum.im + (a.re * x.im + a.im * x.re)};
}
template <class T> inline __device__ pair<T> from_lane(pair<T> x, int apart)
{
    return {from_lane(x.re, apart), from_lane(x.im, apart)};
}
#endif

/* ---- what a block has -------------------------------------------------------------------------------------------- */

/* What is left of shared memory. */
struct Room {
    char *at;
    long long left;

    /* n elements, from here on in shared memory if there is room for them. */
    template <class T> __device__ T *keep(T *from, long long n)
    {
        const long long bytes = (n * (long long)sizeof(T) + 15) / 16 * 16;
        if (bytes > left) return from;
        T *to = (T *)at;
        for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
        at += bytes;
        left -= bytes;
        return to;
    }
};

/* A part of n elements back to where it belongs. */
template <class T> inline __device__ void put_back(const T *from, T *to, long long n)
{
    if (from == to) return;
    for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

/* Rows of a matrix: the first one's number, and how many. */
struct Rows {
    column *start, *index;
    number *data;
    column first, n, base, width; /* the first one's first element; of a dense matrix elements of a row */

    __device__ column begin(column row) const { return DENSE ? row * width : start[row] - base; }
    __device__ column place(column row, column k) const { return DENSE ? k - row * width : index[k]; }
};

/* What comes before a row: elements, and the work that each row is besides. */
inline __device__ long long before_row(const column *start, long long width, long long row)
{
    return (DENSE ? row * width : (long long)start[row]) + 4 * row;
}

/* The first row of a part, of which all are about the same work. */
inline __device__ long long first_of(const column *start, long long rows, long long width, unsigned part)
{
    const long long wanted = before_row(start, width, rows) * part / gridDim.x;
    long long low = 0, high = rows;
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (before_row(start, width, middle) < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

inline __device__ Rows rows_of(column *start, column *index, number *data, long long rows, long long width)
{
    Rows r;
    r.width = (column)width;
    r.first = (column)first_of(start, rows, width, blockIdx.x);
    r.n = (column)(blockIdx.x + 1 == gridDim.x ? rows : first_of(start, rows, width, blockIdx.x + 1)) - r.first;
    r.base = DENSE ? r.first * r.width : start[r.first];
    r.start = DENSE ? start : start + r.first;
    r.index = DENSE ? index : index + r.base;
    r.data = data + r.base;
    return r;
}

inline __device__ void keep_matrix(Room &room, Rows &r)
{
    const long long elements = r.begin(r.n);
    if (!DENSE) {
        r.start = room.keep(r.start, (long long)r.n + 1);
        r.index = room.keep(r.index, elements);
    }
    r.data = room.keep(r.data, elements);
}

/* What a row needs that does not wait for other numbers: asked for while the row before is worked on. */
struct Ahead {
    column begin, end;
    number own; /* the element of the result's vector */

    __device__ Ahead(const Rows &r, column row, const number *result) : begin(0), end(0), own()
    {
        if (row >= r.n) return;
        begin = r.begin(row);
        end = r.begin(row + 1);
        own = result[row];
    }
};

/* The product of a row with x, by as many lanes of a warp; all of them have it. */
template <int LANES> inline __device__ number product(const Rows &r, column row, const Ahead &ahead, const number *x)
{
    enum { TOGETHER = COMPLEX ? 2 : 4 }; /* elements that a lane asks for before it needs one */
    number sum = number();
    #pragma unroll 1
    for (column first = ahead.begin + threadIdx.x % LANES; first < ahead.end; first += TOGETHER * LANES) {
        number a[TOGETHER], b[TOGETHER]; /* zeros beyond the row */
        #pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const column k = first + i * LANES;
            a[i] = b[i] = number();
            if (k >= ahead.end) continue;
            a[i] = r.data[k];
            b[i] = x[r.place(row, k)];
        }
        #pragma unroll
        for (int i = 0; i < TOGETHER; i++) add_product(sum, a[i], b[i]);
    }
    #pragma unroll
    for (int apart = LANES / 2; apart > 0; apart /= 2) sum = sum + from_lane(sum, apart);
    return sum;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

enum { TURNS = 3, WARPS = 32, EACH = MOST_BLOCKS / 32 };
#define NOTHING 0xffffffffffffffffull

inline __device__ double over_warp(double sum)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) sum += from_lane(sum, apart);
    return sum;
}

/* The meetings of blocks. Each posts its sums, and waits for those of all others; what they have written before is seen
 * afterwards. A place has what is no number until it is posted to, and again once every block has gone on: which is
 * known when all have posted their next sums elsewhere. */
struct Meeting {
    unsigned long long *posts; /* TURNS x 2 x blocks */
    double (*parts)[WARPS];    /* of the block's warps */
    int turn;

    __device__ unsigned long long *post(int turn, int i, unsigned block) const
    {
        return posts + ((turn % TURNS) * 2 + i) * gridDim.x + block;
    }

    /* The sums that a lane waits for are asked for side by side. */
    template <int N> __device__ void wait(double (&sum)[N]) const
    {
        unsigned long long bits[N][EACH];
        bool all = false;
        #pragma unroll
        for (int k = 0; k < N * EACH; k++) bits[k / EACH][k % EACH] = NOTHING;
        while (!all) {
            all = true;
            #pragma unroll
            for (int k = 0; k < N * EACH; k++) {
                const unsigned block = threadIdx.x + 32 * (k % EACH);
                if (block < gridDim.x && bits[k / EACH][k % EACH] == NOTHING)
                    bits[k / EACH][k % EACH] = *(const volatile unsigned long long *)post(turn, k / EACH, block);
            }
            #pragma unroll
            for (int k = 0; k < N * EACH; k++)
                if (threadIdx.x + 32 * (k % EACH) < gridDim.x && bits[k / EACH][k % EACH] == NOTHING) all = false;
        }
        #pragma unroll
        for (int i = 0; i < N; i++) {
            sum[i] = 0;
            #pragma unroll
            for (int k = 0; k < EACH; k++)
                if (threadIdx.x + 32 * k < gridDim.x) sum[i] += __longlong_as_double((long long)bits[i][k]);
            sum[i] = over_warp(sum[i]);
        }
    }

    /* Sums over all threads of the grid, for the first warp; the others still have to wait for it. */
    template <int N> __device__ void add_up(double (&sum)[N])
    {
        #pragma unroll
        for (int i = 0; i < N; i++) {
            sum[i] = over_warp(sum[i]);
            if (threadIdx.x % 32 == 0) parts[i][threadIdx.x / 32] = sum[i];
        }
        __syncthreads();
        if (threadIdx.x >= 32) return;
        #pragma unroll
        for (int i = 0; i < N; i++) sum[i] = over_warp(threadIdx.x < blockDim.x / 32 ? parts[i][threadIdx.x] : 0.0);
        if (gridDim.x == 1) return;
        if (threadIdx.x == 0) {
            __threadfence();
            #pragma unroll
            for (int i = 0; i < N; i++)
                *(volatile unsigned long long *)post(turn, i, blockIdx.x) =
                    sum[i] == sum[i] ? (unsigned long long)__double_as_longlong(sum[i]) : 0x7ff8000000000000ull;
        }
        __syncwarp();
        wait(sum);
        __threadfence();
        if (threadIdx.x < 2) *(volatile unsigned long long *)post(turn + TURNS - 1, threadIdx.x, blockIdx.x) = NOTHING;
        turn++;
    }
};

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* The recurrences of a step, and if that is another function, the test of the step before. Called, so that others do
 * without the registers that they need. */
#define CALLED static __device__ __attribute__((noinline))
CALLED void advance(double *state, double alpha, double beta, double watched, double *made)
{
$advance
}

CALLED void look(double *state, double watched)
{
$look
}

/* What a step makes of elements; the square of the one that is watched. */
inline __device__ double change($pointers, column i, wide v, const double *factors)
{
$change
    return square($watched[i]);
}

extern "C" __global__ void __launch_bounds__($threads)
tombac_resident(column *a_start, column *a_index, number *a_data, long long m, column *h_start, column *h_index,
                number *h_data, long long n, number *u, number *v, double *state, unsigned long long *posts,
                int count, int bytes, $parameters)
{
    extern __shared__ double room_of_block[];
    __shared__ double parts[2][WARPS], numbers[NUMBERS], factors[4];
    __shared__ bool advanced;
    __shared__ Rows of_matrix, of_adjoint; /* which registers have for a while only */
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    double *beyond = numbers + STATE;
    Room room = {(char *)room_of_block, bytes};
    Rows rows = rows_of(a_start, a_index, a_data, m, n), cols = rows_of(h_start, h_index, h_data, n, m);
$keep
    keep_matrix(room, rows);
    if (!DENSE && m == n && h_start == a_start && h_index == a_index && h_data == a_data) cols = rows;
    else keep_matrix(room, cols);
    if (threadIdx.x == 0) {
        of_matrix = rows;
        of_adjoint = cols;
        advanced = false;
    }
    for (int i = threadIdx.x; i < NUMBERS; i += blockDim.x) numbers[i] = state[i];
    Meeting meeting = {posts, parts, 0};
    __syncthreads();
    for (int step = 0;; step++) {
        double uu[1] = {0}, squares[2] = {0, 0};
        if (warp == 0) {
            if (lane == 0 && step > 0) {
                if (WATCHED_AFTER && advanced) look(numbers, beyond[WATCHED]);
                advanced = numbers[REASON] == 0;
                if (advanced) advance(numbers, beyond[ALPHA], beyond[BETA], beyond[WATCHED], factors);
            }
        } else if (step < count) {
            const Rows here = of_matrix;
            const real scale = real(beyond[SCALE_V]), back = real(beyond[ALPHA] * beyond[SCALE_U]);
            const int group = (threadIdx.x - 32) / A_LANES, groups = (blockDim.x - 32) / A_LANES;
            number *const result = u + here.first;
            Ahead next(here, group, result);
            for (column row = group; row - group < here.n; row += groups) {
                const Ahead now = next;
                next = Ahead(here, row + groups, result);
                const number sum = product<A_LANES>(here, row, now, v);
                if (row >= here.n || lane % A_LANES != 0) continue;
                const number found = sum * scale - now.own * back;
                result[row] = found;
                uu[0] += square(found);
            }
        }
        if (step < count) {
            meeting.add_up(uu);
            if (threadIdx.x == 0) {
                const double beta = sqrt(uu[0]);
                beyond[BETA] = beta;
                beyond[SCALE_U] = beta > 0 ? 1 / beta : 0;
            }
        }
        __syncthreads();
        if (step == count || numbers[REASON] != 0) break;
        const bool changes = advanced;
        {
            const Rows here = of_adjoint;
            const real scale = real(beyond[SCALE_U]), back = real(beyond[BETA] * beyond[SCALE_V]);
            const double length = beyond[SCALE_V];
            const int group = threadIdx.x / H_LANES, groups = blockDim.x / H_LANES;
            number *const result = v + here.first;
            Ahead next(here, group, result);
            for (column row = group; row - group < here.n; row += groups) {
                const Ahead now = next;
                next = Ahead(here, row + groups, result);
                const number sum = product<H_LANES>(here, row, now, u);
                if (row >= here.n || lane % H_LANES != 0) continue;
                if (changes) squares[1] += change($names, row, wide(wide(now.own) * length), factors);
                const number found = sum * scale - now.own * back;
                result[row] = found;
                squares[0] += square(found);
            }
        }
        meeting.add_up(squares);
        if (threadIdx.x == 0) {
            const double alpha = sqrt(squares[0]);
            beyond[ALPHA] = alpha;
            beyond[SCALE_V] = alpha > 0 ? 1 / alpha : 0;
            if (changes) beyond[WATCHED] = squares[1];
        }
        __syncthreads();
    }
    /* What is left to be done for the last step. */
    const Rows here = of_adjoint;
    if (advanced) {
        double last[1] = {0};
        for (column i = threadIdx.x; i < here.n; i += blockDim.x)
            last[0] += change($names, i, wide(wide(v[here.first + i]) * beyond[SCALE_V]), factors);
        meeting.add_up(last);
        if (threadIdx.x == 0) beyond[WATCHED] = last[0];
        if (WATCHED_AFTER && threadIdx.x == 0) look(numbers, last[0]);
        __syncthreads();
    }
$put_back
    if (blockIdx.x > 0) return;
    for (int i = threadIdx.x; i < NUMBERS; i += blockDim.x) state[i] = numbers[i];
}
"""
