"""The words of the page, from those of the runtime: `python -m tests.page.words` writes them anew."""

import json
from collections.abc import Mapping
from pathlib import Path

from brain.activity import EVENT_TYPES
from brain.activity.words import RULES

PAGE = Path(__file__).resolve().parents[2] / "brain" / "channels" / "http" / "page"
WORDS = PAGE / "words.js"


def rendered() -> str:
    return "\n".join(
        (
            "// The record in words, as the runtime has them: python -m tests.page.words writes this file.",
            "",
            *_table("EVENT_TYPES", "What each type of event means.", EVENT_TYPES),
            "",
            *_table("RULES", "Each rule of the gate, as the reason that a person reads.", RULES),
            "",
        )
    )


def _table(name: str, says: str, words: Mapping[str, str]) -> list[str]:
    lines = [f"  {key}: {json.dumps(text, ensure_ascii=False)}," for key, text in words.items()]
    return [f"/** {says} */", f"export const {name} = {{", *lines, "};"]


if __name__ == "__main__":
    WORDS.write_text(rendered(), encoding="utf-8")
