"""Every route of the server, asked in every wrong way: its status, and the one shape of an error.

The routes are those of the app itself. A new one fails here until the table says how it is asked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from starlette.routing import Mount, Route

from brain.channels.http import app as app_module
from brain.channels.http.asked import QUERIES
from brain.channels.http.webhooks import WebhookRoute
from tests.channels.http.client import Answer, Client, Served, open_served

BODY_BYTES = 1_048_576
FILES = "/page"
BRAIN = "/v1/brains/assistant"
HI = [{"role": "user", "content": "hi"}]
STALE = f'"{"0" * 64}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How a route is asked rightly. `value` is a good body; `is_closed`: it has no other fields."""

    path: str
    whose: Literal["nobody", "everyone", "operator"] = "operator"
    value: Any = None
    is_closed: bool = True
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def is_config(self) -> bool:
        """Tell whether the body is a config, which is judged as one whatever it is."""
        return self.path.startswith("/v1/config")


CONFIG: dict[str, Any] = {"brains": []}
ROUTES: dict[tuple[str, str], Given] = {
    ("GET", "/"): Given(path="/", whose="nobody"),
    ("GET", FILES): Given(path=f"{FILES}/main.js", whose="nobody"),
    ("GET", "/healthz"): Given(path="/healthz", whose="nobody"),
    ("GET", "/readyz"): Given(path="/readyz"),
    ("GET", "/metrics"): Given(path="/metrics"),
    ("GET", "/openapi.json"): Given(path="/openapi.json", whose="everyone"),
    ("POST", "/v1/messages"): Given(
        path="/v1/messages", whose="everyone", value={"conversation": "main", "text": "hi"}
    ),
    ("POST", "/v1/chat/completions"): Given(
        path="/v1/chat/completions",
        whose="everyone",
        value={"model": "assistant", "messages": HI},
        is_closed=False,
    ),
    ("GET", "/v1/models"): Given(path="/v1/models", whose="everyone"),
    ("GET", "/v1/models/{model}"): Given(path="/v1/models/assistant", whose="everyone"),
    ("GET", "/v1/activity"): Given(path="/v1/activity"),
    ("GET", "/v1/brains"): Given(path="/v1/brains"),
    ("GET", "/v1/brains/{brain}/tools"): Given(path=f"{BRAIN}/tools"),
    ("GET", "/v1/brains/{brain}/notes"): Given(path=f"{BRAIN}/notes", whose="everyone"),
    ("POST", "/v1/brains/{brain}/notes"): Given(path=f"{BRAIN}/notes", value={"text": "tea"}),
    ("DELETE", "/v1/brains/{brain}/notes"): Given(path=f"{BRAIN}/notes"),
    ("DELETE", "/v1/brains/{brain}/notes/{number:int}"): Given(path=f"{BRAIN}/notes/1"),
    ("GET", "/v1/brains/{brain}/rehearsals"): Given(path=f"{BRAIN}/rehearsals"),
    ("DELETE", "/v1/brains/{brain}/rehearsals/{number:int}"): Given(path=f"{BRAIN}/rehearsals/1"),
    ("POST", "/v1/brains/{brain}/rehearsals/{number:int}/promote"): Given(
        path=f"{BRAIN}/rehearsals/1/promote"
    ),
    ("GET", "/v1/conversations"): Given(path="/v1/conversations"),
    ("GET", "/v1/conversations/{conversation_id}"): Given(path="/v1/conversations/nobody"),
    ("DELETE", "/v1/conversations/{conversation_id}"): Given(path="/v1/conversations/nobody"),
    ("GET", "/v1/conversations/{conversation_id}/turns"): Given(
        path="/v1/conversations/nobody/turns"
    ),
    ("GET", "/v1/forgettings/{forgetting_id}"): Given(path="/v1/forgettings/nothing"),
    ("GET", "/v1/config"): Given(path="/v1/config"),
    ("PUT", "/v1/config"): Given(path="/v1/config", value=CONFIG, headers={"If-Match": STALE}),
    ("POST", "/v1/config/replay"): Given(path="/v1/config/replay", value=CONFIG),
    ("POST", "/v1/sign-in"): Given(path="/v1/sign-in"),
    ("DELETE", "/v1/sign-in"): Given(path="/v1/sign-in"),
    ("POST", "/v1/sign-in/redeem"): Given(
        path="/v1/sign-in/redeem", whose="nobody", value={"code": "guess"}
    ),
}

