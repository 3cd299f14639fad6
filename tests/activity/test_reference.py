from typing import get_args

from brain.activity import EVENT_TYPES, FIELDS, RULES
from brain.activity.reference import FIELD_MEANINGS
from brain.gate.decide import Rule
from brain.store.sqlite.events import EVENT_COLUMNS


def test_every_field_and_every_type_has_its_sentence() -> None:
    assert tuple(FIELD_MEANINGS) == FIELDS
    sentences = [*FIELD_MEANINGS.values(), *EVENT_TYPES.values()]
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)


def test_the_store_keeps_the_fields_in_the_order_in_which_they_are_chained() -> None:
    assert EVENT_COLUMNS == FIELDS


def test_every_rule_of_the_gate_has_words() -> None:
    assert set(RULES) == set(get_args(Rule))
