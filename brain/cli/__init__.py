"""The command line: what was typed becomes a call of the parts, what they answer becomes text.

Decides how things are asked for and shown, and which exit code an outcome has (`exits`). Never
decides what may happen, and never prints what others wrote without making it inert.

Costly parts are imported by the command that needs them, so that `brain check` stays quick.
"""

from brain.cli.app import main

__all__ = ["main"]
