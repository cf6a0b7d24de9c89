"""Foresight: which tool comes next, and whether a call will fail, learned from executions.

Two logistic regressions on the previous tool, the words said since the last call, the agent's own words and
what failed before. Which features they have was chosen by cross-validation over tasks (ADR 59). The one of failures
is fitted in stages: a call's own values first, then the previous tool, then what failed before.
"""

from __future__ import annotations

import base64
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.knowledge.shapes import shape_of
from graph.model.knowledge.executions import Step, written
from graph.scoring.dependence import importance
from graph.scoring.relevance import Floats, Ints
from graph.scoring.softmax import fit_softmax, softmax

Features = dict[str, float]

MOST_WORDS = 80
START = ""
PENALTY = 0.002
RISK_PENALTY = 0.01
_MOST_FEATURES = 4000
_MOST_TOOLS = 64
_MOST_ROWS = 6000
_FEWEST_ROWS = 20
# words are many: at full weight they would outweigh the last tool
_WORD_WEIGHT = 0.3
_MAX_BOOST = 3.0  # of values of a decisive parameter, which then count four times
_FAILED, _WORKED = 1, 0
# *ada@example.com*, *HAT136*, *https://…* identify one person or order
_IDENTIFYING = re.compile(r"[@\d]|://")
_NO_LETTERS = re.compile(r"[^a-z]+")  # of ASCII in lower case


@dataclass(frozen=True, slots=True)
class Situation:
    """Situation before a call: earlier calls, and words of others (``said``) and of the agent (``thought``) since the last."""

    steps: Sequence[Step] = ()
    said: Sequence[str] = ()
    thought: Sequence[str] = ()

    @property
    def last(self) -> str:
        """The tool called last; empty before the first."""
        return self.steps[-1].tool if self.steps else START


@dataclass(frozen=True, slots=True)
class Head:
    """Weights of one softmax regression, by feature and class."""

    features: Mapping[str, int]
    classes: tuple[str, ...]
    weights: Floats

    def scores(self, features: Features) -> Floats:
        """Return the score of each class, shape ``(k,)``."""
        row = np.zeros(self.weights.shape[0])
        for name, value in features.items():
            place = self.features.get(name)
            if place is not None:
                row[place] = value
        return row @ self.weights

    def probabilities(self, features: Features) -> Floats:
        """Return the probability of each class, shape ``(k,)``."""
        return softmax(self.scores(features)[None, :])[0]


@dataclass(frozen=True, slots=True)
class Foresight:
    """Model of one scope: the next tool, and the failure of a call; None with too few examples."""

    next_tool: Head | None = None
    failure: Head | None = None
    rows: int = field(default=0)

    def rank(self, situation: Situation) -> list[tuple[str, float]]:
        """Return tools with their probabilities, the most likely first."""
        if self.next_tool is None:
            return []
        found = self.next_tool.probabilities(next_features(situation))
        order = np.argsort(-found, kind="stable")
        return [(self.next_tool.classes[i], float(found[i])) for i in order]

    def risk(self, situation: Situation, call: Step) -> float | None:
        """Return the probability that a call fails; None with too few examples."""
        if self.failure is None:
            return None
        return float(self.failure.probabilities(risk_features(situation, call))[_FAILED])


def words_of(text: str) -> tuple[str, ...]:
    """Return the distinct words of a text, sorted; at most 80, without addresses and words with digits.

    >>> words_of("Yes, please book it. Yes! Write to ada@example.com, order HAT136.")
    ('book', 'it', 'order', 'please', 'to', 'write', 'yes')
    """
    low = text.lower()
    if _IDENTIFYING.search(low):
        # by chunks, so that of *ada@example.com* no word is left
        low = " ".join(chunk for chunk in low.split() if not _IDENTIFYING.search(chunk))
    if low.isascii():
        spaced = _NO_LETTERS.sub(" ", low)
    else:
        spaced = "".join(c if c.isalpha() else " " for c in low)
    # sorted, so that the same text is always the same features
    return tuple(sorted(set(spaced.split())))[:MOST_WORDS]


