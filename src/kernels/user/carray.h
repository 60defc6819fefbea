/* carray.h - raw array arguments of user kernels, and the index of the current element. Layouts are known to
 * src/codegen/user_args.c: pointer, size, shape, strides, eight bytes each. */
#ifndef TB_USER_CARRAY_H
#define TB_USER_CARRAY_H

/* A strided view of `ndim` dimensions; strides in bytes. a[i] is element i in C order, a[index] that at an array of
 * ndim indices. */
template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false> class CArray {
public:
    static constexpr int ndim = _ndim;
    static constexpr bool c_contiguous = _c_contiguous;
    typedef T value_type;
    T *data_;
    ptrdiff_t size_, shape_[_ndim ? _ndim : 1], strides_[_ndim ? _ndim : 1];

    __device__ __forceinline__ ptrdiff_t size() const { return size_; }
    __device__ __forceinline__ const ptrdiff_t *shape() const { return shape_; }
    __device__ __forceinline__ const ptrdiff_t *strides() const { return strides_; }
    __device__ __forceinline__ T *begin() { return data_; }
    __device__ __forceinline__ T *end() { return data_ + size_; }
    __device__ __forceinline__ const T *begin() const { return data_; }
    __device__ __forceinline__ const T *end() const { return data_ + size_; }
    __device__ __forceinline__ T *data() { return data_; }
    __device__ __forceinline__ const T *data() const { return data_; }

    __device__ __forceinline__ T &operator[](ptrdiff_t i) { return *at(i); }
    __device__ __forceinline__ const T &operator[](ptrdiff_t i) const { return *at(i); }
    template <typename I> __device__ __forceinline__ T &operator[](const I *index) { return *at_index(index); }
    template <typename I> __device__ __forceinline__ const T &operator[](const I *index) const
    {
        return *at_index(index);
    }

private:
    __device__ __forceinline__ T *at(ptrdiff_t i) const
    {
        if (_c_contiguous || _ndim == 0) return data_ + i;
        if (_ndim == 1) return (T *)((char *)data_ + i * strides_[0]);
        char *p = (char *)data_;
#pragma unroll
        for (int d = _ndim - 1; d > 0; d--) {
            ptrdiff_t q;
            if (_use_32bit_indexing) q = (ptrdiff_t)((unsigned)i / (unsigned)shape_[d]);
            else q = i / shape_[d];
            p += (i - q * shape_[d]) * strides_[d];
            i = q;
        }
        return (T *)(p + i * strides_[0]);
    }
    template <typename I> __device__ __forceinline__ T *at_index(const I *index) const
    {
        char *p = (char *)data_;
#pragma unroll
        for (int d = 0; d < _ndim; d++) p += (ptrdiff_t)index[d] * strides_[d];
        return (T *)p;
    }
};

template <int _ndim> class CIndexer {
public:
    static constexpr int ndim = _ndim;
    ptrdiff_t size_, shape_[_ndim ? _ndim : 1], index_[_ndim ? _ndim : 1];

    __device__ __forceinline__ ptrdiff_t size() const { return size_; }
    __device__ __forceinline__ const ptrdiff_t *shape() const { return shape_; }
    __device__ __forceinline__ const ptrdiff_t *get() const { return index_; }
    __device__ __forceinline__ void set(ptrdiff_t i)
    {
#pragma unroll
        for (int d = _ndim - 1; d >= 0; d--) {
            const ptrdiff_t q = d ? i / shape_[d] : 0;
            index_[d] = i - q * shape_[d];
            i = q;
        }
    }
};

#define CUPY_FOR(i, n)                                                         \
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += (ptrdiff_t)blockDim.x * gridDim.x)
#endif
