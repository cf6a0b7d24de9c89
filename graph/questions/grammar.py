"""Parser of a question in words: docs/questions.md has the grammar."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graph.kernel.words import without_accents
from graph.model.episodes.attempts import ALWAYS, LISTS, Bound, EpisodeFilters, Names
from graph.model.episodes.questions import EpisodeQuestion, Vocabulary
from graph.model.recall.candidates import Window
from graph.questions.alternatives import read_alternative
from graph.questions.clauses import CLAUSES, ENDING, RELATIVE, Clause
from graph.questions.contrast import asks_contrast, ends_topic, settle_contrast
from graph.questions.drafts import Draft
from graph.questions.negations import NEGATION, REFUSED, TOPIC, UNRELATED, read_negation
from graph.questions.patterns import BY_TIME, OF_EACH, ORDER_MEASURES
from graph.questions.periods import read_period
from graph.questions.scan import Scan
from graph.questions.times import is_sided
from graph.questions.verdicts import read_verdict
from graph.questions.words import (
    DANGLING,
    FILLERS,
    JOINING,
    LEADING,
    MEASURED,
    NOUN,
    ORDINAL,
    PLACES,
    QUOTED,
    SOMEBODY,
    TURNING,
    WORD,
    WORK,
    is_adverb,
    is_foreign,
)

_SPACE = re.compile(r"[\s,;.?!()\[\]{}\-–—:&/]*")
_ABOUT = re.compile(
    r"(?:(?:most\s+)?similar\s+to|about|concerning|regarding|involving|mentioning|resembling|like)(?!\w)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:that|which|and|but|was|were|is|are|has|have|i|we)\s+$", re.IGNORECASE)
_ANYBODY = re.compile(
    r"by\s+(?:any|some)(?:one|body)(?!\w)(?!\s+(?:but|except|other\s+than|apart\s+from|besides)\b)",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:by|from)\s+(?!(?:neither|not|no|none|nobody|all|any\w*|every\w*)\b)([^\s,;?!]*[^\s,;?!.])",
    re.IGNORECASE,
)
# actions of others and comparisons, which no field can express
_UNSUPPORTED = re.compile(
    r"\w{3,}(?:ed|en)\s+(?:by|to)\s+(?!(?:any|some|every|each)\w*\b)(?:the\s+|an?\s+)?(?P<who>[\w-]+)"
    r"|(?:have|has|had)\s+in\s+common|in\s+common|(?:on|at)\s+the\s+(?:first|second|third|last)\s+(?:try|attempt|go)(?!\w)"
    r"|(?:(?:twice|half|just|\w+\s+times)\s+)?as\s+\w+\s+as\s+(?:the\s+|an?\s+)?[\w-]+"
    r"|(?:\w+er|more|less|fewer|worse|other|rather)\s+(?:\w+\s+)?than\s+(?!\d)(?:the\s+|an?\s+)?[\w-]+",
    re.IGNORECASE,
)
_BY_WHOM = re.compile(r"\sby\s", re.IGNORECASE)
_STEP_ON = re.compile(r"\s+(?:in|on|at|to|into|onto|with|from|for|over)\s", re.IGNORECASE)
_STATE = re.compile(r"\s+(?:\w+ly\s+)?[\w-]{2,}(?:ing|ed)(?![\w-])")
_NEXT = re.compile(rf"[\s-]+(?P<word>{QUOTED.pattern}|{WORD.pattern})")
_OPPOSED = re.compile(r"(?:but|though|yet)\b", re.IGNORECASE)
_BESIDE_TOPIC = re.compile(r"(?:that|which|who|in|by|from|with|using)\b", re.IGNORECASE)
_UNRELATED = re.compile(UNRELATED, re.IGNORECASE)
_BLANK = re.compile(r"\s+")
_STOP = re.compile(r"[.;?!](?:\s|$)")
_PLACE = re.compile(rf"first|{ORDINAL}")
_IN_NUMBERS = str.maketrans("", "", ",.:")
_PREDICATE = re.compile(r"\s+\w[\w-]{2,}")

# words that make the next one a topic: a preposition, an article, or an auxiliary before its subject
_INTRODUCES = re.compile(
    r"(?<!\w)(?:about|on|with|for|of|at|in|into|like|over|against|between|around|from|during|to|where|when|the|an?|any|this|that"
    r"|do|does|did|is|are|was|were|has|have|had)\s+$",
    re.IGNORECASE,
)
# *answers submitted by*: says that an attempt was made, not its topic
_MADE = re.compile(
    r"(?:made|submitted|produced|written|started|begun|provided|proposed|suggested|created|generated|recorded|logged|performed"
    r"|executed|delivered|entered)(?!\w)",
    re.IGNORECASE,
)
_MADE_OF = re.compile(
    rf"(?<!\w)(?:{NOUN}|failures?|success(?:es)?)\s+(?:(?:that|which|i|we|they|was|were|is|are|has|have|had|been)\s+)*$",
    re.IGNORECASE,
)
_ASKED_OF = re.compile(r"(?<!\w)(?:do|does|did|has|have|had)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
# *does ada struggle*, unlike *how did we do with ada*
_DOES = re.compile(
    r"(?<!\w)(?:do|does|did|can|could|will|would|should)\s+(?:(?!with|on|in|for|by|at|about)[\w.-]+\s+){1,2}$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?P<who>[\w.-]+)\s+(?:(?:ever|never|always|not|usually|already)\s+)?(?:solved?|(?:get|got|gets)\s+(?:[\w.-]+\s+){0,3}?(?:right|wrong))(?!\w)",
    re.IGNORECASE,
)
# *get croissants right*, *who fixed joins*: the word behind is what was tried
_SOLVING = re.compile(
    r"(?<!\w)(?:get|gets|got|getting|solv(?:e[sd]?|ing)|fix(?:es|ed|ing)?|handl(?:e[sd]?|ing)|answer(?:s|ed|ing)?|manag(?:e[sd]?|ing)"
    r"|resolv(?:e[sd]?|ing)|crack(?:s|ed|ing)?|do|doing)\s+(?:(?:the|an?|my|our|any)\s+)?$",
    re.IGNORECASE,
)
_PREPOSED = re.compile(
    r"(?<!\w)(?:about|on|with|for|of|at|in|into|like|over|against|between|around|from|during|to)\s+(?:(?:the|an?|any|this|that|my|our)\s+)?$",
    re.IGNORECASE,
)
_NOUN_BEHIND = re.compile(rf"[\s-]+(?:{NOUN})(?!\w)", re.IGNORECASE)
_MAKERS = frozenset({"models", "agents"})
_ATTRIBUTES = frozenset({"verdicts", "domains", "models", "agents", "tags_any", "tags_all"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed question, and the words that were not understood."""

    question: EpisodeQuestion
    unread: tuple[str, ...]
    left: tuple[str, ...] = ()
    """The search words, if all of them are only left over from other parts of the question."""

    @property
    def is_unread(self) -> bool:
        """Return whether nothing of a question was understood."""
        return bool(self.unread) and self.question == EpisodeQuestion(
            time_zone=self.question.time_zone
        )


