"""a"""

ELSEWHERE: dict[str, dict[str, str]] = {}
ACROSS_MODULES: dict[str, str] = {}
