"""BibTeX of what entries cite: every source has its authors, or is quoted as it stands."""

from __future__ import annotations

import re

import pytest

from discreet.contracts.citing import Source, bibtex, sources
from discreet.contracts.registry import entries, find


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Kim (1986)", Source(("Kim",), "", "1986")),
        (
            "Fellegi & Sunter (1969), A theory for record linkage",
            Source(("Fellegi", "Sunter"), "A theory for record linkage", "1969"),
        ),
        (
            "Li & Sarkar, Class-restricted clustering and microperturbation (2013), Fig. 5",
            Source(
                ("Li", "Sarkar"),
                "Class-restricted clustering and microperturbation",
                "2013",
                "Fig. 5",
            ),
        ),
        ("loss of Iyengar (2002)", Source(("Iyengar",), "", "2002", "loss of")),
        ("Kim (1986) for the sum", Source(("Kim",), "", "1986", "for the sum")),
        ("Li & Sarkar (2013), eq. 14", Source(("Li", "Sarkar"), "", "2013", "eq. 14")),
        (
            "Domingo-Ferrer, A survey of inference control methods, §2",
            Source(("Domingo-Ferrer",), "A survey of inference control methods", "", "§2"),
        ),
        ("Hundepool et al. (2012)", Source(("Hundepool", "others"), "", "2012")),
        ("the best, by local search", Source((), "", "", "the best, by local search")),
    ],
)  # fmt: skip
def test_sources_are_taken_apart(text: str, source: Source) -> None:
    assert sources(text) == [source]


def test_nearly_all_sources_have_authors_and_none_is_lost() -> None:
    found = [source for entry in entries() for source in sources(entry.spec.citation)]
    assert sum(bool(source.authors) for source in found) > 0.85 * len(found)
    for entry in entries():
        for source in sources(entry.spec.citation):
            whole = " ".join([*source.authors, source.title, source.note])
            for word in re.findall(r"\w{5,}", whole):
                assert word in entry.spec.citation or word == "others"


def test_an_entry_is_cited_once_and_discreet_with_it() -> None:
    text = bibtex([find("method", "pram"), find("method", "pram")])
    assert text.count("@software{discreet,") == 1
    keys = re.findall(r"@misc\{(\w+),", text)
    assert len(keys) == len(set(keys)) >= 2
    assert text.count("{") == text.count("}")


def test_works_of_one_author_and_year_have_keys_of_their_own_and_titles_are_known_elsewhere() -> (
    None
):
    text = bibtex(entries("method"))
    assert "@misc{dandekar2002," in text
    assert "@misc{dandekar2002b," in text
    keys = re.findall(r"@misc\{(\w+),", text)
    assert len(keys) == len(set(keys))
    [work] = re.findall(r"@misc\{li2013,.*?\n\}", bibtex([find("measure", "abico")]), re.DOTALL)
    assert "title = {{Class-restricted clustering" in work


def test_another_place_in_the_same_work_is_no_work_of_its_own() -> None:
    found = sources("Li & Sarkar (2013), Fig. 5; several classes: §8; the least k: §7; Kim (1986)")
    assert [source.key for source in found] == ["li2013", "kim1986"]
    assert found[0].note == "Fig. 5; several classes: §8; the least k: §7"