def next_features(situation: Situation) -> Features:
    """Return the features that predict the next tool."""
    last = situation.last
    spoken = bool(situation.said)
    features = {
        "": 1.0,
        f"last {last}": 1.0,
        f"spoken {spoken} {last}": 1.0,
        f"spoken {spoken}": 1.0,
    }
    if situation.steps and not situation.steps[-1].ok:
        # costs 0.014 in cross-validation, but foresees a repair that always follows (ADR 59)
        features[f"failed {last}"] = 1.0
    for word in situation.said:
        features[f"said {word}"] = _WORD_WEIGHT
        # with the last tool: *yes* after a search means another next step than after a booking
        features[f"said {word} {last}"] = _WORD_WEIGHT
    for word in situation.thought:
        features[f"thought {word}"] = _WORD_WEIGHT
    return features


def risk_features(situation: Situation, call: Step) -> Features:
    """Return the features that predict the failure of a call."""
    return {name: value for each in _risk_stages(situation, call) for name, value in each.items()}


def _risk_stages(situation: Situation, call: Step) -> tuple[Features, Features, Features]:
    """Return the features of the call, of the previous tool, and of earlier failures, one stage each.

    A failed call that is repeated with a corrected value differs in value and in position: the failure must be attributed
    to the value.
    """
    values = {f"{each} {text}": 0.5 for each, text in _parameter_features(call)}
    before = {f"last {situation.last} {call.tool}": 0.5}
    return {"": 1.0, f"tool {call.tool}": 1.0, **values}, before, _failure_features(situation, call)


def _parameter_features(call: Step) -> Iterable[tuple[str, str]]:
    """Yield the names of the features of each parameter of a call, with its value and its shape, and of its context."""
    if call.context:
        yield f"context {call.tool}", call.context
    for name, value in call.parameters.items():
        yield f"value {call.tool} {name}", written(value)
        yield f"shape {call.tool} {name}", shape_of(value)


def _failure_features(situation: Situation, call: Step) -> Features:
    tool = call.tool
    same = [step for step in situation.steps if step.tool == tool]
    failed = [step for step in same if not step.ok]
    features = {f"failed before {min(len(failed), 2)}": 1.0}
    features[f"failed before {min(len(failed), 2)} {tool}"] = 1.0
    features[f"last failed {bool(same) and not same[-1].ok} {tool}"] = 1.0
    # neither position nor value alone shows that a call is repeated unchanged
    if any(step.parameters == call.parameters for step in failed):
        features["the same failed before"] = 1.0
    if any(step.ok and step.parameters == call.parameters for step in same):
        features["the same worked before"] = 1.0
    failures = sum(not step.ok for step in situation.steps)
    features[f"failures {min(failures, 3)}"] = 1.0
    for name, value in call.parameters.items():
        if any(name in s.parameters and s.parameters[name] == value for s in failed):
            features[f"kept {name} {tool}"] = 0.5
    return features


def situations(steps: Sequence[Step]) -> Iterable[Situation]:
    """Yield the situation before each step."""
    for place, step in enumerate(steps):
        yield Situation(steps[:place], step.said, step.thought)


def learn(runs: Sequence[Sequence[Step]]) -> Foresight:
    """Fit both regressions on runs, the newest first; the same runs give the same model."""
    rows: list[tuple[Situation, Step]] = []
    # the newest first, so that the limit cuts the oldest
    for steps in runs:
        rows += zip(situations(steps), steps, strict=True)
        if len(rows) > _MOST_ROWS:
            break
    if len(rows) < _FEWEST_ROWS:
        return Foresight(rows=len(rows))
    common = Counter(step.tool for _, step in rows).most_common(_MOST_TOOLS)
    names = tuple(sorted(name for name, _ in common))
    kept = [(situation, step) for situation, step in rows if step.tool in set(names)]
    tools = np.array([names.index(step.tool) for _, step in kept])
    next_tool = _fit([next_features(s) for s, _ in kept], tools, names, PENALTY)
    outcomes = np.array([_WORKED if step.ok else _FAILED for _, step in rows])
    # with one class only there is nothing to learn
    failure = _fit_risk(rows, outcomes) if 0 < outcomes.sum() < len(outcomes) else None
    return Foresight(next_tool, failure, len(rows))