def read_question(text: str, vocabulary: Vocabulary, now: datetime) -> Reading:
    """Parse a question; the time zone of ``now`` decides when days begin.

    Words of no clause become the text to search for; words that cannot be searched are unread.
    """
    if is_foreign(text):
        return Reading(EpisodeQuestion(time_zone=str(now.tzinfo)), (text.strip(),))
    scan = Scan.of(text, now, vocabulary, contrasts=asks_contrast(text))
    run = _Run()
    scan.place = _after_space(text, 0)
    while scan.place < len(text):
        _read_next(scan, run)
        scan.place = _after_space(text, scan.place)
    run.end(scan.draft)
    draft = scan.draft
    draft.unread += ["nothing"] if draft.nothing else []
    beside = any(draft.kinds().values())
    left = tuple(draft.left) if beside and draft.left == draft.words else ()
    return Reading(_question(draft, now), tuple(dict.fromkeys(draft.unread)), left)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


class _Run:
    """A run of adjacent search words, with the fillers between them."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._between: list[str] = []
        self.is_topic = False
        self.is_introduced = False
        self.is_left = False
        self.is_quoted = False

    def add(self, word: str, *, introduced: bool = True, left: bool = False) -> None:
        """Add a word with the fillers before it; ``introduced``: alone it is a topic."""
        self.is_introduced = introduced if not self._words else True
        self.is_left = left and not self._words
        self._words += [
            one
            for place, one in enumerate(self._between, 1)
            if self._words
            or one.lower() in LEADING
            or (one.lower() in WORK and place == len(self._between))
        ]
        self._between = []
        self._words.append(word)

    def pass_over(self, word: str) -> None:
        """Keep a filler in case the run continues."""
        self._between.append(word)

    @property
    def is_open(self) -> bool:
        return bool(self._words)

    def end(self, draft: Draft) -> None:
        """Close the run; joining words without a following word are unread."""
        folded = [word.lower() for word in self._words]
        alone = PLACES if self.is_topic else PLACES | MEASURED
        is_sought = self.is_quoted or (self.is_introduced and not alone.issuperset(folded))
        (draft.words if is_sought else draft.unread).extend(self._words)
        draft.left += self._words if is_sought and self.is_left else []
        draft.unread += [word for word in self._between if word.lower() in JOINING]
        self._words, self._between, self.is_topic, self.is_quoted = [], [], False, False


def _read_next(scan: Scan, run: _Run) -> None:
    if quoted := QUOTED.match(scan.text, scan.place):
        run.end(scan.draft)
        run.add(next(filter(None, quoted.groups())))
        run.is_quoted = True
        scan.place = quoted.end()
        return
    if (end := _read_turning(scan)) is not None:
        run.end(scan.draft)
        scan.place = end
        return
    if not run.is_open and (end := read_alternative(scan)) is not None:
        scan.place = end
        return
    known = scan.draft.kinds()
    for clause in _clauses(scan, run):
        end = clause(scan)
        if end is not None:
            run.end(scan.draft)
            scan.place, scan.last = end, _added(known, scan.draft.kinds())
            return
    if not run.is_open and (about := _ABOUT.match(scan.text, scan.place)):
        run.is_topic = True
        scan.place = about.end()
        return
    if not _read_negated(scan, run):
        _read_word(scan, run)


def _read_negated(scan: Scan, run: _Run) -> bool:
    """Read a negation with what it negates; return whether there is one."""
    known = scan.draft.kinds()
    if (end := read_negation(scan)) is not None:
        run.end(scan.draft)
        scan.place, scan.last = end, _added(known, scan.draft.kinds())
        if "actions_none" in scan.last and _STEP_ON.match(scan.text, end):
            scan.place = _end_of_negated(scan, end)  # without test on a plate
            scan.draft.unread += [scan.text[end : scan.place].strip()] if scan.place > end else []
        return True
    negation = NEGATION.match(scan.text, scan.place)
    if negation is None:
        return False
    if run.is_open and (state := _state(scan.text, negation)):
        run.add(scan.text[scan.place : state.end()])  # a starter that is not rising
        scan.place = state.end()
        return True
    run.end(scan.draft)
    ended = read_verdict(scan)
    scan.place = _read_unsupported_negation(scan, negation.end()) if ended is None else ended
    return True


def _read_turning(scan: Scan) -> int | None:
    """Add a negation in another language to the unread words, with the rest of its sentence."""
    word = WORD.match(scan.text, scan.place)
    if word is None or without_accents(word[0]) not in TURNING:
        return None
    stop = _STOP.search(scan.text, word.end())
    end = stop.start() if stop else len(scan.text)
    scan.draft.unread.append(scan.text[scan.place : end].strip())
    return end


def _added(before: Mapping[str, object], after: Mapping[str, object]) -> frozenset[str]:
    return frozenset(name for name, value in after.items() if before.get(name) != value)


def _state(text: str, negation: re.Match[str]) -> re.Match[str] | None:
    """Match a negated state of a search word: not rising, never arrives, doesn't compile."""
    is_verb = negation[0].lower().endswith(("never", "n't", "n’t"))
    return (_PREDICATE if is_verb else _STATE).match(text, negation.end())


