"""What is known of the slices of a signal that are transformed: a window, the way from one to the next, their times.

These are a few numbers, which SciPy's own object has on the host.
"""

from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy._host import Held, device, host, scipy_module

documented = with_rows(
    win="win: The window: a vector of real or complex numbers, which is read by the host.",
    hop="hop: By how many samples a slice is behind the one before.",
    fs="fs: How many samples there are in a unit of time.",
    options="""fft_mode: Which frequencies there are: 'onesided' (those that are not negative, for real numbers),
            'onesided2X' (the same, and they stand for the negative ones as well: with a scaling alone), 'twosided', or
            'centered' (in ascending order).
        mfft: How many points the transforms have; as many as the window if None.""",
    shift="""phase_shift: By how many samples slices are rolled before they are transformed; from the middle of the
            window on, so that at 0 the phase is that at a slice's time. None for not at all.""",
    scale_to="scale_to: 'magnitude' or 'psd', as which the window is scaled; None for as it is.",
)


def _made(name, *args, **options):
    """An object of SciPy's."""
    module = scipy_module("scipy.signal", "ShortTimeFFT")
    maker = module.ShortTimeFFT
    if name is not None:
        if not hasattr(maker, name):
            raise NotImplementedError(f"ShortTimeFFT.{name} needs SciPy 1.16 or later")
        maker = getattr(maker, name)
    return maker(*args, **options)


def _copied(window):
    """A window as SciPy may keep it, or None."""
    return None if window is None else np.array(host(window))


def _of_host(name, doc):
    def get(self):
        return getattr(self._held, name)

    get.__name__, get.__doc__ = name, doc
    return property(get)


def _set_on_host(name, doc):
    def set_it(self, value):
        setattr(self._held, name, value)

    return _of_host(name, doc).setter(set_it)


