/* docs_arrays.h - docstrings of functions of arrays in C: what follows the line with the signature.
 *
 * A test runs the examples, and asks for every parameter. */
#ifndef TBPY_DOCS_ARRAYS_H
#define TBPY_DOCS_ARRAYS_H

#define TBPY_DOC_concatenate \
    "Arrays joined along an existing axis.\n" \
    "\n" \
    "Args:\n" \
    "    tup: A sequence of arrays that agree in shape except along ``axis``.\n" \
    "    axis: The axis; None joins flattened arrays.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    dtype: The result's dtype; by default what the arrays' dtypes promote to.\n" \
    "    casting: Which conversions to it are allowed, as for can_cast.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: No arrays, 0-dimensional ones, or shapes that do not match.\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: An element is no tombac array, or ``casting`` forbids a conversion.\n" \
    "\n" \
    ">>> tombac.concatenate([tombac.arange(2), tombac.ones(1)])\n" \
    "array([0., 1., 1.])"

#define TBPY_DOC_stack \
    "Arrays of one shape joined along a new axis.\n" \
    "\n" \
    "Args:\n" \
    "    tup: A sequence of arrays of the same shape.\n" \
    "    axis: Where the new axis is in the result.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    dtype: The result's dtype; by default what the arrays' dtypes promote to.\n" \
    "    casting: Which conversions to it are allowed, as for can_cast.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: No arrays, or shapes that differ.\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: An element is no tombac array, or ``casting`` forbids a conversion.\n" \
    "\n" \
    ">>> tombac.stack([tombac.arange(2), tombac.arange(2)], axis=1)\n" \
    "array([[0, 0],\n" \
    "       [1, 1]])"

#define TBPY_DOC_matmul \
    "Matrix product.\n" \
    "\n" \
    "Operands of more than two dimensions are stacks of matrices in their last two axes, broadcast against each\n" \
    "other; a 1-d operand is a row (x1) or a column (x2), and its axis is dropped from the result.\n" \
    "\n" \
    "Args:\n" \
    "    x1, x2: Arrays of any dtype of numbers and at least one dimension.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    dtype: The dtype of the computation and the result.\n" \
    "    casting: Which conversions to it are allowed, as for can_cast.\n" \
    "    order: The layout of a new array: 'C', 'F', 'A' or 'K'.\n" \
    "    subok: Whether a subclass of ndarray among the operands makes a result of its kind.\n" \
    "    axes: The matrices' axes in x1, x2 and the result, [(-2, -1), (-2, -1), (-2, -1)] by default.\n" \
    "    signature: The dtypes of the computation, such as 'ff->f'.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of what the dtypes promote to.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The inner dimensions differ, or an operand is 0-dimensional.\n" \
    "    TypeError: An operand is no tombac array.\n" \
    "\n" \
    ">>> tombac.matmul(tombac.ones((2, 3)), tombac.ones(3))\n" \
    "array([3., 3.])"

#define TBPY_DOC_dot \
    "Dot product, by NumPy's rules.\n" \
    "\n" \
    "Inner product of two vectors; matrix product of two matrices; a sum over the last axis of ``a`` and the\n" \
    "last but one of ``b`` otherwise. With a 0-dimensional operand, their product.\n" \
    "\n" \
    "Args:\n" \
    "    a, b: Arrays of any dtype and shape, or numbers; one of NumPy's is treated by its own method.\n" \
    "    out: An array of the result's shape and dtype, in C order, to write to.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of what the dtypes promote to.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: Those axes differ in length, or ``out`` is not of the result's dtype or not in C order.\n" \
    "    TypeError: An operand is neither an array nor a number.\n" \
    "\n" \
    ">>> tombac.dot(tombac.array([1, 2]), tombac.array([10, 20]))\n" \
    "array(50)"

