"""`brain completion`: what a shell runs so that the Tab key knows brain's words."""

import click

from brain.cli.line import config_option
from brain.cli.talk import say_inert

__all__ = ["completion"]


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@config_option
@click.pass_context
def completion(ctx: click.Context, /, *, shell: str) -> None:
    """Print the script that completes brain's commands and options in a shell.

    bash, in ~/.bashrc: eval "$(brain completion bash)". zsh, in ~/.zshrc: eval "$(brain completion
    zsh)". fish: brain completion fish > ~/.config/fish/completions/brain.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise TypeError(f"click completes no {shell}")
    say_inert(made(ctx.find_root().command, {}, "brain", "_BRAIN_COMPLETE").source().strip())
