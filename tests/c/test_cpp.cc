/* test_cpp.cc - tombac.hpp: ownership, operators with arrays and numbers on either side, functions, indices, vectors,
 * exceptions. */
#include <tombac/tombac.hpp>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <type_traits>

using tombac::array;
using tombac::number;

static int failures;

static void check_at(bool ok, int line, const char *what)
{
    if (ok) return;
    failures++;
    std::fprintf(stderr, "test_cpp.cc:%d: %s\n", line, what);
}

#define CHECK(condition) check_at((condition), __LINE__, #condition)
/* Throws a tombac::error with this status and a message that has the text in it. */
#define CHECK_THROWS(expression, expected, text)                                                            \
    do {                                                                                                    \
        bool thrown = false;                                                                                \
        try {                                                                                               \
            (void)(expression);                                                                             \
        } catch (const tombac::error &e) {                                                                  \
            thrown = e.status() == (expected) && std::strstr(e.what(), text);                               \
            if (!thrown) std::fprintf(stderr, "thrown was %d: %s\n", (int)e.status(), e.what());            \
        }                                                                                                   \
        check_at(thrown, __LINE__, #expression);                                                            \
    } while (0)

using floats = std::vector<float>;
using ints = std::vector<int32_t>;
using bools = std::vector<bool>;

template <class T> static std::vector<T> of(const array &a)
{
    CHECK(a.dtype() == tombac::dtype_of<T>::value);
    return a.to_vector<T>();
}

static const array x(floats{1, 2, 3, 4}), n(ints{-7, 8, 9});

static void test_dtypes()
{
    static_assert(tombac::dtype_of<int8_t>::value == TB_I8 && tombac::dtype_of<uint8_t>::value == TB_U8, "");
    static_assert(tombac::dtype_of<long long>::value == TB_I64 && tombac::dtype_of<long>::value == TB_I64, "");
    static_assert(tombac::dtype_of<unsigned short>::value == TB_U16, "");
    static_assert(tombac::dtype_of<unsigned>::value == TB_U32, "");
    static_assert(tombac::dtype_of<std::size_t>::value == TB_U64, "");
    static_assert(tombac::dtype_of<std::complex<double>>::value == TB_C128, "");
    CHECK(number(3).get().dtype == TB_I64 && number(3).get().weak && number(-3).get().v.i == -3);
    CHECK(number(3u).get().dtype == TB_I64 && number(~uint64_t(0)).get().dtype == TB_U64);
    CHECK(number(true).get().dtype == TB_BOOL && number(1.5f).get().dtype == TB_F64);
    CHECK(number(std::complex<float>(1, 2)).get().dtype == TB_C128);
}

static void test_ownership()
{
    static_assert(std::is_nothrow_move_constructible<array>::value, "");
    static_assert(std::is_nothrow_move_assignable<array>::value, "");
    array a = x * 1, b = a, c;
    b += 1;
    CHECK(a.get() == b.get() && of<float>(a) == (floats{2, 3, 4, 5}));
    c = std::move(a);
    CHECK(!a.get() && c.get() == b.get());
    a = c.copy();
    a *= a;
    CHECK(of<float>(a) == (floats{4, 9, 16, 25}) && of<float>(c) == (floats{2, 3, 4, 5}));
    const array &same = a;
    a = same;
    CHECK(a.size() == 4);
    tb_array *raw = a.release();
    CHECK(!a.get() && array(raw).ndim() == 1);
    CHECK_THROWS(array() + x, TB_ERR_VALUE, "tb_add: a is NULL");
    CHECK_THROWS(exp(array()), TB_ERR_VALUE, "tb_exp: a is NULL");
}

static void test_operators()
{
    CHECK(of<float>(x + x) == (floats{2, 4, 6, 8}));
    CHECK(of<float>(x - 1) == (floats{0, 1, 2, 3}));
    CHECK(of<float>(1 - x) == (floats{0, -1, -2, -3}));
    CHECK(of<float>(2.0 * x * 0.5f) == (floats{1, 2, 3, 4}));
    CHECK(of<float>(12 / x) == (floats{12, 6, 4, 3}));
    CHECK(of<double>(n / 2) == (std::vector<double>{-3.5, 4, 4.5}));
    CHECK(of<int32_t>(n % 5) == (ints{3, 3, 4}) && of<int32_t>(100 % n) == (ints{-5, 4, 1}));
    CHECK(of<int32_t>(-n) == (ints{7, -8, -9}) && of<int32_t>(~+n) == (ints{6, -9, -10}));
    CHECK(of<int32_t>((n & 6) | 1) == (ints{1, 1, 1}) && of<int32_t>(n ^ n) == (ints{0, 0, 0}));
    CHECK(of<bool>(x > 2) == (bools{false, false, true, true}) &&
          of<bool>(2 > x) == (bools{true, false, false, false}));
    CHECK(of<bool>(x == x) == bools(4, true) && of<bool>(x != 3) == (bools{true, true, false, true}));
    CHECK(of<bool>(3 == x) == (bools{false, false, true, false}) && of<bool>(!(3 != x)) == of<bool>(x == 3));
    CHECK(of<bool>((x <= 2) | (x >= 4)) == (bools{true, true, false, true}));
    CHECK(of<std::complex<float>>(x(0) * std::complex<double>(0, 1))[0] == std::complex<float>(0, 1));
    CHECK_THROWS(x + n, TB_ERR_VALUE, "(4,)");
    CHECK_THROWS(x & 1, TB_ERR_TYPE, "bitwise_and");
}

static void test_in_place_operators()
{
    array a(ints{7, 8, 9}), b = a;
    CHECK_THROWS(a -= 0.5, TB_ERR_CASTING, "int32");
    a += 1;
    a -= array(ints{1, 1, 1});
    a *= 3;
    a %= 10;
    a |= 8;
    a &= 14;
    a ^= 1;
    CHECK(a.get() == b.get() && of<int32_t>(b) == (ints{9, 13, 15}));
    array c(floats{1, 2});
    c /= 4;
    c /= array(c);
    CHECK(of<float>(c) == (floats{1, 1}));
}

static void test_functions()
{
    CHECK(of<float>(maximum(x, 3)) == (floats{3, 3, 3, 4}) && of<float>(minimum(2, x)) == (floats{1, 2, 2, 2}));
    CHECK(of<float>(power(2, x)) == (floats{2, 4, 8, 16}));
    const std::pair<array, array> parts = divmod(n, 4);
    CHECK(of<int32_t>(parts.first) == (ints{-2, 2, 2}) && of<int32_t>(parts.second) == (ints{1, 0, 1}));
    CHECK(of<int32_t>(frexp(x).second) == (ints{1, 2, 2, 3}));
    CHECK(sum(x).item<float>() == 10 && sum(x).item<double>() == 10 && tombac::std(x * 0).item<float>() == 0);
    const array m = tombac::arange(TB_I64, 0, 1, 6).reshape({2, 3});
    CHECK(of<int64_t>(sum(m, 0)) == (std::vector<int64_t>{3, 5, 7}) && of<int64_t>(max(m, -1))[1] == 5);
    CHECK(of<int64_t>(cumsum(m))[5] == 15 && of<int64_t>(cumsum(m, 1))[5] == 12);
    CHECK_THROWS(sum(m, 2), TB_ERR_AXIS, "axis 2");
    CHECK(of<float>(where(x > 2, x, 0)) == (floats{0, 0, 3, 4}) && of<float>(where(x > 2, 9, x))[3] == 9);
    CHECK(of<float>(matmul(x, x))[0] == 30);
    CHECK(of<double>(tombac::linspace(0, 1, 3)) == (std::vector<double>{0, 0.5, 1}));
    CHECK(tombac::zeros({2, 3}).shape() == (tombac::shape_type{2, 3}) && tombac::ones({}, TB_F32).ndim() == 0);
    CHECK(tombac::empty({0, 2}, TB_I8).size() == 0 && sum(tombac::full({2, 2}, 1.5)).item<double>() == 6);
}

static void test_indices()
{
    using tombac::ellipsis;
    using tombac::newaxis;
    using tombac::none;
    using tombac::slice;
    array m = tombac::arange(TB_I32, 0, 1, 12).reshape({3, 4});
    CHECK(of<int32_t>(m(1)) == (ints{4, 5, 6, 7}) && of<int32_t>(m[-1]) == (ints{8, 9, 10, 11}));
    CHECK(m(2, 1).item<int>() == 9 && m(2, 1).ndim() == 0);
    CHECK(of<int32_t>(m(slice(1, none), 0)) == (ints{4, 8}) && of<int32_t>(m(ellipsis, -1)) == (ints{3, 7, 11}));
    CHECK(of<int32_t>(m(0, slice(none, none, -1))) == (ints{3, 2, 1, 0}));
    CHECK(m(newaxis, 0).shape() == (tombac::shape_type{1, 4}));
    CHECK(of<int32_t>(m(m > 9)) == (ints{10, 11}) && of<int32_t>(m(0, array(ints{2, 0}))) == (ints{2, 0}));
    m(1) += 100;
    m.set({slice(none, 2), 0}, -1);
    m.set({m > 50}, 0);
    m.set({2}, array(ints{1, 2, 3, 4}));
    CHECK(of<int32_t>(m) == (ints{-1, 1, 2, 3, -1, 0, 0, 0, 1, 2, 3, 4}));
    m(slice(0, 2)).fill(5);
    CHECK(sum(m).item<int>() == 50 && of<int32_t>(m.transpose()(0)) == (ints{5, 5, 1}));
    CHECK_THROWS(m(3), TB_ERR_INDEX, "3");
    CHECK_THROWS(m[0][4], TB_ERR_INDEX, "4");
    CHECK_THROWS(m.set({0}, x(slice(0, 3))), TB_ERR_VALUE, "(3,)");
}

static void test_vectors()
{
    const array m(floats{1, 2, 3, 4, 5, 6}, {2, 3}), truth(bools{true, false});
    CHECK(m.ndim() == 2 && m.to_vector<double>()[5] == 6 && of<bool>(truth) == (bools{true, false}));
    CHECK(array(floats{}).size() == 0 && array(floats{}).to_vector<float>().empty());
    CHECK(array(bools{}).to_vector<bool>().empty() && array(floats{3}, {}).item<float>() == 3);
    CHECK(m.transpose().to_vector<float>()[1] == 4 && m.broadcast_to({2, 2, 3}).size() == 12);
    CHECK(m.eval().astype(TB_I8).to_vector<int>()[2] == 3);
    CHECK_THROWS(array(floats{1, 2}, {3}), TB_ERR_VALUE, "2 elements");
    CHECK_THROWS(m.to_vector<int>(), TB_ERR_CASTING, "int32");
    CHECK_THROWS(m.item<float>(), TB_ERR_VALUE, "6 elements");
    CHECK_THROWS(m.reshape({4}), TB_ERR_VALUE, "reshape");
}

static void test_text()
{
    std::ostringstream text;
    text << array(floats{1, 2.5f}) << ' ' << sum(n);
    CHECK(text.str() == "[1.  2.5] 10");
    CHECK_THROWS(text << array(), TB_ERR_VALUE, "tb_to_string");
}

int main()
{
    test_dtypes();
    test_ownership();
    test_operators();
    test_in_place_operators();
    test_functions();
    test_indices();
    test_vectors();
    test_text();
    if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
    return failures != 0;
}
