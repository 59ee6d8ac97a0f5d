"""The type of an array of floats; arrays of counts or codes are named where they are used."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
