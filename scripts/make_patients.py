"""Make the invented hospital patients of `discreet.datasets`, or check that they are as made.

Usage: `python scripts/make_patients.py` writes `src/discreet/datasets/patients.csv`;
with `--check` nothing is written, and the exit code is 1 if the file differs by a byte.

The equations are stated in `src/discreet/datasets/README.md`; the functions below follow its
sections. All draws are made from the raw bits of PCG64, which numpy promises not to change,
so that another version of numpy makes the same file.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from statistics import NormalDist

import numpy as np

SEED = 20_240_229
PATIENTS = 3_000
TARGET = Path(__file__).parents[1] / "src" / "discreet" / "datasets" / "patients.csv"

# region: (share of sampled households, patients in the population, effect on education)
REGIONS = {
    "Ixholm": (0.28, 60_000, 0.3),
    "Quelva": (0.24, 42_000, 0.0),
    "Truskal": (0.20, 24_000, 0.0),
    "Vonneth": (0.16, 12_000, -0.1),
    "Zarbel": (0.12, 6_000, -0.2),
}
RURAL = ("Vonneth", "Zarbel")
RESPONSE = {1: 1.15, 2: 1.05, 3: 0.95, 4: 0.95, 5: 0.90, 6: 0.90}

TYPES = {
    "single": 0.34,
    "couple": 0.30,
    "family": 0.22,
    "lone parent": 0.05,
    "three generations": 0.05,
    "sharers": 0.04,
}

EDUCATION = ("none", "primary", "secondary", "vocational", "bachelor", "master")
CUTS = (-2.1, -1.0, 0.1, 0.7, 1.4)

BASE_INCOME = {
    "student": 7_000,
    "retired": 17_000,
    "homemaker": 6_500,
    "farming": 19_000,
    "factory": 24_000,
    "transport": 23_500,
    "sales": 22_000,
    "care": 25_000,
    "office": 28_000,
    "technical": 36_000,
    "manager": 52_000,
}
MANUAL = ("farming", "factory", "transport")
SEATED = ("transport", "office", "manager")

# diagnosis: (effect on visits, effect on a cost of zero, log of the usual cost)
CARE = {
    "injury": (-0.4, 0.6, 6.3),
    "asthma": (-0.2, 0.8, 6.0),
    "digestive": (-0.1, 0.3, 6.4),
    "cardiac": (0.4, -1.2, 7.8),
    "diabetes": (0.5, -0.2, 6.8),
    "cancer": (0.9, -2.0, 8.6),
    "mental": (0.6, 0.2, 6.9),
}

GIVEN = ("Vro", "Zel", "Qui", "Trin", "Oxi", "Plo", "Yev", "Bru", "Dwi", "Skel", "Urg", "Fyn")
GIVEN_END = {
    "F": ("zla", "phe", "wi", "qua", "dre", "xi", "lu", "vey"),
    "M": ("gox", "dru", "zik", "pok", "zan", "tuf", "mox", "beg"),
}
FAMILY = ("Ab", "Bre", "Cro", "Dun", "Elk", "Fim", "Gla", "Hov", "Ju", "Kep", "Lom", "Mur", "Nix")
FAMILY_END = ("zolt", "quo", "vrad", "puld", "xen", "gib", "thub", "wux", "dop", "lisk", "fet")

COLUMNS = (
    "patient_id",
    "name",
    "insurance_no",
    "email",
    "postcode",
    "household_id",
    "sampling_weight",
    "region",
    "sex",
    "age",
    "height_cm",
    "weight_kg",
    "systolic_bp",
    "cholesterol",
    "education",
    "occupation",
    "income",
    "visits",
    "diagnosis",
    "cost",
)


class Draw:
    """Random draws, each computed from the raw bits of PCG64."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self) -> float:
        """Return a number strictly between 0 and 1."""
        raw = int(self._bits.random_raw(1)[0])
        return ((raw >> 11) + 0.5) * 2.0**-53

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """Return a normal number, by inversion."""
        return mean + sd * NormalDist().inv_cdf(self.uniform())

    def chance(self, probability: float) -> bool:
        """Return whether an event of this probability happens."""
        return self.uniform() < probability

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def one_of(self, items: Sequence[str]) -> str:
        """Return one of the items, all equally likely."""
        return items[self.between(0, len(items) - 1)]

    def pick(self, weights: Mapping[str, float]) -> str:
        """Return a key, with probability proportional to its weight."""
        left = self.uniform() * sum(weights.values())
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        return key

    def poisson(self, mean: float) -> int:
        """Return a Poisson number, by inversion."""
        left, count, mass = self.uniform(), 0, exp(-mean)
        while left > mass and count < 200:
            left -= mass
            count += 1
            mass *= mean / count
        return count

    def distinct(self, count: int, low: int, high: int) -> list[int]:
        """Return `count` different integers from `low` to `high`, in random order."""
        numbers: dict[int, None] = {}
        while len(numbers) < count:
            numbers[self.between(low, high)] = None
        return list(numbers)

    def order(self, count: int) -> list[int]:
        """Return the numbers below `count` in random order."""
        keys = [self.uniform() for _ in range(count)]
        return sorted(range(count), key=keys.__getitem__)


