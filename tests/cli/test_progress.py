import pytest

from brain.cli.progress import Progress, progress_text


@pytest.mark.parametrize(
    ("note", "done", "total", "text"),
    [
        ("asking", 0, 0, "asking"),
        ("asking", -1, -1, "asking"),
        ("fetching", 12_345_678, 0, "12 MB  fetching"),
        ("fetching", -1, 1_117_000_000, "  0 %  0 of 1117 MB  fetching"),
        ("fetching", 0, 1_117_000_000, "  0 %  0 of 1117 MB  fetching"),
        ("fetching", 558_500_000, 1_117_000_000, " 50 %  558 of 1117 MB  fetching"),
        ("checking", 1_117_000_000, 1_117_000_000, "100 %  1117 of 1117 MB  checking"),
    ],
)
def test_progress_is_told_in_megabytes(note: str, done: int, total: int, text: str) -> None:
    assert progress_text(note, done, total) == text


def test_without_a_terminal_a_line_is_written_at_each_tenth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Progress() as progress:
        for done in range(1001):
            progress.tell("fetching", done * 1_000_000, 1_000_000_000)

    told = capsys.readouterr()
    assert told.out == ""
    assert [line[:5] for line in told.err.splitlines()] == [f"{at * 10:>3} %" for at in range(11)]