def _fit_risk(rows: Sequence[tuple[Situation, Step]], outcomes: Ints) -> Head:
    """Fit stage by stage (boosting), each with the scores of those before as offset."""
    described = [_risk_stages(situation, step) for situation, step in rows]
    factors = _value_factors([step for _, step in rows], outcomes)
    classes = ("worked", "failed")
    features: dict[str, int] = {}
    weights = np.zeros((0, len(classes)))
    offset = np.zeros((len(rows), len(classes)))
    for stage in zip(*described, strict=True):
        # fitted together, the position of a retry took the effect of its corrected value (ADR 59)
        head = _fit(stage, outcomes, classes, RISK_PENALTY, offset=offset, factors=factors)
        offset = offset + np.array([head.scores(each) for each in stage])
        features |= {name: len(features) + place for name, place in head.features.items()}
        weights = np.concatenate([weights, head.weights])
    return Head(features, classes, weights)


def _value_factors(calls: Sequence[Step], outcomes: Ints) -> Features:
    """Return the factor of each value of a parameter, 1 to 4, by the parameter's dependence with failures.

    Values seen once count as one value, and calls without the parameter as another.
    """
    times = Counter(itertools.chain.from_iterable(map(_parameter_features, calls)))
    tools = {name: np.zeros(2) for name in {call.tool for call in calls}}
    tables: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for call, outcome in zip(calls, outcomes, strict=True):
        tools[call.tool][outcome] += 1
        for name, text in _parameter_features(call):
            table = tables.setdefault((call.tool, name), {})
            # a value seen once is no evidence alone
            table.setdefault(text if times[name, text] > 1 else "", np.zeros(2))[outcome] += 1
    factors: Features = {}
    for (tool, name), table in tables.items():
        rows = np.array([*table.values(), tools[tool] - sum(table.values())])
        rows = rows[rows.sum(axis=1) > 0]
        # cubed: only nearly decisive parameters get a large factor
        factor = 1.0 + _MAX_BOOST * importance(rows[:, 0], rows[:, 1]) ** 3
        factors |= {f"{name} {text}": factor for text in table}
    return factors


def _fit(
    rows: Sequence[Features],
    labels: Ints,
    classes: tuple[str, ...],
    penalty: float,
    *,
    offset: Floats | None = None,
    factors: Mapping[str, float] | None = None,
) -> Head:
    counts = Counter(itertools.chain.from_iterable(rows))
    # a feature of one row would be memorised
    kept = [name for name, n in counts.most_common(_MOST_FEATURES) if n > 1]
    places = {name: place for place, name in enumerate(sorted(kept))}
    matrix = np.zeros((len(rows), len(places)))
    for row, features in enumerate(rows):
        for name, value in features.items():
            if name in places:
                matrix[row, places[name]] = value
    scale = np.array([(factors or {}).get(name, 1.0) for name in places])
    weights = fit_softmax(matrix * scale, labels, len(classes), penalty=penalty, offset=offset)
    # back to the scale of the features as they come in
    return Head(places, classes, weights * scale[:, None])


def to_text(model: Foresight) -> str:
    """Serialise a model."""
    arrays: dict[str, np.ndarray] = {"rows": np.array(model.rows)}
    for name, head in (("next", model.next_tool), ("risk", model.failure)):
        if head is not None:
            arrays[f"{name}_features"] = np.array(list(head.features))
            arrays[f"{name}_classes"] = np.array(head.classes)
            # half the size (70 kB on the node, ADR 59), and exact enough for an order
            arrays[f"{name}_weights"] = head.weights.astype(np.float16)
    buffer = io.BytesIO()
    # never pickled: a text from the database must not run code
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return base64.b64encode(buffer.getvalue()).decode()


def from_text(text: str) -> Foresight:
    """Deserialise a model."""
    with np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False) as arrays:
        heads: dict[str, Head | None] = {"next": None, "risk": None}
        for name in heads:
            if f"{name}_weights" in arrays:
                features = {str(f): i for i, f in enumerate(arrays[f"{name}_features"])}
                classes = tuple(str(c) for c in arrays[f"{name}_classes"])
                heads[name] = Head(features, classes, arrays[f"{name}_weights"].astype(np.float64))
        return Foresight(heads["next"], heads["risk"], int(arrays["rows"]))