def _clauses(scan: Scan, run: _Run) -> tuple[Clause, ...]:
    """Return the clauses that may follow: in a topic words are taken literally."""
    if not run.is_topic:
        return CLAUSES
    relative = _RELATIVE.search(scan.text, 0, scan.place) or ends_topic(scan)
    return RELATIVE if relative else ENDING


def _read_word(scan: Scan, run: _Run) -> None:
    if anybody := _ANYBODY.match(scan.text, scan.place):
        scan.place = anybody.end()
        return
    if not run.is_open and (by := _BY.match(scan.text, scan.place)):
        scan.draft.unread.append(by[0])  # somebody who is not known here
        scan.place = by.end()
        return
    match = WORD.match(scan.text, scan.place)
    if match is None:
        scan.place += 1  # a sign
        return
    if not run.is_topic and (beyond := _unsupported(scan)) is not None:
        run.end(scan.draft)
        scan.draft.unread.append(scan.text[scan.place : beyond])
        scan.place = beyond
        return
    if not run.is_topic and not run.is_open and (who := _unknown_subject(scan, match)):
        scan.draft.unread.append(who)
        scan.place += len(who)
        return
    introduced = _is_introduced(scan, match)
    word, scan.place = match[0], match.end()
    folded = word.lower().removesuffix("'s").removesuffix("’s")
    is_made = (
        _MADE.match(word) and _MADE_OF.search(scan.text, 0, match.start()) and not run.is_topic
    )
    is_work = folded in WORK and not run.is_open and not run.is_topic
    is_passed = is_made or is_work or folded in FILLERS or folded in LEADING
    if is_passed or (run.is_open and folded in JOINING | SOMEBODY):
        run.pass_over(word)
    elif run.is_topic and folded not in DANGLING:
        run.add(word)
        # after a word, *or* joins no filters
        scan.last = frozenset()
    elif (
        folded in DANGLING
        or (_is_number(folded) and not run.is_open)
        or (_PLACE.fullmatch(folded) and is_sided(scan.text, match.start()))
    ):
        run.end(scan.draft)
        scan.draft.unread.append(word)
    else:
        left = _PREPOSED.search(scan.text, 0, match.start()) is None
        run.add(word, introduced=introduced and not is_adverb(word), left=left)
        scan.last = frozenset()


