"""MART against Regression Mondrian on the Alcohol file: Table 4 of Li & Sarkar."""

from __future__ import annotations

from bench.papers.printing import printed


def main(arguments: list[str] | None = None) -> None:
    printed("mart", arguments)


if __name__ == "__main__":
    main()
