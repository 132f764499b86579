"""Draws the app's icons, static/img/icon*.png, from one drawing. Run it in Mariscal's environment:
`.venv/bin/python scripts/icons.py [CHROMIUM]`."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parents[1] / "static/img"
GROUND, EDGE, PAPER, INK = "#AE392E", "#3A1410", "#FBF7EB", "#2B2722"
FACE = (
    f'<rect x="6" y="9" width="20" height="13" fill="{PAPER}" stroke="{INK}" stroke-width=".9"/>'
    f'<path d="M6 22 26 9" stroke="{INK}" stroke-width="1.9"/><path d="M12.5 26.6h7" stroke="#fff" stroke-width="1.9"/>'
)
COUNTER = f'<rect x="2" y="2" width="28" height="28" rx="3" fill="{GROUND}" stroke="{EDGE}" stroke-width="1"/>{FACE}'
FULL = f'<rect width="32" height="32" fill="{GROUND}"/><g transform="translate(4.6 4.2)scale(.71)">{FACE}</g>'
ICONS = {
    "icon-192": (192, COUNTER),
    "icon-512": (512, COUNTER),
    "icon-maskable": (512, FULL),
    "icon-touch": (180, FULL),
}


def main() -> None:
    with sync_playwright() as playwright:
        chosen = sys.argv[1] if len(sys.argv) > 1 else None
        browser = playwright.chromium.launch(executable_path=chosen, args=["--no-sandbox"])
        for name, (size, drawing) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = f'<svg width="{size}" height="{size}" viewBox="0 0 32 32">{drawing}</svg>'
            page.set_content(f'<body style="margin:0;background:transparent;line-height:0">{svg}')
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