#define TBPY_DOC_inner \
    "The sum of products over the last axes of ``a`` and ``b``.\n" \
    "\n" \
    "Args:\n" \
    "    a, b: Arrays of any dtype with last axes of the same length, or numbers.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``a.shape[:-1] + b.shape[:-1]``.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The last axes differ in length.\n" \
    "    TypeError: An argument is neither a tombac array nor a number.\n" \
    "\n" \
    ">>> tombac.inner(tombac.array([1, 2, 3]), tombac.array([0, 1, 10]))\n" \
    "array(32)"

#define TBPY_DOC_vdot \
    "The dot product of the flattened arrays, the first one conjugated.\n" \
    "\n" \
    "Args:\n" \
    "    a, b: Arrays of any dtype and shape, or numbers, of as many elements.\n" \
    "\n" \
    "Returns:\n" \
    "    An array without dimensions.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The numbers of elements differ.\n" \
    "    TypeError: An argument is neither a tombac array nor a number.\n" \
    "\n" \
    ">>> tombac.vdot(tombac.array([1j, 2]), tombac.array([1j, 3]))\n" \
    "array(7.+0.j)"

#define TBPY_DOC_vecdot \
    "The dot product along ``axis``, ``x1`` conjugated, the other axes broadcast.\n" \
    "\n" \
    "Args:\n" \
    "    x1, x2: Arrays of any dtype and at least one dimension.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    axis: The axis, of the same length in both.\n" \
    "    keepdims: Whether it stays, with the length 1.\n" \
    "    axes: The axes of ``x1``, ``x2`` and the result that take part: a list of tuples.\n" \
    "    dtype, signature: The dtype to compute in.\n" \
    "    casting: Which casts to it and to ``out`` are allowed.\n" \
    "    order: The layout of a new result.\n" \
    "    subok: Accepted for NumPy's sake.\n" \
    "\n" \
    "Returns:\n" \
    "    An array without that axis.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The axes differ in length, or an array has no dimensions.\n" \
    "    TypeError: An argument is no tombac array, or a cast is not allowed.\n" \
    "\n" \
    ">>> tombac.vecdot(tombac.array([[1, 2], [3, 4]]), tombac.array([1, 10]))\n" \
    "array([21, 43])"

#define TBPY_DOC_matvec \
    "Products of matrices, the last two dimensions of ``x1``, with vectors, the last of ``x2``.\n" \
    "\n" \
    "Args:\n" \
    "    x1: An array of shape ``(..., m, n)``.\n" \
    "    x2: An array of shape ``(..., n)``.\n" \
    "    out: An array of shape ``(..., m)`` to write to.\n" \
    "    axes: The axes of ``x1``, ``x2`` and the result that take part: a list of tuples.\n" \
    "    dtype, signature: The dtype to compute in.\n" \
    "    casting: Which casts to it and to ``out`` are allowed.\n" \
    "    order: The layout of a new result.\n" \
    "    subok: Accepted for NumPy's sake.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``(..., m)``.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: An argument is no tombac array, or a cast is not allowed.\n" \
    "    ValueError: The arrays have too few dimensions, or their lengths differ.\n" \
    "\n" \
    "CuPy does not have it.\n" \
    "\n" \
    ">>> tombac.matvec(tombac.array([[1, 2], [3, 4]]), tombac.array([[1, 10], [1, 0]]))\n" \
    "array([[21, 43],\n" \
    "       [ 1,  3]])"

#define TBPY_DOC_vecmat \
    "Products of vectors, the last dimension of ``x1``, conjugated, with matrices, the last two of ``x2``.\n" \
    "\n" \
    "Args:\n" \
    "    x1: An array of shape ``(..., n)``.\n" \
    "    x2: An array of shape ``(..., n, m)``.\n" \
    "    out: An array of shape ``(..., m)`` to write to.\n" \
    "    axes: The axes of ``x1``, ``x2`` and the result that take part: a list of tuples.\n" \
    "    dtype, signature: The dtype to compute in.\n" \
    "    casting: Which casts to it and to ``out`` are allowed.\n" \
    "    order: The layout of a new result.\n" \
    "    subok: Accepted for NumPy's sake.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of shape ``(..., m)``.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: An argument is no tombac array, or a cast is not allowed.\n" \
    "    ValueError: The arrays have too few dimensions, or their lengths differ.\n" \
    "\n" \
    "CuPy does not have it.\n" \
    "\n" \
    ">>> tombac.vecmat(tombac.array([1, 10]), tombac.array([[1, 2], [3, 4]]))\n" \
    "array([31, 42])"

