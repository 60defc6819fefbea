/* docs_reductions.h - docstrings of reductions and scans, but for their first sentences.
 *
 * A test runs the examples, and asks for every parameter. */
#ifndef TBPY_DOCS_REDUCTIONS_H
#define TBPY_DOCS_REDUCTIONS_H

/* By what a reduction takes (reduce_args.h): the sections of its docstring. */
#define TBPY_SECTIONS_SUM \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    dtype: The result's dtype, in which is computed; None for that of the elements, integers as int64 or\n" \
    "        uint64 at least.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "    initial: A number that counts like one more element.\n" \
    "    where: A mask that broadcasts to the shape of ``a``: which elements count.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_MAX \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "    initial: A number that counts like one more element.\n" \
    "    where: A mask that broadcasts to the shape of ``a``: which elements count.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "    ValueError: There is nothing to reduce, and no ``initial``.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_ARG \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, or None for the flattened array.\n" \
    "    dtype: The result's dtype; int64 by default.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "    ValueError: There is nothing to reduce.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_ANY \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "    where: A mask that broadcasts to the shape of ``a``: which elements count.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_MEAN \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    dtype: The result's dtype, in which is computed; None for that of the elements, integers as float64.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "    where: A mask that broadcasts to the shape of ``a``: which elements count.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_VAR \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    dtype: The result's dtype, in which is computed; None for that of the elements, integers as float64.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    ddof, correction: What is subtracted from the number of elements in the divisor.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "    where: A mask that broadcasts to the shape of ``a``: which elements count.\n" \
    "    mean: The mean, where it is known: an array that broadcasts to the shape of ``a``.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_PTP \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "    ValueError: There is nothing to reduce.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_COUNT \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, a tuple of axes, or None for all of them.\n" \
    "    keepdims: Whether reduced axes stay, with length 1.\n" \
    "\n" \
    "Returns:\n" \
    "    An array; it has no dimensions where every axis is reduced, for which NumPy gives a scalar.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

#define TBPY_SECTIONS_RUNNING \
    "\n" \
    "\n" \
    "Args:\n" \
    "    a: An array of any dtype and shape, or a number.\n" \
    "    axis: An axis, or None for the flattened array.\n" \
    "    dtype: The result's dtype, in which is computed; None for that of the elements, integers as int64 or\n" \
    "        uint64 at least.\n" \
    "    out: An array of the result's shape to write to.\n" \
    "\n" \
    "Returns:\n" \
    "    An array, of the same shape or of one dimension.\n" \
    "\n" \
    "Raises:\n" \
    "    AxisError: There is no such axis.\n" \
    "    TypeError: ``a`` is neither a tombac array nor a number.\n" \
    "\n" \
    ""

/* An example of each. */
#define TBPY_EXAMPLE_sum ">>> tombac.sum(tombac.array([[1, 2], [3, 4]]), axis=0)\narray([4, 6])"
#define TBPY_EXAMPLE_prod ">>> tombac.prod(tombac.array([1, 2, 3]))\narray(6)"
#define TBPY_EXAMPLE_min ">>> tombac.min(tombac.array([3, 1, 2]))\narray(1)"
#define TBPY_EXAMPLE_max ">>> tombac.max(tombac.array([[3, 1], [2, 5]]), axis=1)\narray([3, 5])"
#define TBPY_EXAMPLE_argmin ">>> tombac.argmin(tombac.array([3, 1, 2]))\narray(1)"
#define TBPY_EXAMPLE_argmax ">>> tombac.argmax(tombac.array([[3, 1], [2, 5]]), axis=1)\narray([0, 1])"
#define TBPY_EXAMPLE_any ">>> tombac.any(tombac.array([False, True]))\narray(True)"
#define TBPY_EXAMPLE_all ">>> tombac.all(tombac.array([False, True]))\narray(False)"
#define TBPY_EXAMPLE_mean ">>> tombac.mean(tombac.array([1, 2, 6]))\narray(3.)"
#define TBPY_EXAMPLE_var ">>> tombac.var(tombac.array([1, 2, 6]), ddof=1)\narray(7.)"
#define TBPY_EXAMPLE_std ">>> tombac.std(tombac.array([1.0, 3.0]))\narray(1.)"
#define TBPY_EXAMPLE_count_nonzero ">>> tombac.count_nonzero(tombac.array([0, 3, 0, 5]))\narray(2)"
#define TBPY_EXAMPLE_logsumexp ">>> tombac._core.logsumexp(tombac.array([1000.0, 1000.0]))\narray(1000.69314718)"
#define TBPY_EXAMPLE_entropy ">>> tombac._core.entropy(tombac.array([1.0, 1.0]))\narray(0.69314718)"
#define TBPY_EXAMPLE_ptp ">>> tombac.ptp(tombac.array([3, 1, 7]))\narray(6)"
#define TBPY_EXAMPLE_nansum ">>> tombac.nansum(tombac.array([1.0, tombac.nan, 3.0]))\narray(4.)"
#define TBPY_EXAMPLE_nanprod ">>> tombac.nanprod(tombac.array([2.0, tombac.nan, 3.0]))\narray(6.)"
#define TBPY_EXAMPLE_nanmin ">>> tombac.nanmin(tombac.array([1.0, tombac.nan, 3.0]))\narray(1.)"
#define TBPY_EXAMPLE_nanmax ">>> tombac.nanmax(tombac.array([1.0, tombac.nan, 3.0]))\narray(3.)"
#define TBPY_EXAMPLE_nanargmin ">>> tombac.nanargmin(tombac.array([tombac.nan, 3.0, 1.0]))\narray(2)"
#define TBPY_EXAMPLE_nanargmax ">>> tombac.nanargmax(tombac.array([tombac.nan, 3.0, 1.0]))\narray(1)"
#define TBPY_EXAMPLE_cumsum ">>> tombac.cumsum(tombac.arange(4))\narray([0, 1, 3, 6])"
#define TBPY_EXAMPLE_cumprod ">>> tombac.cumprod(tombac.arange(1, 5))\narray([ 1,  2,  6, 24])"
#define TBPY_EXAMPLE_nancumsum ">>> tombac.nancumsum(tombac.array([1.0, tombac.nan, 3.0]))\narray([1., 1., 4.])"
#define TBPY_EXAMPLE_nancumprod ">>> tombac.nancumprod(tombac.array([2.0, tombac.nan, 3.0]))\narray([2., 2., 6.])"

#endif
