from brain.cli.table import columns, width


def test_columns_line_up_where_characters_take_two_places() -> None:
    lines = columns(("no", "note", "at"), [("1", "お茶", "mon"), ("12", "te\u0301", "tue")])

    assert lines == [
        "no  note  at",
        "1   お茶  mon",
        "12  te\u0301    tue",
    ]


def test_a_cell_is_one_line_and_inert() -> None:
    assert columns(("a", "b"), [("x\ny\x1b[2J", "")]) == ["a    b", "x y"]


def test_a_very_long_cell_pushes_its_own_line_alone() -> None:
    long = "x" * 100

    assert columns(("a", "b"), [(long, "1"), ("y", "2")]) == ["a  b", f"{long}  1", "y  2"]


def test_marks_and_joiners_take_no_place() -> None:
    assert [width(text) for text in ("abc", "日本", "e\u0301", "\u200d")] == [3, 4, 1, 0]