class Slices(Held):
    """Slices of signals, each centered a hop behind the one before."""

    def __init__(self, win, hop, fs, *, fft_mode="onesided", mfft=None, dual_win=None, scale_to=None, phase_shift=0):
        self._keep(_made(None, _copied(win), hop, fs, fft_mode=fft_mode, mfft=mfft, dual_win=_copied(dual_win),
                         scale_to=scale_to, phase_shift=phase_shift))

    def _keep(self, held):
        self._held, self._kept = held, {}

    @classmethod
    def _wrapped(cls, held):
        frames = cls.__new__(cls)
        frames._keep(held)
        return frames

    def __reduce__(self):
        return type(self)._wrapped, (self._held,)

    @classmethod
    @documented
    def from_dual(cls, dual_win, hop, fs, *, fft_mode="onesided", mfft=None, scale_to=None, phase_shift=0):
        """Transforms that a window restores: theirs is the dual one of the least energy.

        Args:
            dual_win: The window that restores signals: a vector, which is read by the host.
            {hop}
            {fs}
            {options}
            {scale_to}
            {shift}

        Returns:
            A ShortTimeFFT.

        Raises:
            ValueError: There is no such window, in SciPy's words.
        """
        return cls._wrapped(_made("from_dual", _copied(dual_win), hop, fs, fft_mode=fft_mode, mfft=mfft,
                                  scale_to=scale_to, phase_shift=phase_shift))

    @classmethod
    @documented
    def from_window(cls, win_param, fs, nperseg, noverlap, *, symmetric_win=False, fft_mode="onesided", mfft=None,
                    scale_to=None, phase_shift=0):
        """Transforms with a window of a kind.

        Args:
            win_param: The window by its name, a tuple or a number, as of :func:`get_window`.
            {fs}
            nperseg: How many samples the window has.
            noverlap: How many of them two slices share.
            symmetric_win: Whether the window is symmetric, rather than periodic.
            {options}
            {scale_to}
            {shift}

        Returns:
            A ShortTimeFFT.

        Raises:
            ValueError: There is no such window, in SciPy's words.
        """
        return cls._wrapped(_made("from_window", win_param, fs, nperseg, noverlap, symmetric_win=symmetric_win,
                                  fft_mode=fft_mode, mfft=mfft, scale_to=scale_to, phase_shift=phase_shift))

    @classmethod
    @documented
    def from_win_equals_dual(cls, desired_win, hop, fs, *, fft_mode="onesided", mfft=None, scale_to=None,
                             phase_shift=0):
        """Transforms whose window is its own dual one, but for a factor, and near to a given one.

        Args:
            desired_win: The window that is wanted: a vector, which is read by the host.
            {hop}
            {fs}
            {options}
            scale_to: 'magnitude', 'psd' or 'unitary', as which the window is scaled; None for as it is.
            {shift}

        Returns:
            A ShortTimeFFT.

        Raises:
            ValueError: There is no such window, in SciPy's words.
            NotImplementedError: SciPy is older than 1.16.
        """
        return cls._wrapped(_made("from_win_equals_dual", _copied(desired_win), hop, fs, fft_mode=fft_mode, mfft=mfft,
                                  scale_to=scale_to, phase_shift=phase_shift))

    # ---- windows and scales ------------------------------------------------------------------------------------------

    hop = _of_host("hop", "By how many samples a slice is behind the one before.")
    m_num = _of_host("m_num", "How many samples the window has.")
    m_num_mid = _of_host("m_num_mid", "Which of them is in the middle.")
    T = _set_on_host("T", "The time from one sample to the next.")
    fs = _set_on_host("fs", "How many samples there are in a unit of time.")
    delta_t = _of_host("delta_t", "The time from one slice to the next.")
    mfft = _set_on_host("mfft", "How many points transforms have, at least as many as the window.")
    fft_mode = _set_on_host("fft_mode", "Which frequencies: 'onesided', 'onesided2X', 'twosided' or 'centered'.")
    onesided_fft = _of_host("onesided_fft", "Whether frequencies have one side.")
    phase_shift = _set_on_host("phase_shift", "By how many samples slices are rolled, or None.")
    scaling = _of_host("scaling", "As which the window is scaled: 'magnitude', 'psd', 'unitary' or None.")
    fac_magnitude = _of_host("fac_magnitude", "What transforms are multiplied by to be magnitudes.")
    fac_psd = _of_host("fac_psd", "What transforms are multiplied by for their squares to be densities of power.")
    invertible = _of_host("invertible", "Whether there is a window that restores signals.")
    delta_f = _of_host("delta_f", "From one frequency to the next.")
    f_pts = _of_host("f_pts", "How many frequencies there are.")
    k_min = _of_host("k_min", "The first sample, before the signal, that a slice has.")
    p_min = _of_host("p_min", "The first slice.")
    lower_border_end = _of_host("lower_border_end", "The first sample and slice that see nothing before the signal.")

    def on_device(self, name):
        there = getattr(self._held, name)
        kept = self._kept.get(name)
        if kept is None or kept[0] is not there:  # scaled since, or never asked for
            self._kept[name] = kept = there, device(there)
        return kept[1]

    @property
    def win(self):
        """The window: an array."""
        return self.on_device("win").copy()

    @property
    def dual_win(self):
        """The window that restores signals: an array."""
        return self.on_device("dual_win").copy()

    @property
    def f(self):
        """The frequencies: an array."""
        return device(self._held.f)

    def scale_to(self, scaling):
        """Scales the windows: to transforms that are magnitudes, or whose squares are densities of power.

        Args:
            scaling: 'magnitude' or 'psd'.

        Raises:
            ValueError: There is no such ``scaling``.
        """
        self._held.scale_to(scaling)

    # ---- slices ------------------------------------------------------------------------------------------------------

    def k_max(self, n):
        """The first sample behind a signal of ``n`` samples, and behind all slices that see it."""
        return self._held.k_max(n)

    def p_max(self, n):
        """The first slice that sees nothing of a signal of ``n`` samples."""
        return self._held.p_max(n)

    def p_num(self, n):
        """How many slices a signal of ``n`` samples has."""
        return self._held.p_num(n)

    def p_range(self, n, p0=None, p1=None):
        """The first slice and the one behind the last: those given, if a signal of ``n`` samples has them."""
        return self._held.p_range(n, p0, p1)

    def nearest_k_p(self, k, left=True):
        """The sample nearest to the sample ``k`` at which a slice is, on the left or on the right."""
        return self._held.nearest_k_p(k, left)

    def upper_border_begin(self, n):
        """The first sample and slice that see something behind a signal of ``n`` samples."""
        return self._held.upper_border_begin(n)

    def t(self, n, p0=None, p1=None, k_offset=0):
        """The times of slices of a signal of ``n`` samples: an array."""
        return device(self._held.t(n, p0, p1, k_offset))

    def extent(self, n, axes_seq="tf", center_bins=False):
        """Least and greatest times and frequencies of a signal's transforms, as pictures of them are labelled."""
        return self._held.extent(n, axes_seq, center_bins)