#define TBPY_DOC_broadcast_to \
    "A view of an array repeated to the given shape.\n" \
    "\n" \
    "Args:\n" \
    "    array: An array of any dtype and shape.\n" \
    "    shape: A tuple of ints.\n" \
    "    subok: Whether a subclass of ndarray stays what it is.\n" \
    "\n" \
    "Returns:\n" \
    "    A view of ``array``.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The shape does not broadcast.\n" \
    "\n" \
    ">>> tombac.broadcast_to(tombac.arange(2), (2, 2))\n" \
    "array([[0, 1],\n" \
    "       [0, 1]])"

#define TBPY_DOC_from_dlpack \
    "An ndarray that shares the memory of an object with __dlpack__, or of a DLPack capsule.\n" \
    "\n" \
    "It is read-only (`flags.writeable`) where the producer says so, or where it was asked for a capsule that\n" \
    "can say so and gave one that cannot, as JAX does.\n" \
    "\n" \
    "Args:\n" \
    "    array: The object, or a capsule, which is used up.\n" \
    "    device: The device on which the result is to be; None for that of the memory.\n" \
    "    copy: True always copies, False never does, None where the device asks for it.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    BufferError: The memory is out of reach, or described in a way that makes no sense.\n" \
    "    ValueError: The capsule was used before.\n" \
    "\n" \
    ">>> tombac.from_dlpack(tombac.arange(3))\n" \
    "array([0, 1, 2])"

#define TBPY_DOC_result_type \
    "The dtype that NumPy's promotion gives for arrays, dtypes and numbers.\n" \
    "\n" \
    "Args:\n" \
    "    arrays_and_dtypes: Arrays, dtypes, what NumPy takes for dtypes, and numbers, which give way as NEP 50\n" \
    "        says.\n" \
    "\n" \
    "Returns:\n" \
    "    A dtype.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: There is no argument.\n" \
    "    TypeError: An argument is none of these.\n" \
    "\n" \
    ">>> tombac.result_type(tombac.arange(3, dtype=\"i4\"), \"f4\", 3)\n" \
    "dtype('float64')"

#define TBPY_DOC_take \
    "The elements of ``a`` at ``indices`` along ``axis`` (of the flattened array by default).\n" \
    "\n" \
    "The result has the shape of ``indices`` in place of the axis.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape.\n" \
    "    indices: Integers: one, or an array or sequence of them.\n" \
    "    axis: The axis; None for the flattened array.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    mode: What becomes of indices beyond the axis: 'wrap' around it, which NumPy does not by default,\n" \
    "        'clip' to its ends, where negative ones are clipped to 0, or 'raise', which waits for the device\n" \
    "        to look at them, and is the default where indices are strict.\n" \
    "\n" \
    "Returns:\n" \
    "    A new array of ``a``'s dtype.\n" \
    "\n" \
    "Raises:\n" \
    "    IndexError: An index is out of bounds and ``mode`` is 'raise', or the axis is empty.\n" \
    "    TypeError: The indices are not integers.\n" \
    "    ValueError: ``out`` has another shape, or there is no such mode.\n" \
    "\n" \
    ">>> tombac.take(tombac.arange(10, 15), [0, -1, 7])\n" \
    "array([10, 14, 12])"

