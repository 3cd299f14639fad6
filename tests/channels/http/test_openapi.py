"""The document for programs says what the server does."""

import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.channels.http.client import Answer, Served, open_served
from tests.channels.http.test_messages import SAVES
from tests.forgetting.job import finished


async def test_every_route_stands_in_the_document_with_its_refusal(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")

    async with open_served(tmp_path) as served:
        document = (await served.client.ask("GET", "/openapi.json", bearer="ana-token")).json
        statuses = {
            (method, path): (await served.client.ask(
                method.upper(), re.sub(r"{\w+}", "1", path), bearer=""
            )).status
            for path, operations in document["paths"].items()
            for method in operations
        }  # fmt: skip

    operations = [each for path in document["paths"].values() for each in path.values()]
    assert document["openapi"].startswith("3.1")
    assert all(each["summary"].endswith(".") for each in operations)
    assert all("default" in each["responses"] for each in operations)
    without = {
        (method, path)
        for path, of in document["paths"].items()
        for method, each in of.items()
        if each.get("security") == []
    }
    assert without == {key for key, status in statuses.items() if status != 401}
    assert {path for path in document["paths"] if path.split("/{")[0] not in page} <= {
        "/v1/brains/{brain}/notes", "/v1/brains/{brain}/notes/{number}",
    }  # fmt: skip


NOTES = "/v1/brains/{brain}/notes"
REHEARSALS = "/v1/brains/{brain}/rehearsals"
TALK = "/v1/conversations/{conversation_id}"
HI = [{"role": "user", "content": "hi"}]
SAYS = {"conversation": "main", "text": "Remember: tea."}
STORY: tuple[tuple[str, str, Any, int], ...] = (
    ("GET", "/", None, 200),
    ("GET", "/healthz", None, 200),
    ("GET", "/readyz", None, 200),
    ("GET", "/metrics", None, 200),
    ("GET", "/openapi.json", None, 200),
    ("POST", "/v1/messages", SAYS, 200),
    ("POST", "/v1/messages", SAYS, 200),
    ("POST", "/v1/chat/completions", {"model": "assistant", "messages": HI}, 200),
    ("GET", "/v1/models", None, 200),
    ("GET", "/v1/models/{model}", None, 200),
    ("GET", "/v1/activity", None, 200),
    ("GET", "/v1/brains", None, 200),
    ("GET", "/v1/brains/{brain}/tools", None, 200),
    ("GET", REHEARSALS, None, 200),
    ("POST", f"{REHEARSALS}/{{number}}/promote", None, 201),
    ("DELETE", f"{REHEARSALS}/{{number}}", None, 200),
    ("POST", NOTES, {"text": "takes tea"}, 200),
    ("POST", NOTES, {"text": "likes rain"}, 201),
    ("GET", NOTES, None, 200),
    ("DELETE", f"{NOTES}/{{number}}", None, 200),
    ("DELETE", NOTES, None, 200),
    ("GET", "/v1/conversations", None, 200),
    ("GET", TALK, None, 200),
    ("GET", f"{TALK}/turns", None, 200),
    ("DELETE", TALK, None, 200),
    ("GET", "/v1/forgettings/{forgetting_id}", None, 200),
    ("GET", "/v1/config", None, 200),
    ("POST", "/v1/config/replay", "the config", 200),
    ("PUT", "/v1/config", "another config", 200),
    ("PUT", "/v1/config", {"brains": []}, 422),
    ("POST", "/v1/sign-in", None, 201),
    ("POST", "/v1/sign-in/redeem", "the code", 201),
    ("DELETE", "/v1/sign-in", None, 204),
)
"""One good request of each route at least, in an order in which each has what it needs."""


async def test_each_answer_is_as_the_document_says(tmp_path: Path) -> None:
    told: dict[str, Any] = {"number": 1, "brain": "assistant", "model": "assistant"}
    asked: set[tuple[str, str]] = set()

    async with open_served(tmp_path, replies=[SAVES, "Noted."] * 2 + ["Hello."]) as served:
        document = (await served.client.ask("GET", "/openapi.json")).json
        for method, path, value, status in STORY:
            told["number"] = 2 if path == f"{REHEARSALS}/{{number}}" else 1
            answer = await ask_one(served, method, path, value, told)
            assert (answer.status, method, path) == (status, method, path), answer.body
            check(document, method, path, answer)
            asked.add((method, path))
        refused = await served.client.ask("GET", "/v1/nothing")

    check(document, "GET", "/v1/brains", refused)
    assert asked == {
        (method.upper(), path) for path, of in document["paths"].items() for method in of
    }


async def ask_one(
    served: Served, method: str, path: str, value: Any, told: dict[str, Any]
) -> Answer:
    """Ask, with what earlier answers told, and keep what this one tells."""
    headers, bearer = {}, None
    if path == "/v1/config" and method == "PUT":
        headers["If-Match"] = told["etag"]
    if isinstance(value, str):
        value = {"the code": {"code": told.get("code")}}.get(value, told["config"])
    if method == "PUT" and "brains" in value and value["brains"]:
        value = value | {"session": {"recall_max": 9}}
    if method == "DELETE" and path == "/v1/sign-in":
        bearer = told["token"]
    if "/notes" in path or "/rehearsals" in path:
        path += "?channel=http"
    answer = await served.client.ask(method, path.format(**told), value, bearer=bearer, **headers)
    if path == "/v1/config" and answer.status == 200:
        told["etag"] = answer.headers["etag"]
        told.setdefault("config", answer.json)
    if path == "/v1/conversations":
        told["conversation_id"] = answer.json["conversations"][0]["conversation_id"]
    if (method, path) == ("DELETE", TALK):
        told["forgetting_id"] = answer.json["forgetting_id"]
        await finished(served.world.runtime.store, served.world.clock)
    told |= answer.json if path.startswith("/v1/sign-in") and answer.status == 201 else {}
    return answer


def check(document: dict[str, Any], method: str, path: str, answer: Answer) -> None:
    """Fail where the answer has another type or shape than the document says for its status."""
    responses = document["paths"][path][method.lower()]["responses"]
    said = responses.get(str(answer.status), responses["default"])
    if "content" not in said:
        assert answer.body == b""
        return
    media_type = answer.headers["content-type"].partition(";")[0]
    schema = said["content"][media_type].get("schema", {})
    whole = {"components": document["components"], **schema}
    if media_type == "application/json":
        Draft202012Validator(whole).validate(answer.json)