@dataclass
class Person:
    """One patient, filled section by section."""

    sex: str
    age: int
    family: str
    region: str = ""
    postcode: str = ""
    household: int = 0
    schooling: float = 0.0  # the part of the education score shared by the household
    level: int = 0
    values: dict[str, str] = field(default_factory=dict)

    @property
    def male(self) -> int:
        """1 for a man or a boy, else 0."""
        return int(self.sex == "M")

    @property
    def child(self) -> bool:
        """Whether younger than 16."""
        return self.age < 16


def logistic(score: float) -> float:
    """Return the probability with these log odds."""
    return 1.0 / (1.0 + exp(-score))


# Households ---------------------------------------------------------------------------------


def household(draw: Draw) -> list[Person]:
    """Return the members of a household: sex, age and family name."""
    kind = draw.pick(TYPES)
    family = family_name(draw)
    if kind == "sharers":
        size = draw.between(2, 4)
        return [Person(sex(draw), draw.between(18, 30), family_name(draw)) for _ in range(size)]
    low, span, power = {
        "single": (20, 75, 0.7),
        "couple": (22, 65, 0.7),
        "three generations": (28, 22, 1.0),
    }.get(kind, (26, 32, 1.0))
    head = Person(sex(draw), low + int(span * draw.uniform() ** power), family)
    members = [head]
    if kind in ("couple", "family", "three generations"):
        members.append(partner(draw, head))
    if kind not in ("single", "couple"):
        children = int(draw.pick({"1": 0.38, "2": 0.42, "3": 0.15, "4": 0.05}))
        youngest = min(member.age for member in members)
        for _ in range(min(children, 3) if kind == "three generations" else children):
            age = draw.between(max(0, youngest - 38), min(24, youngest - 18))
            members.append(Person(sex(draw), age, family))
    if kind == "three generations":
        name = family if draw.chance(0.7) else family_name(draw)
        members.append(Person(sex(draw, 0.35), head.age + draw.between(22, 36), name))
    return members


def partner(draw: Draw, head: Person) -> Person:
    """Return a partner for the head of a household."""
    other = "F" if head.male else "M"
    age = max(20, round(head.age + draw.normal(0, 3.5)))
    name = head.family if draw.chance(0.85) else family_name(draw)
    return Person(other if draw.chance(0.96) else head.sex, min(age, 95), name)


def sex(draw: Draw, male: float = 0.48) -> str:
    """Return M with the given probability, else F."""
    return "M" if draw.chance(male) else "F"


def family_name(draw: Draw) -> str:
    """Return a family name built of syllables."""
    return draw.one_of(FAMILY) + draw.one_of(FAMILY_END)


def population(draw: Draw) -> list[Person]:
    """Return all patients with household, region and postcode; households are never cut."""
    people: list[Person] = []
    number = 0
    while len(people) < PATIENTS:
        members = household(draw)
        if len(people) + len(members) > PATIENTS:
            continue
        number += 1
        region = draw.pick({name: share for name, (share, _, _) in REGIONS.items()})
        digit = 1 + list(REGIONS).index(region)
        postcode = f"0{digit}{draw.between(0, 3)}{7 * draw.between(1, 5):02d}"
        schooling = draw.normal()
        for member in members:
            member.household, member.region, member.postcode = number, region, postcode
            member.schooling = schooling
        people += members
    return people


def weigh(people: list[Person]) -> None:
    """Give each patient the sampling weight of the region and household size."""
    sizes: dict[int, int] = {}
    for person in people:
        sizes[person.household] = sizes.get(person.household, 0) + 1
    for region, (_, total, _) in REGIONS.items():
        inside = [person for person in people if person.region == region]
        factors = [RESPONSE[sizes[person.household]] for person in inside]
        for person, factor in zip(inside, factors, strict=True):
            person.values["sampling_weight"] = f"{total * factor / sum(factors):.2f}"


# Direct identifiers -------------------------------------------------------------------------