#define TBPY_DOC_take_along_axis \
    "result[..., j, ...] = a[..., indices[..., j, ...], ...]; the other axes are broadcast.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape.\n" \
    "    indices: An array of integers with as many dimensions as ``a``; out of range they wrap around.\n" \
    "    axis: The axis; None for the flattened array, of which ``indices`` has one dimension.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of ``a``'s dtype.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The arrays differ in their numbers of dimensions.\n" \
    "    IndexError: The indices are not integers, or other axes do not match.\n" \
    "    AxisError: There is no such axis.\n" \
    "\n" \
    ">>> x = tombac.array([[30, 10, 20]])\n" \
    ">>> tombac.take_along_axis(x, tombac.argsort(x), 1)\n" \
    "array([[10, 20, 30]])"

#define TBPY_DOC_put_along_axis \
    "arr[..., indices[..., j, ...], ...] = values[..., j, ...], in place.\n" \
    "\n" \
    "Args:\n" \
    "    arr: An array of any dtype and shape, to write to.\n" \
    "    indices: An array of integers with as many dimensions as ``arr``; out of range they wrap around.\n" \
    "    values: An array that broadcasts to the shape of ``indices``, or a number.\n" \
    "    axis: The axis; None for the flattened array, of which ``indices`` has one dimension.\n" \
    "\n" \
    "Returns:\n" \
    "    None.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The arrays differ in their numbers of dimensions, or the values do not fit.\n" \
    "    IndexError: The indices are not integers, or other axes do not match.\n" \
    "    AxisError: There is no such axis.\n" \
    "\n" \
    ">>> x = tombac.zeros((2, 3), int)\n" \
    ">>> tombac.put_along_axis(x, tombac.array([[0], [2]]), 7, 1)\n" \
    ">>> x\n" \
    "array([[7, 0, 0],\n" \
    "       [0, 0, 7]])"

#define TBPY_DOC_put \
    "Writes ``v`` (cut or repeated as needed) to the flat positions ``ind`` of ``a``, in place.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, to write to.\n" \
    "    ind: Integers: one, or an array or sequence of them.\n" \
    "    v: A number, or an array or sequence of them.\n" \
    "    mode: What becomes of positions beyond the array: as in take.\n" \
    "\n" \
    "Returns:\n" \
    "    None.\n" \
    "\n" \
    "Raises:\n" \
    "    IndexError: A position is out of bounds and ``mode`` is 'raise'.\n" \
    "    TypeError: The positions are not integers.\n" \
    "\n" \
    ">>> x = tombac.zeros(4, int)\n" \
    ">>> tombac.put(x, [0, 2], [7, 8])\n" \
    ">>> x\n" \
    "array([7, 0, 8, 0])"

#define TBPY_DOC_compress \
    "The parts of ``a`` along ``axis`` (of the flattened array by default) where the vector ``condition`` is true.\n" \
    "\n" \
    "Args:\n" \
    "    condition: A mask of one dimension: an array or a sequence; it may be shorter than the axis.\n" \
    "    a: An array of any dtype and shape, or a number; one of NumPy's is treated by its own method.\n" \
    "    axis: The axis; None for the flattened array.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "\n" \
    "Returns:\n" \
    "    A new array of ``a``'s dtype. The host waits for its length.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``condition`` does not have one dimension, or ``out`` has another shape.\n" \
    "    IndexError: ``condition`` is true beyond the axis.\n" \
    "    AxisError: There is no such axis.\n" \
    "\n" \
    ">>> tombac.compress([True, False, True], tombac.arange(3))\n" \
    "array([0, 2])"

#define TBPY_DOC_repeat \
    "Elements of ``a`` repeated along ``axis`` (of the flattened array by default).\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape; one of NumPy's is treated by its own method.\n" \
    "    repeats: How often: an int, or integers, one for each element along the axis, for which the host waits.\n" \
    "    axis: The axis; None for the flattened array.\n" \
    "\n" \
    "Returns:\n" \
    "    A new array of ``a``'s dtype.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: A number is negative, or there are not as many as elements.\n" \
    "    TypeError: ``repeats`` are no integers.\n" \
    "    AxisError: There is no such axis.\n" \
    "\n" \
    ">>> tombac.repeat(tombac.arange(2), [1, 3])\n" \
    "array([0, 1, 1, 1])"

