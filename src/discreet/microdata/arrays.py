"""The one name for an array of floats; what is counted or coded is named where it is used."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
