from tests.docs.reference import EVENTS_PAGE, events_page


def test_the_page_of_events_is_made_from_the_code() -> None:
    page = EVENTS_PAGE.read_text(encoding="utf-8")

    assert page == events_page(), "write it with: python -m tests.docs.reference"