Applies = Callable[[str, Given], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """One way to ask wrongly, of which routes, and what it comes to."""

    of: Applies
    status: int
    code: str
    ask: Callable[[str, Given], dict[str, Any]]


def headers(**sent: str) -> Callable[[str, Given], dict[str, Any]]:
    return lambda *_: sent


def bearing(token: str) -> Callable[[str, Given], dict[str, Any]]:
    return lambda *_: {"bearer": token}


def body(content: bytes) -> Callable[[str, Given], dict[str, Any]]:
    return lambda *_: {"body": content}


def at(change: Callable[[str], str]) -> Callable[[str, Given], dict[str, Any]]:
    return lambda _, given: {"path": change(given.path)}


def every(_: str, given: Given) -> bool:
    return True


def with_token(_: str, given: Given) -> bool:
    return given.whose != "nobody"


def of_operator(_: str, given: Given) -> bool:
    return given.whose == "operator"


def with_query(_: str, given: Given) -> bool:
    return given.path not in ("/", "/healthz", f"{FILES}/main.js")


def with_limit(template: str, given: Given) -> bool:
    is_get = given is ROUTES.get(("GET", template))  # another method of the path takes none
    return is_get and any(
        "limit" in asked for (_, path), asked in QUERIES.items() if path == template
    )


def with_body(_: str, given: Given) -> bool:
    return given.value is not None


def with_fields(_: str, given: Given) -> bool:
    return given.value is not None and not given.is_config


def at_path(part: str) -> Applies:
    return lambda template, _: part in template


def config_body(_: str, given: Given) -> bool:
    # What is put has to name the text that it replaces before it is looked at.
    return given.path == "/v1/config/replay"


WRONG = {
    "no token": Wrong(of=with_token, ask=bearing(""), status=401, code="no_token"),
    "a wrong token": Wrong(of=with_token, ask=bearing("guess"), status=401, code="wrong_token"),
    "a token in the query": Wrong(
        of=with_token,
        ask=lambda _, given: {"path": f"{given.path}?token=vice-token", "bearer": ""},
        status=401,
        code="no_token",
    ),
    "a user": Wrong(of=of_operator, ask=bearing("ana-token"), status=403, code="operator_only"),
    "a gateway": Wrong(of=of_operator, ask=bearing("gate-token"), status=403, code="operator_only"),
    "another host": Wrong(
        of=every, ask=headers(Host="evil.example"), status=421, code="wrong_host"
    ),
    "another origin": Wrong(
        of=every, ask=headers(Origin="https://evil.example"), status=403, code="wrong_origin"
    ),
    "another method": Wrong(
        of=every, ask=lambda *_: {"method": "PATCH"}, status=405, code="wrong_method"
    ),
    "a slash behind the path": Wrong(
        of=lambda template, _: template not in ("/", FILES),
        ask=at(lambda path: f"{path}/"),
        status=404,
        code="not_found",
    ),
    "no rows at all": Wrong(
        of=with_limit,
        ask=at(lambda path: f"{path}?limit=0"),
        status=400,
        code="wrong_parameter",
    ),
    "an unknown parameter": Wrong(
        of=with_query,
        ask=at(lambda path: f"{path}?nothing=1"),
        status=400,
        code="unknown_parameter",
    ),
    "another type": Wrong(
        of=with_body, ask=headers(Content_Type="text/plain"), status=415, code="wrong_type"
    ),
    "no type": Wrong(of=with_body, ask=headers(Content_Type="-"), status=415, code="wrong_type"),
    "too large": Wrong(
        of=with_body, ask=body(b" " * (BODY_BYTES + 1)), status=413, code="too_large"
    ),
    "too deep": Wrong(
        of=with_fields,
        ask=body(b'{"text":' + b"[" * 65 + b"]" * 65 + b"}"),
        status=400,
        code="too_deep",
    ),
    "no JSON": Wrong(of=with_fields, ask=body(b'{"text": '), status=400, code="not_json"),
    "no object": Wrong(of=with_fields, ask=body(b"[1]"), status=400, code="wrong_shape"),
    "an unknown field": Wrong(
        of=lambda template, given: with_fields(template, given) and given.is_closed,
        ask=lambda _, given: {"value": {**given.value, "nothing": 1}},
        status=400,
        code="unknown_field",
    ),
    "a config too deep": Wrong(
        of=config_body, ask=body(b"[" * 5_000), status=422, code="config_rejected"
    ),
    "a config that is no JSON": Wrong(
        of=config_body, ask=body(b'{"brains": '), status=422, code="config_rejected"
    ),
    "an unknown file": Wrong(
        of=at_path(FILES),
        ask=at(lambda path: path.replace("main.js", "other.js")),
        status=404,
        code="not_found",
    ),
    "a file above the page": Wrong(
        of=at_path(FILES),
        ask=at(lambda path: path.replace("main.js", "..%2fapp.py")),
        status=404,
        code="not_found",
    ),
    "an unknown brain": Wrong(
        of=at_path("{brain}"),
        ask=at(lambda path: path.replace("assistant", "other")),
        status=404,
        code="unknown_brain",
    ),
    "an unknown model": Wrong(
        of=at_path("{model}"),
        ask=at(lambda path: path.replace("assistant", "other")),
        status=404,
        code="model_not_found",
    ),
    "an unknown conversation": Wrong(
        of=at_path("{conversation_id}"), ask=headers(), status=404, code="not_found"
    ),
    "a number that is not there": Wrong(
        of=at_path("{number:int}"), ask=headers(), status=404, code="not_found"
    ),
    "a number beyond all": Wrong(
        of=at_path("{number:int}"),
        ask=at(lambda path: path.replace("/1", f"/{10**30}")),
        status=404,
        code="not_found",
    ),
    "a key that is too long": Wrong(
        of=at_path("/v1/messages"),
        ask=headers(X_Idempotency_Key="k" * 201),
        status=400,
        code="wrong_header",
    ),
    "a conversation that is too long": Wrong(
        of=lambda template, _: template.endswith(("/completions", "/notes", "/rehearsals")),
        ask=headers(X_Conversation="c" * 201),
        status=400,
        code="wrong_header",
    ),
    "a text that was replaced meanwhile": Wrong(
        of=lambda _, given: "If-Match" in given.headers,
        ask=headers(),
        status=409,
        code="stale_etag",
    ),
    "no text to be replaced": Wrong(
        of=lambda _, given: "If-Match" in given.headers,
        ask=headers(If_Match="-"),
        status=428,
        code="no_etag",
    ),
}


def served_routes() -> Iterator[Route | Mount]:
    """Yield the routes as the app has them."""
    ground: Any = SimpleNamespace(slowness=None, access=None)
    app: Any = app_module.build_app(ground)
    yield from app._app._app.routes


def allowed_at(template: str) -> set[str]:
    methods = {method for method, path in ROUTES if path == template}
    return methods | ({"HEAD"} if "GET" in methods else set())


def test_every_route_of_the_app_stands_in_the_table_and_has_one_row_per_method() -> None:
    routes = list(served_routes())
    plain = [route for route in routes if type(route) is Route]
    others = [route for route in routes if type(route) is not Route]
    found = [
        (method, route.path) for route in plain for method in (route.methods or set()) - {"HEAD"}
    ]
    found += [("GET", route.path) for route in others if isinstance(route, Mount)]

    assert sorted(found) == sorted(ROUTES)
    assert len({route.path for route in plain}) == len(plain)
    # A webhook's path, token and body are its channel's: tests/channels/webhook asks it wrongly.
    assert [type(route) for route in others] == [WebhookRoute, Mount]


async def ask(client: Client, method: str, template: str, wrong: Wrong) -> Answer:
    given = ROUTES[method, template]
    changed = wrong.ask(template, given)
    asked = {"method": method, "path": given.path, "value": given.value} | given.headers | changed
    if "body" in changed:
        del asked["value"]
    return await client.ask(**asked)


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
async def test_what_is_asked_wrongly_has_its_status_and_the_one_shape(
    tmp_path: Path, wrong: Wrong
) -> None:
    concerned = [key for key, given in ROUTES.items() if wrong.of(key[1], given)]

    async with open_served(tmp_path) as served:
        answers = {key: await ask(served.client, *key, wrong) for key in concerned}

    assert concerned
    told = {key: (answer.status, answer.code) for key, answer in answers.items()}
    assert told == dict.fromkeys(concerned, (wrong.status, wrong.code))
    for (_, template), answer in answers.items():
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert ("www-authenticate" in answer.headers) == (answer.status == 401)
        if answer.status == 405:
            assert set(answer.headers["allow"].split(", ")) == allowed_at(template)


async def test_nothing_of_all_that_has_left_a_trace(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        before = await left(served)
        for wrong in WRONG.values():
            for key, given in ROUTES.items():
                if wrong.of(key[1], given):
                    await ask(served.client, *key, wrong)
        after = await left(served)

    assert after == before
    assert served.world.model.requests == []


async def left(served: Served) -> list[Any]:
    """Return the record, the notes, the rehearsals and the text of the config."""
    paths = ("/v1/activity?after=0", f"{BRAIN}/notes", f"{BRAIN}/rehearsals", "/v1/config")
    return [(await served.client.ask("GET", path)).json for path in paths]
