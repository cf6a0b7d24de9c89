"""Assignment of solved problems to concepts: to an existing one, or together to a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from textwrap import shorten

import numpy as np

from graph.analysis.clusters import affinities, communities, nearest_group, overlap
from graph.analysis.wording import shared_insight, telling_words, usual_actions, worded_actions
from graph.kernel.errors import LanguageModelError
from graph.kernel.values import Floats
from graph.model.episodes.concepts import KnownProblem, WaitingProblem
from graph.phrases.extraction import key_phrases
from graph.ports.language import LanguageModel

_VOTERS = 3
_RESOLUTION = 1.0
_PHRASES = 30
_IN_NAME, _IN_DEFINITION, _ENOUGH_WORDS = 3, 10, 3
_LONGEST_NAME, _LONGEST_EXAMPLE = 100, 160
_SHOWN_PROBLEMS, _SHOWN_CHARACTERS = 5, 400

INSTRUCTIONS = (
    "You are given problems that were solved, and what was done to solve each. "
    "What general principle or concept was used? Name it in a few words, as a textbook would, and "
    "define it in one or two sentences that help to solve the next such problem."
)
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "concept": {"type": "string", "maxLength": 100},
        "definition": {"type": "string", "maxLength": 600},
    },
    "required": ["concept", "definition"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Clustering:
    """Thresholds by which problems belong to one concept.

    The affinity of problems is a weighted mean of the cosine of their texts (``meaning_weight``) and of the overlap of their
    actions. A concept needs ``smallest`` problems with at least ``least_affinity``.
    """

    least_affinity: float = 0.5
    meaning_weight: float = 0.5
    smallest: int = 3


@dataclass(frozen=True, slots=True)
class Wording:
    """Name and definition of a concept; ``by`` is ``rules`` or the name of a model."""

    name: str
    definition: str
    by: str = "rules"


def assign_to_concepts(
    waiting: Sequence[WaitingProblem], clustering: Clustering
) -> tuple[list[tuple[str, str]], list[tuple[KnownProblem, ...]]]:
    """Return problems that join existing concepts, and groups of solved ones that form new concepts."""
    joins: list[tuple[str, str]] = []
    left: list[WaitingProblem] = []
    for each in waiting:
        concept = _concept_of(each, clustering)
        if concept is not None:
            joins.append((each.problem.uid, concept))
        elif each.problem.solved:
            left.append(each)
    return joins, _groups(left, {uid for uid, _ in joins}, clustering)


def _concept_of(each: WaitingProblem, clustering: Clustering) -> str | None:
    # a concept has one domain: equal steps have other meanings elsewhere
    near = [pair for pair in each.near if pair[0].domain == each.problem.domain]
    names = sorted({known.concept for known, _ in near if known.concept is not None})
    if not names:
        return None
    places = {name: place for place, name in enumerate(names)}
    groups = np.array([places.get(known.concept or "", -1) for known, _ in near])
    # the mean of the three nearest with that concept (ADR 27)
    group, score = nearest_group(groups, _affinity(each, near, clustering), voters=_VOTERS)
    return names[group] if group >= 0 and score >= clustering.least_affinity else None


def _affinity(
    each: WaitingProblem, near: Sequence[tuple[KnownProblem, float]], clustering: Clustering
) -> Floats:
    own = actions_of(each.problem)
    return affinities(
        np.array([similarity for _, similarity in near], dtype=np.float64),
        np.array([overlap(own, actions_of(known)) for known, _ in near], dtype=np.float64),
        meaning_weight=clustering.meaning_weight,
    )


def _groups(
    waiting: Sequence[WaitingProblem], joined: set[str], clustering: Clustering
) -> list[tuple[KnownProblem, ...]]:
    nodes = {each.problem.uid: each.problem for each in waiting}
    weights: dict[tuple[str, str], float] = {}
    for each in waiting:
        near = [
            pair
            for pair in each.near
            if pair[0].solved
            and pair[0].concept is None
            and pair[0].uid not in joined
            and pair[0].domain == each.problem.domain
        ]
        for (known, _), weight in zip(
            near, _affinity(each, near, clustering).tolist(), strict=True
        ):
            # 0.5: with 0.55 there are 42 concepts, with 0.4 two, one of 1,215 problems (ADR 27)
            if weight >= clustering.least_affinity:
                nodes.setdefault(known.uid, known)
                # undirected: each pair occurs from both ends
                ends = (min(each.problem.uid, known.uid), max(each.problem.uid, known.uid))
                weights[ends] = weight
    uids = sorted(nodes)
    places = {uid: place for place, uid in enumerate(uids)}
    pairs = np.array([[places[a], places[b]] for a, b in sorted(weights)], dtype=np.int64)
    found = communities(
        len(uids),
        pairs.reshape(-1, 2),
        np.array([weights[ends] for ends in sorted(weights)], dtype=np.float64),
        resolution=_RESOLUTION,
        smallest=clustering.smallest,
    )
    return [tuple(nodes[uids[place]] for place in group) for group in found]


def actions_of(problem: KnownProblem) -> tuple[str, ...]:
    """Return the usual actions of the right attempts, else of all."""
    right = [each.actions for each in problem.attempts if each.right]
    return usual_actions(right or [each.actions for each in problem.attempts])


def word_by_rules(group: Sequence[KnownProblem], others: Sequence[KnownProblem]) -> Wording:
    """Name a group by the shared insight of its attempts, else by its actions and words."""
    outside = [_words(other) for other in others]
    words = telling_words([_words(each) for each in group], outside, most=_IN_DEFINITION)
    rows = [actions_of(each) for each in group]
    usual = worded_actions(usual_actions(rows))
    also = Counter(worded_actions(row) for row in rows if row)
    insight = shared_insight(
        [{each.insight for each in problem.attempts if each.insight} for problem in group]
    )
    name = insight.rstrip(".")[:_LONGEST_NAME] if insight else _name_of(group, usual, words)
    ways = [way for way, times in also.most_common(3) if times > 1] or [usual]
    done = f", solved by: {'; or '.join(ways)}." if usual else "."
    return Wording(
        name, " ".join(filter(None, [f"Problems {_description(group, words)}{done}", insight]))
    )


def _description(group: Sequence[KnownProblem], words: Sequence[str]) -> str:
    """Describe problems by their characteristic words, or by the shortest problem if there are few."""
    if len(words) >= _ENOUGH_WORDS:
        return f"about {', '.join(words)}"
    shortest = min(group, key=lambda each: (len(each.text), each.uid)).text
    return f"such as “{shorten(shortest, _LONGEST_EXAMPLE, placeholder=' …')}”"


def _name_of(group: Sequence[KnownProblem], usual: str, words: Sequence[str]) -> str:
    """Name a group by its actions, and words that at least two thirds of the problems share."""
    counts = Counter(word for each in group for word in _words(each))
    named = [word for word in words if counts[word] * 3 >= 2 * len(group)][:_IN_NAME]
    return ": ".join(filter(None, [usual, ", ".join(named)])) or _first_words(group)


def _words(problem: KnownProblem) -> list[str]:
    """Return the words of a problem's key phrases, without names of people and places."""
    phrases = key_phrases(problem.text, _PHRASES)
    # capitalised phrases are mostly names of persons or places
    plain = (phrase.name for phrase in phrases if phrase.display.islower())
    words = chain.from_iterable(name.split() for name in plain)
    return sorted({word for word in words if word.isalpha() and len(word) > 2})


def _first_words(group: Sequence[KnownProblem]) -> str:
    shortest = min(group, key=lambda each: (len(each.text), each.uid))
    return " ".join(shortest.text.split()[:8])


async def word(
    group: Sequence[KnownProblem], others: Sequence[KnownProblem], language: LanguageModel | None
) -> Wording:
    """Name and define a group by the language model, or by rules without a usable answer."""
    plain = word_by_rules(group, others)
    if language is None:
        return plain
    try:
        answer = await language.fill(INSTRUCTIONS, _shown(group), SCHEMA, most_tokens=300)
    except LanguageModelError:
        return plain
    name, definition = str(answer["concept"]).strip(), str(answer["definition"]).strip()
    return Wording(name, definition, language.name) if name and definition else plain


def _shown(group: Sequence[KnownProblem]) -> str:
    parts = [
        f"Problem: {each.text[:_SHOWN_CHARACTERS]}\nDone: {worded_actions(actions_of(each)) or '?'}"
        # the shortest first, to save tokens
        for each in sorted(group, key=lambda each: (len(each.text), each.uid))[:_SHOWN_PROBLEMS]
    ]
    return "\n\n".join(parts)
