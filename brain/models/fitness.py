"""Whether weights can be loaded as a config asks: a whole file, a context they know, memory for it.

Decides before anything is loaded, because a context that is too large ends the process and not the
call. What it says of memory is an estimate: the file and the cache of the context, no more.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from brain.config import Model
from brain.errors import ModelMissing, ModelRefused
from brain.models.gguf import Header, NotWeights, read_header
from brain.models.weights import Weights

__all__ = ["Memory", "Unfit", "judge_weights", "read_memory", "refuse_unfit"]

_MEMINFO: Final = Path("/proc/meminfo")
_KIBIBYTE: Final = 1024
_SMALLEST_CONTEXT: Final = 256
_TENTH_OF_A_GIGABYTE: Final = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the machine has, in bytes: all of it, and what programs may take now."""

    total: int
    available: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """Why weights can't be loaded. `is_lasting`: not only as the machine is at this moment."""

    code: Literal["weights_unusable", "context_too_large", "memory_too_small"]
    found: str
    expected: str
    fix: str
    is_lasting: bool = True


def read_memory(path: Path = _MEMINFO) -> Memory | None:
    """Return the memory of this machine, swap included; None where the system does not say."""
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    sizes: dict[str, int] = {}
    for line in lines:
        name, _, rest = line.partition(":")
        number = rest.split()[:1]
        if number and number[0].isdigit():
            sizes[name] = int(number[0]) * _KIBIBYTE
    if not {"MemTotal", "MemAvailable"} <= sizes.keys():
        return None
    return Memory(
        total=sizes["MemTotal"] + sizes.get("SwapTotal", 0),
        available=sizes["MemAvailable"] + sizes.get("SwapFree", 0),
    )


def refuse_unfit(weights: Weights, model: Model, memory: Memory | None) -> None:
    """Raise ModelRefused for weights that can't be loaded as `model` asks. Reads their header."""
    unfit = judge_weights(weights, model, memory)
    if unfit is not None:
        raise ModelRefused(
            f"{model.name} was not loaded: {unfit.found}, expected {unfit.expected}", fix=unfit.fix
        )


def judge_weights(weights: Weights, model: Model, memory: Memory | None) -> Unfit | None:
    """Return why `weights` can't be loaded, or None. Without `memory` nothing is said of it.

    Raises ModelMissing where the file can't be read.
    """
    try:
        header = read_header(weights.path)
    except OSError as error:
        raise ModelMissing(
            f"the weights at {weights.path} cannot be read: {error.strerror}",
            fix="make the file readable",
        ) from error
    except NotWeights as error:
        return Unfit(
            code="weights_unusable",
            found=f"{weights.path} is no weights file: {error}",
            expected="a whole .gguf file",
            fix=_replaced(weights, model),
        )
    if 0 < header.trained_context < model.num_ctx:
        return Unfit(
            code="context_too_large",
            found=f"num_ctx is {model.num_ctx}",
            expected=f"at most {header.trained_context}, for which the weights were trained",
            fix=f"set num_ctx to {header.trained_context} or less",
        )
    return _judge_memory(header, model, memory)


def _judge_memory(header: Header, model: Model, memory: Memory | None) -> Unfit | None:
    cache = header.cache_bytes * model.num_ctx
    needed = header.file_bytes + cache
    if memory is None or needed <= memory.available:
        return None
    is_lasting = needed > memory.total
    there, words = (memory.total, "has") if is_lasting else (memory.available, "has free now")
    room = (there - header.file_bytes) // header.cache_bytes if header.cache_bytes else 0
    lowered = (
        f"set num_ctx to {room} or less" if room >= _SMALLEST_CONTEXT else "use a smaller model"
    )
    return Unfit(
        code="memory_too_small",
        found=(
            f"it needs about {_size(needed)} of memory, {_size(header.file_bytes)} for its weights "
            f"and {_size(cache)} for num_ctx {model.num_ctx}"
        ),
        expected=f"no more than the {_size(there)} that this machine {words}",
        fix=lowered if is_lasting else f"{lowered}, or close other programs",
        is_lasting=is_lasting,
    )


def _replaced(weights: Weights, model: Model) -> str:
    match weights.source:
        case "config":
            return f"name a whole weights file in model_path of {model.name}"
        case "ollama":
            return "have Ollama fetch the model again, or name a weights file in model_path"
        case "models folder":
            return "fetch it again with: brain pull --embedded"


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= _TENTH_OF_A_GIGABYTE else f"{count / 1e6:.1f} MB"
