"""An invented census: regions of districts, households of persons, some of them rare."""

from __future__ import annotations

import numpy as np

import discreet
from discreet import Microdata


def census(households: int = 800, districts: int = 8, seed: int = 1) -> Microdata:
    """Return the persons of a census, in no order, with one rare trade in some households."""
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(households), rng.integers(1, 5, households))
    home = rng.permutation(home)
    district = rng.integers(0, districts, households)
    trade = np.where(rng.random(len(home)) < 0.01, rng.integers(3, 9, len(home)), home % 3)
    columns = {
        "home": home,
        "region": [f"r{d // 4}" for d in district[home]],
        "district": [f"d{d}" for d in district[home]],
        "street": [f"s{h % 50}" for h in home],
        "tenure": [("own", "rent")[h % 2] for h in home],
        "sex": [("f", "m")[i] for i in rng.integers(0, 2, len(home))],
        "trade": [f"t{t}" for t in trade],
        "pay": rng.integers(1000, 9000, len(home)),
    }
    roles = {
        "household": ["home"],
        "quasi-identifier": ["region", "district", "sex", "trade"],
        "confidential": ["pay"],
        "other": ["street", "tenure"],
    }
    return discreet.read(columns, roles=roles)


def text_of(data: Microdata, name: str) -> list[str]:
    categories = data.schema[name].categories
    return [str(categories[code]) for code in data[name]]
