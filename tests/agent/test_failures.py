"""What the user is told when there is no answer."""

import pytest

from brain import errors
from brain.agent.failures import (
    FAILURES,
    can_fall_back,
    tell,
    tell_unanswered,
)

MODEL_ERRORS = errors.ModelError.__subclasses__()


def test_every_failure_of_a_model_has_a_code_and_a_sentence_of_its_own():
    assert set(FAILURES) == set(MODEL_ERRORS)
    told = [tell(kind("raw words of a server"), model="ollama/llama3.2") for kind in MODEL_ERRORS]
    assert len({failure.code for failure in told}) == len(MODEL_ERRORS)
    assert len({failure.text for failure in told}) == len(MODEL_ERRORS)


@pytest.mark.parametrize("kind", MODEL_ERRORS)
def test_what_a_server_said_never_reaches_the_user(kind: type[errors.ModelError]):
    failure = tell(kind("http://10.0.0.7/secret: KeyError"), model="ollama/llama3.2")
    assert "10.0.0.7" not in failure.text
    assert failure.text.startswith(("ollama/llama3.2 ", "The answer of ollama/", "What ollama/"))
    assert " Your message is kept.\n" in failure.text


def test_the_command_that_mends_it_follows_where_the_error_names_one():
    error = errors.ModelMissing("404", fix="get it with: ollama pull llama3.2")
    assert tell(error, model="ollama/llama3.2").text == (
        "ollama/llama3.2 is not on this machine. Your message is kept.\n"
        "Get it with: ollama pull llama3.2"
    )


def test_a_model_that_lied_is_told_apart_from_one_that_is_lying():
    error = errors.LocalityBroken("remote_host in a chunk")
    before = tell(error, model="m/x")
    now = tell(error, model="m/x", has_asked=True)
    assert before.code == now.code == "locality_broken"
    assert before.text == (
        "m/x is out of service: an answer of it came from another machine, though it claims to be "
        "local. Your message is kept.\n"
        "If that is settled, put it back: brain models release m/x"
    )
    assert now.text.startswith("The answer of m/x came from another machine,")
    assert "is not kept" in now.text


def test_another_model_is_asked_unless_the_prompt_or_a_lie_is_the_reason():
    assert {kind for kind in MODEL_ERRORS if not can_fall_back(kind("x"))} == {
        errors.PromptTooLong,
        errors.LocalityBroken,
    }


def test_a_kind_of_failure_that_is_made_later_is_told_as_what_it_is_a_kind_of():
    class StillWarming(errors.ModelLoading):
        pass

    told = tell(StillWarming("x"), model="m/x").text
    assert told == tell(errors.ModelLoading("x"), model="m/x").text
    assert tell(errors.ModelError("x"), model="m/x").text.startswith("m/x gave no answer.")


def test_the_limits_that_end_an_exchange_are_named_with_their_size():
    assert tell_unanswered("iteration_cap", model="m/x", limit=5).text == (
        "m/x went on calling tools and gave no answer within 5 steps. Your message is kept.\n"
        "Ask for less at once, or raise `max_iterations`."
    )
    assert tell_unanswered("exchange_timeout", model="m/x", limit=300.0).text == (
        "There was no answer within 300 seconds. Your message is kept.\n"
        "Ask again, or raise `exchange_timeout`."
    )
