/* docs_random.h - docstrings of random numbers drawn in C: what follows the line with the signature.
 *
 * A test runs the examples, and asks for every parameter. */
#ifndef TBPY_DOCS_RANDOM_H
#define TBPY_DOCS_RANDOM_H

#define TBPY_DOC_uniform \
    "Uniform numbers in [low, high).\n" \
    "\n" \
    "Args:\n" \
    "    low, high: The ends: numbers or arrays.\n" \
    "    size: The shape: an int, a tuple of them, or None for that of the parameters together.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: The parameters do not broadcast to ``size``.\n" \
    "\n" \
    ">>> tombac.random.uniform(2, 3, size=(2, 3)).shape\n" \
    "(2, 3)"

#define TBPY_DOC_normal \
    "Normal numbers with mean ``loc`` and standard deviation ``scale``.\n" \
    "\n" \
    "Args:\n" \
    "    loc, scale: Mean and standard deviation: numbers or arrays.\n" \
    "    size: The shape: an int, a tuple of them, or None for that of the parameters together.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: The number ``scale`` is negative, or the parameters do not broadcast to ``size``.\n" \
    "\n" \
    ">>> tombac.random.normal(5.0, 2.0, size=(2, 3)).shape\n" \
    "(2, 3)"

#define TBPY_DOC_standard_normal \
    "Normal numbers with mean 0 and standard deviation 1.\n" \
    "\n" \
    "Args:\n" \
    "    size: The shape: an int, a tuple of them, or None for no dimensions.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "\n" \
    ">>> tombac.random.standard_normal((2, 3), dtype='f').dtype\n" \
    "dtype('float32')"

#define TBPY_DOC_exponential \
    "Exponential numbers with mean ``scale``.\n" \
    "\n" \
    "Args:\n" \
    "    scale: The mean: a number or an array.\n" \
    "    size: The shape: an int, a tuple of them, or None for that of ``scale``.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: The number ``scale`` is negative, or ``scale`` does not broadcast to ``size``.\n" \
    "\n" \
    ">>> bool((tombac.random.exponential(2.0, size=10) >= 0).all())\n" \
    "True"

#define TBPY_DOC_standard_exponential \
    "Exponential numbers with mean 1.\n" \
    "\n" \
    "Args:\n" \
    "    size: The shape: an int, a tuple of them, or None for no dimensions.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "\n" \
    ">>> tombac.random.standard_exponential(4).shape\n" \
    "(4,)"

#define TBPY_DOC_rand \
    "Uniform numbers in [0, 1) of the shape given by the arguments.\n" \
    "\n" \
    "Args:\n" \
    "    size: The lengths of the axes: ints.\n" \
    "    dtype: float16, bfloat16, float32 or float64, by keyword only.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: A length is negative.\n" \
    "\n" \
    ">>> tombac.random.rand(2, 3).shape\n" \
    "(2, 3)"

#define TBPY_DOC_randn \
    "Standard normal numbers of the shape given by the arguments.\n" \
    "\n" \
    "Args:\n" \
    "    size: The lengths of the axes: ints.\n" \
    "    dtype: float16, bfloat16, float32 or float64, by keyword only.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: A length is negative.\n" \
    "\n" \
    ">>> tombac.random.randn(2, 3).shape\n" \
    "(2, 3)"

#define TBPY_DOC_random_sample \
    "Uniform numbers in [0, 1).\n" \
    "\n" \
    "Args:\n" \
    "    size: The shape: an int, a tuple of them, or None for no dimensions.\n" \
    "    dtype: float16, bfloat16, float32 or float64.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    TypeError: ``dtype`` is none of these.\n" \
    "    ValueError: A length is negative.\n" \
    "\n" \
    ">>> tombac.random.random_sample((2, 3)).shape\n" \
    "(2, 3)"

#define TBPY_DOC_randint \
    "Integers in [low, high), or in [0, low) if ``high`` is None.\n" \
    "\n" \
    "Args:\n" \
    "    low, high: The ends: ints, or arrays of integers.\n" \
    "    size: The shape: an int, a tuple of them, or None for that of the parameters together.\n" \
    "    dtype: A dtype of integers.\n" \
    "\n" \
    "Returns:\n" \
    "    An array.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The range is empty or exceeds the dtype, or the parameters do not broadcast to ``size``.\n" \
    "    TypeError: ``dtype`` is none of integers.\n" \
    "\n" \
    ">>> bool((tombac.random.randint(3, 6, size=100) < 6).all())\n" \
    "True"

#define TBPY_DOC_random_integers \
    "Integers in [low, high], or in [1, low] if ``high`` is None.\n" \
    "\n" \
    "Args:\n" \
    "    low, high: The ends: ints, or arrays of integers.\n" \
    "    size: The shape: an int, a tuple of them, or None for that of the parameters together.\n" \
    "\n" \
    "Returns:\n" \
    "    An array of int64.\n" \
    "\n" \
    "Raises:\n" \
    "    ValueError: The range is empty, or the parameters do not broadcast to ``size``.\n" \
    "\n" \
    ">>> tombac.random.random_integers(6, size=(2, 3)).shape\n" \
    "(2, 3)"

#endif
