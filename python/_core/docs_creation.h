/* docs_creation.h - docstrings of the functions that make arrays: what follows the line with the signature.
 *
 * A test runs the examples, and asks for every parameter. */
#ifndef TBPY_DOCS_CREATION_H
#define TBPY_DOCS_CREATION_H

#define TBPY_DOC_array \
    "An ndarray made of any array-like object, on the current device.\n" \
    "\n" \
    "Args:\n" \
    "    object: A number, a nested sequence, an array of tombac, NumPy or another library, or a sequence of\n" \
    "        arrays. Its name may be ``obj``, too.\n" \
    "    dtype: The result's dtype; None for what the object has, or what its numbers need.\n" \
    "    copy: False copies only where it is needed.\n" \
    "    order: The result's layout: 'C', 'F', 'A' or 'K'.\n" \
    "    subok: Whether subclasses of ndarray stay what they are.\n" \
    "    ndmin: The least number of dimensions; new ones come first.\n" \
    "    ndmax: How deep lists may be nested: ValueError beyond, since there are no arrays of objects.\n" \
    "    blocking: Whether to wait until the host's memory has been read.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The object holds what arrays cannot hold, such as strings or objects, or sequences that\n" \
    "        differ in length.\n" \
    "\n" \
    ">>> tombac.array([[1, 2], [3, 4]])\n" \
    "array([[1, 2],\n" \
    "       [3, 4]])"

#define TBPY_DOC_asarray \
    "An ndarray of any array-like object: the object itself where it is one already.\n" \
    "\n" \
    "Args:\n" \
    "    a: What array takes.\n" \
    "    dtype: The result's dtype; None for what ``a`` has, or what its numbers need.\n" \
    "    order: The result's layout: 'C', 'F', 'A' or 'K'; None keeps it.\n" \
    "    copy: True always copies, False never does, None where it is needed.\n" \
    "    blocking: Whether to wait until the host's memory has been read.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``a`` holds what arrays cannot hold, such as strings or objects, or sequences that differ\n" \
    "        in length; or ``copy`` is False and a copy is needed.\n" \
    "\n" \
    ">>> tombac.asarray([1.0, 2.0])\n" \
    "array([1., 2.])"

#define TBPY_DOC_asanyarray \
    "As asarray, but subclasses of ndarray pass through.\n" \
    "\n" \
    "Args:\n" \
    "    a: What array takes.\n" \
    "    dtype: The result's dtype; None for what ``a`` has, or what its numbers need.\n" \
    "    order: The result's layout: 'C', 'F', 'A' or 'K'; None keeps it.\n" \
    "    copy: True always copies, False never does, None where it is needed.\n" \
    "    blocking: Whether to wait until the host's memory has been read.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array, or one of a subclass.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``a`` holds what arrays cannot hold, such as strings or objects, or sequences that differ\n" \
    "        in length; or ``copy`` is False and a copy is needed.\n" \
    "\n" \
    ">>> tombac.asanyarray([1.0, 2.0])\n" \
    "array([1., 2.])"

#define TBPY_DOC_ascontiguousarray \
    "A C-contiguous array of one dimension at least; ``a`` itself where it is one already.\n" \
    "\n" \
    "Args:\n" \
    "    a: What array takes.\n" \
    "    dtype: The result's dtype; None for what ``a`` has.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``a`` holds what arrays cannot hold, such as strings or objects.\n" \
    "\n" \
    ">>> tombac.ascontiguousarray(tombac.ones((2, 3)).T).flags.c_contiguous\n" \
    "True"

#define TBPY_DOC_asfortranarray \
    "A Fortran-contiguous array; ``a`` itself where it is one already.\n" \
    "\n" \
    "Args:\n" \
    "    a: What array takes.\n" \
    "    dtype: The result's dtype; None for what ``a`` has.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``a`` holds what arrays cannot hold, such as strings or objects.\n" \
    "\n" \
    ">>> tombac.asfortranarray(tombac.ones((2, 3))).flags.f_contiguous\n" \
    "True"

#define TBPY_DOC_empty \
    "A new array of uninitialised content.\n" \
    "\n" \
    "Args:\n" \
    "    shape: An int or a tuple of them.\n" \
    "    dtype: The dtype.\n" \
    "    order: The layout: 'C' or 'F'.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A length is negative.\n" \
    "    OutOfMemoryError: There is not as much memory.\n" \
    "\n" \
    ">>> tombac.empty((2, 3)).shape\n" \
    "(2, 3)"

