"""Device functions that generated code calls: each is added to a source only where it is used."""

# What a function calls comes first.
NEEDS = {"floor_divide": ("mod",)}

TEXTS = {
    "mod": """\
template <class T> __device__ inline T jit_mod(T a, T b)
{
    if (b == T(0)) return T(0);
    if (T(-1) < T(0) && b == T(-1)) return T(0);
    T r = (T)(a % b);
    return r != T(0) && (r < T(0)) != (b < T(0)) ? (T)(r + b) : r;
}
__device__ inline float jit_mod(float a, float b)
{
    float r = fmodf(a, b);
    if (r == 0.0f) return copysignf(0.0f, b);
    return (r < 0.0f) != (b < 0.0f) ? r + b : r;
}
__device__ inline double jit_mod(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0.0) return copysign(0.0, b);
    return (r < 0.0) != (b < 0.0) ? r + b : r;
}
""",
    "floor_divide": """\
template <class T> __device__ inline T jit_floor_divide(T a, T b)
{
    if (b == T(0)) return T(0);
    if (T(-1) < T(0) && b == T(-1)) return (T)(T(0) - a);
    T q = (T)(a / b);
    return (T)(q * b) != a && (a < T(0)) != (b < T(0)) ? (T)(q - 1) : q;
}
__device__ inline float jit_floor_divide(float a, float b)
{
    if (b == 0.0f) return a / b;
    float q = (a - jit_mod(a, b)) / b, f = floorf(q);
    return q == 0.0f ? copysignf(0.0f, a / b) : q - f > 0.5f ? f + 1.0f : f;
}
__device__ inline double jit_floor_divide(double a, double b)
{
    if (b == 0.0) return a / b;
    double q = (a - jit_mod(a, b)) / b, f = floor(q);
    return q == 0.0 ? copysign(0.0, a / b) : q - f > 0.5 ? f + 1.0 : f;
}
""",
    "integer_power": """\
template <class T> __device__ inline T jit_power(T a, T n)
{
    if (n < T(0)) return a == T(1) ? T(1) : a == T(-1) ? (n & 1 ? a : T(1)) : T(0);
    T r = T(1);
    for (; n; n = (T)(n >> 1), a = (T)(a * a))
        if (n & 1) r = (T)(r * a);
    return r;
}
""",
    "square": "template <class T> __device__ inline T jit_square(T a) { return (T)(a * a); }\n",
    "lesser": "template <class T> __device__ inline T jit_lesser(T a, T b) { return b < a ? b : a; }\n",
    "greater": "template <class T> __device__ inline T jit_greater(T a, T b) { return a < b ? b : a; }\n",
    "minimum": "template <class T> __device__ inline T jit_minimum(T a, T b) { return a < b || a != a ? a : b; }\n",
    "maximum": "template <class T> __device__ inline T jit_maximum(T a, T b) { return a > b || a != a ? a : b; }\n",
    "absolute": "template <class T> __device__ inline T jit_absolute(T a) { return a < T(0) ? (T)(T(0) - a) : a; }\n",
    "sign": """\
template <class T> __device__ inline T jit_sign(T a)
{
    return a > T(0) ? T(1) : a < T(0) ? (T)(T(0) - T(1)) : a == T(0) ? T(0) : a;
}
""",
    "gcd": """\
template <class T> __device__ inline T jit_gcd(T a, T b)
{
    while (b != T(0)) {
        T r = (T)(a % b);
        a = b;
        b = r;
    }
    return a < T(0) ? (T)(T(0) - a) : a;
}
""",
    "atomic_cas_loop": """\
template <class T, class U, class F> __device__ inline T jit_atomic_update(T *p, T value, F pick)
{
    union { T number; U bits; } now, next;
    U seen;
    now.bits = *(U *)p;
    do {
        seen = now.bits;
        next.number = pick(now.number, value);
        now.bits = atomicCAS((U *)p, seen, next.bits);
    } while (now.bits != seen);
    return now.number;
}
struct jit_pick_lesser { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
struct jit_pick_greater { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
""",
    "atomic_add_half": """\
__device__ inline float16 jit_atomic_add_half(float16 *p, float16 value)
{
    unsigned long long address = (unsigned long long)p, shift = (address & 2) * 8;
    unsigned int *q = (unsigned int *)(address & ~3ULL), old = *q, seen;
    float16 now;
    do {
        seen = old;
        now.bits = (unsigned short)(seen >> shift);
        float16 next = float16((float)now + (float)value);
        old = atomicCAS(q, seen, (seen & ~(0xffffu << shift)) | ((unsigned int)next.bits << shift));
    } while (old != seen);
    return now;
}
""",
    "from_pair": """\
template <class R, class P> __device__ inline R jit_from_pair(P p) { return R{p.first, p.second}; }
""",
    "group_copy": """\
typedef unsigned long long jit_size;
__device__ inline void jit_group_copy(char *to, const char *from, jit_size size, jit_size rank, jit_size count)
{
    jit_size alignment = (jit_size)to | (jit_size)from | size;
    if ((alignment & 15) == 0)
        for (jit_size i = rank; i < size / 16; i += count) ((int4 *)to)[i] = ((const int4 *)from)[i];
    else if ((alignment & 3) == 0)
        for (jit_size i = rank; i < size / 4; i += count) ((int *)to)[i] = ((const int *)from)[i];
    else
        for (jit_size i = rank; i < size; i += count) to[i] = from[i];
}
""",
}


def text(names):
    """The functions of that name and what they need, each once."""
    order = []

    def add(name):
        for other in NEEDS.get(name, ()):
            add(other)
        if name not in order:
            order.append(name)
    for name in sorted(names):
        add(name)
    return "".join(TEXTS[name] for name in order)