def identify(draw: Draw, people: list[Person]) -> None:
    """Give names, numbers and addresses that look real and are not."""
    ids = draw.distinct(len(people), 100_000, 9_999_999)
    serials = draw.distinct(len(people), 1, 999_999)
    households = draw.distinct(max(person.household for person in people), 1, 9_999)
    taken: dict[str, int] = {}
    for person, number, serial in zip(people, ids, serials, strict=True):
        given = draw.one_of(GIVEN) + draw.one_of(GIVEN_END[person.sex])
        local = (given[0] + person.family).lower()
        taken[local] = taken.get(local, 0) + 1
        suffix = str(taken[local]) if taken[local] > 1 else ""
        person.values |= {
            "patient_id": f"{number:09d}",
            "name": f"{given} {person.family}",
            "insurance_no": f"ZZ{serial:06d}{(luhn(serial) + 5) % 10}",
            "email": f"{local}{suffix}@example.org",
            "postcode": person.postcode,
            "household_id": f"{households[person.household - 1]:04d}",
            "region": person.region,
            "sex": person.sex,
            "age": str(person.age),
        }


def luhn(serial: int) -> int:
    """Return the Luhn check digit of a serial number."""
    total = 0
    for place, digit in enumerate(reversed(str(serial))):
        doubled = int(digit) * (2 - place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return -total % 10


# Education, occupation, income --------------------------------------------------------------


def educate(draw: Draw, person: Person) -> None:
    """Give the level of education, by age, region and household."""
    score = 0.4**0.5 * person.schooling + 0.6**0.5 * draw.normal()
    score += REGIONS[person.region][2] - 0.018 * (person.age - 45)
    limit = next((top for age, top in ((16, 0), (19, 1), (22, 2), (24, 4)) if person.age < age), 5)
    person.level = min(limit, sum(score > cut for cut in CUTS))
    person.values["education"] = EDUCATION[person.level]


def employ(draw: Draw, person: Person) -> None:
    """Give the occupation, by age, education, sex and region."""
    age, male, extra = person.age, person.male, person.level - 2
    retired = 0.94 if age >= 66 else 0.35 if age >= 60 else 0.0
    student = max(0.0, min(0.95, 0.95 - 0.12 * (age - 17))) if age < 25 else 0.0
    if person.child:
        job = "none"
    elif draw.chance(max(retired, student)):
        job = "retired" if retired else "student"
    else:
        scores = {
            "homemaker": 0.3 - 0.25 * extra - 2.0 * male,
            "farming": 0.0 - 0.35 * extra + 1.2 * (person.region in RURAL),
            "factory": 0.5 - 0.45 * extra + 0.4 * male,
            "transport": -0.2 - 0.35 * extra + 0.9 * male,
            "sales": 0.6 - 0.10 * extra,
            "care": 0.3 + 0.15 * extra - 0.9 * male,
            "office": 0.4 + 0.25 * extra,
            "technical": -0.8 + 0.65 * extra + 0.4 * male,
            "manager": -1.8 + 0.75 * extra + 0.02 * (age - 40),
        }
        job = draw.pick({name: exp(score) for name, score in scores.items()})
    person.values["occupation"] = job


def earn(draw: Draw, person: Person) -> None:
    """Give the yearly income, lognormal by occupation, education, age and sex."""
    income = 0.0
    if not person.child:
        mean = log(BASE_INCOME[person.values["occupation"]]) + 0.13 * (person.level - 2)
        mean += 0.010 * (min(person.age, 60) - 40) - 0.10 * (1 - person.male)
        income = exp(draw.normal(mean, 0.32))
    person.values["income"] = f"{income:.0f}"


# Body and health ----------------------------------------------------------------------------


def measure(draw: Draw, person: Person) -> tuple[float, float]:
    """Give height, weight, blood pressure and cholesterol; return BMI and blood pressure."""
    age, male = person.age, person.male
    grown = 164 + 13 * male
    if age < 18:
        mean = grown - (grown - 62) * (1 - (age + 0.5) / 18.5) ** 1.6
        height = draw.normal(mean, 0.04 * mean)
    else:
        height = draw.normal(grown - 0.08 * max(age - 40, 0), 6.5)
    if person.child:
        bmi = exp(draw.normal(log(16 + 0.35 * max(age - 6, 0)), 0.10))
        pressure = draw.normal(85 + 1.6 * age, 8)
        cholesterol = draw.normal(155, 22)
    else:
        job = person.values["occupation"]
        mean = log(24.5) + 0.0035 * (min(age, 65) - 45) - 0.012 * (person.level - 2)
        mean += 0.02 * male + 0.03 * (job in SEATED) - 0.02 * (job in MANUAL)
        bmi = exp(draw.normal(mean, 0.14))
        pressure = draw.normal(100 + 0.45 * age + 1.0 * (bmi - 25) + 4 * male, 11)
        mean = 160 + 0.9 * min(age, 65) + 1.2 * (bmi - 25)
        cholesterol = draw.normal(mean + 8 * (1 - male) * (age > 50), 28)
    person.values |= {
        "height_cm": f"{height:.1f}",
        "weight_kg": f"{bmi * (height / 100) ** 2:.1f}",
        "systolic_bp": f"{max(pressure, 70):.0f}",
        "cholesterol": f"{max(cholesterol, 80):.0f}",
    }
    return bmi, pressure


def diagnose(draw: Draw, person: Person, bmi: float, pressure: float) -> None:
    """Give the diagnosis, by age, sex, BMI, blood pressure and occupation."""
    age, male, child = person.age, person.male, int(person.child)
    job = person.values["occupation"]
    excess = 0.0 if child else bmi - 25
    scores = {
        "injury": 0.2 - 0.012 * age + 0.5 * male + 0.8 * (job in MANUAL) + 0.4 * child,
        "asthma": -0.1 + 0.9 * child + 0.6 * (job == "factory") + 0.01 * max(age - 60, 0),
        "digestive": -0.1 + 0.02 * excess,
        "cardiac": -4.4 + 0.065 * age + 0.4 * male + 0.05 * excess + 0.015 * (pressure - 125),
        "diabetes": -2.4 + 0.030 * age + 0.16 * excess,
        "cancer": -3.0 + 0.045 * age - 0.1 * male,
        "mental": 0.3 - 0.010 * age - 0.4 * male - 1.5 * child + 0.6 * (job in ("care", "manager")),
    }
    chosen = draw.pick({name: exp(score) for name, score in scores.items()})
    person.values["diagnosis"] = chosen


def treat(draw: Draw, person: Person) -> None:
    """Give the number of visits and the cost, which is zero for some."""
    more, free, usual = CARE[person.values["diagnosis"]]
    visits = 1 + draw.poisson(exp(draw.normal(-0.6 + 0.015 * person.age + more, 0.4)))
    cost = 0.0
    if not draw.chance(logistic(-0.5 - 0.5 * visits + free)):
        cost = exp(draw.normal(usual + 0.35 * log(visits) + 0.006 * person.age, 0.6))
    person.values |= {"visits": str(visits), "cost": f"{cost:.0f}"}


# Missing values -----------------------------------------------------------------------------


def forget(draw: Draw, person: Person) -> None:
    """Empty some fields, with probabilities that depend on age, sex, region and occupation."""
    age, child, job = person.age, person.child, person.values["occupation"]
    probabilities = {
        "email": 1.0 if age < 14 else 0.05 + 0.25 * (age >= 70),
        "height_cm": 0.010 + 0.0004 * age,
        "weight_kg": 0.015 + 0.0005 * age + 0.01 * (1 - person.male),
        "systolic_bp": 0.06 if child else 0.015,
        "cholesterol": 0.16 if child else 0.05,
        "education": 0.0 if child else 0.005 + 0.0006 * age,
        "occupation": 0.0 if child else 0.02 + 0.02 * (person.region in RURAL),
        "income": 0.0 if child else 0.03 + 0.0007 * age + 0.08 * (job == "manager"),
        "cost": 0.010 + 0.02 * (person.region in RURAL),
    }
    for column, probability in probabilities.items():
        if draw.chance(probability):
            person.values[column] = ""


def make(seed: int = SEED) -> bytes:
    """Return the file, as bytes."""
    draw = Draw(seed)
    people = population(draw)
    weigh(people)
    identify(draw, people)
    for person in people:
        educate(draw, person)
        employ(draw, person)
        earn(draw, person)
        diagnose(draw, person, *measure(draw, person))
        treat(draw, person)
        forget(draw, person)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(people[row].values for row in draw.order(len(people)))
    return text.getvalue().encode("ascii")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, or check it; return the exit code."""
    parser = argparse.ArgumentParser(description="Make the invented patients of discreet.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    made = make()
    if not parser.parse_args(arguments).check:
        TARGET.write_bytes(made)
        print(f"{TARGET.name}: {len(made)} bytes written")
        return 0
    same = TARGET.is_file() and TARGET.read_bytes() == made
    print(f"{TARGET.name}: {'as made' if same else 'differs from what this script makes'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
