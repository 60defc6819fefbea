/* tombac.hpp - C++ for libtombac, header-only, from C++11 on: arrays that release themselves, operators, exceptions.
 *
 *     tombac::array x = tombac::arange(TB_F32, 0, 1, 1000), y = 2 * exp(-x) + 1;
 *     double sum = tombac::sum(y).item<double>();
 *
 * A tombac::array is a reference to an array of tombac.h. As in Python a copy is the same array: what is written to one
 * is seen in the other, and += and its like write in place, by the casting rules of NumPy's out=. What fails throws
 * tombac::error. get() gives the tb_array, so that all of tombac.h can be used with it. */
#ifndef TOMBAC_HPP
#define TOMBAC_HPP

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tombac/tombac.h"

namespace tombac {

/* ---- errors --------------------------------------------------------------------------------------------------- */

/* A call that failed: what() is tb_error_message. */
class error : public std::runtime_error {
  public:
    error(tb_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
    tb_status status() const noexcept { return status_; }

  private:
    tb_status status_;
};

/* Throws unless status is TB_OK: check(tb_array_eval(x.get())). */
inline void check(tb_status status)
{
    if (status != TB_OK) throw error(status, tb_error_message());
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

/* The dtype whose elements are T: bool, an integer, float, double, or std::complex of those. */
template <class T, class = void> struct dtype_of;
template <> struct dtype_of<bool> : std::integral_constant<tb_dtype, TB_BOOL> {};
template <> struct dtype_of<float> : std::integral_constant<tb_dtype, TB_F32> {};
template <> struct dtype_of<double> : std::integral_constant<tb_dtype, TB_F64> {};
template <> struct dtype_of<std::complex<float>> : std::integral_constant<tb_dtype, TB_C64> {};
template <> struct dtype_of<std::complex<double>> : std::integral_constant<tb_dtype, TB_C128> {};
template <class T>
struct dtype_of<T, typename std::enable_if<std::is_integral<T>::value && !std::is_same<T, bool>::value>::type>
    : std::integral_constant<tb_dtype, static_cast<tb_dtype>((sizeof(T) == 1   ? TB_I8
                                                              : sizeof(T) == 2 ? TB_I16
                                                              : sizeof(T) == 4 ? TB_I32
                                                                               : TB_I64) +
                                                             (std::is_signed<T>::value ? 0 : 1))> {};

/* A number beside arrays, whose dtype it takes as Python's numbers do (NEP 50). */
class number {
  public:
    template <class T, typename std::enable_if<std::is_integral<T>::value && std::is_signed<T>::value, int>::type = 0>
    number(T v) : s_(tb_scalar_int(static_cast<int64_t>(v)))
    {
    }
    template <class T, typename std::enable_if<std::is_integral<T>::value && !std::is_signed<T>::value, int>::type = 0>
    number(T v) : s_(tb_scalar_int(static_cast<int64_t>(v)))
    {
        if (std::is_same<T, bool>::value) s_.dtype = TB_BOOL;
        else if (s_.v.i < 0) s_.dtype = TB_U64;
    }
    template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
    number(T v) : s_(tb_scalar_float(static_cast<double>(v)))
    {
    }
    template <class T> number(const std::complex<T> &v) : s_(tb_scalar_float(0))
    {
        s_.dtype = TB_C128;
        s_.v.c.re = static_cast<double>(v.real());
        s_.v.c.im = static_cast<double>(v.imag());
    }
    number(const tb_scalar &s) : s_(s) {}
    const tb_scalar &get() const noexcept { return s_; }

  private:
    tb_scalar s_;
};

class array;
using shape_type = std::vector<int64_t>;

/* ---- indices -------------------------------------------------------------------------------------------------- */

enum none_t { none };         /* the bound that a slice does not have */
enum ellipsis_t { ellipsis }; /* as many whole axes as are left */
enum newaxis_t { newaxis };   /* a new axis of length 1 */

/* One bound of a slice. */
struct bound {
    bound(none_t) : given(false), at(0) {}
    bound(int64_t i) : given(true), at(i) {}
    bool given;
    int64_t at;
};

/* start:stop:step, where bounds may be negative or none. */
struct slice {
    slice(bound from = none, bound to = none, int64_t by = 1) : start(from), stop(to), step(by) {}
    bound start, stop;
    int64_t step;
};

/* What stands between the brackets of a[i, 1:3, ..., None, mask]. Borrows an array. */
class index {
  public:
    template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
    index(T i) : i_(of(std::is_same<T, bool>::value ? TB_INDEX_BOOL : TB_INDEX_INT))
    {
        i_.start = static_cast<int64_t>(i);
    }
    index(const slice &s) : i_(of(TB_INDEX_SLICE))
    {
        i_.start = s.start.at;
        i_.stop = s.stop.at;
        i_.step = s.step;
        i_.has_start = s.start.given;
        i_.has_stop = s.stop.given;
    }
    index(ellipsis_t) : i_(of(TB_INDEX_ELLIPSIS)) {}
    index(newaxis_t) : i_(of(TB_INDEX_NEWAXIS)) {}
    inline index(const array &a);
    const tb_index &get() const noexcept { return i_; }

  private:
    static tb_index of(tb_index_kind kind)
    {
        tb_index i = tb_index();
        i.kind = kind;
        return i;
    }
    tb_index i_;
};

/* ---- arrays --------------------------------------------------------------------------------------------------- */

namespace detail {

template <class... P, class... A> array made(tb_status (*function)(P...), const A &...arguments);
template <class... P, class... A> std::pair<array, array> made_two(tb_status (*function)(P...), const A &...arguments);
inline tb_operand operand(const array &a);
inline tb_operand operand(const number &s);
template <class T> std::vector<T> elements(tb_array *a);

} // namespace detail

class array {
  public:
    /* None: functions throw when they are given it. */
    array() noexcept : a_(nullptr) {}
    /* Takes a reference over, as functions of tombac.h give it. */
    explicit array(tb_array *reference) noexcept : a_(reference) {}
    /* One axis with these elements. */
    template <class T> explicit array(const std::vector<T> &v) : array(v, {static_cast<int64_t>(v.size())}) {}
    /* These elements in C order: as many as the shape has. */
    template <class T> array(const std::vector<T> &v, const shape_type &shape) : a_(nullptr)
    {
        int64_t size = 1;
        for (int64_t n : shape) size *= n;
        if (size != static_cast<int64_t>(v.size()))
            throw error(TB_ERR_VALUE, "tombac::array: " + std::to_string(v.size()) +
                                          " elements do not make a shape of " + std::to_string(size));
        copy_in(v, shape);
    }
    array(const array &other) noexcept : a_(tb_array_retain(other.a_)) {}
    array(array &&other) noexcept : a_(other.a_) { other.a_ = nullptr; }
    array &operator=(array other) noexcept
    {
        std::swap(a_, other.a_);
        return *this;
    }
    ~array() { tb_array_release(a_); }

    tb_array *get() const noexcept { return a_; } /* borrowed; nullptr where there is no array */
    /* Gives the reference to the caller, who is to release it. */
    tb_array *release() noexcept
    {
        tb_array *a = a_;
        a_ = nullptr;
        return a;
    }

    int ndim() const { return tb_array_ndim(a_); }
    shape_type shape() const { return shape_type(tb_array_shape(a_), tb_array_shape(a_) + ndim()); }
    int64_t size() const { return tb_array_size(a_); }
    tb_dtype dtype() const { return tb_array_dtype(a_); }

    /* The elements in C order, converted as NumPy's 'same_kind' allows; waits. */
    template <class T> std::vector<T> to_vector() const
    {
        return detail::elements<T>(astype(dtype_of<T>::value, TB_CAST_SAME_KIND).get());
    }
    /* The one element of an array of size 1, converted in the same way; waits. */
    template <class T> T item() const
    {
        if (size() != 1) throw error(TB_ERR_VALUE, "item: the array has " + std::to_string(size()) + " elements");
        return to_vector<T>()[0];
    }
    /* Computes what is deferred. */
    const array &eval() const
    {
        check(tb_array_eval(a_));
        return *this;
    }

    array astype(tb_dtype t, tb_casting casting = TB_CAST_UNSAFE) const
    {
        return detail::made(tb_astype, a_, t, 'K', casting, false);
    }
    array copy() const { return detail::made(tb_copy, a_, 'K'); }
    array reshape(const shape_type &shape) const
    {
        bool *const ignored = nullptr;
        return detail::made(tb_reshape, a_, static_cast<int>(shape.size()), shape.data(), 'C', ignored);
    }
    array broadcast_to(const shape_type &shape) const
    {
        return detail::made(tb_broadcast_to, a_, static_cast<int>(shape.size()), shape.data());
    }
    array transpose() const
    {
        const int *const reversed = nullptr;
        return detail::made(tb_transpose, a_, reversed);
    }

    /* a(1, slice(2, none), ellipsis): a view, or with arrays or truth values in the key a copy. */
    template <class... I> array operator()(const I &...key) const { return at({index(key)...}); }
    array operator[](int64_t i) const { return at({i}); }
    array at(std::initializer_list<index> key) const
    {
        const std::vector<tb_index> items = items_of(key);
        return detail::made(tb_array_index, a_, static_cast<int>(items.size()), items.data());
    }
    /* a[key] = value, with broadcasting and any cast: a.set({slice(1, 3), 0}, 5). */
    void set(std::initializer_list<index> key, const array &value) { set_to(key, detail::operand(value)); }
    void set(std::initializer_list<index> key, const number &value) { set_to(key, detail::operand(value)); }
    /* a[...] = value */
    void fill(const number &value) { check(tb_assign_scalar(a_, value.get())); }

    array &operator+=(const array &b) { return in_place(tb_add_into, b.a_); }
    array &operator-=(const array &b) { return in_place(tb_subtract_into, b.a_); }
    array &operator*=(const array &b) { return in_place(tb_multiply_into, b.a_); }
    array &operator/=(const array &b) { return in_place(tb_divide_into, b.a_); }
    array &operator%=(const array &b) { return in_place(tb_remainder_into, b.a_); }
    array &operator&=(const array &b) { return in_place(tb_bitwise_and_into, b.a_); }
    array &operator|=(const array &b) { return in_place(tb_bitwise_or_into, b.a_); }
    array &operator^=(const array &b) { return in_place(tb_bitwise_xor_into, b.a_); }
    array &operator+=(const number &b) { return in_place(tb_add_s_into, b.get()); }
    array &operator-=(const number &b) { return in_place(tb_subtract_s_into, b.get()); }
    array &operator*=(const number &b) { return in_place(tb_multiply_s_into, b.get()); }
    array &operator/=(const number &b) { return in_place(tb_divide_s_into, b.get()); }
    array &operator%=(const number &b) { return in_place(tb_remainder_s_into, b.get()); }
    array &operator&=(const number &b) { return in_place(tb_bitwise_and_s_into, b.get()); }
    array &operator|=(const number &b) { return in_place(tb_bitwise_or_s_into, b.get()); }
    array &operator^=(const number &b) { return in_place(tb_bitwise_xor_s_into, b.get()); }

  private:
    static std::vector<tb_index> items_of(std::initializer_list<index> key)
    {
        std::vector<tb_index> items;
        for (const index &i : key) items.push_back(i.get());
        return items;
    }
    void set_to(std::initializer_list<index> key, const tb_operand &value)
    {
        const std::vector<tb_index> items = items_of(key);
        check(tb_array_index_set(a_, static_cast<int>(items.size()), items.data(), &value));
    }
    template <class B> array &in_place(tb_status (*function)(tb_array *, B, tb_array *), B b)
    {
        check(function(a_, b, a_));
        return *this;
    }
    template <class T> void copy_in(const std::vector<T> &v, const shape_type &shape)
    {
        from_host(v.data(), dtype_of<T>::value, shape);
    }
    void copy_in(const std::vector<bool> &v, const shape_type &shape) /* whose elements are bits */
    {
        std::unique_ptr<bool[]> elements(new bool[v.size() + 1]);
        for (std::size_t i = 0; i < v.size(); i++) elements[i] = v[i];
        from_host(elements.get(), TB_BOOL, shape);
    }
    void from_host(const void *host, tb_dtype t, const shape_type &shape)
    {
        if (!host) host = this; /* an empty vector's, which is not read */
        check(tb_from_host(host, t, static_cast<int>(shape.size()), shape.data(), nullptr, 'C', &a_));
    }

    tb_array *a_;
};

inline index::index(const array &a) : i_(of(TB_INDEX_ARRAY)) { i_.array = a.get(); }

namespace detail {

/* function(arguments..., &out) as an array. */
template <class... P, class... A> array made(tb_status (*function)(P...), const A &...arguments)
{
    tb_array *out = nullptr;
    check(function(arguments..., &out));
    return array(out);
}

template <class... P, class... A> std::pair<array, array> made_two(tb_status (*function)(P...), const A &...arguments)
{
    tb_array *first = nullptr, *second = nullptr;
    check(function(arguments..., &first, &second));
    return {array(first), array(second)};
}

inline tb_operand operand(const array &a) { return tb_operand_array(a.get()); }
inline tb_operand operand(const number &s) { return tb_operand_scalar(s.get()); }

template <class T> struct reader {
    static std::vector<T> read(tb_array *a)
    {
        std::vector<T> v(static_cast<std::size_t>(tb_array_size(a)));
        if (!v.empty()) check(tb_array_get(a, v.data(), nullptr, nullptr, true));
        return v;
    }
};

template <> struct reader<bool> {
    static std::vector<bool> read(tb_array *a)
    {
        const std::size_t size = static_cast<std::size_t>(tb_array_size(a));
        std::unique_ptr<bool[]> elements(new bool[size + 1]);
        check(tb_array_get(a, elements.get(), nullptr, nullptr, true));
        return std::vector<bool>(elements.get(), elements.get() + size);
    }
};

template <class T> std::vector<T> elements(tb_array *a) { return reader<T>::read(a); }

} // namespace detail

/* ---- making arrays -------------------------------------------------------------------------------------------- */

inline array full(const shape_type &shape, const number &value, tb_dtype t = TB_F64)
{
    return detail::made(tb_full, t, static_cast<int>(shape.size()), shape.data(), 'C', value.get());
}
inline array zeros(const shape_type &shape, tb_dtype t = TB_F64) { return full(shape, 0, t); }
inline array ones(const shape_type &shape, tb_dtype t = TB_F64) { return full(shape, 1, t); }
inline array empty(const shape_type &shape, tb_dtype t = TB_F64)
{
    return detail::made(tb_empty, t, static_cast<int>(shape.size()), shape.data(), 'C');
}
/* start + step * i for i < n. */
inline array arange(tb_dtype t, const number &start, const number &step, int64_t n)
{
    return detail::made(tb_arange, t, start.get(), step.get(), n);
}
inline array linspace(const number &start, const number &stop, int64_t n, bool endpoint = true, tb_dtype t = TB_F64)
{
    return detail::made(tb_linspace, t, start.get(), stop.get(), n, endpoint);
}
inline array matmul(const array &a, const array &b) { return detail::made(tb_matmul, a.get(), b.get()); }

} // namespace tombac

#include "tombac/functions.hpp"

namespace tombac {

/* ---- operators ------------------------------------------------------------------------------------------------ */

/* Comparisons are by element, as all the others. */
#define TOMBAC_OPERATOR(sign, function)                                                          \
    inline array operator sign(const array &a, const array &b) { return function(a, b); }        \
    inline array operator sign(const array &a, const number &b) { return function(a, b); }       \
    inline array operator sign(const number &a, const array &b) { return function(a, b); }
TOMBAC_OPERATOR(+, add)
TOMBAC_OPERATOR(-, subtract)
TOMBAC_OPERATOR(*, multiply)
TOMBAC_OPERATOR(/, divide)
TOMBAC_OPERATOR(%, remainder)
TOMBAC_OPERATOR(&, bitwise_and)
TOMBAC_OPERATOR(|, bitwise_or)
TOMBAC_OPERATOR(^, bitwise_xor)
TOMBAC_OPERATOR(==, equal)
TOMBAC_OPERATOR(!=, not_equal)
TOMBAC_OPERATOR(<, less)
TOMBAC_OPERATOR(<=, less_equal)
TOMBAC_OPERATOR(>, greater)
TOMBAC_OPERATOR(>=, greater_equal)
#undef TOMBAC_OPERATOR

inline array operator-(const array &a) { return negative(a); }
inline array operator+(const array &a) { return positive(a); }
inline array operator~(const array &a) { return invert(a); }
inline array operator!(const array &a) { return logical_not(a); }

/* The text of tb_to_string. */
inline std::ostream &operator<<(std::ostream &stream, const array &a)
{
    char *text = nullptr;
    check(tb_to_string(a.get(), &text));
    const std::unique_ptr<char, void (*)(void *)> owned(text, tb_free);
    return stream << text;
}

/* where(condition, x, y) with arrays or numbers; the dtype is that of x and y. */
template <class X, class Y> array where(const array &condition, const X &x, const Y &y)
{
    const tb_operand c = detail::operand(condition), p = detail::operand(x), q = detail::operand(y);
    return detail::made(tb_where, &c, &p, &q);
}

} // namespace tombac
#endif
