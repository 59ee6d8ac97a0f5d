"""Invented files with the names, columns and shapes of the reference data.

Most tests on a real file need only its shape: numbers in units far apart, a tail, a survey with
weights and households, thousands of records with hierarchies. If the reference data are absent,
those tests run on these files, which give no figure of the literature.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = Sequence[Any]
Numbers = NDArray[np.float64]


class Draw:
    """The columns of one file, which depend on each other through two hidden factors."""

    def __init__(self, rows: int, seed: int) -> None:
        self.rows = rows
        self.rng = np.random.default_rng(seed)
        self.hidden = self.rng.normal(size=(rows, 2))

    def normal(self, common: float = 0.8) -> Numbers:
        """Standard normal numbers, of which this share comes from the hidden factors."""
        angle = self.rng.uniform(0, 2 * np.pi)
        shared = self.hidden @ [np.cos(angle), np.sin(angle)]
        return np.asarray(
            common * shared + np.sqrt(1 - common**2) * self.rng.normal(size=self.rows)
        )

    def whole(self, low: int, high: int) -> Values:
        middle, reach = (low + high) / 2, (high - low) / 5
        values = np.clip(np.rint(middle + reach * self.normal()), low, high)
        return list(values.astype(int).tolist())

    def decimals(self, mean: float, deviation: float, places: int) -> Values:
        return list((mean + deviation * self.normal()).round(places).tolist())

    def amounts(self, scale: float, spread: float = 0.8, zeros: float = 0.0) -> Values:
        """Whole numbers with a long tail, and a share of zeros."""
        values = np.rint(scale * np.exp(spread * self.normal()))
        values[self.rng.random(self.rows) < zeros] = 0
        return list(values.astype(int).tolist())

    def one_of(self, words: Sequence[Any], decay: float = 0.6) -> Values:
        """Categories, each less frequent than the one before."""
        shares = decay ** np.arange(len(words))
        edges = np.cumsum(shares / shares.sum())[:-1]
        ranks = self.normal(0.6).argsort().argsort() / self.rows
        return [words[i] for i in np.searchsorted(edges, ranks, side="right")]

    def with_gaps(self, values: Values, share: float) -> Values:
        gone = self.rng.random(self.rows) < share
        return [None if g else v for g, v in zip(gone, values, strict=True)]


def census(d: Draw) -> dict[str, Values]:
    names = "AFNLWGT AGI EMCONTRB FEDTAX PTOTVAL STATETAX TAXINC POTHVAL INTVAL PEARNVAL FICA"
    columns = {name: d.amounts(20_000, 0.6) for name in (*names.split(), "WSALVAL", "ERNVAL")}
    parts = zip(columns["PEARNVAL"], columns["POTHVAL"], strict=True)
    total = [earned + other for earned, other in parts]
    return columns | {"PTOTVAL": total, "INTVAL": d.amounts(500, 1.0, zeros=0.1)}


def tarragona(d: Draw) -> dict[str, Values]:
    held = "FIXED.ASSETS CURRENT.ASSETS TREASURY UNCOMMITTED.FUNDS PAID.UP.CAPITAL SHORT.TERM.DEBT"
    earned = "OPERATING.PROFIT FINANCIAL.OUTCOME GROSS.PROFIT NET.PROFIT"
    columns = {n: d.amounts(50_000, 1.2) for n in (*held.split(), "SALES", "LABOR.COSTS")}
    columns["DEPRECIATION"] = d.amounts(3_000, 1.2, zeros=0.2)
    return columns | {name: d.decimals(4_000, 9_000, 0) for name in earned.split()}


def eia(d: Draw) -> dict[str, Values]:
    columns: dict[str, Values] = {
        "UTILITYID": d.rng.integers(0, 30_000, d.rows).tolist(),
        "UTILNAME": [f"Utility {i % 700}" for i in range(d.rows)],
        "STATE": d.one_of([f"S{i}" for i in range(50)], 0.97),
        "YEAR": [96] * d.rows,
        "MONTH": [1 + i % 12 for i in range(d.rows)],
    }
    sales = {
        part: np.array(d.amounts(9_000, 1.6, zeros=0.05)) for part in ("RES", "COM", "IND", "OTHR")
    }
    sales["TOT"] = sum(sales.values(), np.zeros(d.rows, dtype=int))
    for part, sold in sales.items():
        price = 0.07 * np.exp(0.2 * d.normal())
        columns[f"{part.removesuffix('R')}REVENUE"] = np.rint(sold * price).astype(int).tolist()
        columns[f"{part}SALES"] = sold.tolist()
    return columns


def diabetes(d: Draw) -> dict[str, Values]:
    return {
        "pregnant": d.amounts(2, 1.0),
        "glucose": d.whole(40, 200),
        "pressure": d.whole(24, 122),
        "triceps": d.amounts(20, 0.5, zeros=0.3),
        "insulin": d.amounts(90, 0.9, zeros=0.45),
        "mass": d.decimals(32, 7, 1),
        "pedigree": [v / 1000 for v in d.amounts(400, 0.6)],
        "age": d.whole(21, 81),
        "outcome": d.one_of([0, 1]),
    }


def medicare(d: Draw) -> dict[str, Values]:
    counts = ("visits", "nvisits", "ovisits", "novisits", "emergency", "hospital")
    yes = {name: d.one_of(["no", "yes"]) for name in ("afam", "married", "employed", "medicaid")}
    return {
        **{name: d.amounts(3, 1.2, zeros=0.4) for name in counts},
        "health": d.one_of(["average", "poor", "excellent"], 0.3),
        "chronic": d.amounts(1.5, 0.7, zeros=0.2),
        "adl": d.one_of(["normal", "limited"], 0.3),
        "region": d.one_of(["other", "midwest", "northeast", "west"]),
        "age": [v / 10 for v in d.whole(66, 109)],
        "gender": d.one_of(["female", "male"]),
        "school": d.whole(0, 18),
        "income": d.decimals(2.5, 2.9, 4),
        "insurance": d.one_of(["yes", "no"]),
        **yes,
    }


def survey(d: Draw) -> dict[str, Values]:
    homes = np.sort(d.rng.integers(1, d.rows // 4, d.rows))
    of_home = {"urbrur": 2, "roof": 5, "walls": 4, "water": 7, "electcon": 5}
    sizes = np.bincount(homes)[homes]
    # A dwelling is that of its first member.
    first = np.searchsorted(homes, homes)
    drawn = {name: d.one_of(range(1, count + 1), 0.2) for name, count in of_home.items()}
    return {
        **{name: [values[i] for i in first] for name, values in drawn.items()},
        "relat": d.one_of(range(1, 10), 0.2),
        "sex": d.one_of((1, 2), 0.2),
        "age": d.amounts(25, 0.7),
        "hhcivil": d.one_of(range(1, 6)),
        "expend": d.amounts(4e7, 0.7),
        "income": d.amounts(5e7, 0.7),
        "savings": d.amounts(5e6, 0.8),
        "ori_hid": homes.tolist(),
        "sampling_weight": [100] * d.rows,
        "household_weights": (100 / sizes).round(4).tolist(),
    }


FLAGS = (
    *("on_thyroxine", "query_on_thyroxine", "on_antithyroid_medication", "sick", "pregnant"),
    *("thyroid_surgery", "I131_treatment", "query_hypothyroid", "query_hyperthyroid", "lithium"),
    *("goitre", "tumor", "hypopituitary", "psych"),
)


def blood(d: Draw) -> dict[str, Values]:
    levels = {"T3": (2, 0.8), "TT4": (110, 35), "T4U": (1, 0.2), "FTI": (110, 33)}
    hormones = {name: d.decimals(*at, 2) for name, at in levels.items()}
    return {"TSH": [v / 100 for v in d.amounts(200, 1.3)], **hormones}


def patients(d: Draw) -> dict[str, Values]:
    columns: dict[str, Values] = {
        "patient_id": (1 + d.rng.permutation(d.rows)).tolist(),
        "age": d.whole(1, 94),
        "sex": d.with_gaps(d.one_of(["F", "M"]), 0.04),
        **{name: d.one_of(["f", "t"], 0.1) for name in FLAGS},
    }
    for name, values in blood(d).items():
        columns[name] = d.with_gaps(values, 0.1)
        columns[f"{name}_measured"] = ["f" if v is None else "t" for v in columns[name]]
    classes = {f"class_{word}": d.one_of(["negative", "sick"], 0.1) for word in ("allbp", "sick")}
    return {**columns, "referral_source": d.one_of(["other", "SVI", "SVHC"]), **classes}


def complete_patients(d: Draw) -> dict[str, Values]:
    levels = blood(d)
    uptake = (np.maximum(levels["T4U"], 0.3) / 2 + 0.5).round(2)
    total = np.maximum(levels["TT4"], 2).round()
    index = (100 * total / uptake).round().tolist()  # the free thyroxine index
    numbers = {"TSH": levels["TSH"], "T3": levels["T3"], "T4U": uptake.tolist(), "FTI": index}
    flags = {name: d.one_of(["f", "t"], 0.1) for name in FLAGS}
    return {
        "age": d.whole(1, 94),
        **numbers,
        "sex": d.one_of(["F", "M"]),
        **flags,
        "TT4": total.tolist(),
    }


def alcohol(d: Draw) -> dict[str, Values]:
    yes = ("medicare", "medicaid", "champus", "hlthins", "regmed", "dri", "diabete")
    return {
        "drinks": [float(v) for v in d.amounts(12, 1.0, zeros=0.2)],
        "advice": d.one_of([0, 1]),
        "age": d.one_of(["<=30", "<=40", "<=50", "<=60", "<=70", ">70"], 0.85),
        "race": d.one_of(["white", "black", "other"], 0.2),
        "marital": d.one_of(["married", "single", "separated", "widow"], 0.4),
        "region": d.one_of(["south", "midwest", "west", "northeast"], 0.8),
        "empstatus": d.one_of(["emp", "other", "unemp"], 0.3),
        "limits": d.one_of(["none", "some", "major"], 0.3),
        "income": [v / 100 for v in d.amounts(250, 0.8, zeros=0.01)],
        "educ": d.whole(0, 18),
        **{name: d.one_of([0, 1], 0.3) for name in (*yes, "hearthcond", "stroke")},
    }


def example(d: Draw) -> dict[str, Values]:
    keys = {f"Key{i}": d.one_of([1, 2]) for i in range(1, 5)}
    return {"Num1": d.decimals(0.5, 0.2, 2), **keys, "Num2": d.whole(1, 60), "w": d.amounts(30)}


def persons(d: Draw) -> dict[str, Values]:
    return {
        "sex": d.one_of(["female", "male"], 0.9),
        "age": d.whole(16, 90),
        "marital": d.one_of(["married", "never", "divorced", "widowed", "separated"], 0.5),
        "education_level": d.one_of([f"level {i:02d}" for i in range(24)], 0.95),
        "occupation": d.one_of([f"job {i:03d}" for i in range(220)], 0.99),
        "industry": d.one_of([f"trade {i:03d}" for i in range(200)], 0.99),
    }


def households(d: Draw) -> dict[str, Values]:
    homes = np.sort(d.rng.integers(1, d.rows // 3, d.rows))
    regions = np.array([f"region {i}" for i in range(9)])
    return {
        "hid": homes.tolist(),
        "region": regions[homes % 9].tolist(),
        "hsize": np.bincount(homes)[homes].tolist(),
        "age": d.whole(16, 95),
        "gender": d.one_of(["female", "male"], 0.9),
        "ecoStat": d.one_of(range(1, 8)),
        "citizenship": d.one_of(["AT", "Other", "EU"], 0.1),
    }


# By column, how many categories each level of its hierarchy has, the lowest first.
TREES = {
    "sex": (2,),
    "race": (5,),
    "marital-status": (7, 2),
    "education": (16, 8, 3),
    "native-country": (41, 4),
    "workclass": (8, 3),
    "occupation": (14, 6),
    "salary-class": (2,),
}


def adult(d: Draw) -> dict[str, Values]:
    columns = {n: d.one_of(_words(n, c[0]), 0.6) for n, c in TREES.items()}
    return {"sex": columns.pop("sex"), "age": d.whole(17, 90), **columns}


def _words(name: str, count: int, level: int = 0) -> list[str]:
    return [f"{name} {'abc'[level]}{i:02d}" for i in range(count)]


def hierarchies() -> dict[str, list[list[str]]]:
    trees: dict[str, list[list[str]]] = {}
    for name, counts in TREES.items():
        trees[name] = []
        for place in range(counts[0]):
            line = [_words(name, counts[0])[place]]
            for level in range(1, len(counts)):
                place = place * counts[level] // counts[level - 1]
                line.append(_words(name, counts[level], level)[place])
            trees[name].append([*line, "*"])
    widths = (5, 10, 20)
    trees["age"] = [
        [str(age), *(f"{age // w * w}-{age // w * w + w - 1}" for w in widths), "*"]
        for age in range(1, 101)
    ]
    return trees


FILES: dict[str, tuple[Callable[[Draw], dict[str, Values]], int]] = {
    "casc_census.csv": (census, 1_080),
    "casc_tarragona.csv": (tarragona, 834),
    "casc_eia.csv": (eia, 4_092),
    "pima_diabetes.csv": (diabetes, 768),
    "medicare_nmes1988.csv": (medicare, 4_406),
    "sdcmicro_testdata.csv": (survey, 4_580),
    "thyroid_2800.csv": (patients, 2_800),
    "thyroid_complete_1947.csv": (complete_patients, 1_947),
    "alcohol_kenkel_terza.csv": (alcohol, 2_467),
    "sdcmicro_francdat.csv": (example, 8),
    "adult_arx_30162.csv": (adult, 30_162),
    "gov_census_acs2018.parquet": (persons, 6_000),
    "eusilcP.parquet": (households, 20_000),
}


def write_files(folder: Path) -> None:
    """Write all of them, identical at every call."""
    for seed, (name, (make, rows)) in enumerate(FILES.items()):
        columns = make(Draw(rows, seed))
        if name.endswith(".parquet"):
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.table(dict(columns)), folder / name)
        else:
            _write(folder / name, list(columns), zip(*columns.values(), strict=True))
    (folder / "adult_hierarchies").mkdir()
    for name, lines in hierarchies().items():
        head = [f"level_{i}" for i in range(len(lines[0]))]
        _write(folder / "adult_hierarchies" / f"adult_hierarchy_{name}.csv", head, lines)


def _write(path: Path, head: list[str], rows: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
