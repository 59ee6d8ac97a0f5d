"""AMA against MDAV on all attributes: Figures 4 to 6 of Sun et al. 2012."""

from __future__ import annotations

from bench.papers.printing import printed


def main(arguments: list[str] | None = None) -> None:
    printed("ama", arguments)


if __name__ == "__main__":
    main()
