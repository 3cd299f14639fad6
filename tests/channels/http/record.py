"""The record as a server gives it, to hold what a reader saw against."""

import hashlib
import json

from tests.channels.http.client import Client

__all__ = ["digest_of_the_record", "head_of"]

PAGE = 1000


async def head_of(client: Client) -> int:
    head: int = (await client.ask("GET", "/v1/activity?limit=1")).json["head"]
    return head


async def digest_of_the_record(client: Client, head: int) -> str:
    """Return the digest of a follower that has every event up to `head`, once and in order."""
    digest = hashlib.sha256()
    for after in range(0, head, PAGE):
        page = (await client.ask("GET", f"/v1/activity?after={after}&limit={PAGE}")).json
        for event in page["events"]:
            if event["seq"] <= head:
                text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
                digest.update(text.encode())
    return digest.hexdigest()
