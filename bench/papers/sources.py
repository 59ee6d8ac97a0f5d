"""The files with which the papers are redone: what they are and where they come from.

None of them is part of the package. They are searched for in a folder that the user names, in that
of $DISCREET_DATA, or in shared/data beside a checkout of the project.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import UsageError

VARIABLE = "DISCREET_DATA"


@dataclass(frozen=True)
class Source:
    """A file: its name in the folder, its size, what it holds, and its public origin."""

    file: str
    size: str
    holds: str
    origin: str


SOURCES = {
    source.file: source
    for source in (
        Source(
            "gov_census_acs2018.parquet",
            "204,309 × 17",
            "persons of the American Community Survey of 2018, with age, sex, education_level, "
            "marital, race, hours_worked, citizenship, family_size and salary",
            "data set gov_census of the R package fairadapt (on GitHub: cran/fairadapt, "
            "data/gov_census.rda), saved as Parquet",
        ),
        Source(
            "pima_diabetes.csv",
            "768 × 9",
            "Pima Indians Diabetes: eight numbers of each patient, and 'outcome', 1 if positive",
            "data set PimaIndiansDiabetes of the R package mlbench (on GitHub: cran/mlbench, "
            "data/PimaIndiansDiabetes.rda), saved as CSV",
        ),
        Source(
            "medicare_nmes1988.csv",
            "4,406 × 19",
            "National Medical Expenditure Survey of 1987–88, persons covered by Medicare",
            "data set NMES1988 of the R package AER (on GitHub: cran/AER, data/NMES1988.rda; "
            "vincentarelbundock/Rdatasets has it as CSV)",
        ),
        Source(
            "thyroid_complete_1947.csv",
            "1,947 × 26",
            "Thyroid Disease of the UCI repository, the training file of 2,800 records, of which "
            "those without missing values among age, sex, TSH, T3, T4U, FTI and the flags",
            "file allbp.data of the Thyroid Disease set of the UCI Machine Learning Repository "
            "(on GitHub: emiliaveikkola/statisticaldataanalysis, allbp.data), saved as CSV",
        ),
        Source(
            "alcohol_kenkel_terza.csv",
            "2,467 × 19",
            "men of the National Health Interview Survey of 1990, by Kenkel and Terza (2001)",
            "data set drinks of the R package micsr (on GitHub: cran/micsr, data/drinks.rda), "
            "saved as CSV",
        ),
        Source(
            "casc_census.csv",
            "1,080 × 13",
            "Census, reference file of the European project CASC",
            "data set CASCrefmicrodata of the R package sdcMicro (on GitHub: sdcTools/sdcMicro, "
            "data/CASCrefmicrodata.rda), saved as CSV",
        ),
    )
}


def data_folder(given: Path | None = None) -> Path | None:
    """Return the folder of the data: given, from the environment, or beside the project.

    None if none was named and none is beside the project; a folder that was named must exist.
    """
    named = [(given, "--data")] if given is not None else []
    if not named and os.environ.get(VARIABLE):
        named = [(Path(os.environ[VARIABLE]), f"${VARIABLE}")]
    for folder, by in named:
        if not folder.is_dir():
            raise UsageError(
                f"{by} names '{folder}', which is not a folder; name the folder that holds the "
                "reference data"
            )
        return folder
    project = Path(__file__).resolve().parents[2]
    beside = project.parent / "shared" / "data"
    return beside if (project / "pyproject.toml").is_file() and beside.is_dir() else None


def lacking(folder: Path | None, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that are missing in the folder.

    >>> lacking(None, ("casc_census.csv",))
    ('casc_census.csv',)
    """
    return tuple(file for file in files if folder is None or not (folder / file).is_file())
