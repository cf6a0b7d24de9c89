"""Foresight: which tool comes next, and whether a call will fail, learned from executions.

Two logistic regressions on the previous tool, the words said since the last call, the agent's own words and
what failed before. Which features they have was chosen by cross-validation over tasks (ADR 56).
"""

from __future__ import annotations

import base64
import io
import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from graph.knowledge.shapes import shape_of
from graph.model.knowledge.executions import written
from graph.scoring.softmax import fit_softmax, softmax

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from graph.model.knowledge.executions import Step
    from graph.scoring.relevance import Floats

Features = dict[str, float]

MOST_WORDS = 80
START = ""
PENALTY = 0.002
RISK_PENALTY = 0.01
_MOST_FEATURES = 4000
_MOST_TOOLS = 64
_MOST_ROWS = 6000
_FEWEST_ROWS = 20
_WORD_WEIGHT = 0.3
_FAILED, _WORKED = 1, 0
_IDENTIFYING = re.compile(r"[@\d]|://")
_NO_LETTERS = re.compile(r"[^a-z]+")  # of ASCII in lower case


@dataclass(frozen=True, slots=True)
class Situation:
    """Situation before a call: the calls so far, and the words said by others and the agent since the last."""

    steps: Sequence[Step] = ()
    said: Sequence[str] = ()
    thought: Sequence[str] = ()

    @property
    def last(self) -> str:
        """The tool called last; empty before the first."""
        return self.steps[-1].tool if self.steps else START


@dataclass(frozen=True, slots=True)
class Head:
    """Weights of one regression, by feature and class."""

    features: Mapping[str, int]
    classes: tuple[str, ...]
    weights: Floats

    def probabilities(self, features: Features) -> Floats:
        """Return the probability of each class, shape ``(k,)``."""
        row = np.zeros(self.weights.shape[0])
        for name, value in features.items():
            place = self.features.get(name)
            if place is not None:
                row[place] = value
        return softmax((row @ self.weights)[None, :])[0]


@dataclass(frozen=True, slots=True)
class Foresight:
    """Model of one scope: the next tool, and the failure of a call; None where too little was seen."""

    next_tool: Head | None = None
    failure: Head | None = None
    rows: int = field(default=0)

    def rank(self, situation: Situation) -> list[tuple[str, float]]:
        """Return tools with their probabilities, likeliest first."""
        if self.next_tool is None:
            return []
        found = self.next_tool.probabilities(next_features(situation))
        order = np.argsort(-found, kind="stable")
        return [(self.next_tool.classes[i], float(found[i])) for i in order]

    def risk(self, situation: Situation, call: Step) -> float | None:
        """Return the probability that a call fails; None where too little was seen."""
        if self.failure is None:
            return None
        return float(self.failure.probabilities(risk_features(situation, call))[_FAILED])


def words_of(text: str) -> tuple[str, ...]:
    """Return the different words of a text, sorted; at most 80. Addresses and what holds a digit are no words.

    >>> words_of("Yes, please book it. Yes! Write to ada@example.com, order HAT136.")
    ('book', 'it', 'order', 'please', 'to', 'write', 'yes')
    """
    low = text.lower()
    if _IDENTIFYING.search(low):
        low = " ".join(chunk for chunk in low.split() if not _IDENTIFYING.search(chunk))
    if low.isascii():
        spaced = _NO_LETTERS.sub(" ", low)
    else:
        spaced = "".join(c if c.isalpha() else " " for c in low)
    return tuple(sorted(set(spaced.split())))[:MOST_WORDS]


def next_features(situation: Situation) -> Features:
    """Return the features from which the next tool is told."""
    last = situation.last
    spoken = bool(situation.said)
    features = {
        "": 1.0,
        f"last {last}": 1.0,
        f"spoken {spoken} {last}": 1.0,
        f"spoken {spoken}": 1.0,
    }
    if situation.steps and not situation.steps[-1].ok:
        features[f"failed {last}"] = 1.0
    for word in situation.said:
        features[f"said {word}"] = _WORD_WEIGHT
        features[f"said {word} {last}"] = _WORD_WEIGHT
    for word in situation.thought:
        features[f"thought {word}"] = _WORD_WEIGHT
    return features


def risk_features(situation: Situation, call: Step) -> Features:
    """Return the features from which the failure of a call is told."""
    tool = call.tool
    same = [step for step in situation.steps if step.tool == tool]
    failed = [step for step in same if not step.ok]
    features = {"": 1.0, f"tool {tool}": 1.0, f"last {situation.last} {tool}": 0.5}
    features[f"failed before {min(len(failed), 2)}"] = 1.0
    features[f"failed before {min(len(failed), 2)} {tool}"] = 1.0
    features[f"last failed {bool(same) and not same[-1].ok} {tool}"] = 1.0
    if any(step.parameters == call.parameters for step in failed):
        features["the same failed before"] = 1.0
    if any(step.ok and step.parameters == call.parameters for step in same):
        features["the same worked before"] = 1.0
    failures = sum(not step.ok for step in situation.steps)
    features[f"failures {min(failures, 3)}"] = 1.0
    for name, value in call.parameters.items():
        features[f"value {tool} {name} {written(value)}"] = 0.5
        features[f"shape {tool} {name} {shape_of(value)}"] = 0.5
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
    failure = None
    if 0 < outcomes.sum() < len(outcomes):
        described = [risk_features(situation, step) for situation, step in rows]
        failure = _fit(described, outcomes, ("worked", "failed"), RISK_PENALTY)
    return Foresight(next_tool, failure, len(rows))


def _fit(
    rows: Sequence[Features], labels: np.ndarray, classes: tuple[str, ...], penalty: float
) -> Head:
    counts = Counter(itertools.chain.from_iterable(rows))
    kept = [name for name, n in counts.most_common(_MOST_FEATURES) if n > 1]
    places = {name: place for place, name in enumerate(sorted(kept))}
    matrix = np.zeros((len(rows), len(places)))
    for row, features in enumerate(rows):
        for name, value in features.items():
            if name in places:
                matrix[row, places[name]] = value
    return Head(places, classes, fit_softmax(matrix, labels, len(classes), penalty=penalty))


def packed(model: Foresight) -> str:
    """Write a model as text."""
    arrays: dict[str, np.ndarray] = {"rows": np.array(model.rows)}
    for name, head in (("next", model.next_tool), ("risk", model.failure)):
        if head is not None:
            arrays[f"{name}_features"] = np.array(list(head.features))
            arrays[f"{name}_classes"] = np.array(head.classes)
            arrays[f"{name}_weights"] = head.weights.astype(np.float16)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return base64.b64encode(buffer.getvalue()).decode()


def unpacked(text: str) -> Foresight:
    """Read a model from its text."""
    with np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False) as arrays:
        heads: dict[str, Head | None] = {"next": None, "risk": None}
        for name in heads:
            if f"{name}_weights" in arrays:
                features = {str(f): i for i, f in enumerate(arrays[f"{name}_features"])}
                classes = tuple(str(c) for c in arrays[f"{name}_classes"])
                heads[name] = Head(features, classes, arrays[f"{name}_weights"].astype(np.float64))
        return Foresight(heads["next"], heads["risk"], int(arrays["rows"]))
