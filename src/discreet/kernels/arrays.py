"""The types of arrays that many kernels take; others are named where they are used."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Ints = NDArray[np.int64]
