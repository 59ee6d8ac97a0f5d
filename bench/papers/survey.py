"""Example 1.4 of the survey: methods and parameters ranked by the Score, on Census (CASC)."""

from __future__ import annotations

from bench.papers.printing import printed


def main(arguments: list[str] | None = None) -> None:
    printed("survey", arguments)


if __name__ == "__main__":
    main()
