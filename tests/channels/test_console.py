from brain.channels import Console
from brain.records import Inbound


def test_what_is_typed_at_the_console_comes_from_the_operator_as_it_was_typed() -> None:
    console = Console(channel="console", conversation="main", sender="ada")

    assert console.inbound("  /notes \u3000") == Inbound(
        channel="console",
        conversation="main",
        sender="ada",
        text="  /notes \u3000",
        is_operator=True,
        message_id=None,
    )
