/* atomic_ref.h - the text of <cuda/atomic>, for kernels that are compiled for the CPU: cuda::atomic and
 * cuda::atomic_ref.
 *
 * Atomic between all threads of the system, whatever their scope. Memory orders are those of the host's <atomic>. */
#include <cuda/std/atomic>
#ifndef TB_KERNELS_HOST_CUDA_ATOMIC_REF_H
#define TB_KERNELS_HOST_CUDA_ATOMIC_REF_H
namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
using ::std::memory_order;
using ::std::memory_order_relaxed;
using ::std::memory_order_consume;
using ::std::memory_order_acquire;
using ::std::memory_order_release;
using ::std::memory_order_acq_rel;
using ::std::memory_order_seq_cst;

/* What both classes do, with an object of T at address(). Read-modify-write is sequentially consistent. */
template <class T, class Self> class tb_atomic_object {
    T *p() const { return static_cast<const Self *>(this)->address(); }

public:
    typedef T value_type;
    T load(memory_order order = memory_order_seq_cst) const
    {
        T v;
        __atomic_load(p(), &v, order == memory_order_relaxed ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST);
        return v;
    }
    void store(T v, memory_order order = memory_order_seq_cst) const
    {
        __atomic_store(p(), &v, order == memory_order_relaxed ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST);
    }
    T exchange(T v, memory_order = memory_order_seq_cst) const
    {
        return ::tb_atomic(p(), [=](T) { return v; });
    }
    bool compare_exchange_strong(T &expected, T v, memory_order = memory_order_seq_cst,
                                 memory_order = memory_order_seq_cst) const
    {
        return __atomic_compare_exchange(p(), &expected, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    bool compare_exchange_weak(T &expected, T v, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, v);
    }
#define TB_FETCH(name, e) \
    T name(T v, memory_order = memory_order_seq_cst) const \
    { \
        return ::tb_atomic(p(), [=](T x) { return (T)(e); }); \
    }
    TB_FETCH(fetch_add, x + v)
    TB_FETCH(fetch_sub, x - v)
    TB_FETCH(fetch_min, v < x ? v : x)
    TB_FETCH(fetch_max, x < v ? v : x)
    TB_FETCH(fetch_and, x &v)
    TB_FETCH(fetch_or, x | v)
    TB_FETCH(fetch_xor, x ^ v)
#undef TB_FETCH
    operator T() const { return load(); }
    T operator++() const { return fetch_add(T(1)) + T(1); }
    T operator--() const { return fetch_sub(T(1)) - T(1); }
    T operator++(int) const { return fetch_add(T(1)); }
    T operator--(int) const { return fetch_sub(T(1)); }
    T operator+=(T v) const { return fetch_add(v) + v; }
    T operator-=(T v) const { return fetch_sub(v) - v; }
    T operator&=(T v) const { return fetch_and(v) & v; }
    T operator|=(T v) const { return fetch_or(v) | v; }
    T operator^=(T v) const { return fetch_xor(v) ^ v; }
    static constexpr bool is_always_lock_free = true;
    bool is_lock_free() const { return true; }
};

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public tb_atomic_object<T, atomic_ref<T, scope>> {
    T *at;

public:
    static constexpr size_t required_alignment = sizeof(T);
    explicit atomic_ref(T &object) : at(&object) {}
    T *address() const { return at; }
    T operator=(T v) const { return this->store(v), v; }
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public tb_atomic_object<T, atomic<T, scope>> {
    alignas(sizeof(T)) mutable T object;

public:
    atomic() = default;
    constexpr atomic(T v) : object(v) {}
    atomic(const atomic &) = delete;
    T *address() const { return &object; }
    T operator=(T v) const { return this->store(v), v; }
};

inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
}
#endif
