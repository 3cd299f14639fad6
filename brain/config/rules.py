"""What the schema cannot say: how the parts of a config must fit each other.

One function a rule (or one knot of rules that share their facts); each gets the draft, with every
default filled in, and yields problems with a stable code. A part that is misshapen has its schema
problem already: rules look past it.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from brain import __version__
from brain.config.agent_rules import AGENT_RULES
from brain.config.cloud_names import is_cloud_name
from brain.config.defaults import View
from brain.config.draft import Draft, unknown_name
from brain.config.host_rules import HOST_RULES
from brain.config.places import visible
from brain.config.schema import schema_document
from brain.config.webhook_rules import WEBHOOK_RULES
from brain.config.wording import did_you_mean, one_of, quoted
from brain.errors import Problem

__all__ = ["RESERVED_COMMANDS", "RULES"]

RESERVED_COMMANDS = (
    "/notes", "/recall", "/tools", "/memories", "/pages", "/help", "/activity", "/why",
)  # fmt: skip
_LAST_PORT = 65_535
_NOT_FOR = {
    "ollama": ("model_path",),
    "embedded": ("base_url", "trusted_hosts", "api_key_env"),
    "scripted": ("base_url", "trusted_hosts", "api_key_env", "model_path"),
}


def storage_is_there(draft: Draft) -> Iterator[Problem]:
    if draft.root.get("storage").is_there:
        return
    session, activity = draft.root.get("session"), draft.root.get("activity")
    needs = [(session, "sessions"), (activity, "events")]
    needs += [(brain.get("agent", "memory"), "notes") for brain in draft.brains]
    channels = draft.root.get("channels").items()
    needs += [(channel.get("webhook"), "messages and replies that wait") for channel in channels]
    for view, what in needs:
        if draft.is_written(view) and view.is_there:
            yield draft.problem(
                view,
                "storage_missing",
                found=f"'{view.keys[-1]}', but no 'storage' block",
                expected=f"a 'storage' block at the root: {what} are kept in it",
                fix='add this line at the root: "storage": {},',
                of_key=True,
            )


def names_are_unique(draft: Draft) -> Iterator[Problem]:
    tokens = draft.root.get("server", "tokens")
    for listing, what in ((draft.root.get("brains"), "brain"), (tokens, "token")):
        yield from _repeats(draft, [(item.get("name"), "") for item in listing.items()], what)
    channels = [
        (channel.get("name") if channel.get("name").text else channel, channel.get("type").text)
        for channel in draft.root.get("channels").items()
    ]
    yield from _repeats(draft, channels, "channel")


def _repeats(draft: Draft, named: list[tuple[View, str]], what: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for view, default in named:
        name = view.text or default
        if name and name in seen:
            yield draft.problem(
                view,
                f"duplicate_{what}",
                found=f"a second {what} named {quoted(name)}",
                expected=f"a name of its own for each {what}",
                fix='give it another "name"',
            )
        seen.add(name)


def routes_fit(draft: Draft) -> Iterator[Problem]:
    brains = [brain.get("name").text for brain in draft.brains if brain.get("name").text]
    routed: set[str] = set()
    for route in draft.root.get("routes").items():
        channel, brain = route.get("channel"), route.get("brain")
        yield from unknown_name(draft, channel, draft.channel_names, "channel")
        yield from unknown_name(draft, brain, brains, "brain")
        if channel.text and channel.text in routed:
            yield draft.problem(
                channel,
                "channel_routed_twice",
                found=f"a second route for channel {quoted(channel.text)}",
                expected="one route for each channel",
                fix="remove one of the two",
            )
        routed.add(channel.text)
    yield from _left_out(draft, brains, routed)


def _left_out(draft: Draft, brains: list[str], routed: set[str]) -> Iterator[Problem]:
    routes = draft.root.get("routes")
    if draft.is_written(routes):
        for name in draft.channel_names:
            if name not in routed:
                yield draft.problem(
                    routes,
                    "channel_not_routed",
                    found=f"no route for channel {quoted(name)}",
                    expected="a route for every channel, or no 'routes' at all",
                    fix=f'add a route: {{"channel": "{visible(name)}", "brain": "…"}}',
                )
    answering = {route.get("brain").text for route in routes.items()} or set(brains[:1])
    for brain_view in draft.brains:
        view = brain_view.get("name")
        if view.text and view.text not in answering:
            yield draft.problem(
                view,
                "brain_not_reached",
                found=f"no channel leads to brain {quoted(view.text)}",
                expected="a route to it",
                fix="add a channel and a route, or remove the brain",
                is_warning=True,
            )


def triggers_are_free(draft: Draft) -> Iterator[Problem]:
    seen: set[str] = set()
    for trigger in draft.root.get("session", "triggers").items():
        word = trigger.text.casefold()
        if word in RESERVED_COMMANDS:
            yield draft.problem(
                trigger,
                "trigger_reserved",
                found=f"the reserved command {word}",
                expected=f"a word of your own, none of {', '.join(RESERVED_COMMANDS)}",
                fix="choose another word, such as /new",
            )
        elif word and word in seen:
            yield draft.problem(
                trigger,
                "repeated_item",
                found=f"{quoted(trigger.text)} a second time (capitals do not count)",
                expected="each trigger once",
                fix="remove it",
            )
        seen.add(word)


def models_fit(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        names: set[str] = set()
        for model in brain_view.get("models").items():
            provider, model_id = model.get("provider").text, model.get("model_id")
            name = f"{provider}/{model_id.text}"
            if provider and model_id.text and name in names:
                yield draft.problem(
                    model_id,
                    "duplicate_model",
                    found=f"a second model {quoted(name)} in this brain",
                    expected="each model once: events and the order know it by this name",
                    fix="remove one of the two",
                )
            names.add(name)
            yield from _fields_of_provider(draft, model, provider)
            yield from _context_is_enough(draft, model)


def _fields_of_provider(draft: Draft, model: View, provider: str) -> Iterator[Problem]:
    for field in _NOT_FOR.get(provider, ()):
        if draft.is_written(model.get(field)):
            yield draft.problem(
                model.get(field),
                "field_not_for_provider",
                found=f"'{field}' on a model of provider {provider}",
                expected=f"only what {provider} reads",
                fix="remove it",
                of_key=True,
            )
    key = model.get("api_key_env")
    if provider == "ollama" and key.text and model.get("locality").text == "local":
        yield draft.problem(
            key,
            "key_never_sent",
            found="'api_key_env' on a local model",
            expected="no key: none is ever sent to a model that claims to be local",
            fix="remove it",
            of_key=True,
            is_warning=True,
        )


def _context_is_enough(draft: Draft, model: View) -> Iterator[Problem]:
    context, reply = model.get("num_ctx").number, model.get("num_predict").number
    if context is not None and reply is not None and reply >= context:
        yield draft.problem(
            model.get("num_predict"),
            "context_too_small",
            found=f"num_predict {reply} with num_ctx {context}",
            expected="num_predict smaller than num_ctx, which holds prompt and reply",
            fix="lower num_predict or raise num_ctx",
        )


def privacy_holds(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        models = [model for model in brain_view.get("models").items() if model.is_object]
        clouds = [model for model in models if model.get("locality").text == "cloud"]
        is_private = brain_view.get("sensitivity").text == "private"
        needs_local = is_private or brain_view.get("agent", "memory", "scope").text == "brain"
        if is_private and clouds and len(clouds) == len(models):
            yield draft.problem(
                brain_view.get("models"),
                "private_only_cloud",
                found="only cloud models in a private brain",
                expected="at least one local model: a private brain never calls a cloud model",
                fix='add a local model, or make the brain "public"',
            )
        elif is_private:
            for model in clouds:
                yield draft.problem(
                    model.get("locality"),
                    "private_cloud",
                    found='"cloud" in a private brain',
                    expected='"local": this model is never called here',
                    fix="remove the model",
                    is_warning=True,
                )
        for model in models:
            served, claim = model.get("provider").text != "embedded", model.get("locality").text
            if served and claim == "local" and is_cloud_name(model.get("model_id").text):
                yield draft.problem(
                    model.get("locality"),
                    "claim_against_name",
                    found=f'"local", but {quoted(model.get("model_id").text)} is a cloud model',
                    expected='"cloud": the name says that its words leave this machine',
                    fix='choose a model that runs here, or write "cloud"',
                    is_warning=not needs_local,
                )


def policy_fits(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        kind = brain_view.get("policy", "kind")
        if kind.text == "consensus" and brain_view.get("agent").is_there:
            yield draft.problem(
                kind,
                "consensus_with_agent",
                found='"consensus" in a brain with an agent',
                expected='"priority": calls of several models have no majority',
                fix='write "priority", or remove "agent"',
            )
        models = [
            (model.get("provider").text, model.get("model_id").text)
            for model in brain_view.get("models").items()
        ]
        known = {model_id for _, model_id in models}
        full = {f"{provider}/{model_id}" for provider, model_id in models}
        for entry in brain_view.get("policy", "order").items():
            if entry.text and entry.text not in known | full:
                yield draft.problem(
                    entry,
                    "unknown_model",
                    found=f"no model of this brain has the id {quoted(entry.text)}",
                    expected=one_of(known),
                    fix=did_you_mean(entry.text, known | full),
                )


def server_is_guarded(draft: Draft) -> Iterator[Problem]:
    server = draft.root.get("server")
    host, _, port = server.get("addr").text.rpartition(":")
    if port and int(port) > _LAST_PORT:
        yield draft.problem(
            server.get("addr"),
            "out_of_range",
            found=f"port {port}",
            expected="a port from 0 to 65535",
        )
    is_loopback = host in ("localhost", "[::1]") or host.startswith("127.")
    if host and not is_loopback and not server.get("token_env").text:
        yield draft.problem(
            server.get("addr"),
            "server_without_token",
            found=f"{quoted(host)}, which other machines reach, and no 'token_env'",
            expected="'token_env', or an address of this machine such as 127.0.0.1:2112",
            fix='add "token_env": "BRAIN_TOKEN" to server',
        )


def anchor_stands_apart(draft: Draft) -> Iterator[Problem]:
    anchor, store = draft.root.get("activity", "anchor_path"), draft.root.get("storage", "path")
    if anchor.text and PurePath(anchor.text).parent == PurePath(store.text or "/").parent:
        yield draft.problem(
            anchor,
            "anchor_beside_store",
            found="the anchor in the folder of the store",
            expected="a place that whoever changes the store cannot reach as well",
            fix="write a path on another disk or machine",
            is_warning=True,
        )


def parts_are_built(draft: Draft) -> Iterator[Problem]:
    """Tell of every part that the format knows and this version does not have."""
    yield from _not_built(draft, draft.root, schema_document())


def _not_built(draft: Draft, view: View, schema: Mapping[str, Any]) -> Iterator[Problem]:
    if not draft.is_written(view):
        return
    if schema.get("x-not-built"):
        yield draft.problem(
            view,
            "not_built",
            found=f"'{view.keys[-1]}', which is not built yet in brain {__version__}",
            expected="no such key, for now",
            fix="remove it",
            of_key=True,
        )
    elif schema.get("x-without-effect"):
        yield draft.problem(
            view,
            "not_built",
            found=f"'{view.keys[-1]}', which has no effect yet in brain {__version__}",
            expected="no such key, for now",
            fix="leave it for later, or remove it",
            of_key=True,
            is_warning=True,
        )
    elif view.text in schema.get("x-not-built-values", ()):
        built = set(schema["enum"]) - set(schema["x-not-built-values"]) - {"scripted"}
        yield draft.problem(
            view,
            "not_built",
            found=f'"{view.text}", which is not built yet in brain {__version__}',
            expected=one_of(built),
            fix=f'write "{schema["default"]}", or remove this part',
        )
    elif schema.get("type") == "array":
        for item in view.items():
            yield from _not_built(draft, item, schema["items"])
    elif schema.get("type") == "object":
        for name, member in view.members():
            below = schema["properties"].get(name, schema["additionalProperties"])
            if isinstance(below, dict):
                yield from _not_built(draft, member, below)


RULES = (
    storage_is_there,
    names_are_unique,
    routes_fit,
    triggers_are_free,
    models_fit,
    privacy_holds,
    policy_fits,
    *AGENT_RULES,
    *WEBHOOK_RULES,
    *HOST_RULES,
    server_is_guarded,
    anchor_stands_apart,
    parts_are_built,
)
