"""`python -m brain`."""


def main() -> None:
    raise NotImplementedError
