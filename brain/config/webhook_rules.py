"""The cross-field rules of webhook channels: their paths, their tokens, where their replies go."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult

from brain.config.defaults import View
from brain.config.draft import Draft
from brain.config.hosts import is_this_machine, read_address
from brain.config.model import Server
from brain.config.wording import quoted
from brain.errors import Problem

__all__ = ["BUILT_IN_FOLDERS", "BUILT_IN_PATHS", "WEBHOOK_RULES"]

BUILT_IN_PATHS: Final = ("/healthz", "/metrics", "/openapi.json", "/readyz")
BUILT_IN_FOLDERS: Final = ("/page", "/v1")
"""What the server answers by itself; a test compares with its routes."""

_PORTS: Final = {"http": 80, "https": 443}


def webhooks_stand_where_they_belong(draft: Draft) -> Iterator[Problem]:
    for channel in _channels(draft):
        block, is_webhook = channel.get("webhook"), channel.get("type").text == "webhook"
        if is_webhook and not block.is_there:
            yield draft.problem(
                channel,
                "webhook_missing",
                found="a channel of type webhook without its block",
                expected="a 'webhook' block: the token that senders show, and where replies go",
                fix='add "webhook": {"token_env": "BRAIN_WEBHOOK_TOKEN", '
                '"outbound_url": "http://127.0.0.1:8080/replies"}',
            )
        elif block.is_there and channel.get("type").text and not is_webhook:
            yield draft.problem(
                block,
                "webhook_without_channel",
                found=f"'webhook' on a channel of type {quoted(channel.get('type').text)}",
                expected="the block on a channel of type webhook alone",
                fix='write "type": "webhook", or remove the block',
                of_key=True,
            )
    server = draft.root.get("server", "enabled")
    if server.value is False and _webhooks(draft):
        yield draft.problem(
            server,
            "webhook_not_served",
            found="false, and a channel of type webhook",
            expected="a server that is on: messages are posted to it",
            fix="remove it, or remove the channel",
            is_warning=True,
        )


def paths_are_free(draft: Draft) -> Iterator[Problem]:
    seen: set[str] = set()
    for block in _webhooks(draft):
        path = block.get("path")
        view, taken_by = (path if draft.is_written(path) else block), ""
        if _is_built_in(path.text):
            taken_by = "which the server answers by itself"
        elif path.text in seen:
            taken_by = "as another webhook has"
        if taken_by:
            yield draft.problem(
                view,
                "path_taken",
                found=f"the path {quoted(path.text)}, {taken_by}",
                expected="a path of its own for each webhook",
                fix='give it another "path"',
            )
        seen.add(path.text)


def tokens_open_one_door(draft: Draft) -> Iterator[Problem]:
    server = draft.root.get("server")
    others = [server.get("token_env").text]
    others += [token.get("token_env").text for token in server.get("tokens").items()]
    for block in _webhooks(draft):
        for token in (block.get("token_env"), block.get("outbound_token_env")):
            if token.text and token.text in others:
                yield draft.problem(
                    token,
                    "token_shared",
                    found="the variable of a token of the server",
                    expected="a variable of its own: who has this token must not be let in elsewhere",
                    fix="make another token, in another variable",
                )


def replies_have_an_address(draft: Draft) -> Iterator[Problem]:
    for block in _webhooks(draft):
        view = block.get("outbound_url")
        if not view.text.startswith(("http://", "https://")):
            continue  # the schema has a problem for it
        url, trouble = read_address(view.text)
        if trouble:
            yield draft.problem(
                view,
                "outbound_unusable",
                found=f"an address with {trouble}",
                expected="an address such as http://127.0.0.1:8080/replies",
            )
        elif _is_own(draft, url):
            yield draft.problem(
                view,
                "outbound_to_itself",
                found="the address of this server",
                expected="the address of the program that takes the replies",
                fix="name its port; server.addr is where brain listens",
            )
        elif url.scheme == "http" and not is_this_machine(url.hostname or ""):
            yield draft.problem(
                view,
                "outbound_in_the_clear",
                found="http to another machine",
                expected="https: replies and their token can be read on the way",
                fix="write https, if that is not a network of your own",
                is_warning=True,
            )


def _channels(draft: Draft) -> list[View]:
    return [channel for channel in draft.root.get("channels").items() if channel.is_object]


def _webhooks(draft: Draft) -> list[View]:
    blocks = (
        channel.get("webhook")
        for channel in _channels(draft)
        if channel.get("type").text == "webhook"
    )
    return [block for block in blocks if block.is_object]


def _is_built_in(path: str) -> bool:
    return path in BUILT_IN_PATHS or any(
        path == folder or path.startswith(f"{folder}/") for folder in BUILT_IN_FOLDERS
    )


def _is_own(draft: Draft, url: SplitResult) -> bool:
    server = draft.root.get("server")
    addr = server.get("addr").text if server.is_there else Server().addr
    host, _, port = addr.rpartition(":")
    theirs, own = url.hostname or "", host.strip("[]").lower()
    is_same_host = theirs == own or (is_this_machine(theirs) and is_this_machine(own))
    return port.isdecimal() and int(port) == (url.port or _PORTS[url.scheme]) and is_same_host


WEBHOOK_RULES: Final = (
    webhooks_stand_where_they_belong,
    paths_are_free,
    tokens_open_one_door,
    replies_have_an_address,
)
