"""Local synthesis on THYROID: Tables 1 to 3 and §7 of Oganian & Domingo-Ferrer 2017."""

from __future__ import annotations

from bench.papers.printing import printed


def main(arguments: list[str] | None = None) -> None:
    printed("local_synthesis", arguments)


if __name__ == "__main__":
    main()