#define TBPY_DOC_zeros \
    "A new array of zeros.\n" \
    "\n" \
    "Args:\n" \
    "    shape: An int or a tuple of them.\n" \
    "    dtype: The dtype.\n" \
    "    order: The layout: 'C' or 'F'.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A length is negative.\n" \
    "\n" \
    ">>> tombac.zeros(3)\n" \
    "array([0., 0., 0.])"

#define TBPY_DOC_ones \
    "A new array of ones.\n" \
    "\n" \
    "Args:\n" \
    "    shape: An int or a tuple of them.\n" \
    "    dtype: The dtype.\n" \
    "    order: The layout: 'C' or 'F'.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A length is negative.\n" \
    "\n" \
    ">>> tombac.ones((2, 2), int)\n" \
    "array([[1, 1],\n" \
    "       [1, 1]])"

#define TBPY_DOC_full \
    "A new array of one value.\n" \
    "\n" \
    "Args:\n" \
    "    shape: An int or a tuple of them.\n" \
    "    fill_value: A number, or an array that broadcasts to that shape.\n" \
    "    dtype: The dtype; None for that of the value.\n" \
    "    order: The layout: 'C' or 'F'.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A length is negative, or the value does not broadcast.\n" \
    "\n" \
    ">>> tombac.full(3, 7)\n" \
    "array([7, 7, 7])"

#define TBPY_DOC_empty_like \
    "A new array of uninitialised content, shaped like another.\n" \
    "\n" \
    "Args:\n" \
    "    prototype: An array, or what asarray makes one of.\n" \
    "    dtype: The dtype; None for that of the array.\n" \
    "    order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.\n" \
    "    subok: Accepted for CuPy's sake.\n" \
    "    shape: An int or a tuple of them, instead of the array's.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: The dtype is none that arrays have.\n" \
    "\n" \
    ">>> tombac.empty_like(tombac.ones((2, 3), 'f')).dtype\n" \
    "dtype('float32')"

#define TBPY_DOC_zeros_like \
    "A new array of zeros, shaped like another.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array, or what asarray makes one of.\n" \
    "    dtype: The dtype; None for that of the array.\n" \
    "    order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.\n" \
    "    subok: Accepted for CuPy's sake.\n" \
    "    shape: An int or a tuple of them, instead of the array's.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: The dtype is none that arrays have.\n" \
    "\n" \
    ">>> tombac.zeros_like(tombac.arange(3))\n" \
    "array([0, 0, 0])"

#define TBPY_DOC_ones_like \
    "A new array of ones, shaped like another.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array, or what asarray makes one of.\n" \
    "    dtype: The dtype; None for that of the array.\n" \
    "    order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.\n" \
    "    subok: Accepted for CuPy's sake.\n" \
    "    shape: An int or a tuple of them, instead of the array's.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: The dtype is none that arrays have.\n" \
    "\n" \
    ">>> tombac.ones_like(tombac.arange(3))\n" \
    "array([1, 1, 1])"

#define TBPY_DOC_full_like \
    "A new array of one value, shaped like another.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array, or what asarray makes one of.\n" \
    "    fill_value: A number, or an array that broadcasts to the shape.\n" \
    "    dtype: The dtype; None for that of the array.\n" \
    "    order: The layout: 'C', 'F', 'A' or 'K', as near to the array's as can be.\n" \
    "    subok: Accepted for CuPy's sake.\n" \
    "    shape: An int or a tuple of them, instead of the array's.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: The dtype is none that arrays have.\n" \
    "    ValueError: The value does not broadcast.\n" \
    "\n" \
    ">>> tombac.full_like(tombac.arange(3), 7)\n" \
    "array([7, 7, 7])"

