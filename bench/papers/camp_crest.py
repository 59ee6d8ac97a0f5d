"""CAMP-CREST against the t-closeness benchmark: Table 1, Figure 6 and §7 of Li & Sarkar 2013."""

from __future__ import annotations

from bench.papers.printing import printed


def main(arguments: list[str] | None = None) -> None:
    printed("camp_crest", arguments)


if __name__ == "__main__":
    main()
