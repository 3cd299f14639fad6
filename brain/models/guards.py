"""Boot guards that need the models: what stops a start because of where they are, or how large."""

from collections.abc import Mapping
from typing import Any

from brain.config import Brain, Config, Model, with_places
from brain.errors import ConfigError, ModelError, Problem
from brain.models.fitness import judge_weights, read_memory
from brain.models.lineup import Lineup, Standing
from brain.models.weights import find_weights

__all__ = [
    "locality_problems",
    "needs_local",
    "refuse_remote_models",
    "refuse_unfit_weights",
    "weights_problems",
]


async def refuse_remote_models(config: Config, lineups: Mapping[str, Lineup]) -> None:
    """Prove the models of every brain that may ask local ones only. Raises ConfigError.

    Models that can't be asked now stay out of service and stop nothing.
    """
    problems = await locality_problems(config, lineups)
    if problems:
        raise ConfigError(
            f"{config.path.name} names models that claim to be local and are not; "
            "nothing was started",
            problems=with_places(config, problems),
            fix="brain models list shows the proof of each model, step by step",
        )


async def locality_problems(
    config: Config, lineups: Mapping[str, Lineup], *, only_unasked: bool = False
) -> tuple[Problem, ...]:
    """Return one problem for each model that must be local, claims it, and is proved not to be.

    `only_unasked` asks no model that was asked before.
    """
    problems: list[Problem] = []
    for at, brain in enumerate(config.brains):
        lineup = lineups[brain.name]
        if not needs_local(brain):
            continue
        for standing in await lineup.prove(only_unasked=only_unasked):
            model = next(model for model in brain.models if model.name == standing.model)
            if standing.proof is None or standing.proof.is_local or model.locality != "local":
                continue
            index = _listed_at(config, at, model)
            problems.append(_problem(f"brains[{at}].models[{index}].locality", standing))
    return tuple(problems)


def refuse_unfit_weights(config: Config, *, environ: Mapping[str, str]) -> None:
    """Raise ConfigError where the weights on this machine can't be loaded as the config asks."""
    problems = [
        problem
        for problem in weights_problems(config, environ=environ)
        if problem.severity == "problem"
    ]
    if problems:
        raise ConfigError(
            f"{config.path.name} asks what its weights can't do; nothing was started",
            problems=with_places(config, problems),
        )


def weights_problems(config: Config, *, environ: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return what is wrong with embedded models whose weights are on this machine.

    Weights that are not here, or that brain itself found and can mend, are no problem of the config.
    """
    problems: list[Problem] = []
    for at, brain in enumerate(config.brains):
        for model in brain.models:
            if model.provider != "embedded":
                continue
            try:
                weights = find_weights(model, environ=environ)
                unfit = judge_weights(weights, model, read_memory())
            except ModelError:
                continue
            if unfit is None or (unfit.code == "weights_unusable" and weights.source != "config"):
                continue
            key = "model_path" if unfit.code == "weights_unusable" else "num_ctx"
            path = f"brains[{at}].models[{_listed_at(config, at, model)}].{key}"
            problems.append(
                Problem(
                    code=unfit.code,
                    path=path,
                    pointer=_pointer(path),
                    found=unfit.found,
                    expected=unfit.expected,
                    fix=unfit.fix,
                    severity="problem" if unfit.is_lasting else "warning",
                )
            )
    return tuple(problems)


def needs_local(brain: Brain) -> bool:
    """Tell whether only models that are proved local may be asked: private, or notes for all."""
    memory = brain.agent.memory if brain.agent else None
    return brain.sensitivity == "private" or (memory is not None and memory.scope == "brain")


def _listed_at(config: Config, brain_at: int, model: Model) -> int:
    """Return where the file lists a model: `policy.order` may have put it elsewhere."""
    document: Any = config.document
    listed = document["brains"][brain_at]["models"]
    wanted = (model.provider, model.model_id)
    return [(each["provider"], each["model_id"]) for each in listed].index(wanted)


def _problem(path: str, standing: Standing) -> Problem:
    failed = [
        step.detail
        for step in (standing.proof.steps if standing.proof else ())
        if step.outcome == "failed"
    ]
    return Problem(
        code="not_local",
        path=path,
        pointer=_pointer(path),
        found=f"{standing.model} claims 'local'; {'; '.join(failed)}",
        expected="a model that runs on this machine or on a host in trusted_hosts",
        fix='use a model that runs here, or say "cloud" and make the brain public',
    )


def _pointer(path: str) -> str:
    return "/" + path.replace("[", "/").replace("]", "").replace(".", "/")
