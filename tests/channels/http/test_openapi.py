"""The document for programs says what the server does."""

import re
from pathlib import Path

from tests.channels.http.client import open_served


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