def _unknown_subject(scan: Scan, word: re.Match[str]) -> str | None:
    """Return the unknown subject that made the attempts: `what did haiku get wrong`."""
    if word[0].lower() in SOMEBODY:
        return word[0]
    asked = _ASKED_OF.search(scan.text, 0, scan.place)
    subject = _SUBJECT.match(scan.text, scan.place) if asked else None
    return subject["who"] if subject and subject["who"].lower() not in FILLERS | DANGLING else None


def _is_introduced(scan: Scan, word: re.Match[str]) -> bool:
    """Return whether a single word is a topic, no left-over verb or number."""
    before = scan.text[: scan.place]
    if not any(scan.draft.kinds().values()) and not scan.draft.words:
        return True
    if scan.last and scan.last <= _MAKERS and _DOES.search(before):
        return False
    if OF_EACH.search(before):
        return False  # tools that lead to errors
    if scan.last and scan.last <= _ATTRIBUTES:
        return True
    leads = _INTRODUCES.search(before) or _SOLVING.search(before)
    return bool(leads or _NOUN_BEHIND.match(scan.text, word.end()))


def _unsupported(scan: Scan) -> int | None:
    """Return the end of words that no field can express.

    A known agent or model after `by` can be expressed, and a time after a verb that only says that an attempt was made:
    `finished by 5 May`, unlike `approved by 5 May`.
    """
    beyond = _UNSUPPORTED.match(scan.text, scan.place)
    by = _BY_WHOM.search(beyond[0]) if beyond else None
    if beyond is None or by is None or not beyond["who"]:
        return beyond and beyond.end()
    if any(scan.named(names, beyond.start("who")) for names in (scan.agents, scan.models)):
        return None
    period = read_period(scan.text, scan.place + by.start() + 1, scan.now)
    if period is None:
        return beyond.end()
    verb = beyond[0].split()[0].lower()
    return None if verb in FILLERS or _MADE.fullmatch(verb) else period[1]


def _is_number(word: str) -> bool:
    return word.translate(_IN_NUMBERS).isdecimal()


def _read_unsupported_negation(scan: Scan, place: int) -> int:
    """Add negated words to the unread ones, as filters cannot express them, and return their end."""
    start = scan.place
    if refused := scan.match(REFUSED):
        scan.draft.unread.append(refused[0].strip())
        return refused.end()
    aside = scan.aside(_after_space(scan.text, place))
    topic = _UNRELATED.match(scan.text, start) or aside.match(TOPIC)
    if topic:
        end = _end_of_negated(scan, topic.end(), literally=True)
        scan.draft.unread.append(scan.text[start:end].strip())
        return end
    while True:
        aside.place = _after_space(scan.text, aside.place)
        ends = (clause(aside) for clause in CLAUSES)
        end = next((end for end in ends if end is not None), None)
        word = WORD.match(scan.text, aside.place)
        if end is None and word and word[0].lower() in FILLERS:
            aside.place = word.end()
            continue
        end = end or _end_of_negated(scan, word.end() if word else aside.place)
        end = _name_behind(scan.aside(end)) or end
        end = _verdict_behind(scan.aside(end)) or end
        scan.draft.unread.append(scan.text[start:end].strip())
        return end


