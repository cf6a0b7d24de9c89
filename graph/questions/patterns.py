"""Regular expressions of the clauses of a question."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph.model.episodes.questions import (
    EpisodeGrouping,
    EpisodeMeasure,
    EpisodeOrder,
    Verdict,
)
from graph.questions.numbers import COUNT
from graph.questions.words import NOUN, ONE, ORDINAL

_SOLVE = (
    r"(?:solve|fix|crack|resolve|manage|finish|complete|answer|handle|nail|do|get|make|find|figure|work|pin|sort)"
    r"(?:\s+(?:down|out|up|off|it|this|that|them))*"
)
_EACH = r"(?:attempt|run|episode|try|trace|solution|answer)(?!\w)"
_JUDGED = r"(?:judged|graded|verified|checked|marked|rated|reviewed|scored|assessed|evaluated)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{text})(?![\w-])", re.IGNORECASE)


ACTION_FORMS = {
    "addition": "add",
    "subtraction": "subtract",
    "multiplication": "multiply",
    "division": "divide",
}
_VALUE = r"""["“«](?P<quoted>[^"”»]+)["”»]|(?P<plain>[^\s,;?!"]*[^\s,;?!".])"""

_ADVERBS = (
    r"(?:has|have|had|ever|already|usually|always|often|actually|really|finally|eventually)\s+"
)

_CHANCE = r"(?:chances?|odds|probability|likelihood)"
_CAME_OUT = r"(?:turn(?:ed|s)?|c[ao]mes?|end(?:ed|s)?|work(?:ed|s)?)(?:\s+(?:out|up|off|back))?"
_WELL = r"(?:fine|ok|okay|good|great|well|nicely|all\s?right)"
_BADLY = r"(?:bad|badly|poor|poorly|terribl[ey])"
_NOBODY = rf"(?:nobody|no\s+one|none(?:\s+of\s+(?:them|us|you|these|those|the\s+(?:{NOUN}|agents|models)))?)\s+(?:(?:has|have|had|could|was|were|ever|yet|been|able|to)\s+)*"

MEASURES: tuple[tuple[EpisodeMeasure, re.Pattern[str]], ...] = (
    (
        "success_rate",
        _pattern(
            r"(?:success|pass|solve|hit|win)[\s-]*rates?|rate\s+of\s+success|accuracy|pass@1"
            r"|(?:percentage|share|fraction|proportion)\s+(?:of\s+)?(?:correct|solved|successful|success)"
            r"|(?:percentage|share|fraction|proportion|what\s+per\s?cent)(?:\s+of)?(?=\s.*\b(?:correct|right|solve|success|pass|work|fail|wrong))"
            r"|success(?=\s+(?:broken\s+|split\s+)?(?:down\s+)?(?:by|per|for\s+each|for\s+every|across)\b)"
            r"|how\s+(?:often|well|good|reliable|accurate|successful|likely|probable)(?:\s+is\s+it\s+that)?"
            rf"|what(?:['’]s|\s+(?:is|are|was|were))\s+(?:the|my|our)\s+{_CHANCE}(?:\s+(?:of|that|for))?"
            rf"|{_CHANCE}\s+of(?=\s+(?:success|fail|error|being\s+(?:right|wrong|correct)))"
        ),
    ),
    ("failure_rate", _pattern(r"(?:failure|error|fail)[\s-]*rates?|rate\s+of\s+(?:failure|errors?)")),
    (
        "total_tokens",
        _pattern(
            r"how\s+many\s+tokens|total\s+(?:number\s+of\s+)?tokens|(?:sum|number)\s+of\s+(?:all\s+)?tokens"
            r"|tokens\s+and\s+costs?|costs?\s+and\s+tokens|token\s+(?:usage|use|costs?|spend)(?!\s*[\d<>=])"
            rf"|how\s+expensive|(?:tokens|costs?)(?=\s+(?:by|per|for\s+each)\b)(?!\s+per\s+{_EACH})"
        ),
    ),
    ("mean_tokens", _pattern(rf"(?:average|mean|avg)\s+(?:number\s+of\s+)?token(?:s|\s+(?:use|usage|count|cost))?(?:\s+used)?|tokens\s+on\s+average|tokens\s+per\s+{_EACH}")),
    ("mean_latency", _pattern(r"(?:average|mean|avg)\s+(?:latency|duration|time|response\s+time)|how\s+(?:long|slow|fast)")),
    ("mean_confidence", _pattern(r"(?:average|mean|avg)\s+confidence|how\s+(?:confident(?:ly)?|sure|certain)")),
    ("mean_steps", _pattern(rf"(?:average|mean|avg)\s+(?:number\s+of\s+)?steps|how\s+many\s+steps|steps\s+per\s+{_EACH}")),
    ("attempts", _pattern(r"how\s+many|number\s+of|count(?:\s+of)?|count\s+the")),
)  # fmt: skip
GROUPS: tuple[tuple[EpisodeGrouping, str], ...] = (
    ("domain", r"domains?|topics?|subjects?|fields?"),
    ("model", r"models?|llms?"),
    ("strategy", r"strateg(?:y|ies)"),
    ("concept", r"concepts?"),
    ("action", r"actions?|tools?"),
    ("problem", r"problems?|tasks?|questions?"),
    ("agent", r"agents?"),
    ("session", r"sessions?|conversations?"),
    ("day", r"days?"),
    ("week", r"weeks?"),
    ("month", r"months?"),
)
_GROUP = "|".join(rf"(?P<{name}>{words})" for name, words in GROUPS)
_ONE_ATTEMPT = rf"{dict(GROUPS)['problem']}|{dict(GROUPS)['session']}"
BY_GROUP = _pattern(
    rf"(?:(?:and\s+)?(?:(?:grouped|group|split|broken|break|breakdown|down)\s+)*(?:by|per|for\s+each|for\s+every|in\s+each"
    rf"|each|every|across|across\s+all)\s+(?:the\s+)?)(?:{_GROUP})"
)
WHICH_GROUP = _pattern(
    rf"(?:which|what|best|worst|compare(?:\s+(?:the|all|both))*(?:\s+(?P<told>{COUNT}))?|list\s+of)\s+(?:the\s+)?(?:{_GROUP})"
)
GROUP_BEHIND = _pattern(rf"\s+(?!{_ONE_ATTEMPT})(?:{_GROUP})")
"""Group after a superlative, such as *fastest model*; a *slowest problem* is one attempt."""
GROUPS_FIRST = _pattern(
    rf"(?!{_ONE_ATTEMPT})(?:{_GROUP})(?<=s)(?=\s+(?:that|which|who|whose|with|without|where|(?:in|for|on|by|at)\s+which)\b)"
)
LISTED = re.compile(
    r"\s*(?:(?:show|list|give|find|name|tell|get|display)\s+)?(?:(?:me|us|all|the|any|those|only)\s+)*$",
    re.IGNORECASE,
)
"""Beginning before groups that a question lists: *agents that failed on joins*."""
COUNTED_GROUP = _pattern(
    r"(?:how\s+many|(?:the\s+)?number\s+of|count(?:\s+of)?)\s+(?:the\s+)?(?:(?:different|distinct|unique|separate|various)\s+)?"
    rf"(?:{_GROUP})(?<=s)"
)
"""Groups to count (*how many models*), which are listed instead."""
TOP_GROUP = _pattern(rf"(?:top|best|worst)\s+(?P<count>{COUNT})\s+(?:{_GROUP})")
BY_TIME = frozenset({"day", "week", "month"})
TIMES: tuple[tuple[EpisodeGrouping, re.Pattern[str]], ...] = (
    ("day", _pattern(r"daily|day\s+by\s+day")),
    ("week", _pattern(r"weekly|week\s+by\s+week")),
    ("month", _pattern(r"monthly|month\s+by\s+month|over\s+time")),
    (
        "agent",
        _pattern(
            r"who(?:['’]s)?(?=\s+(?:\w+\s+){0,2}?(?:never|always|rarely|usually|mostly|best|better|worst|worse|fastest|faster|slowest|slower|cheapest|cheaper|most|least|fewest|more|less)\b)"
        ),
    ),
)
_NOT = r"(?:(?:not|(?:did|does|do|was|were|is|are|has|have|had|could|can|would)\s*n['’]?t|did\s*nt)\s+(?:yet\s+)?)"
VERDICTS: tuple[tuple[tuple[Verdict, ...], re.Pattern[str]], ...] = (
    (
        (None,),
        _pattern(
            rf"un{_JUDGED}|(?:with\s+)?unknown\s+(?:outcomes?|verdicts?|results?)"
            r"|(?:(?:with|have|has|had|got)\s+no|without|lack(?:s|ing)?)\s+(?:an?\s+|any\s+)?(?:outcomes?|verdicts?|results?|grades?|judge?ments?)"
            rf"|(?:{_NOT}|never\s+|yet\s+to\s+be\s+|{_NOBODY})(?:(?:yet|been|really)\s+)*{_JUDGED}(?:\s+yet)?(?!\s+(?:as\s+)?(?:correct|right|wrong))"
            r"|(?:waiting\s+for|awaiting)\s+(?:an?\s+)?(?:outcomes?|verdicts?|grades?|judge?ments?|reviews?)"
            rf"|(?:(?:waiting|still|yet)\s+)*to\s+be\s+{_JUDGED}"
        ),
    ),
    ((True, False), _pattern(rf"{_NOT}un{_JUDGED}|(?:judged|graded)|with\s+(?:an?\s+)?(?:verdicts?|grades?)(?:,?\s+either\s+way)?|(?:right|correct)\s+(?:or|and)\s+(?:wrong|incorrect)")),
    (
        (False,),
        _pattern(
            r"never\s+(?:been\s+)?(?:marked|judged|graded|rated|found)\s+(?:as\s+)?(?:correct|right)"
            rf"|(?:botch|bomb|flunk|tank|muff|fumbl)ed|(?:mess|screw|foul|slip)(?:ed|ped)\s+up|blew|went\s+(?:badly|nowhere)|{_CAME_OUT}\s+{_BADLY}|fell\s+(?:flat|short)"
            rf"|(?:was\s+|were\s+|is\s+|are\s+)?(?:unable|not\s+able)\s+to(?:\s+{_SOLVE})?|(?:could\s*n['’]?t|could\s+not|cannot|can['’]t)(?=\s+(?!be\b)\w)(?:\s+{_SOLVE})?"
            r"|(?:gave|given|give|gives|giving)\s+up|abandoned|fail(?:ed|ing|ures?|s)?|un(?:successful|successfully|solved|resolved|fixed|finished)|incorrect(?:ly)?|wrong(?:ly)?|(?:went|go|goes|going|gone)\s+wrong|losses(?=\s*(?:$|[?.!,]|with|by|on|in|from|since|over|under|at)\b)"
            rf"|(?:{_NOT}|never\s+|without\s+)(?:been\s+)?(?:correct(?:ly)?|right|solved?|success(?:ful|fully)?"
            r"|succeed(?:ed)?|work(?:ed)?|pass(?:ed)?|help(?:ed)?|go(?:ne)?\s+well|(?:(?:i|we|they|you)\s+)?(?:get|got)\s+(?:(?:it|them|this|that)\s+)?right)|mistakes?|mistaken|misses|missed"
            rf"|{_NOBODY}(?:solved?|succeed(?:ed)?|passed|managed|cracked|finished|(?:got|gets)\s+(?:it\s+)?right)"
            rf"|errors?(?=\s*(?:$|[?.!,]|by\b|per\b|in\b|on\b|from\b|since\b|last\b|about\b|{NOUN}))"
        ),
    ),
    (
        (True,),
        _pattern(
            rf"(?:{_NOT}|never\s+)(?:(?:ever|once|been|actually|have|get|got|go|gone)\s+)*(?:fail(?:ed|s)?|failing|wrong|unsolved|unsuccessful|incorrect|broken?|badly)"
            rf"|(?:nail|ac)ed|crushed|went\s+(?:well|fine|smoothly)|{_CAME_OUT}\s+{_WELL}|paid\s+off|did\s+the\s+trick"
            r"|(?<!, )right(?=\s*[?.!]*\s*$)"
            r"|how\s+(?:(?:did|do|does|was|were|have|has|had|could|can)\s+)?(?:(?:we|i|they|you|it)\s+)?(?:solved?|fix(?:ed)?|resolved?|cracked?|sorted?\s+out)"
            r"|who\s+(?:ever\s+|already\s+)?(?:fixed|cracked|resolved|managed|sorted\s+out)"
            r"|ever\s+(?:solved?|succeed)|success(?:ful|fully|es)?|succeed(?:ed|ing|s)?|correct(?:ly)?|solved|solves"
            rf"|(?:what|whatever|anything|everything|something)\s+(?:{_ADVERBS})*(?:worked|works|helped|helps|fixe[sd]|resolve[sd])"
            r"|(?:without|with\s+no|no|free\s+of)\s+(?:(?:an?|any|single|one)\s+)*(?:errors?|mistakes?|failures?)|error[\s-]free"
            rf"|(?:that\s+|which\s+|and\s+|it\s+)(?:worked|passed)|(?:got|get|were|was|are|is|be|out|but|and|still|answered)\s+right(?!\s+or\b)"
            rf"|(?:right|passed|passing)(?=\s+(?:{NOUN}))|wins(?=\s*(?:$|[?.!,]|(?:with|by|on|in|from|since|over|under|at)\b))"
            r"|did\s+(?:anything|something|any\s+of\s+(?:it|them|these|those))\s+(?:ever\s+|really\s+|actually\s+)?(?:work|help|succeed|pass)"
            r"|(?:has|have|did)\s+(?:anybody|anyone|somebody|someone)\s+(?:ever\s+|already\s+)?(?:solved?|cracked?|fixed|fix|managed|resolved?|got\s+right)"
        ),
    ),
)  # fmt: skip
_BESIDE = rf"\s+(?:{NOUN}|(?:and|but)\s+(?:fail|wrong|unsolved|correct|solved|success|right)|fail|wrong|correct)"
# the first that fits: *longest traces* means steps, *longest* alone means tokens
ORDERS: tuple[tuple[EpisodeOrder, re.Pattern[str]], ...] = (
    ("most_steps", _pattern(r"longest(?=\s+(?:traces?|chains?|reasoning))")),
    ("slowest", _pattern(rf"slow(?={_BESIDE})|slowest|longest[\s-]+running|(?:with\s+the\s+)?(?:highest|most)\s+latency|took\s+(?:the\s+)?longest")),
    ("fastest", _pattern(rf"(?:fast|quick)(?={_BESIDE})|fastest|quickest|(?:with\s+the\s+)?lowest\s+latency")),
    ("newest", _pattern(rf"(?:newest|latest|most\s+recent)(?:\s+(?:ones\s+)?first)?|recent|recently|(?:last|previous)(?=\s+(?:[\w.-]+\s+){{0,3}}?(?:{ONE}))")),
    ("oldest", _pattern(rf"oldest(?:\s+(?:ones\s+)?first)?|earliest|first(?=\s+(?:{COUNT}\s+)?(?:\w+\s+)?(?:{NOUN}))")),
    ("most_tokens", _pattern(rf"expensive(?={_BESIDE})|(?:with\s+the\s+)?most\s+tokens|most\s+expensive|costliest|longest|priciest")),
    ("fewest_tokens", _pattern(rf"cheap(?={_BESIDE})|(?:with\s+the\s+)?(?:fewest|least)\s+tokens|least\s+expensive|cheapest|shortest")),
    ("most_confident", _pattern(r"(?:with\s+the\s+)?(?:most\s+(?:confident|sure|certain)|(?:highest|most)\s+confidence)")),
    ("least_confident", _pattern(r"(?:with\s+the\s+)?(?:least\s+(?:confident|sure|certain)|(?:lowest|least)\s+confidence)")),
    ("most_steps", _pattern(r"(?:with\s+the\s+)?most\s+steps")),
    ("fewest_steps", _pattern(r"(?:with\s+the\s+)?(?:fewest|least)\s+steps")),
    ("highest_temperature", _pattern(r"(?:with\s+the\s+)?(?:highest|hottest)\s+temperature")),
    ("lowest_temperature", _pattern(r"(?:with\s+the\s+)?(?:lowest|coldest)\s+temperature")),
    ("most_similar", _pattern(r"most\s+similar|nearest|closest")),
)  # fmt: skip
ORDER_BY = _pattern(
    r"(?:(?:order(?:ed)?|sort(?:ed)?|rank(?:ed)?)\s+by|by)\s+(?:the\s+)?(?:(?:number|amount|count)\s+of\s+)?(?P<field>time|date|tokens|latency|duration|confidence"
    r"|temperature|steps|similarity)(?:,?\s*(?:the\s+)?(?:(?P<up>asc(?:ending)?|(?:lowest|smallest|fewest|least|shortest|cheapest|fastest|oldest|earliest|low|coldest)(?:\s+(?:first|on\s+top))?)"
    r"|(?P<down>desc(?:ending)?|(?:highest|largest|biggest|most|longest|slowest|newest|latest|high|hottest)(?:\s+(?:first|on\s+top))?)))?"
)
FIELD_ORDERS: Mapping[str, tuple[EpisodeOrder, EpisodeOrder]] = {
    "time": ("oldest", "newest"),
    "date": ("oldest", "newest"),
    "tokens": ("fewest_tokens", "most_tokens"),
    "latency": ("fastest", "slowest"),
    "duration": ("fastest", "slowest"),
    "confidence": ("least_confident", "most_confident"),
    "temperature": ("lowest_temperature", "highest_temperature"),
    "steps": ("fewest_steps", "most_steps"),
    "similarity": ("most_similar", "most_similar"),
}
RISING = frozenset(least for least, most in FIELD_ORDERS.values() if least != most)
ON_AVERAGE = _pattern(r"(?P<mean>on\s+average)|in\s+total|overall|altogether")
BEST = _pattern(
    r"(?:the\s+)?(?:(?:(?:does|do|did|is|are|was|performs?|performed|works?)\s+)?(?:the\s+)?(?:(?P<best>best|better|most\s+(?:accurate"
    r"|successful|reliable)|(?P<easy>easiest))|(?P<worst>worst|worse|least\s+(?:accurate|successful|reliable)|(?P<hard>hardest|toughest))))|(?:the\s+)?most(?!\s+(?:steps|tokens|confidence|latency)\b)(?P<often>\s+often)?"
)
COMPARATIVES: tuple[tuple[EpisodeMeasure, re.Pattern[str]], ...] = (
    ("mean_latency", _pattern(r"(?:faster|slower|quicker)(?!\s+than\s+\d)")),
    (
        "mean_tokens",
        _pattern(r"(?:cheaper|costlier|more\s+expensive|less\s+expensive)(?!\s+than\s+\d)"),
    ),
    ("mean_confidence", _pattern(r"(?:more|less)\s+confident")),
)
ORDER_MEASURES: Mapping[EpisodeOrder, EpisodeMeasure] = {
    "slowest": "mean_latency",
    "fastest": "mean_latency",
    "most_tokens": "mean_tokens",
    "fewest_tokens": "mean_tokens",
    "most_confident": "mean_confidence",
    "least_confident": "mean_confidence",
    "most_steps": "mean_steps",
    "fewest_steps": "mean_steps",
}
SUPERLATIVE = _pattern(r"(?P<sure>\w{3,}iest|fewest)|\w{3,}est(?=[\s?.!]*$)")
"""Superlatives without a measure: *which month was busiest*."""
PREDICATE = re.compile(r"\b(?:is|are|was|were)\s+(?:the\s+)?$", re.IGNORECASE)
STATISTIC = _pattern(
    r"(?:the\s+)?(?:median|p\d\d|\d+(?:st|nd|rd|th)\s+percentile|percentiles?|max(?:imum)?|min(?:imum)?|variance|standard\s+deviation|spread)"
    r"(?:\s+of)?\s+(?:the\s+)?(?:(?:number|amount|count)\s+of\s+)?(?:latency|duration|response\s+time|tokens?(?:\s+(?:use|usage|count))?|confidence|temperature|steps)"
    r"(?!\s*(?:of|is|was|:|=|<|>|≤|≥)?\s*\d)"
)
OF_ORDER = _pattern(rf"(?P<nth>{ORDINAL})(?=[\s-]+(?:most|least|latest|last|\w{{3,}}est)\b)")
OFTEN = _pattern(
    rf"(?:(?:only|just|exactly|at\s+(?:least|most)|(?:no\s+)?(?:more|less|fewer)\s+than)\s+)(?:once|twice|{COUNT}\s+times)"
    rf"|(?:twice|{COUNT}\s+times)(?!\s+(?:as|more|less|\w+er)\b)"
)
"""Number of tries (*only once*), which no field can express."""
COMPARED_COUNT = _pattern(
    rf"(?:at\s+least|(?:no\s+)?(?:fewer|less)\s+than|more\s+than|over|under|exactly)\s+(?!an?\b){COUNT}"
    rf"(?=\s+(?:[\w.-]+\s+){{0,2}}?(?:{NOUN}|failures?|success(?:es)?|mistakes?|errors?)(?![\w-]))"
)
"""Bound of a number of attempts: *agents with fewer than 10 attempts*; their count is no filter."""
RECURRING = _pattern(
    r"(?:(?:on|at|in|over|during)\s+(?:the\s+)?)?(?:weekends|weekdays|working\s+days|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|mornings|afternoons|evenings|nights)"
)
"""Recurring times, as a question has a single span."""
EVER = _pattern(r"(?:never|always)")
_PROBLEM = dict(GROUPS)["problem"]
NEVER_SOLVED = _pattern(
    rf"(?:un(?:solved|resolved|fixed|answered)|(?:{_NOT}|never\s+|{_NOBODY})(?:(?:yet|ever|been|really)\s+)*"
    r"(?:solved?|resolved?|fixed|cracked|answered|(?:got|gotten)\s+right))(?:\s+yet)?"
)
OF_PROBLEMS = re.compile(
    rf"\b(?:{_PROBLEM})\s+(?:(?:that|which|has|have|had|was|were|is|are|still)\s+)*$", re.IGNORECASE
)
"""Problems before a statement about all attempts at them: *problems nobody ever solved*."""
PROBLEMS_BEHIND = re.compile(rf"\s+(?:[\w.-]+\s+){{0,2}}?(?:{_PROBLEM})(?!\w)", re.IGNORECASE)
"""The same behind it: *unsolved algebra problems*."""
NEVER = re.compile(r"(?:never|nobody|no\s+one|none)\b", re.IGNORECASE)
OF_ATTEMPTS = re.compile(
    r"\b(?:attempts?|episodes?|runs?|tries|traces?|answers?|ones|failures?)\s+(?:(?:that|which|has|have|had|was|were|is|are)\s+)*$",
    re.IGNORECASE,
)
"""Attempts before what is said of each: an attempt that was *never solved* is a failed one."""
AFTER_ORDINAL = re.compile(rf"(?<!\w)(?:{ORDINAL})[\s-]+$", re.IGNORECASE)
OF_EACH = re.compile(
    rf"\b(?:{'|'.join(words for name, words in GROUPS if name not in ('problem', 'day', 'week', 'month'))})\s+"
    r"(?:(?:that|which|who|where)\s+)?(?:(?:has|have|had|did|do)\s+)?$",
    re.IGNORECASE,
)
"""Group of attempts before `never failed`, which is said of all of them."""
OF_GROUP = re.compile(
    rf"(?<!by\s)(?<!per\s)(?<!each\s)(?<!every\s)(?<!this\s)(?<!last\s)\b(?:{'|'.join(words for name, words in GROUPS if name != 'problem')})\s+"
    r"(?:(?:that|which|who|where|with)\s+)?(?:(?:has|have|had|did|do)\s+)?$",
    re.IGNORECASE,
)
NONE_OF = _pattern(r"with\s+no|without|no|zero|nobody|no\s+one")
"""Words before a verdict on none of the attempts of a group, which is no filter."""
EXTREME_FIRST = _pattern(
    r"(?:with\s+the\s+|the\s+)?(?:(?P<most>highest|most|best|biggest|largest)|lowest|least|worst|fewest|smallest)\s+(?:ones\s+)?first"
)
BROKE = _pattern(r"(?:broke|crashed|died|collapsed)(?:\s+down)?")
BROKEN = re.compile(
    rf"(?:{NOUN}|(?:some|any|every)thing|sessions?)\s+(?:(?:that|which|has|have|had|ever|also)\s+)*$",
    re.IGNORECASE,
)
_CAME_RIGHT = r"(?:worked|works|helped|helps|correct|right|passed|succeeded)"
_CAME_WRONG = r"(?:(?:went|goes|gone|going|was|is)\s+wrong|fail(?:s|ed)?|broke)"
_ENDED = tuple((verdicts[0], pattern) for verdicts, pattern in VERDICTS if verdicts in ((True,), (False,)))  # fmt: skip
_CAME = rf"(?:(?:{_CAME_RIGHT}|{_CAME_WRONG})(?![\w-])|{'|'.join(pattern.pattern for _, pattern in _ENDED)})"
NOTHING = _pattern(
    rf"(?:nothing(?!\s+(?:but|about|to)\b)|not\s+(?:a\s+single|(?:even\s+)?one|any)|no\s+single)(?=\s+(?:[\w.'’-]+\s+){{0,6}}?{_CAME})"
    rf"|(?:no|none\s+of)(?=\s+(?:[\w.'’-]+\s+){{0,5}}?{NOUN}\s+(?:(?:has|have|had|were|was|are|is|ever|yet|really|been|a|an)\s+)*{_CAME})"
)
NOT_ALL = _pattern(
    r"not\s+(?:every|all|each)|(?:did|do|does|were|was|are|is|have|has)\s*n['’]?t\s+all"
)
NOTHING_CAME = (
    (False, _pattern(_CAME_RIGHT)),
    (True, _pattern(_CAME_WRONG)),
    *((not verdict, pattern) for verdict, pattern in _ENDED),
)
"""Verdict after `nothing`, which it turns, and its words."""
RIGHT = _pattern(r"right")
GETTING = re.compile(
    r"(?P<not>\b(?:not|never)\s+|n['’]?t\s+)?(?:\w+\s+)?\b(?:get|gets|got|getting|gotten)\s+(?:[\w.-]+\s+){0,4}$",
    re.IGNORECASE,
)
"""Beginning of `get translations right`."""
WORKED = _pattern(r"worked|works|helped|helps")
WHETHER = re.compile(
    r"\s*(?:was|were|is|are|did|does|do|has|have)\s+(?:the|all|both|every|each|my|our|your|his|her|their|its|this|that|these|those|it|i|we|you|they|[\w-]+['’]s)\b"
    r"(?!.*\b(?:any\w*|ever|show|list)\b)",
    re.IGNORECASE,
)
"""Beginning of a question whether something ended well: what it asks for must not filter."""
WHICH = re.compile(
    r"\s*(?:(?:and|so|but)\s+)?(?:which|what|how\s+many|did|do|have|has)(?!\w)", re.IGNORECASE
)
"""Beginning of a question whose last word may be a verdict."""
THAT = re.compile(r"\b(?:that|which)\s+$", re.IGNORECASE)
GOES_ON = re.compile(r"\s*,|\s+(?:by|best|well|and|but)\b", re.IGNORECASE)
"""End of *attempts that worked …*; a crew that *worked 8 hours* has another one."""
LAST = re.compile(r"[\s.?!,;)]*$")
SOLVE = _pattern(r"solved?|crack(?:ed)?|fix(?:ed)?|resolved?|managed?|sort(?:ed)?\s+out")
ASKED = re.compile(r"\b(?:did|does|do|could|can|have|has|had)\s+(?:[\w-]+\s+){1,3}$", re.IGNORECASE)
WAY = re.compile(
    r"(?:approach(?:es)?|ways?|methods?|fix(?:es)?|tricks?|ideas?|actions?|tools?|strateg(?:y|ies)"
    rf"|attempts?|tries|solutions?|models?|agents?)\s+(?:{_ADVERBS})*$",
    re.IGNORECASE,
)
RATES = frozenset({"success_rate", "failure_rate"})
SORTED_BY_MEASURE = _pattern(r"(?:order(?:ed)?|sort(?:ed)?|rank(?:ed)?)\s+by|by")
LIMIT = _pattern(
    rf"(?P<way>top|first|last|latest|newest|up\s+to|limit(?:ed\s+to)?|at\s+most|no\s+more\s+than|max(?:imum)?(?:\s+of)?)\s+(?P<count>{COUNT})(?:\s+{NOUN})?"
)
AFTERWARDS = _pattern(
    rf"(?:just|only)\s+(?:the\s+)?(?P<first>{COUNT})(?=\s*(?:$|[,.;?!]))|(?P<some>{COUNT})\s+of\s+(?:them|those|these)"
    rf"|(?P<count>{COUNT})(?=\s+(?:most|least|\w{{3,}}est)\b)"
)
COUNTED = _pattern(rf"(?P<count>{COUNT})(?=\s+(?:(?:[\w.-]+\s+){{0,4}})(?:{NOUN}))")
NUMBER = _pattern(rf"(?P<count>{COUNT})")
ASKING = _pattern(
    r"i(?:['’](?:m|d|ll)|(?=\s+do(?:\s*n['’]?t|\s+not)\s+(?:mean|want|need|care|think|remember|know|like))|\s+(?:mean|want|need|would|think|guess|remember|wonder|am\s+looking))"
)
OWN = _pattern(
    r"(?:of\s+)?my(?:\s+own)?|mine|(?:(?:have|has|did|do|can|am|was|could|should)\s+)?i(?:['’]ve)?"
)
EXPLICIT = re.compile(
    r"(?P<name>domain|model|agent(?:_id)?|session(?:_id)?|problem(?:_id)?|action|tool|tag)\s*[:=]\s*"
    rf"(?:{_VALUE})",
    re.IGNORECASE,
)
WORDED = re.compile(
    r"(?:(?:in|of|by|from|on|with|during|the|using)\s+)*"
    r"(?P<name>domain|model|agent|session|problem|action|tool|tag)(?:[\s_]id\s+|s\s+(?=[a-z])|\s+)"
    r"""(?:(?:named|called)\s+(?P<called>[^\s,;?!"“«]*[^\s,;?!".“«])"""
    r"""|(?:named\s+|called\s+)?["“«](?P<quoted>[^"”»]+)["”»]"""
    r"""|(?P<plain>(?=[^\s,;?!"]*\d)[^\s,;?!"]*[^\s,;?!".]))""",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"(?=[^\s,;?!]*\d)[a-z][^\s,;?!]*[^\s,;?!.]", re.IGNORECASE)
_MENTION = r"(?:(?:by|with|using|from|of|on|for|in|model|the|agent|domain|topic|about)\s+)*"
VERSUS = re.compile(
    rf"(?:\s+{NOUN})?"
    r"(?:\s*(?:,\s*)?(?:against|versus|vs\.?|compared\s+(?:to|with)|and/or|or|nor|and|&|(?P<with>with|to))\s+|\s*[,/]\s*)"
    rf"(?:either\s+|also\s+)?{_MENTION}",
    re.IGNORECASE,
)
COMPARING = _pattern(r"compare|comparing|comparison")
COMPARED = re.compile(r"against|versus|vs|compared", re.IGNORECASE)
COMPARED_WITH = re.compile(
    r"(?:as\s+|when\s+)?(?:compared|relative)\s+(?:to|with)\s+|(?:versus|vs\.?|against)\s+|(?:(?:better|worse|(?:more|less)\s+(?:often|accurate\w*"
    r"|reliabl[ey]|successful\w*))|(?P<speed>faster|slower|quicker)|(?P<cost>cheaper|costlier|(?:more|less)\s+expensive))\s+than\s+",
    re.IGNORECASE,
)
"""Comparison of two separated names: `how often does ada fail compared with bob`."""
COMPARE = re.compile(r"(?:compare|comparing|comparison\s+of)\s+(?:the\s+)?$", re.IGNORECASE)
MENTION = re.compile(_MENTION, re.IGNORECASE)
FIRST = re.compile(
    rf"\s+(?:(?:ones\s+)?first|(?:at\s+the|on)\s+top)(?![\w-])(?!\s+(?:{COUNT})\b)", re.IGNORECASE
)
BOTH = re.compile(r"(?:both|either)\s+(?:the\s+)?", re.IGNORECASE)
SINGLE_BEFORE = re.compile(
    rf"(?:which|what|the)\s+(?:[\w.-]+\s+){{0,3}}?(?:{ONE})[^,.;]*$", re.IGNORECASE
)
SINGLE = re.compile(rf"\s+(?:[\w.-]+\s+){{0,3}}?(?:{ONE})", re.IGNORECASE)
_BOUNDARY = (
    r"(?:of|in|on|by|with|from|for|to|at|over|about|between|during|since|until|before|after|that|which|who|where|when|this|last|today"
    r"|yesterday|work|fail|succeed|pass|finish|was|were|is|are|did|do|has|have|had|took|takes|i|we|you|and|or|but|so|ever|yet|using|among)(?![\w-])"
)
DETERMINED = re.compile(
    r"(?:\b(?:the|my|our|your|his|her|their|its)|['’]s)\s+(?:single\s+|one\s+)?$", re.IGNORECASE
)
EXTREME = re.compile(r"(?:most|least|latest|\w{3,}est)\b", re.IGNORECASE)
LAST_OF_KIND = _pattern(r"(?:last|latest)(?P<time>\s+time)?")
OF_KIND = re.compile(
    r"(?<!\bin\s)(?<!\bon\s)(?<!\bat\s)(?<!\bof\s)(?<!\bto\s)(?<!\bfor\s)(?<!\bwith\s)(?<!\bfrom\s)(?<!\babout\s)(?<!\bafter\s)"
    r"(?<!\bbefore\s)(?<!\bsince\s)(?<!\bduring\s)(?<!\binto\s)\b(?:the|(?P<made>my|our|your|his|her|their|[\w-]+['’]s))\s+$",
    re.IGNORECASE,
)
"""Determiner of what was made last: not of a part of a topic, as in `errors in the last step`."""
MADE_BEHIND = re.compile(r"\s+(?:by|from|that|which|we|i)\b", re.IGNORECASE)
HEAD = re.compile(
    rf"(?:\s+(?!{_BOUNDARY})[\w.-]+){{0,3}}?\s+(?!{_BOUNDARY})(?P<head>[\w-]+)(?=[\s,;.?!)]*$|[,;.?!)]|\s+{_BOUNDARY})",
    re.IGNORECASE,
)
"""Noun after a superlative."""
HEAD_BEFORE = re.compile(
    r"\b(?:which|what)\s+(?:[\w.-]+\s+){0,3}?(?P<head>[\w-]+)\s+(?:(?P<is>was|is)\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
QUANTITY = re.compile(
    r"(?:tokens|steps|confidence|latency|temperature|first|\brecently|took\s.*)$", re.IGNORECASE
)
PASSIVE = re.compile(
    r"\s+(?:(?:was|were|is|got|gets|has\s+been|been)\s+)?(?:used|called|invoked)(?!\w)"
    r"|\s+(?:leads?|led|results?|resulted|ends?|ended)\s+(?:to|in|with)(?!\w)",
    re.IGNORECASE,
)
ACTION_LEAD = re.compile(
    r"(?:that\s+|which\s+|who\s+|(?P<own>i\s+)|we\s+)?(?:us(?:ed|ing|es?)|need(?:ed|ing|s)?|requir(?:ed|ing|es)|with|via|through|calls?\s+to|calling|called|invoking)\s+"
    r"(?:(?P<only>only|just|nothing\s+but)\s+)?(?:the\s+|an?\s+)?(?:(?:actions?|tools?)\s+)?",
    re.IGNORECASE,
)
ALONE = re.compile(
    r"\s*(?:$|[,;.?!)]|(?:and|but|or|about|in|on|for|by|from|with|that|which|who|since|last|this|over|under|during|yesterday|today|again)\b|(?:tools?|actions?)\b)",
    re.IGNORECASE,
)
"""Words and punctuation after a name that is no attribute of the next word."""
TAKEN = re.compile(
    rf"(?:that|which|who|and|but|it|they|we|i|agents?|models?|{NOUN})\s+(?:(?:was|were|has|have|had|been|also|then|first|both|only)\s+)*$",
    re.IGNORECASE,
)
"""Words before an action that was taken: *attempts that boiled*."""
DID = re.compile(
    r"\b(?:do|does|did)\s+(?:we|i|they|you|it|he|she)\s+(?:ever\s+|also\s+)?$", re.IGNORECASE
)
"""Words before an action that was asked about: *which runs did we retry*."""
PAST = re.compile(r"[^\W\d_]+ed(?!\w)", re.IGNORECASE)
TOOL = re.compile(r"\s+(?:tools?|actions?)(?!\w)", re.IGNORECASE)
JOINED = re.compile(
    r"\s*(?:,\s*)?(?P<or>n?or\b)\s*(?:the\s+)?|\s*(?:,\s*and\b|,|and\b|&)\s*(?:the\s+)?",
    re.IGNORECASE,
)
TAGGED = re.compile(
    r"(?:(?:with\s+)?(?:the\s+)?(?:tags?|labels?)\s+(?:(?:is|are|was|of)\s+|=\s*)?|(?:tagged|labell?ed|marked)\s+(?:as\s+|with\s+)?)(?:both\s+|either\s+)?",
    re.IGNORECASE,
)
TAG_NOUN = re.compile(
    rf"(?:[\s-]+(?:tags?|tagged|labell?ed))(?!\w)|(?=\s+(?:[\w-]+\s+){{0,2}}(?:{NOUN}|failures?|success(?:es)?|mistakes?|errors?|work)(?![\w-])|\s*(?:$|[,;+.?!])|\s+(?:but|and)\s+(?:not|no|non|without)\b)",
    re.IGNORECASE,
)
TAG_BEFORE = re.compile(rf"\s+(?:{NOUN}|failures?|success(?:es)?)(?!\w)", re.IGNORECASE)
TAG_TOPIC = re.compile(
    r"(?:about|on|concerning|regarding|involving|with|for|of|in)\s+(?:the\s+)?$", re.IGNORECASE
)
TAG_MAKER = re.compile(r"(?:by|from)\s+", re.IGNORECASE)
"""Words before who made attempts."""
SORTED = re.compile(
    r"\b(?:sort|order|rank|group|split|break|broken|list)\w*\s+(?:\w+\s+)?$", re.IGNORECASE
)
TAG_DOES = re.compile(
    r"\s+(?:(?:ever|never|always|usually|already|not|also)\s+)?(?:do|does|did|done|make|made|try|tried|run|ran|gets?|got|solved?|fix(?:ed)?"
    r"|fail(?:s|ed)?|succeed(?:s|ed)?|work(?:s|ed)?|finish(?:ed)?|answer(?:ed)?|used?|handled?|take|took|need(?:s|ed)?|right|wrong)(?!\w)",
    re.IGNORECASE,
)
"""Verb behind the name of who made attempts."""
LAST_WORD = re.compile(r"(?P<word>[\w'’-]+)[^\w]*$")
TAG_VERB = re.compile(r"(?:is|are|was|were|be|been|marked)\s+$", re.IGNORECASE)
TAG = re.compile(r"""["“«](?P<quoted>[^"”»]+)["”»]|#?(?P<plain>\w[\w:/.-]*\w|\w)""")
HASH = re.compile(r"#(?P<plain>\w[\w:/-]*\w|\w)")
