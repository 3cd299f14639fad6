"""How many tokens a text costs where no tokenizer is known: one guess for everyone who counts.

What the config budgets, what a note box accepts and what a prompt is counted as must be the same
number, or something that was accepted in one place does not fit in another.
"""

__all__ = ["estimate_tokens"]

_ASCII_PER_TOKEN = 3


def estimate_tokens(text: str) -> int:
    """Return the tokens a text is counted as: ASCII / 3, rounded up, + UTF-8 bytes of the rest.

    Made to be too high rather than too low. Never less for a longer text, and never more for two
    texts together than for each alone.
    """
    if text.isascii():
        return -(-len(text) // _ASCII_PER_TOKEN)
    ascii_runes = len(text.encode("ascii", "ignore"))
    other_bytes = len(text.encode("utf-8", "surrogatepass")) - ascii_runes
    return -(-ascii_runes // _ASCII_PER_TOKEN) + other_bytes
