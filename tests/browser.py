"""A real browser to read pages with."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A headless Chromium; skips where there is none, unless REDIS_GUARD_BROWSER says that one is required."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        missing = "no Chromium on the path; Debian's package is called chromium"
        if os.environ.get("REDIS_GUARD_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()
