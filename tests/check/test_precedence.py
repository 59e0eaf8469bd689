"""One site, several rules: the table decides, by place."""

from redis_guard.finding import Finding, Related, Severity, Span
from redis_guard.precedence import GIVES_WAY, resolve
from redis_guard.rules import load_rules


def finding(code: str, line: int, related: int | None = None, path: str = "a.py") -> Finding:
    other = () if related is None else (Related(path, Span(related, 1, related, 9), "the other"),)
    return Finding(code, code.lower(), Severity.ERROR, "", path, Span(line, 1, line, 9), related=other)


def codes(*findings: Finding) -> list[str]:
    return [found.code for found in resolve(findings)]


def test_the_most_specific_race_wins() -> None:
    assert codes(finding("RG201", 1, 2), finding("RG203", 1, 2)) == ["RG203"]


def test_half_of_a_reported_pair_is_not_also_without_a_lifetime() -> None:
    assert codes(finding("RG202", 1, 5), finding("RG401", 1)) == ["RG202"]
    assert codes(finding("RG202", 1, 5), finding("RG401", 5)) == ["RG202"]


def test_a_write_after_its_expire_stays_without_a_lifetime() -> None:
    assert codes(finding("RG206", 1, 2), finding("RG401", 2)) == ["RG206", "RG401"]


def test_another_place_or_file_gives_way_to_nobody() -> None:
    assert codes(finding("RG202", 1, 5), finding("RG401", 9)) == ["RG202", "RG401"]
    assert codes(finding("RG202", 1, 5), finding("RG401", 1, path="b.py")) == ["RG202", "RG401"]


def test_a_direct_call_is_always_its_own_finding() -> None:
    assert codes(finding("RG101", 1), finding("RG203", 1, 2), finding("RG401", 1)) == ["RG101", "RG203"]
    assert "RG101" not in GIVES_WAY


def test_nobody_gives_way_in_a_circle() -> None:
    for code, stronger in GIVES_WAY.items():
        assert not any(code in GIVES_WAY.get(other, ()) for other in stronger), code
    known = {rule.code for rule in load_rules()}
    assert any(code in known for code in GIVES_WAY)
