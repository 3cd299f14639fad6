"""Whether the hosts and addresses that a config names, each by itself, are such as there can be.

Whether it answers, and whether it is this machine, is asked by the runtime.
"""

from collections.abc import Iterator
from typing import Final

from brain.config.defaults import View
from brain.config.draft import Draft
from brain.config.hosts import read_address, trouble_with_name
from brain.errors import Problem

__all__ = ["HOST_RULES"]


def models_have_an_address(draft: Draft) -> Iterator[Problem]:
    for model in _models(draft):
        view = model.get("base_url")
        if not view.text.startswith(("http://", "https://")):
            continue  # the schema has a problem for it, or the provider has its own
        _, trouble = read_address(view.text)
        if trouble:
            yield draft.problem(
                view,
                "host_unusable",
                found=f"an address with {trouble}",
                expected="an address such as http://127.0.0.1:11434",
                fix="correct it, or remove the key for the provider's own",
            )


def trusted_hosts_can_be(draft: Draft) -> Iterator[Problem]:
    for model in _models(draft):
        yield from _no_hosts(
            draft,
            model.get("trusted_hosts"),
            expected="the host of base_url or an address, without scheme or port",
        )


def served_hosts_can_be(draft: Draft) -> Iterator[Problem]:
    server = draft.root.get("server")
    yield from _no_hosts(
        draft,
        server.get("allowed_hosts"),
        expected="a host name or an address as a browser sends it, without scheme or port",
    )
    host, _, port = server.get("addr").text.rpartition(":")
    trouble = trouble_with_name(host) if port else ""
    if trouble:
        yield draft.problem(
            server.get("addr"),
            "host_unusable",
            found=f"an address with {trouble}",
            expected="an address of this machine, such as 127.0.0.1:2112 or [::1]:2112",
            fix="correct it, or remove the key for 127.0.0.1:2112",
        )


def _models(draft: Draft) -> Iterator[View]:
    for brain_view in draft.brains:
        yield from brain_view.get("models").items()


def _no_hosts(draft: Draft, listing: View, *, expected: str) -> Iterator[Problem]:
    for view in listing.items():
        trouble = trouble_with_name(view.text) if view.text else ""
        if trouble:
            yield draft.problem(
                view,
                "host_unusable",
                found=trouble,
                expected=expected,
                fix="write the name alone, such as brain.example.org, or remove it",
            )


HOST_RULES: Final = (models_have_an_address, trusted_hosts_can_be, served_hosts_can_be)