#define TBPY_DOC_asnumpy \
    "A numpy.ndarray with the numbers of an array.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of tombac or another library, or what numpy.asarray takes.\n" \
    "    stream: The stream whose work is waited for; None for the current one.\n" \
    "    order: The layout: 'C', 'F' or 'A'.\n" \
    "    out: A numpy.ndarray to write to.\n" \
    "    blocking: Whether to wait until the numbers are there.\n" \
    "\n" \
    "Returns:\n" \
    "    A numpy.ndarray.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``out`` has another shape or layout.\n" \
    "    TypeError: ``out`` has another dtype.\n" \
    "\n" \
    ">>> tombac.asnumpy(tombac.arange(3)).sum()\n" \
    "np.int64(3)"

#define TBPY_DOC_may_share_memory \
    "Whether the memory bounds of two arrays overlap.\n" \
    "\n" \
    "Args:\n" \
    "    a, b: Arrays of any dtype and shape.\n" \
    "    max_work: Accepted and not needed.\n" \
    "\n" \
    "Returns:\n" \
    "    A bool; False also where an argument is no tombac array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: An argument is missing.\n" \
    "\n" \
    ">>> x = tombac.arange(6)\n" \
    ">>> tombac.may_share_memory(x[:2], x[1:]), tombac.may_share_memory(x[:2], x[2:])\n" \
    "(True, False)"

#define TBPY_DOC_arange \
    "Evenly spaced numbers from ``start`` up to, not including, ``stop``.\n" \
    "\n" \
    "Args:\n" \
    "    start: A number. With ``stop`` left out it is the stop, and the first number is 0.\n" \
    "    stop: A number.\n" \
    "    step: A number.\n" \
    "    dtype: The dtype; None for what the three promote to.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of one dimension.\n" \
    "\n" \
    "Raises:\n" \
    "    ZeroDivisionError: ``step`` is zero.\n" \
    "    ValueError: The result would be too long.\n" \
    "\n" \
    ">>> tombac.arange(2, 8, 2)\n" \
    "array([2, 4, 6])"

#define TBPY_DOC_linspace \
    "``num`` evenly spaced numbers from ``start`` to ``stop``.\n" \
    "\n" \
    "Args:\n" \
    "    start, stop: Numbers, or arrays that broadcast together; arrays give an axis of ``num`` at ``axis``.\n" \
    "    num: How many; an int, not negative.\n" \
    "    endpoint: Whether ``stop`` is the last number.\n" \
    "    retstep: Return ``(numbers, step)``.\n" \
    "    dtype: Result dtype; that of the endpoints, at least float64, by default. Integers are rounded down.\n" \
    "    axis: The axis along which the numbers lie where an end is an array.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array, or a tuple of it and the step.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``num`` is negative.\n" \
    "\n" \
    ">>> tombac.linspace(0, 1, 5)\n" \
    "array([0.  , 0.25, 0.5 , 0.75, 1.  ])"

#define TBPY_DOC_eye \
    "A matrix with ones on the ``k``-th diagonal.\n" \
    "\n" \
    "Args:\n" \
    "    N: The number of rows.\n" \
    "    M: The number of columns; None for as many as rows.\n" \
    "    k: The diagonal: 0 is the main one, those above it have positive numbers.\n" \
    "    dtype: The dtype.\n" \
    "    order: The layout: 'C' or 'F'.\n" \
    "    device: A tombac.cuda.Device or its number; the current one if None.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``(N, M)``.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A number is negative.\n" \
    "\n" \
    ">>> tombac.eye(2)\n" \
    "array([[1., 0.],\n" \
    "       [0., 1.]])"

#define TBPY_DOC_identity \
    "The identity matrix of ``n`` rows.\n" \
    "\n" \
    "Args:\n" \
    "    n: The number of rows.\n" \
    "    dtype: The dtype.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``(n, n)``.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``n`` is negative.\n" \
    "\n" \
    ">>> tombac.identity(2)\n" \
    "array([[1., 0.],\n" \
    "       [0., 1.]])"

#define TBPY_DOC_tri \
    "A matrix with ones at and below the ``k``-th diagonal.\n" \
    "\n" \
    "Args:\n" \
    "    N: The number of rows.\n" \
    "    M: The number of columns; None for as many as rows.\n" \
    "    k: The diagonal: 0 is the main one, those above it have positive numbers.\n" \
    "    dtype: The dtype.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``(N, M)``.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A number is negative.\n" \
    "\n" \
    ">>> tombac.tri(2, 3, dtype=int)\n" \
    "array([[1, 0, 0],\n" \
    "       [1, 1, 0]])"

#endif
