"""What programs ask of CuPy's distances, which other libraries compute. Here nothing is needed for them."""

__all__ = ["MetricInfo", "check_soft_dependencies", "cuvs_available", "pylibraft_available"]

# Programs look at these to find out whether they may call cdist and the like; they may.
cuvs_available = True
pylibraft_available = True


def check_soft_dependencies():
    """Raises nothing: distances need no other library.

    In CuPy it is a RuntimeError where neither cuVS nor pylibraft is installed.

    Returns:
        None.

    >>> tombacx.scipy.spatial.distance.check_soft_dependencies()
    """


class MetricInfo:
    """What a metric is called and takes: a record of the four arguments.

    Args:
        canonical_name: Its name.
        aka: Its other names.
        validator: A function that checks its options.
        types: Names of the dtypes it takes.

    >>> tombacx.scipy.spatial.distance.MetricInfo("cityblock", aka={"l1"}).canonical_name
    'cityblock'
    """

    def __init__(self, canonical_name=None, aka=None, validator=None, types=None):
        self.canonical_name, self.aka, self.validator, self.types = canonical_name, aka, validator, types
