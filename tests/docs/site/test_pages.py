"""Every page of the site, in a browser, on a phone: nothing is broken, nothing is fetched from elsewhere."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Page

from redis_guard.rules import load_rules

PHONE = {"width": 360, "height": 740}


def addresses(site: Path) -> list[str]:
    """The paths of all pages."""
    return [
        f"/{path.parent.relative_to(site).as_posix()}/".replace("/./", "/")
        for path in sorted(site.rglob("index.html"))
    ]


def test_every_rule_and_every_written_page_has_its_page(site: Path, root: Path) -> None:
    written = {
        f"/{path.relative_to(root / 'docs').with_suffix('').as_posix()}/".replace("/index/", "/")
        for path in (root / "docs").rglob("*.md")
    }
    rules = {f"/rules/{rule.code}/" for rule in load_rules()}

    assert set(addresses(site)) >= written | rules


def test_defaults_are_shown_as_one_writes_them(site: Path) -> None:
    page = (site / "reference" / "settings" / "index.html").read_text(encoding="utf-8")

    assert "<code>true</code>" in page
    assert "<code>6.2</code>" in page
    assert "<code>True</code>" not in page


def test_every_page_opens_without_an_error_and_fits_a_phone(
    browser: Browser, site: Path, address: str
) -> None:
    faults: list[str] = []
    page = browser.new_page(viewport=PHONE)
    page.on("console", lambda said: said.type == "error" and faults.append(f"{page.url}: {said.text}"))
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on(
        "request",
        lambda asked: (
            asked.url.startswith((address, "data:")) or faults.append(f"{page.url} asks {asked.url}")
        ),
    )
    for path in addresses(site):
        answer = page.goto(address + path, wait_until="load")
        assert answer is not None
        if answer.status != 200:
            faults.append(f"{path}: {answer.status}")
        wide = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
        if wide > 0:
            faults.append(f"{path}: {wide} pixels wider than a phone")
        faults += [f"{path}: {link} leads nowhere" for link in _dead(page, site, address)]

    assert faults == []


def test_the_search_finds_a_rule_by_its_name(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("incr-then-expire")

    found = page.locator(".md-search-result__item a").first
    found.wait_for()

    assert "RG202" in (found.get_attribute("href") or "") + found.inner_text()


def _dead(page: Page, site: Path, address: str) -> list[str]:
    """Links of the open page within the site whose page or heading is not there."""
    dead = []
    for link in set(page.eval_on_selector_all("a[href]", "all => all.map(one => one.href)")):
        parts = urlsplit(link)
        if not link.startswith(address):
            continue
        goal = site / unquote(parts.path).lstrip("/")
        goal = goal / "index.html" if goal.is_dir() else goal
        anchor = unquote(parts.fragment)
        known = goal.is_file()
        if known and anchor and goal.suffix == ".html":
            known = f'id="{anchor}"' in goal.read_text(encoding="utf-8")
        if not known:
            dead.append(link)
    return dead
