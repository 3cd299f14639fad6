"""`brain open`: the page of a running server, signed in, in the browser."""

import http.client
import json
import os
import webbrowser
from typing import Any, Final
from urllib.parse import urlsplit

import click

from brain.cli.exits import DONE, NOT_REACHABLE
from brain.cli.line import config_option
from brain.cli.place import config_in_force
from brain.cli.talk import say, warn
from brain.config import Config, secret_in
from brain.errors import ChannelError

__all__ = ["open_page"]

ANSWER_SECONDS: Final = 10.0
_CREATED: Final = 201


@click.command("open")
@click.option("--print", "is_printed", is_flag=True, help="Print the address; open nothing.")
@config_option
@click.pass_context
def open_page(ctx: click.Context, /, *, is_printed: bool) -> int:
    """Open the page of the server that runs with this config, signed in.

    The address holds a code that is good once, for a minute. Ends with 4 where no server runs.
    """
    from brain.channels.http import named_url, read_token

    config = config_in_force(ctx, static=True)
    url = named_url(config.data_folder)
    if not url:
        warn(f"error: no server runs with {config.path.name}")
        warn("  fix: start it with brain serve")
        return NOT_REACHABLE
    named = config.server.token_env
    token = secret_in(os.environ, named) if named else read_token(config.data_folder)
    if not token:
        where = f"the variable {named!r}" if named else "the data folder"
        raise ChannelError(
            f"there is no operator's token in {where}",
            fix="use the same environment and user as the server",
        )
    address = f"{url}/#code={_code(config, url, token)}"
    if is_printed or not webbrowser.open(address):
        say(address)
    return DONE


def _code(config: Config, url: str, token: str) -> str:
    """Ask the server for a code. Raises ChannelError."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(
        place.hostname or "", place.port, timeout=ANSWER_SECONDS
    )
    host = next(iter(config.server.allowed_hosts), place.netloc)
    try:
        connection.request(
            "POST", "/v1/sign-in", headers={"Authorization": f"Bearer {token}", "Host": host}
        )
        answer = connection.getresponse()
        told: Any = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise ChannelError(
            f"the server at {url} does not answer: {error}",
            fix="is it still running? brain status tells; brain serve starts it",
        ) from error
    finally:
        connection.close()
    if answer.status != _CREATED:
        raise ChannelError(f"the server at {url} gave no code: {told['error']['message']}")
    code: str = told["code"]
    return code