def _end_of_negated(scan: Scan, end: int, *, literally: bool = False) -> int:
    """Return the end of the scope of a negation: before a clause, punctuation, or an opposing word.

    ``literally``: the words are a topic, in which names and verdicts are plain words.
    """
    place = end
    while word := _NEXT.match(scan.text, place):
        aside = scan.aside(word.start("word"))
        reads = any(clause(aside) is not None for clause in CLAUSES)
        is_word = literally and _added(Draft().kinds(), aside.draft.kinds()) <= _ATTRIBUTES
        if aside.match(NEGATION) or aside.match(_OPPOSED) or (reads and not is_word):
            break
        if literally and aside.match(_BESIDE_TOPIC):
            break
        place = word.end()
        end = end if word["word"].lower() in FILLERS else place
    return end


def _name_behind(aside: Scan) -> int | None:
    """Return the end of a name that belongs to the negated words: `except failed sql`, unlike `except failed by bob`."""
    space = _BLANK.match(aside.text, aside.place)
    kinds = (aside.domains, aside.models, aside.agents, aside.tags)
    found = (aside.named(names, space.end()) for names in kinds) if space else ()
    return next((name[1] for name in found if name), None)


def _verdict_behind(aside: Scan) -> int | None:
    """Return the end of a verdict in the scope of a negation: `without the smallest mistake`."""
    if space := _BLANK.match(aside.text, aside.place):
        aside.place = space.end()
    return read_verdict(aside)


def _question(draft: Draft, now: datetime) -> EpisodeQuestion:
    settle_contrast(draft)
    _settle_rate(draft)
    _settle_groups(draft)
    _settle_order(draft)
    return EpisodeQuestion(
        filters=_filters(draft),
        similar_to=" ".join(draft.words) or None,
        min_similarity=_least_similarity(draft),
        order=draft.order,
        limit=draft.limit,
        measure=draft.measure or ("attempts" if draft.by else None),
        by=draft.by,
        divergence=draft.divergence,
        own=draft.own,
        time_zone=str(now.tzinfo),
    )


def _least_similarity(draft: Draft) -> float | None:
    bounds = draft.bounds.get("min_similarity")
    return bounds.low if bounds and draft.words else None


def _settle_rate(draft: Draft) -> None:
    """Let a verdict choose the rate instead of filtering: a rate is of all judged attempts."""
    if draft.measure in ("success_rate", "failure_rate") and len(set(draft.verdicts)) == 1:
        if draft.verdicts[0] is False:
            draft.measure = "failure_rate"
        draft.verdicts.clear()


def _settle_groups(draft: Draft) -> None:
    """Let a comparison of groups choose the measure: the fastest model, who is faster."""
    if draft.compared is not None and draft.by is None:
        draft.unread.append(draft.said["compared"])
    if draft.by is None or draft.measure not in (None, "attempts"):
        return
    if draft.compared is not None:
        draft.measure = draft.compared
    elif draft.measure is None and draft.order is not None and draft.order in ORDER_MEASURES:
        draft.measure, draft.order, draft.limit = ORDER_MEASURES[draft.order], None, None
        draft.unread += [draft.said["order"]] if draft.by in BY_TIME else []


def _settle_order(draft: Draft) -> None:
    """Drop an order or limit of a measure, and add its words to the unread ones."""
    if draft.measure is None and draft.by is None:
        return
    if draft.order is not None:
        draft.order = None
        draft.unread.append(draft.said["order"])
    if draft.by is None and draft.limit is not None:
        draft.limit = None
        if draft.said["limit"] not in draft.unread:
            draft.unread.append(draft.said["limit"])


def _filters(draft: Draft) -> EpisodeFilters:
    def named(name: str) -> Names:
        none: list[str] = getattr(draft, f"{name}_not")
        return Names(tuple(dict.fromkeys(getattr(draft, name))), tuple(dict.fromkeys(none)))

    def listed(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(getattr(draft, name)))

    def bound(name: str) -> Bound:
        found = draft.bounds.get(name)
        return Bound(found.low, found.high) if found else Bound()

    verdicts = tuple(dict.fromkeys(draft.verdicts)) or EpisodeFilters().verdicts
    return EpisodeFilters(
        # excluding all verdicts would match nothing
        verdicts=tuple(one for one in verdicts if one not in draft.verdicts_not) or verdicts,
        domain=named("domains"),
        model=named("models"),
        agent_id=named("agents"),
        session_id=named("sessions"),
        problem_id=named("problems"),
        occurred=Window(draft.occurred_from or ALWAYS.start, draft.occurred_to or ALWAYS.end),
        tokens_used=bound("tokens_used"),
        latency_ms=bound("latency_ms"),
        confidence=bound("confidence"),
        temperature=bound("temperature"),
        step_count=bound("step_count"),
        **{name: listed(name) for name in LISTS},
    )
