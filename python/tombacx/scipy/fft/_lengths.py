"""next_fast_len."""

import functools
import operator

__all__ = ["next_fast_len"]


@functools.lru_cache(1024)
def next_fast_len(target, real=False):
    """The smallest number that is not less than ``target`` and has no prime factor above 7: transforms are fast there.

    Args:
        target: An integer, not negative.
        real: Whether real numbers are transformed; makes no difference.

    Returns:
        An int.

    Raises:
        ValueError: ``target`` is negative.

    >>> import tombacx.scipy.fft
    >>> tombacx.scipy.fft.next_fast_len(1021)
    1024
    """
    target = operator.index(target)
    if target < 0:
        raise ValueError(f"next_fast_len: target must not be negative, it is {target}")
    if target <= 1:
        return target
    best = 1 << (target - 1).bit_length()
    seven = 1
    while seven < best:
        five = seven
        while five < best:
            three = five
            while three < best:
                power = 1 << (-(-target // three) - 1).bit_length()
                best = min(best, three * power)
                three *= 3
            five *= 5
        seven *= 7
    return best
