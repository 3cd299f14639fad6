"""The closed set of problem codes: they may stand in events, the texts of problems may not."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["PROBLEM_CODES"]

PROBLEM_CODES: Mapping[str, str] = MappingProxyType(
    {
        # reading
        "unreadable": "The file is not there, may not be read, or is no regular file.",
        "too_large": "The file is larger than a config can be.",
        "not_utf8": "The file is not UTF-8.",
        "not_json": "The text is not JSON.",
        "trailing_text": "Something follows the document.",
        "too_deep": "Values are nested over 64 levels.",
        "duplicate_key": "An object has a key twice.",
        "not_finite": "NaN or Infinity stands for a number.",
        "number_overflow": "A number is too large to be held.",
        "lone_surrogate": "A text holds half of a surrogate pair.",
        # shape
        "unknown_key": "No such field.",
        "missing_key": "A required field is not there.",
        "wrong_type": "The value is of another type.",
        "unknown_value": "The value is none of the choices.",
        "wrong_form": "The text is not written as it must be.",
        "out_of_range": "The number is too small or too large.",
        "too_long": "The text is too long.",
        "too_short": "The text is too short.",
        "too_few": "The list has too few items.",
        "too_many": "The list has too many items.",
        "repeated_item": "A list has an item twice.",
        # fit
        "not_built": "The format knows it, this version of brain does not have it yet.",
        "storage_missing": "A block needs a store and there is none.",
        "duplicate_brain": "Two brains have one name.",
        "duplicate_channel": "Two channels have one name.",
        "duplicate_token": "Two tokens have one name.",
        "duplicate_model": "A brain has a model twice.",
        "unknown_channel": "No channel has this name.",
        "unknown_brain": "No brain has this name.",
        "unknown_model": "No model of the brain has this id.",
        "unknown_tool": "There is no such tool.",
        "channel_routed_twice": "A channel has two routes.",
        "channel_not_routed": "There are routes, but none for a channel.",
        "brain_not_reached": "No channel leads to a brain (warning).",
        "trigger_reserved": "A trigger is a reserved command.",
        "field_not_for_provider": "The provider of a model does not read a field.",
        "key_never_sent": "A local model has a key, which is never sent (warning).",
        "context_too_small": "The longest reply is as long as the context.",
        "private_only_cloud": "A private brain has only cloud models.",
        "private_cloud": "A private brain lists a cloud model, which is never called (warning).",
        "claim_against_name": "A model claims to be local and its name says cloud.",
        "consensus_with_agent": "A brain with an agent asks for consensus.",
        "attributes_without_tool": "Attributes are given for a tool that is not listed.",
        "governance_empty": "There are tools, but no grant.",
        "tool_without_grant": "No grant names a listed tool.",
        "grant_without_tool": "A grant names a tool that is not listed.",
        "grants_overlap": "Two grants of a tool cover one channel.",
        "tool_without_memory": "The tool memory_note is listed without a memory block.",
        "memory_without_tool": "There is a memory block without the tool memory_note.",
        "scope_brain_cloud": "A brain-wide box could ride to a cloud model.",
        "budget_too_small": "A full box does not fit its budget.",
        "fixed_part_too_long": "What rides in every prompt does not fit half of the context.",
        "server_without_token": "The server is open to other machines without a token.",
        "anchor_beside_store": "The anchor lies beside what it is to guard (warning).",
        # machine
        "secret_missing": "An environment variable that holds a secret is not set, or is empty.",
        "data_folder": "The store cannot be opened or made where it is to lie.",
        "anchor_unusable": "No line can be appended to the anchor file.",
        "home_unknown": "A path begins with ~ and leads to no home folder.",
        "scripted_refused": "A scripted model is only for tests and demos.",
        "extra_missing": "A part of brain is needed that is not installed.",
        "weights_missing": "There is no file at model_path.",
        "environment_value": "An environment variable cannot be understood.",
        "environment_overrides": "An environment variable goes before the file (warning).",
        # models and store, asked by the runtime
        "not_local": "A model that must be local, and says it is, was proved not to be.",
        "box_over_cap": "A box holds more notes than max_notes; it counts as full (warning).",
        "notes_left_behind": "The store holds notes that this config does not reach (warning).",
        "network_store": "The store lies on a disk of another machine (warning).",
        "store_unusable": "A start would refuse the store that is there.",
        # a changed config while brain runs
        "needs_restart": "What changed holds for as long as brain runs.",
        "not_recorded": "The store took no record of the change, so it was not made.",
        "not_applied": "A part of brain could not be made from the config.",
    }
)
