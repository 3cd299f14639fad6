"""`python -m brain`."""

from brain.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
