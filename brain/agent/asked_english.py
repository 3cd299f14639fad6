"""The words with which a user asks to have something remembered, in English.

Pure, and nothing but words.
"""

import re
from typing import Final

from brain.agent.wording import Asking, after, any_of

__all__ = ["ENGLISH"]

_LEAD: Final = (
    r"please|pls|plz|ok|okay|hey|hi|hiya|yo|hello|so|and|but|also|now|then|well|oh|just|brain|assistant|thanks|yes|"
    r"always|fyi|kindly|actually|right|one (?:more )?thing|quick one|make sure (?:to|you|that you)|be sure to|"
    r"help me(?: to)?|try to|let['’]?s|(?:i(?:['’]?d| would)? )?(?:want|need|like|love) (?:you|u) to|"
    r"(?:you|u)(?:['’]?ll| will)? (?:should|must|have to|need to|(?:(?:may|might) )?want to)|(?:you(?:['’]?d| had)?|u) better|"
    r"it(?:['’]?s| is) important (?:that you|to)|do me a favou?r|go ahead and|be an? \w+ and|"
    r"when you (?:can|get a (?:chance|sec|minute|moment))|(?:quick|small) favou?r|sorry"
)
_NOTES: Final = r"(?:your |ur |my |the |a )?(?:notes?|memory(?: banks?)?|brain|head|records|log|(?:list of )?(?:things|facts|what) (?:that )?you know)\b"
_IT: Final = (
    r"(?:this|that|it|these|those|them|somewhere|down|i\b|i['’]|(?:my|our|his|her|their)\b|"
    r"the (?:\w+ )?(?:fact|following|info|information|details?|numbers?|name|date|code|password|address)|"
    rf"for (?:me|later|next|future)|(?:in|to|into|as) {_NOTES}|:)"
)
# A note to someone else is a letter.
_NOTE: Final = r"(?:yourself )?(?:an? )?(?:\w+ )?note\b(?! (?:to|for) (?!self|me\b|myself|later|yourself|future|next))"
_REMEMBER: Final = r"rem(?:ember|eber|ber|meber|emeber|mber|emb?er)"
_KEEP: Final = (
    r"(?:memori[sz]e (?:that|this|it|these|my|our)|note (?:that|this|it|my|our|the fact|down|for)\b|"
    rf"(?:save|store|record|log|keep(?: hold of)?|retain|hold on ?to|hang on ?to|stash)\W+{_IT}|keep in mind|"
    r"bear (?:\S+ )?in mind|keep (?:an? (?:note|record)|track)|keep (?:\S+ ){1,8}?in (?:mind|memory)|"
    r"(?:keep|put|have|place) (?:\S+ ){1,8}?on (?:file|record)\b|(?:keep|save|store) (?!some |a |an |any |up )(?:\S+ ){1,8}?"
    r"(?:handy|safe|on hand|for (?:me|later|next time))\b|"
    rf"(?:make|take|add|create|leave|write|save|keep|put|stick|pop) {_NOTE}|(?:file|lock) (?:this|that|it|these) (?:away|in)\b|"
    r"(?:(?:write|jot|put|note|take|get|mark) (?:(?:that|this|it|these|them|my (?:\S+ ){1,3}?) )|write |jot |note )down\b(?! (?:(?:how|what|some|all|a few|two|three|four|five|ten)\b|"
    r"(?:an?|the) (?!fact|following)(?:\S+ ){1,4}?(?:for|of|to|between)\b))|jot\b(?! down)|remind yourself\b|"
    r"(?:put|take|get|mark) down(?: (?:that|this|it|my)\b|\W*:)|consider this (?:an? )?note|"
    rf"(?:add|put|save|store|write|enter|stick|pop|file|tuck|log|get|update|change) (?:\S+ ){{0,12}}?(?:to|in|into|on) {_NOTES}|"
    rf"update {_NOTES}|commit (?:\S+ ){{1,4}}?to memory|remind me (?:to|that|on|about|tomorrow|next)\b)"
)
# The same behind "if you" and "would you mind".
_BENT: Final = (
    rf"(?:{_REMEMBER}|memori[sz]|not|jott?)(?:ed|ing)\b|jot\b|"
    rf"(?:sav|stor|record|logg|keep|retain|hold|hang|stash)(?:ed|ing)(?: on ?to| hold of)? {_IT}|"
    rf"(?:kept|held (?:on ?to )?) ?{_IT}|(?:kept|keeping|bore|bearing|had|having) (?:\S+ ){{0,8}}?in mind|"
    r"(?:kept|keeping) (?:an? (?:note|record)|track)|(?:wrote|writing|putt?(?:ing)?|took|taking) (?:\S+ ){0,4}?down\b|"
    rf"(?:made|making|took|taking|add(?:ed|ing)|left|leaving|wrote|writing|kept|keeping) {_NOTE}|"
    rf"(?:add|put|sav|stor|writ|stick|pop)\w+ (?:\S+ ){{1,12}}?(?:to|in|into|on) {_NOTES}"
)
_THAT: Final = rf"{_REMEMBER}(?: (?:that|this|it|these|for (?:me|next time|later)|i\b|i['’]|(?:my|our|the) (?:\S+ ){{1,5}}?(?:is|are|was|were|has|have)\b)| ?:)"
_SOFT: Final = r"(?: (?:please|pls|plz|kindly|also|just|quickly|maybe|possibly|perhaps|at least))*"
_U: Final = r"(?:you|u|ya)"
_OPEN: Final = (
    r"(?:can|could|would|will|may|might|is|are|do|if|any|that|(?:i|it)(?:['’]?(?:d|m|s|ll|ve))?)"
)
_WISHED: Final = (
    r"(?:ask(?:ed|ing)?|request|beg|appreciate|love|like|want|need|hop(?:e|ing)|wonder(?:ing)?|grateful|glad|happy|thankful|"
    r"great|nice|lovely|helpful|help|good|brilliant|awesome|amazing|perfect|handy|useful|trust|count on|rely on|trouble|"
    r"bother|get|have|possible|ok|okay|alright|fine|mind|agree|think|reckon|suppose|expect|prefer|chance|way|mean a lot|important|cool)"
)
# "Can I ask you to", "do you think you could", "it would be good if you'd".
_ASK: Final = (
    rf"{_OPEN} (?:[\w'’]+ ){{0,6}}?{_WISHED}(?: [\w'’]+){{0,5}}? {_U}"
    rf"(?:['’]?(?:d|ll)\b| (?:to|can|could|would|will|might)\b){_SOFT}|"
    rf"(?:i|it)(?:['’]?d| would) (?:[\w'’]+ ){{1,6}}?if {_U}(?:['’]?d\b| could| would){_SOFT}|"
    rf"{_OPEN} (?:[\w'’]+ ){{0,6}}?(?:have|get|asks?|asked|request)(?: that)? {_U}{_SOFT}|"
    rf"(?:promise|see|ensure)(?: me| to it)?(?: that)? {_U}(?:['’]?ll| will)?{_SOFT}|"
    rf"if {_U} (?:can|could|would|wouldn['’]?t mind){_SOFT}|(?:can|could|shall|may) we{_SOFT}|"
    rf"(?:are|would|will|could|can) {_U} (?:be )?(?:\w+ )?(?:able|willing|kind|good|nice|sweet|happy|ok|okay|care|free)(?: \w+){{0,3}} to|would it be (?:\w+ )?possible to"
)
_IF: Final = (
    rf"(?:it|that)(?:['’]?d| would| will) (?:be|help|mean)(?: \w+){{0,3}} if {_U}|"
    r"i(?:['’]?d| would| will) (?:\w+ ){0,3}(?:appreciate|love|like|grateful|glad|happy|thankful)(?: it)? "
    rf"if {_U}|i(?:['’]?d| would) be (?:\w+ ){{1,3}}if {_U}|i(?:['’]?d| would) (?:rather|prefer)(?: it if| that| if)? {_U}"
)
_LATER: Final = (
    r"(?:for (?:later|next time|the future)|going forward|in (?:the )?future|from now on)\b"
)
ENGLISH: Final = Asking(
    stems=(
        "rem", "note", "memo", "mind", "sav", "stor", "record", "log", "keep", "kept", "down", "forget", "add",
        "update", "reference", "noting", "jot", "retain", "hold", "hang", "file", "stash", "later", "next time",
        "future", "going forward", "from now on", "held", "lose", "slip", "mark", "put", "you know", "lock",
    ),
    order=after(
        _LEAD,
        rf"{_REMEMBER}\b(?!\W*(?:when|how|why|who|whom|whose|where|what|which|me\b|us\b|the time (?:we|i|you)))",
        _KEEP,
        r"(?:don['’]?t|do not|never) (?:(?:you|u) )?(?:ever )?(?:forget\b(?!\W*(?:about it|me\b))|lose (?:this|that|it)\b|let me forget\b|"
        r"let (?:this|that|it) slip\b)|let (?:the record show|it be (?:noted|known|recorded))\b",
        r"(?:note|memo|reminder|save|remember|note to self)\s*:|note to self\b",
        r"for (?:the record|future reference|later reference|(?:your|ur|my) (?:notes|memory|records))\b",
        r"(?:something|one|this(?: one)?(?: is|['’]s)?) for (?:your|my|the) (?:notes|memory|records)\b",
        r"(?:you(?:['’]ve)? |ve )?(?:got|have|know) (?:this|it|that) (?:saved|noted|written|for (?:later|next time))\b",
        rf"(?:so (?:(?:that )?you )?)?know,? (?:(?:this|it|that) )?{_LATER}|for next time\W*[,:]",
    ),
    wish=after(
        _LEAD,
        rf"(?:can|could|would|will) {_U}{_SOFT} (?:make|be) sure (?:to|(?:that )?{_U}(?:['’]?ll)?) (?:{_REMEMBER}\b|{_KEEP})",
        rf"(?:can|could|would|will|won['’]?t|may|cld) {_U}{_SOFT} (?:{_THAT}|not forget\b|{_KEEP})",
        rf"(?:{_ASK}) (?:{_REMEMBER}\b(?!\W*(?:when|how|why|who|where|what|which)\b)|not forget\b|{_KEEP})",
        rf"(?:{_IF})(?: could| would| can)?{_SOFT} (?:(?:did|do|would)(?:n['’]?t| not) forget\b|{_REMEMBER}\b|{_KEEP}|{_BENT})",
        rf"(?:(?:would|do) {_U}{_SOFT} )?mind (?:\w+ly )?(?:{_BENT})|any chance of (?:{_BENT})",
        rf"how about (?:{_U} (?:{_THAT}|{_KEEP})|(?:{_BENT}))",
        r"(?:can|could|may) (?:this|these|the following|my (?:\w+ ){1,3}?)(?: please)? ?be (?:saved|noted|recorded|remembered)\b"
        r"(?! (?:as|to|in|on)\b)",
    ),
    anywhere=any_of(
        rf"\b(?:so|and|but|then) (?:please|pls|plz|(?:can|could|would|will) {_U}{_SOFT}) (?:{_THAT}|{_KEEP})",
        # "I am counting on you to remember that", "would it kill you to"; what others asked is a tale.
        r"\A(?!\W*(?:what|why|when|how|which|who|where|did|do|does|was|were|have|has|had|he|she|they)\b)"
        rf"[^?]*?\b(?:{_U} to|so (?:that )?{_U} (?:can|could|will)){_SOFT} (?:{_THAT}|{_KEEP})",
        r"\b(?:and|so) (?:you|u) (?:keep|hold|save|write|note|remember) (?:it|this|that|them)\b",
    ),
    tag=re.compile(
        r"\b(?:ok|okay|k|yeah|yes|al ?right|right|cool|deal|please|pls|plz|thanks|(?:will|would|can|could) (?:you|u))\W*\Z"
    ),
    kept=re.compile(
        r"\b(?:did|do|have|has|had|was|were|is|are) (?:you|it|that|this|my\b[^?]{0,30}?|the\b[^?]{0,30}?)\b"
        r"[^?]{0,30}\b(?:remember|sav|noted|note\b|stor|recorded|kept|keep|memor|written)"
        r"|\b(?:what|which|how many|show)\b[^?]{0,40}\b(?:remember|notes?|memory|saved|noted|know about me)\b"
    ),
    unless=re.compile(
        r"\b(?:keep|keeping|kept|save|saving|saved|store|record)(?:\W+[\w'’]+){0,3}?\W+(?:file|files|document|image|picture|"
        r"spreadsheet|script|pdf|disk|game|webpage|short|brief|simple|going|quiet|calm|secret|money|time|energy)\W*\Z|"
        r"\b(?:keep|save) (?:it|this|that) (?:short|brief|simple|up|as (?:an? )?(?:pdf|file|image|csv)|to (?:disk|a file))\b"
    ),
)  # fmt: skip
