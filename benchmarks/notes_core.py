"""Texts of consolidation without a server: topics, whole sentences, facts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.locomo import Turn, load
from benchmarks.runner import say
from graph.condensing.claims import claims
from graph.condensing.facts import content_words
from graph.condensing.groups import Turn as Clustered
from graph.condensing.groups import groups
from graph.condensing.model import LEVELS, Source
from graph.condensing.references import asks_something, goes_on
from graph.condensing.text import condense
from graph.condensing.topics import borders
from graph.condensing.turns import read
from graph.kernel.values import Floats
from service.bootstrap.embedders import load_embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt


_CHOSEN = 2  # conversations on which the penalty was chosen; the others are reported
_JOINED = 6  # sessions of one stream
_SEED = 0
_SIMILAR, _NEIGHBOURS = 0.8, 5  # as the background links memories by default
_SEGMENTS = 3.0  # penalty with as many segments as sessions, for Pk and WindowDiff
_LONGEST = 40
Stream = tuple[list[Turn], Floats, list[int]]
_TILE, _TILE_CUT = 10, 1.0
CLAIMS = Path(__file__).parent / "claims"


def measure_topics(data: Path) -> dict[str, float]:
    """Segment joined sessions of several conversations without times; lower is better."""
    turns, _ = load(data)
    held = sorted(turns)[_CHOSEN:] or sorted(turns)
    streams = _streams({name: turns[name] for name in held})
    figures: dict[str, float] = {}
    methods: dict[str, Callable[[Stream], Sequence[int]]] = {
        "none": lambda _: (),
        "texttiling": lambda stream: _tiled(stream[0]),
        "topics": lambda stream: borders(stream[1], longest=_LONGEST, penalty=_SEGMENTS),
    }
    for name, method in methods.items():
        scores = np.array([_errors(stream, method(stream)) for stream in streams])
        figures[f"pk_{name}"], figures[f"windowdiff_{name}"] = scores.mean(axis=0).tolist()
    for stratum in ("short_term", "long_term"):
        figures[f"mixed_{stratum}"], figures[f"size_{stratum}"] = _mixed(streams, stratum)
    figures["mixed_clusters"] = max(figures["mixed_short_term"], figures["mixed_long_term"])
    return figures


def _streams(turns: Mapping[str, Sequence[Turn]]) -> list[Stream]:
    embedder = load_embedder()
    sessions: list[tuple[list[Turn], Floats]] = []
    for rows in turns.values():
        vectors = np.asarray(embedder.embed([row.text for row in rows]), dtype=np.float64)
        for session in dict.fromkeys(row.session for row in rows):
            places = [place for place, row in enumerate(rows) if row.session == session]
            sessions.append(([rows[place] for place in places], vectors[places]))
    order: list[int] = np.random.default_rng(_SEED).permutation(len(sessions)).tolist()
    found: list[Stream] = []
    for start in range(0, len(order) - 1, _JOINED):
        chosen = [sessions[place] for place in order[start : start + _JOINED]]
        ends = np.cumsum([len(rows) for rows, _ in chosen]).tolist()
        joined = [row for rows, _ in chosen for row in rows]
        found.append((joined, np.vstack([vectors for _, vectors in chosen]), ends[:-1]))
    return found


def _labels(count: int, at: Iterable[int]) -> Floats:
    labels = np.zeros(count)
    for place in at:
        labels[place:] += 1
    return labels


def _errors(stream: Stream, found: Sequence[int]) -> tuple[float, float]:
    """Return Pk and WindowDiff at half the mean length of a true segment."""
    count, true = len(stream[0]), stream[2]
    width = max(2, round(count / (len(true) + 1) / 2))
    real, told = _labels(count, true), _labels(count, found)
    near = np.arange(count - width)
    real_step, told_step = real[near + width] - real[near], told[near + width] - told[near]
    wrong = (real_step == 0) != (told_step == 0)
    return float(wrong.mean()), float((real_step != told_step).mean())


def _tiled(rows: Sequence[Turn]) -> list[int]:
    """Find borders by TextTiling: depths of the similarity of word blocks (Hearst, 1997)."""
    words = [Counter(content_words(row.text.partition(": ")[2])) for row in rows]
    likeness = [
        _alike(words[max(0, at - _TILE) : at], words[at : at + _TILE])
        for at in range(1, len(words))
    ]
    depths = np.array([_depth(likeness, place) for place in range(len(likeness))])
    limit = depths.mean() + _TILE_CUT * depths.std()
    return [
        place + 1
        for place, depth in enumerate(depths)
        if depth > limit and depth == depths[max(0, place - 2) : place + 3].max()
    ]


def _alike(before: Sequence[Counter[str]], after: Sequence[Counter[str]]) -> float:
    one, two = (
        Counter(word for row in rows for word in row.elements()) for rows in (before, after)
    )
    size = sum(n * n for n in one.values()) * sum(n * n for n in two.values())
    return sum(one[word] * two[word] for word in one) / size**0.5 if size else 0.0


def _depth(values: Sequence[float], place: int) -> float:
    left = right = place
    while left > 0 and values[left - 1] >= values[left]:
        left -= 1
    while right < len(values) - 1 and values[right + 1] >= values[right]:
        right += 1
    return values[left] + values[right] - 2 * values[place]


def _clusters(rows: Sequence[Turn], vectors: Floats, stratum: str) -> tuple[tuple[int, ...], ...]:
    turns = [
        Clustered("one", 0.0, asks_something(said), goes_on(said))
        for said in (row.text.partition(": ")[2] for row in rows)
    ]
    return groups(turns, vectors, _similar(vectors), largest=LEVELS[stratum].largest)


def _similar(vectors: Floats) -> npt.NDArray[np.int64]:
    """Return the pairs that the background would link, the most similar first, shape ``(m, 2)``."""
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -1.0)
    nearest = np.argsort(-alike, axis=1)[:, :_NEIGHBOURS]
    one, rank = np.nonzero(np.take_along_axis(alike, nearest, axis=1) >= _SIMILAR)
    pairs = np.unique(np.sort(np.column_stack([one, nearest[one, rank]]), axis=1), axis=0)
    return pairs[np.argsort(-alike[pairs[:, 0], pairs[:, 1]], kind="stable")]


def _mixed(streams: Sequence[Stream], stratum: str) -> tuple[float, float]:
    mixed: list[bool] = []
    sizes: list[int] = []
    for rows, vectors, true in streams:
        labels = _labels(len(rows), true)
        for group in _clusters(rows, vectors, stratum):
            mixed.append(len(set(labels[list(group)])) > 1)
            sizes.append(len(group))
    return float(np.mean(mixed)), float(np.mean(sizes))


def measure_sentences(data: Path) -> dict[str, float]:
    """Share of kept units that are whole sentences of their sources, and of the text, in each stratum."""
    turns, _ = load(data)
    embedder = load_embedder()
    whole: list[bool] = []
    kept = {stratum: [0, 0] for stratum in LEVELS}
    for rows in turns.values():
        vectors = np.asarray(embedder.embed([row.text for row in rows]), dtype=np.float64)
        for stratum, level in LEVELS.items():
            for group in _clusters(rows, vectors, stratum):
                sources = [
                    Source(rows[place].text, rows[place].speaker, rows[place].time)
                    for place in group
                ]
                said = {(row.source, row.text) for row in read(sources)}
                made = condense(sources, level)
                whole += [
                    _is_whole(piece.source, piece.text, sources, said) for piece in made.pieces
                ]
                kept[stratum][0] += sum(len(source.text) for source in sources)
                kept[stratum][1] += len(made.text)
    for stratum, (before, after) in kept.items():
        say(f"  into {stratum}: {after / before:.2f} of the characters stay")
    return {"whole_sentences": float(np.mean(whole))}


def _is_whole(
    source: int, text: str, sources: Sequence[Source], said: set[tuple[int, str]]
) -> bool:
    return (source, text) in said or text == sources[source].text


def measure_claims(file: Path) -> dict[str, float]:
    """Precision and recall of claims on labelled sentences."""
    right = wrong = missed = 0
    for (speaker, sentence), wanted in _labelled(file).items():
        found = {
            (
                _plain(claim.subject),
                ("not " if claim.negated else "") + claim.relation,
                _plain(claim.value),
            )
            for claim in claims(sentence, speaker)
        }
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
    return {
        f"claims_{file.stem}_precision": right / max(right + wrong, 1),
        f"claims_{file.stem}_recall": right / max(right + missed, 1),
    }


def _labelled(file: Path) -> dict[tuple[str, str], set[tuple[str, str, str]]]:
    found: dict[tuple[str, str], set[tuple[str, str, str]]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            speaker, sentence, subject, relation, value = line.split("|")
            wanted = found.setdefault((speaker, sentence), set())
            if subject:
                wanted.add((_plain(subject), relation, _plain(value)))
    return found


def _plain(text: str) -> str:
    return text.casefold().replace("-", " ").strip()
