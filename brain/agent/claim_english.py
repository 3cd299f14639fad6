"""The words with which a reply claims a save in English. Pure, and nothing but words."""

import re
from typing import Final

from brain.agent.wording import Claiming, after, any_of

__all__ = ["ENGLISH"]

_EN_ASSENT: Final = (
    r"ok|okay|sure|sure thing|got it|gotcha|alright|all right|done|understood|great|perfect|right|"
    r"thanks|thank you|absolutely|of course|certainly|yes|no problem|will do|all set|awesome|cool|"
    r"good|nice|very well|you got it|noted"
)
_EN_ADVERB: Final = r"(?:(?:now|just|already|also|successfully|officially|carefully|gladly) )*"
_EN_KEPT: Final = r"(?:saved|stored|noted|recorded|logged|remembered|memori[sz]ed|registered)"
_EN_IT: Final = r"(?:it|that|this|these|those|them|everything|all)"
_EN_NOTES: Final = r"(?:memory|(?:my|your|our|the) (?:\w+ )?(?:notes?|memory|memories|records?|profile|preferences))\b"
# … have saved it
_EN_DID: Final = (
    rf"{_EN_ADVERB}(?:{_EN_KEPT}\b(?! (?:you|him|her|us|an?|some|several|few|two|three|to|at|on|out|in(?! (?:my|your)))\b)|jotted\b|"
    r"(?:written|wrote|put|got) (?:\S+ ){0,5}?down\b|"
    r"(?:made|taken|took|left|added|created|saved|stored|kept) (?:an? |your |the )?(?:mental |quick |new )?"
    r"(?:note|reminder|entry)\b|(?:filed|captured|pinned|tucked|archived|kept) (?:it|that|this|your)\b|"
    rf"(?:committed|added|saved|put|written|wrote|entered) (?:\S+ ){{1,6}}?(?:to|in|into) {_EN_NOTES}|"
    rf"updated {_EN_NOTES}|updated your (?:information|details)\b|"
    r"set (?:up )?(?:a |your |the )?(?:\w+ )?reminder\b)"
)
# … have it noted
_EN_HAVE: Final = (
    rf"(?:now|got) (?:{_EN_IT}|your [^.,]{{1,40}}?) "
    rf"(?:down\b(?! to)|{_EN_KEPT}|written down|on (?:file|record)|in {_EN_NOTES})"
)
# … will remember it
_EN_DO: Final = (
    r"(?:(?:now|also|definitely|always|certainly|surely|gladly|try to|do my best to|be sure to|"
    r"make sure to|make sure i) )*"
    r"(?:remember\b|memori[sz]e\b|make (?:an? )?(?:mental )?note\b|(?:not|never) forget\b|"
    r"take (?:a )?note\b|remind you\b|note (?:it|that|this|these|them|down|your|the fact)\b|"
    rf"keep (?:{_EN_IT}|your [^.,]{{1,40}}?|the [^.,]{{1,30}}?) (?:in mind|on file|noted|saved|stored|"
    rf"recorded|safe|for (?:you|later|future|next)|in {_EN_NOTES})|"
    r"keep (?:in mind|an? (?:note|record)|track)\b|bear\b|"
    rf"hold (?:on to|onto) (?:{_EN_IT}|your)\b|write (?:{_EN_IT} )?down|jot\b|"
    rf"(?:save|store|record|log) (?:{_EN_IT}|your|the (?:information|fact|note|detail)s?)\b|"
    rf"(?:add|put|save) (?:\S+ ){{1,6}}?(?:to|in|into) {_EN_NOTES}|update {_EN_NOTES})"
)
_EN_WILL: Final = (
    rf"(?:(?:['’]ll| will| shall|['’]m going to| am going to|['’]m gonna| promise to) {_EN_DO}|"
    r" (?:won['’]t|never|shan['’]t) (?:forget\b|let (?:it|that|this) slip))"
)
# … am saving it
_EN_AM: Final = (
    r"(?:['’]m| am) (?:now )?(?:(?:saving|noting|storing|recording|logging|memori[sz]ing) "
    rf"(?:{_EN_IT}|your|down|the (?:information|fact|note))|making (?:a )?note)\b"
)
_EN_FACT: Final = (
    r"(?:the|this|that) (?:\w+ )?(?:info|information|facts?|details?|notes?|dates?|numbers?|codes?|"
    r"passwords?|names?|birthday|address|preferences?|reminders?|entry|appointments?|allergy)"
)
_EN_ELSEWHERE: Final = (
    r"\b(?! (?:in|on|at|by|as|with|using|under|inside|within|to|when|if|whenever|automatically|locally|"
    rf"for)\b(?! (?:(?!memory){_EN_NOTES}|memory\W*\Z|(?:a )?(?:note|memory)\b(?! )|note \d|you\b|later|next|future|the future|our)))"
)
ENGLISH: Final = Claiming(
    stems=(
        "save", "saving", "stor", "note", "noting", "record", "remember", "writ", "wrote", "log",
        "memor", "mind", "down", "keep", "updat", "regist", "forget", "added", "adding", "hold on", "locked", "slip", "file", "entry", "entered", "pinned", "safe", "captur",
    ),
    begins=re.compile(r"\A|[,:]\s|\b(?:and|that) "),
    opening=after(
        _EN_ASSENT,
        # It has been saved
        rf"(?:now )?(?:{_EN_IT}|your [^,.]{{1,50}}?|{_EN_FACT}[^,.]{{0,30}}?)"
        r"(?:['’]s|['’]ve| (?:has|have|is|are|was|were|got)) "
        r"(?:(?:now|just|already|successfully|all|been|safely|duly) )*"
        rf"(?:(?:{_EN_KEPT}|written down|added to {_EN_NOTES}|committed to memory){_EN_ELSEWHERE}|"
        rf"now in {_EN_NOTES}|(?:now )?(?:on (?:record|file)|locked in|safe (?:with me|in {_EN_NOTES})))",
        rf"(?:{_EN_IT}|your [^,.]{{1,50}}?) (?:will|shall) (?:now |also )?be {_EN_KEPT}"
        rf"{_EN_ELSEWHERE}",
        # Saved!
        rf"(?:all )?(?:{_EN_KEPT}|written down|locked in|filed|added|got (?:it|that) (?:{_EN_KEPT}|down))\b"
        r"(?=\W*\Z|[,:)—–-]| as (?:an? )?(?:note|memory)| for (?:you|later|next|future|the future|our)|"
        rf" that\b| and\b| successfully| (?:in|to) {_EN_NOTES})",
        r"(?:notes?|memory|memories|reminder|preferences?|fact|info|information|entry|profile|details) "
        r"(?:has been |have been |is now |are now )?(?:successfully )?"
        r"(?:saved|added|created|updated|stored|recorded|set|noted|taken|made|logged)\b"
        r"(?! (?:in|by|as|on|with|when|at|if|to)\b)",
        r"(?:saving|noting|storing|recording|logging|remembering|writing|memori[sz]ing) "
        r"(?:it|that|this|your [^,.]{1,30}?)(?: (?:down|now|for you|for later)|\W*\Z)",
        rf"(?:(?:updated|updating|saved to|added to|adding (?:{_EN_IT} )?to|"
        rf"committ(?:ed|ing) (?:{_EN_IT} )?to) {_EN_NOTES}|(?:duly|well|so) noted\b|will remember\b)",
        # Okay, I remember that you …: a yes would make it an answer about an earlier note
        r"(?<=, )(?<!yes, )i (?:now )?remember\b",
    ),
    claim=any_of(
        rf"\b(?:i|we)(?=[ '’])(?:(?:['’]ve| have)? {_EN_DID}|(?:['’]ve| have) {_EN_HAVE}|{_EN_WILL}|{_EN_AM})",
        rf"\b(?=[acm])(?:count on me to {_EN_DO}|added {_EN_IT} to {_EN_NOTES}|"
        rf"consider (?:{_EN_IT}|your [^,.]{{1,30}}) {_EN_KEPT}|"
        r"making (?:a )?(?:mental )?note (?:of|that)\b)",
    ),
    denial=re.compile(
        r"\b(?:not(?! forget)|cannot|nothing|unable|without|if|would|could|as (?:i|you|we)|"
        r"when you|whenever|earlier|previously|last time|to say|can only)\b"
        r"|\bnever\b(?! forget)|(?<!wo)n['’]t\b|won['’]t\b(?! (?:forget|let))"
    ),
    afterwards=re.compile(
        r"(?<=ed) (?:(?:it|that|this|them|your \w+) )?(?:on \w+day\W*\Z|last |yesterday|earlier|"
        r"before\b|previously|a while|back in|when you (?:told|said|asked))"
    ),
    condition=re.compile(
        r"\b(?:if|once|unless|when) (?:you|that|i)\b|\bin (?:a|an|the) (?:variable|list|array|cell|column)\b"
    ),
    content=re.compile(r"\bthat\b(?= \w+)|:"),
    but=re.compile(r"\b(?:but|however)\b"),
)  # fmt: skip
