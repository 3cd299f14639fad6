"""Ask the brain of this container whether it is alive; end with 0 if it is, with 1 if not.

Does without brain's own code, so that it costs little, and without a token: /healthz is open.
The host name that it names has to be in `server.allowed_hosts`.
"""

import http.client
import sys

LIMIT_SECONDS = 4


def main(host: str = "127.0.0.1", port: str = "2112") -> int:
    connection = http.client.HTTPConnection(host, int(port), timeout=LIMIT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        print(f"no answer from {host}:{port}: {error}", file=sys.stderr)
        return 1
    finally:
        connection.close()
    if status != http.client.OK:
        print(f"/healthz of {host}:{port} answers {status}, expected 200", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
