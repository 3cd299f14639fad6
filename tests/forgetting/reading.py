"""A process that keeps a reader on a database: python -m tests.forgetting.reading FILE

It prints `reads` once it does, and lets go when its stdin ends.
"""

import sqlite3
import sys
from contextlib import closing


def main() -> None:
    with closing(sqlite3.connect(sys.argv[1], isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM turns").fetchone()
        sys.stdout.write("reads\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
