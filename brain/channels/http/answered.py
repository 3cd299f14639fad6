"""What each route answers with, as JSON Schema, for the document of the routes. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from brain.activity import FIELDS
from brain.channels.http.asked import COUNT, TEXT, Key
from brain.channels.http.shapes import STATES

__all__ = ["ANSWERS", "ERROR", "JSON", "STREAMS"]

JSON: Final = "application/json"

Schema = Mapping[str, Any]

_FLAG: Final = {"type": "boolean"}


def _object(**properties: Any) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(*words: str) -> Schema:
    return {"enum": list(words)}


def _texts(*names: str) -> dict[str, Schema]:
    return dict.fromkeys(names, TEXT)


_EFFECT: Final = _object(
    kind=_one_of("saved", "duplicate", "rehearsed", "held", "refused"),
    number=COUNT,
    **_texts("reason", "line"),
)
_SAID: Final = {
    "outcome": _one_of("answered", "command", "failed", "cancelled", "busy", "repeated", "session"),
    "ended": _one_of("stop", "length"),
    "effects": _list(_EFFECT),
    "truth": TEXT,
    "notices": _list(TEXT),
    **_texts("exchange_id", "model", "code"),
}
_BOX: Final = _object(
    scope=_one_of("conversation", "brain"), **_texts("brain", "channel", "conversation")
)
_NOTE: Final = _object(
    number=COUNT,
    session=COUNT,
    is_tainted=_FLAG,
    **_texts(
        "note_id", "text", "created_at", "origin", "sensitivity", "channel", "sender", "revision"
    ),
)
_REHEARSAL: Final = _object(
    number=COUNT,
    session=COUNT,
    arguments={"type": "object"},
    **_texts(
        *("rehearsal_id", "tool", "would", "held_for", "created_at", "expires_at"),
        *("channel", "sender"),
    ),
)
_LINE: Final = _object(number=COUNT, **_texts("state", "text"))
_DECIDED: Final = _texts("effect", "rule", "words")
_PROOF: Final = _object(
    is_local=_FLAG,
    steps=_list(_object(**_texts("name", "outcome", "detail"))),
    **_texts("proof_id", "digest", "at"),
)
_BRAIN: Final = _object(
    channels=_list(TEXT),
    tools=_list(TEXT),
    memory=_or_null(_object(scope=_one_of("conversation", "brain"), max_notes=COUNT)),
    models=_list(_object(proof=_or_null(_PROOF), **_texts("model", "state", "detail", "fix"))),
    **_texts("name", "sensitivity"),
)
_OFFERED: Final = {"paths": _list(TEXT), **_texts("kind", "revision", "revision_before", "text")}
_READY: Final = _object(
    status=_one_of("ready", "not_ready"),
    store=_object(is_writable=_FLAG, detail=TEXT),
    brains=_list(_BRAIN),
    webhooks=_list({"type": "object"}),
    last_reload=_or_null(_object(at=TEXT, codes=_list(TEXT), **_OFFERED)),
    **_texts("version", "revision"),
)
_TURN: Final = _object(
    turn_id=COUNT,
    role=_one_of("user", "assistant", "operator", "system"),
    kind=_one_of("said", "recalled"),
    is_tainted=_FLAG,
    is_cut=_FLAG,
    effects=_list(_EFFECT),
    state=_one_of("", *STATES.values()),
    **_texts("text", "at", "brain", "sender", "exchange_id", "sensitivity", "truth", "code"),
)
_PROBLEM: Final = _object(
    line=COUNT,
    column=COUNT,
    severity=_one_of("problem", "warning"),
    **_texts("code", "path", "pointer", "found", "expected", "fix", "file"),
)
_MODEL: Final = _object(object={"const": "model"}, created=COUNT, **_texts("id", "owned_by"))
_COMPLETION: Final = _object(
    object={"const": "chat.completion"},
    created=COUNT,
    choices=_list(
        _object(
            index=COUNT,
            message=_object(role={"const": "assistant"}, content=TEXT, refusal={"type": "null"}),
            finish_reason=_one_of("stop", "length"),
            logprobs={"type": "null"},
        )
    ),
    usage=_object(prompt_tokens=COUNT, completion_tokens=COUNT, total_tokens=COUNT),
    brain=_object(**_SAID),
    **_texts("id", "model"),
)
_REPLAY: Final = _object(
    calls=COUNT,
    other_rule=COUNT,
    homeless=COUNT,
    changed=_list(_object(count=COUNT, **_texts("tool", "from", "to"))),
)
_STORED: Final = _object(effect=_EFFECT)

_COUNTS: Final = {"type": "object", "additionalProperties": COUNT}
_RECEIPT: Final = {
    "type": "object",
    "required": ["outcome", "files", "found", "unread", "rows", "copies", "copies_unsearched"],
    "properties": {
        "outcome": _one_of("clean", "elsewhere", "found", "incomplete", "unsearched"),
        "files": _list(_object(path=TEXT, bytes=COUNT)),
        "found": _list(TEXT),
        "unread": _list(_object(**_texts("path", "why"))),
        "rows": _COUNTS,
        "copies": _list(TEXT),
        "copies_unsearched": _list(TEXT),
    },
}
_FORGETTING: Final = _object(
    done_at=_or_null(TEXT),
    counts=_COUNTS,
    with_transcript=_FLAG,
    too_short=COUNT,
    receipt=_or_null(_RECEIPT),
    not_promised=_list(TEXT),
    **_texts("forgetting_id", "kind", "at"),
)

ERROR: Final[Schema] = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": _texts("code", "message", "path"),
        },
        "problems": _list(_PROBLEM),
    },
}

Answer = Mapping[str, tuple[str, Schema | None]]
"""By status: the media type, empty where there is no content, and the shape of what is JSON."""


def _json(schema: Schema, *, status: str = "200") -> Answer:
    return {status: (JSON, schema)}


_NOTES: Final = "/v1/brains/{brain}/notes"
_REHEARSALS: Final = "/v1/brains/{brain}/rehearsals"
_TALK: Final = "/v1/conversations/{conversation_id}"

ANSWERS: Final[Mapping[Key, Answer]] = {
    ("GET", "/"): {"200": ("text/html", None)},
    ("GET", "/healthz"): _json(_object(status={"const": "alive"})),
    ("GET", "/readyz"): {"200": (JSON, _READY), "503": (JSON, _READY)},
    ("GET", "/metrics"): {"200": ("text/plain", None)},
    ("GET", "/openapi.json"): _json({"type": "object"}),
    ("POST", "/v1/messages"): {
        status: (JSON, _object(text=TEXT, **_SAID)) for status in ("200", "429")
    },
    ("POST", "/v1/chat/completions"): _json(_COMPLETION),
    ("GET", "/v1/models"): _json(_object(object={"const": "list"}, data=_list(_MODEL))),
    ("GET", "/v1/models/{model}"): _json(_MODEL),
    ("GET", "/v1/activity"): _json(
        _object(events=_list(_object(**{field: {} for field in FIELDS})), head=COUNT)
    ),
    ("GET", "/v1/brains"): _json(_object(brains=_list(_BRAIN))),
    ("GET", "/v1/brains/{brain}/tools"): _json(
        _object(
            brain=TEXT,
            tools=_list(
                _object(
                    otherwise=_list(_object(when=TEXT, **_DECIDED)),
                    grant={},
                    **_texts("tool", "channel"),
                    **_DECIDED,
                )
            ),
        )
    ),
    ("GET", _NOTES): _json(
        _object(box=_BOX, max_notes=COUNT, notes=_list(_NOTE), not_shown=COUNT, rehearsals=COUNT)
    ),
    ("POST", _NOTES): {"201": (JSON, _STORED), "200": (JSON, _STORED)},
    ("DELETE", _NOTES): _json(_object(notes=COUNT, rehearsals=COUNT, forgetting_id=TEXT)),
    ("DELETE", f"{_NOTES}/{{number}}"): _json(_object(dropped=_or_null(_NOTE), forgetting_id=TEXT)),
    ("GET", _REHEARSALS): _json(
        _object(
            box=_BOX,
            max_notes=COUNT,
            rehearsals=_list(_REHEARSAL),
            diff=_object(
                as_it_is=_list(_LINE),
                would_be=_list(_LINE),
                refused=_list(_LINE),
                other_tools=COUNT,
            ),
        )
    ),
    ("POST", f"{_REHEARSALS}/{{number}}/promote"): {
        "201": (JSON, _STORED),
        "200": (JSON, _STORED),
    },
    ("DELETE", f"{_REHEARSALS}/{{number}}"): _json(_object(dropped=_list(COUNT))),
    ("GET", "/v1/conversations"): _json(
        _object(
            conversations=_list(
                _object(
                    sessions=COUNT,
                    turns=COUNT,
                    last_at=_or_null(TEXT),
                    **_texts("conversation_id", "channel", "conversation"),
                )
            ),
            next=_or_null(TEXT),
        )
    ),
    ("GET", _TALK): _json(
        _object(
            conversation_id=TEXT,
            sessions=_list(_object(number=COUNT, started_at=TEXT, turns=COUNT)),
            next=_or_null(COUNT),
        )
    ),
    ("DELETE", _TALK): _json(
        _object(
            forgotten={"type": "object", "additionalProperties": COUNT},
            kept_notes=COUNT,
            forgetting_id=TEXT,
        )
    ),
    ("GET", "/v1/forgettings/{forgetting_id}"): _json(_FORGETTING),
    ("GET", f"{_TALK}/turns"): _json(
        _object(conversation_id=TEXT, session=COUNT, turns=_list(_TURN), next=_or_null(COUNT))
    ),
    ("GET", "/v1/config"): _json({}),
    ("PUT", "/v1/config"): _json(_object(warnings=_list(_PROBLEM), **_OFFERED)),
    ("POST", "/v1/config/replay"): _json(_REPLAY),
    ("POST", "/v1/sign-in"): _json(_object(code=TEXT, expires_in_seconds=COUNT), status="201"),
    ("POST", "/v1/sign-in/redeem"): _json(_object(token=TEXT), status="201"),
    ("DELETE", "/v1/sign-in"): {"204": ("", None)},
}

STREAMS: Final = {
    ("GET", "/v1/activity"),
    ("POST", "/v1/messages"),
    ("POST", "/v1/chat/completions"),
}
"""What answers with server-sent events to who accepts or asks for them."""
