"""docs/commands.md says what the code does."""

from pathlib import Path

from brain.commands import RESERVED
from brain.commands.table import TABLE, table_markdown

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_the_page_of_the_commands_holds_their_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    start = text.index("<!-- commands: ")
    end = text.index("<!-- end of commands -->")

    assert text[start:end].split("\n", 1)[1].strip() == table_markdown()


def test_every_reserved_word_has_its_command_and_every_command_is_reserved() -> None:
    assert sorted(command.name for command in TABLE) == sorted(RESERVED)
