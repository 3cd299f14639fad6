"""`brain reload` and `brain status`: what is asked of a brain that runs."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from brain.cli.exits import DONE, NOT_REACHABLE, USAGE
from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option, json_option
from brain.cli.place import config_path
from brain.cli.talk import say, say_json, warn
from brain.config import control_place
from brain.runtime import ask_running, has_sockets

__all__ = ["reload", "status"]


@click.command()
@json_option
@config_option
@click.pass_context
def reload(ctx: click.Context, /, *, as_json: bool) -> int:
    """Put the config file in force now, in each brain that runs with it.

    Saving the file does the same. Ends with 2 where it was rejected (nothing changed then), with 4
    where no brain runs.
    """
    answers = _ask(config_path(ctx, is_only_read=True), "reload")
    outcomes = [answer["reload"] for answer in answers]
    if as_json:
        say_json([{**answer, "reload": answer["reload"]} for answer in answers])
    else:
        for answer in answers:
            say(f"process {answer['pid']}: {answer['reload']['text']}")
    if not answers:
        return NOT_REACHABLE
    return USAGE if any(outcome["kind"] == "rejected" for outcome in outcomes) else DONE


@click.command()
@json_option
@config_option
@click.pass_context
def status(ctx: click.Context, /, *, as_json: bool) -> int:
    """Say how each brain that runs with this config stands. Ends with 4 where none runs."""
    answers = _ask(config_path(ctx, is_only_read=True), "status")
    if as_json:
        say_json(list(answers))
    else:
        for answer in answers:
            for line in _lines(answer):
                say(line)
    return DONE if answers else NOT_REACHABLE


def _ask(path: Path, verb: str) -> list[Any]:
    if not has_sockets():
        warn("error: this system has no sockets by which a running brain could be asked")
        warn("  fix: saving the config file applies it; brain activity shows what became of it")
        return []
    folder, prefix = control_place(path, environ=os.environ)
    answers = list(run_to_end(ask_running(folder, prefix, verb)))
    if not answers:
        warn(f"error: no brain runs with {path.name}")
        warn("  fix: start it with brain run or brain serve: it begins with what the file holds")
    return answers


def _lines(answer: Mapping[str, Any]) -> Iterator[str]:
    yield f"process {answer['pid']}: {answer['config']}"
    yield f"  revision   {answer['revision']}"
    for model in answer["models"]:
        told = f"  model      {model['brain']}: {model['model']}: {model['state']}"
        told += f": {model['detail']}" if model["detail"] else ""
        yield f"{told}; {model['fix']}" if model["fix"] else told
    store = answer["store"]
    yield f"  store      {'writable' if store['is_writable'] else 'not writable'}: {store['detail']}"
    for found in answer["webhooks"]:
        gone = "" if found["is_configured"] else " (not in this config)"
        yield (
            f"  webhook    {found['channel']}{gone}: {found['unanswered']} unanswered, "
            f"{found['undelivered']} undelivered, {found['given_up']} given up"
        )
    forgetting = answer["forgetting"]
    if forgetting is not None:
        outcome = forgetting["outcome"] or "its files are not cleaned yet"
        yield f"  forgetting {forgetting['id']} ({forgetting['kind']}): {outcome}"
    last = answer["last_reload"]
    if last is None:
        yield "  reload     none since it was started"
        return
    first, *further = last["text"].splitlines()
    yield f"  reload     {last['at']} {last['kind']}: {first}"
    yield from (f"    {line}" if line else "" for line in further)