#define TBPY_DOC_where \
    "Elements of ``x`` where ``condition`` is true, of ``y`` elsewhere.\n" \
    "\n" \
    "The three are broadcast together. With ``condition`` alone: the indices of its true elements, as nonzero\n" \
    "gives them.\n" \
    "\n" \
    "Args:\n" \
    "    condition: An array of any dtype and shape, or a number.\n" \
    "    x, y: Arrays of any dtype and shape, or numbers: both of them, or neither.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of what the dtypes of ``x`` and ``y`` promote to, or a tuple of arrays of int64.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: One of ``x`` and ``y`` is missing, or the shapes do not broadcast.\n" \
    "    TypeError: An argument is a list or an array of NumPy's.\n" \
    "\n" \
    ">>> x = tombac.arange(4)\n" \
    ">>> tombac.where(x > 1, x, 0)\n" \
    "array([0, 0, 2, 3])"

#define TBPY_DOC_nonzero \
    "The indices of the elements that are not zero, in C order. The host waits for their number.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and at least one dimension.\n" \
    "\n" \
    "Returns:\n" \
    "    A tuple of arrays of int64: one for each axis.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: ``a`` has no dimensions.\n" \
    "\n" \
    ">>> tombac.nonzero(tombac.array([0, 3, 0, 5]))\n" \
    "(array([1, 3]),)"

#define TBPY_DOC_clip \
    "``a`` limited to the interval from ``a_min`` to ``a_max``.\n" \
    "\n" \
    "Where ``a_min`` is greater than ``a_max``, ``a_max`` is the result.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype but truth values and of any shape, or a number; one of NumPy's is treated by\n" \
    "        its own method.\n" \
    "    a_min, a_max: Numbers, arrays that broadcast against ``a``, or None for no bound.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    min, max: Other names of ``a_min`` and ``a_max``.\n" \
    "    where, dtype, casting, order, subok, signature: As those of ufuncs.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of what the dtypes promote to.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: An argument is neither an array nor a number.\n" \
    "    ValueError: The shapes do not broadcast.\n" \
    "\n" \
    ">>> tombac.clip(tombac.arange(6), 1, 4)\n" \
    "array([1, 1, 2, 3, 4, 4])"

#define TBPY_DOC_packbits \
    "Elements that are not zero as the bits of bytes.\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of bools or integers.\n" \
    "    axis: The axis along which eight elements become a byte; by default the array is flattened.\n" \
    "    bitorder: 'big' has the first of eight elements in the highest bit, 'little' in the lowest.\n" \
    "\n" \
    "Returns:\n" \
    "    A uint8 array, n elements along the axis have become ceil(n / 8); missing ones are zero bits.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``a`` is no tombac array, or neither of bools nor of integers.\n" \
    "    ValueError: ``bitorder`` is another one.\n" \
    "\n" \
    ">>> import tombac as tb\n" \
    ">>> tb.packbits(tb.array([1, 0, 0, 0, 0, 0, 1, 1, 1]))\n" \
    "array([131, 128], dtype=uint8)"

#define TBPY_DOC_unpackbits \
    "The bits of bytes as elements 0 and 1.\n" \
    "\n" \
    "Args:\n" \
    "    a: A uint8 array.\n" \
    "    axis: The axis along which a byte becomes eight elements; by default the array is flattened.\n" \
    "    bitorder: 'big' gives the highest bit first, 'little' the lowest.\n" \
    "    count: How many elements to give along the axis: zeros follow where there are fewer, and if it is negative\n" \
    "        so many are left out at the end.\n" \
    "\n" \
    "Returns:\n" \
    "    A uint8 array, eight times as long along the axis.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``a`` is no tombac array, or not of uint8.\n" \
    "    ValueError: ``bitorder`` is another one, or ``-count`` more than there is.\n" \
    "\n" \
    ">>> import tombac as tb\n" \
    ">>> tb.unpackbits(tb.array([131], 'uint8'))\n" \
    "array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)"

#endif
