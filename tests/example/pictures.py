"""Take the pictures of `reports/example/`: the committed report as a reader meets it, in Chromium.

python tests/example/pictures.py
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

EXAMPLE = Path(__file__).parent.parent.parent / "reports" / "example"
# Name, address within the report, width, height, colour scheme.
PICTURES = (
    ("overview", "", 1440, 1500, "light"),
    ("cases", "#cases", 1440, 900, "light"),
    ("case", "#case=card-number-in-mail&of=v1", 1440, 1000, "light"),
    ("variants", "#case=price-drop&of=v2&beside=v1", 1440, 1000, "light"),
    ("dark", "#cases&worse=1", 1440, 900, "dark"),
    ("narrow", "#case=price-drop&of=v2", 320, 1200, "light"),
    ("rating", "#rate", 1440, 900, "light"),
)


def main() -> None:
    """Write one PNG per picture."""
    chromium = os.environ.get("JUDGEKIT_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, fragment, width, height, scheme in PICTURES:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto((EXAMPLE / "report.html").as_uri() + fragment)
            page.wait_for_selector("html[data-ready]")
            if name == "rating":
                page.get_by_role("button", name="Rate ").last.click()
            page.wait_for_timeout(400)
            page.screenshot(path=EXAMPLE / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
