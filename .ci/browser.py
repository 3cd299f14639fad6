"""Get what the tests of the page need beside Python, where it can be had: `python .ci/browser.py`.

Chromium through apt (as root on Debian and its kin), and axe-core, which looks for barriers, through
npm into `.cache/axe`. Whatever can't be had is said, and its tests are skipped; nothing fails.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

AXE = Path(__file__).resolve().parent.parent / ".cache" / "axe"
AXE_PACKAGE = "axe-core@4.14.1"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LIMIT_SECONDS = 600


def main() -> int:
    if not any(map(shutil.which, CHROMIUM)):
        get_chromium()
    if not (AXE / "node_modules").exists():
        get_axe()
    return 0


def get_chromium() -> None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        say("no Chromium, and no root with apt to install it: the tests of the page are skipped")
        return
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    is_there = runs(["apt-get", "update", "-qq"], environ) and runs(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], environ
    )
    if not is_there:
        say("Chromium could not be installed: the tests of the page are skipped")


def get_axe() -> None:
    if shutil.which("npm") is None:
        say("no npm to get axe-core with: the search for barriers is skipped")
        return
    AXE.mkdir(parents=True, exist_ok=True)
    words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    if not runs([*words, "--prefix", str(AXE), AXE_PACKAGE], dict(os.environ)):
        say("axe-core could not be had: the search for barriers is skipped")


def runs(words: list[str], environ: dict[str, str]) -> bool:
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environ,
            timeout=LIMIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        say(str(error))
        return False
    return done.returncode == 0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
