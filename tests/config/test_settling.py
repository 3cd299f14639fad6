"""When a changed file may be judged."""

from hypothesis import given
from hypothesis import strategies as st

from brain.config.settling import BROKEN_SECONDS, IN_PLACE_SECONDS, Look, Wait, settle

JUDGED = "what was judged last"
digests = st.sampled_from([JUDGED, "half", "new", "newer"])


@st.composite
def rows_of_looks(draw: st.DrawFn) -> list[Look]:
    """Looks in the order of time. What parses goes with the content."""
    gaps = draw(st.lists(st.floats(0, 0.2, allow_nan=False), min_size=1, max_size=8))
    at, looks = 1000.0, []
    for gap in gaps:
        at += gap
        digest = draw(digests)
        looks.append(
            Look(
                at_seconds=at,
                digest=digest,
                parses=digest != "half",
                is_replaced=draw(st.booleans()),
                quiet_seconds=draw(st.floats(0, 0.05, allow_nan=False)),
                is_steady=draw(st.booleans()),
            )
        )
    return looks


@given(rows_of_looks())
def test_what_was_judged_is_not_judged_again(looks: list[Look]) -> None:
    if looks[-1].digest == JUDGED:
        assert settle(JUDGED, looks) == "same"
    else:
        assert settle(JUDGED, looks) != "same"


@given(rows_of_looks())
def test_what_does_not_parse_is_judged_only_when_it_stood_for_100_ms(looks: list[Look]) -> None:
    last = looks[-1]
    if last.parses or settle(JUDGED, looks) != "judge":
        return
    stood = [look for look in looks if last.at_seconds - look.at_seconds <= BROKEN_SECONDS - 1e-6]

    assert all(look.digest == last.digest for look in stood)
    assert last.at_seconds - looks[0].at_seconds >= BROKEN_SECONDS - 1e-6


@given(rows_of_looks())
def test_what_was_written_in_place_is_judged_only_when_it_stood_for_10_ms(
    looks: list[Look],
) -> None:
    last = looks[-1]
    if last.is_replaced or settle(JUDGED, looks) != "judge":
        return
    stood = [look for look in looks if last.at_seconds - look.at_seconds <= IN_PLACE_SECONDS - 1e-6]

    assert all(look.digest == last.digest and look.is_steady for look in stood)
    assert last.at_seconds - looks[0].at_seconds >= IN_PLACE_SECONDS - 1e-6


@given(rows_of_looks())
def test_what_changed_while_it_was_read_is_not_judged(looks: list[Look]) -> None:
    if not looks[-1].is_steady:
        assert settle(JUDGED, looks) != "judge"


@given(rows_of_looks())
def test_a_file_that_stays_as_it_is_is_judged_after_the_wait_that_was_asked_for(
    looks: list[Look],
) -> None:
    waited = settle(JUDGED, looks)
    last = looks[-1]
    for _ in range(2):  # once more where the last look was not steady
        if not isinstance(waited, Wait):
            break
        assert 0 < waited.seconds <= BROKEN_SECONDS
        last = Look(
            at_seconds=last.at_seconds + waited.seconds,
            digest=last.digest,
            parses=last.parses,
            is_replaced=last.is_replaced,
            quiet_seconds=last.quiet_seconds + waited.seconds,
        )
        looks = [*looks, last]
        waited = settle(JUDGED, looks)

    assert waited in ("judge", "same") or not looks[-3].is_steady


def test_a_file_that_came_by_rename_and_parses_is_judged_at_once() -> None:
    look = Look(at_seconds=5.0, digest="new", parses=True, is_replaced=True, quiet_seconds=1.0)

    assert settle(JUDGED, [look]) == "judge"


def test_a_file_that_was_written_a_moment_before_its_rename_waits_for_the_rest_of_10_ms() -> None:
    look = Look(at_seconds=5.0, digest="new", parses=True, is_replaced=True, quiet_seconds=0.004)

    assert settle(JUDGED, [look]) == Wait(seconds=IN_PLACE_SECONDS - 0.004)


def test_an_empty_file_by_rename_waits_like_any_other_that_does_not_parse() -> None:
    look = Look(at_seconds=5.0, digest="none", parses=False, is_replaced=True, quiet_seconds=1.0)

    assert settle(JUDGED, [look]) == Wait(seconds=BROKEN_SECONDS)
