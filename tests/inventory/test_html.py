"""The inventory as a page, read by a real browser: nothing is fetched, nothing fails, and it fits a phone."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from redis_guard.report.inventory_html import to_html
from redis_guard.report.inventory_model import Inventory

DESK = {"width": 1200, "height": 900}
PHONE = {"width": 390, "height": 844}


@contextmanager
def opened(browser: Browser, inventory: Inventory, folder: Path, **options: object) -> Iterator[Page]:
    """The page as a file; whatever it says on the console or asks for is an error."""
    path = folder / "inventory.html"
    path.write_text(to_html(inventory), encoding="utf-8")
    faults: list[str] = []
    page = browser.new_page(**{"viewport": DESK, **options})  # type: ignore[arg-type] # by name
    page.on("console", lambda said: faults.append(said.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request", lambda asked: asked.url in (path.as_uri(), "data:,") or faults.append(f"asks {asked.url}")
    )
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.goto(path.as_uri(), wait_until="load")
    yield page
    assert faults == []
    page.close()


def column(page: Page, number: int) -> list[str]:
    """The texts of a column, in the rows that are to be seen."""
    return page.eval_on_selector_all(
        f"#groups tbody tr:not([hidden]) td:nth-child({number})", "all => all.map(one => one.dataset.sort)"
    )


def test_the_numbers_of_the_shop_are_right(browser: Browser, shop: Inventory, tmp_path: Path) -> None:
    with opened(browser, shop, tmp_path) as page:
        tiles = page.eval_on_selector_all(".tiles b", "all => all.map(one => Number(one.textContent))")
        assert tiles == [
            len(shop.groups),
            len(shop.calls),
            len({call.path for call in shop.calls}),
            len({group.owner.owner for group in shop.groups}),
            sum(len(call.faults) for call in shop.calls),
        ]
        bars = page.eval_on_selector_all(
            "figure:first-child li",
            "all => all.map(one => [one.children[0].textContent, one.children[2].textContent])",
        )
        groups = Counter(group.behaviour for group in shop.groups)
        assert {name: int(number) for name, number in bars} == groups
        assert [int(calls) for calls in column(page, 4)] == [group.calls for group in shop.groups]
        assert page.locator("#groups tbody tr").count() == len(shop.groups)


def test_the_longest_bar_has_the_most_groups(browser: Browser, shop: Inventory, tmp_path: Path) -> None:
    with opened(browser, shop, tmp_path) as page:
        widths = page.eval_on_selector_all(
            "figure:first-child li",
            "all => all.map(one => "
            "[Number(one.children[2].textContent), one.querySelector('rect').getBoundingClientRect().width])",
        )
        room = page.eval_on_selector("figure:first-child svg", "one => one.getBoundingClientRect().width")
        most = max(number for number, _ in widths)
        for number, width in widths:
            assert width == pytest.approx(room * number / most, rel=0.01)


def test_a_column_sorts_both_ways_as_what_it_holds(browser: Browser, shop: Inventory, tmp_path: Path) -> None:
    with opened(browser, shop, tmp_path) as page:
        page.get_by_role("button", name="calls").click()
        calls = [int(text) for text in column(page, 4)]
        assert calls == sorted(calls, reverse=True)
        assert page.locator("th[aria-sort=descending]").inner_text().strip().startswith("calls")

        page.get_by_role("button", name="calls").click()
        assert [int(text) for text in column(page, 4)] == sorted(calls)

        page.get_by_role("button", name="behaviour").click()
        assert column(page, 1) == sorted(group.behaviour for group in shop.groups)

        page.get_by_label("Order", exact=True).select_option("")
        assert column(page, 1) == [group.behaviour for group in shop.groups]


def test_rows_are_found_by_words_behaviour_owner_and_faults(
    browser: Browser, shop: Inventory, tmp_path: Path
) -> None:
    with opened(browser, shop, tmp_path) as page:
        page.get_by_label("Search").fill("login limits.py")
        assert column(page, 2) == ["login:{account}:attempts"]
        assert page.locator("#shown").inner_text() == f"1 of {len(shop.groups)} groups"

        page.get_by_label("Search").fill("")
        page.get_by_label("Behaviour", exact=True).select_option("lock-like")
        page.get_by_label("with faults only").check()
        assert column(page, 2) == [
            group.key for group in shop.groups if group.behaviour == "lock-like" and group.faults
        ]

        page.get_by_label("Owner", exact=True).select_option("shop/tasks")
        assert column(page, 2) == ["lock:invoices:{month}"]


def test_call_sites_unfold(browser: Browser, shop: Inventory, tmp_path: Path) -> None:
    with opened(browser, shop, tmp_path) as page:
        row = page.locator("tr", has_text="login:{account}:attempts")
        assert not row.locator("li").first.is_visible()

        row.locator("summary").click()

        assert row.locator("li").all_inner_texts() == ["shop/limits.py:21", "shop/limits.py:23"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read_there(
    browser: Browser, shop: Inventory, hostile: Inventory, tmp_path: Path, scheme: str
) -> None:
    for inventory in (shop, hostile):
        with opened(browser, inventory, tmp_path, viewport=PHONE, color_scheme=scheme) as page:
            assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
            paper, ink = page.evaluate(
                "(() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]; })()"
            )
            assert abs(_brightness(paper) - _brightness(ink)) > 150
            assert (_brightness(paper) > _brightness(ink)) == (scheme == "light")


def test_on_a_phone_it_can_be_sorted_too(browser: Browser, shop: Inventory, tmp_path: Path) -> None:
    with opened(browser, shop, tmp_path, viewport=PHONE) as page:
        page.get_by_label("Order", exact=True).select_option("faults")
        faults = [int(text) for text in column(page, 7)]

    assert faults == sorted(faults, reverse=True)


def test_what_comes_out_of_code_is_text(browser: Browser, hostile: Inventory, tmp_path: Path) -> None:
    with opened(browser, hostile, tmp_path) as page:
        assert page.locator("script").count() == 1
        assert page.locator("img, b:not(.tiles b)").count() == 0
        keys = page.locator("#groups summary").all_inner_texts()

    assert "</script><script>fetch('https://example.org')</script>:{id}" in keys
    assert "<img src=x onerror=alert(1)>:{id}" in keys


def test_a_project_without_redis_has_a_page_too(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, Inventory((), (), project="empty"), tmp_path) as page:
        assert page.locator(".lead").inner_text() == "No use of Redis was found."
        assert page.title() == "Redis in empty"


def _brightness(color: str) -> int:
    red, green, blue = (int(part) for part in color.removeprefix("rgb(").removesuffix(")").split(","))
    return (red * 299 + green * 587 + blue * 114) // 1000
