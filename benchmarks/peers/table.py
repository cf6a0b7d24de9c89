"""Table of all candidates, and the summary line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from benchmarks.peers.bench import OURS
from benchmarks.peers.figures import DEFAULT, Figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.peers.figures import Quality, Speed

# Rivals with a database server, like Stratagraph; the floor is no rival.
SERVERS = ("nam", "graphiti")
_TITLES = {
    OURS: "Stratagraph",
    f"{OURS}:plain": "Stratagraph, texts alone",
    f"{OURS}:unlinked": "Stratagraph, no background",
    "floor": "bare vector search",
    "nam": "neo4j-agent-memory",
    "graphiti": "graphiti",
}
_BAD = {
    "empty_text": "empty text",
    "nan_vec": "NaN vector",
    "empty_vec": "empty vector",
    "1MB": "1 MB",
}
_RATES = {"ingest_batch": "ingest in batches, a second", "ingest_one": "one by one, a second"}
_NONE = "–"

Row = tuple[str, list[str]]
T = TypeVar("T")


def table(candidates: Sequence[Figures]) -> str:
    """Return it as Markdown: a row for each figure, a column for each candidate."""
    rows = [
        ("measured", ["quoted" if each.quoted else each.version for each in candidates]),
        ("machine's load before bench, big", [_loads(each) for each in candidates]),
        *_by_size("recall@10", candidates, _recall),
        *_by_size("share of short answers", candidates, _quality("short")),
        *_by_size("share of foreign results", candidates, _quality("foreign")),
        *_by_size("one client, p50 / p95 ms", candidates, _speed),
        *_by_size("16 clients, a second", candidates, lambda f, size: _number(f.qps.get(size))),
        *_rates(candidates),
        ("starvation: own / foreign of 10", [_modes(each.starved, _pair) for each in candidates]),
        ("each conversation once: recall@10", [_modes(e.alone, _plain) for e in candidates]),
        ("one user with 20,000: p50 / p95 ms", [_modes(e.big, _times) for e in candidates]),
        ("one user with 20,000: 16 clients, a second", [_modes(e.big, _rate) for e in candidates]),
        *_faults(candidates),
        *_named("then good queries, after", candidates, lambda each: each.poisoned),
        *_named("database", candidates, lambda each: each.dead),
        ("not finished", ["; ".join(each.unfinished) or _NONE for each in candidates]),
    ]
    kept = [row for row in rows if any(cell != _NONE for cell in row[1])]
    titles = [_TITLES.get(each.name, each.name) for each in candidates]
    lines = [_line(["", *titles]), _line(["---"] * (len(titles) + 1))]
    return "\n".join([*lines, *(_line([name, *cells]) for name, cells in kept)])


def summary(candidates: Sequence[Figures]) -> dict[str, float]:
    """Compare ours with the best of the others: recall with all, times with servers measured here."""
    found = {each.name: each for each in candidates}
    if OURS not in found:
        return {}
    ours = found[OURS]
    others = [each for each in candidates if not each.name.startswith(OURS)]
    servers = [found[name] for name in SERVERS if name in found and not found[name].quoted]
    out: dict[str, float] = {"foreign": ours.foreign()}
    for size in _sizes([ours]):
        _add(out, f"recall10@{size}", _recall_of(ours, size))
        best = [value for each in others if (value := each.best_recall(size)) is not None]
        _add(out, f"best_rival_recall10@{size}", max(best, default=None))
        speed = ours.speed.get((size, DEFAULT))
        rivals = [
            each.speed[size, DEFAULT].p50 for each in servers if (size, DEFAULT) in each.speed
        ]
        if speed and rivals:
            out[f"p50_vs_best_server_rival@{size}"] = speed.p50 / min(rivals)
        rates = [each.qps[size] for each in servers if size in each.qps]
        if size in ours.qps and rates:
            out[f"qps_vs_best_server_rival@{size}"] = ours.qps[size] / max(rates)
    return out | _of_one_big_user(ours, servers) | _of_ingest(ours, servers)


def _of_one_big_user(ours: Figures, servers: Sequence[Figures]) -> dict[str, float]:
    own = ours.big.get(DEFAULT)
    rivals = [each.big[DEFAULT] for each in servers if DEFAULT in each.big]
    out: dict[str, float] = {}
    if own and rivals:
        out["p50_vs_best_server_rival@one_user"] = own.p50 / min(each.p50 for each in rivals)
        best = max(each.qps or 0.0 for each in rivals)
        if own.qps and best:
            out["qps_vs_best_server_rival@one_user"] = own.qps / best
    return out


def _of_ingest(ours: Figures, servers: Sequence[Figures]) -> dict[str, float]:
    out: dict[str, float] = {}
    for name in _RATES:
        rivals = [each.rates[name] for each in servers if name in each.rates]
        if name in ours.rates and rivals:
            out[f"{name}_vs_best_server_rival"] = ours.rates[name] / max(rivals)
    return out


def _add(out: dict[str, float], name: str, value: float | None) -> None:
    if value is not None:
        out[name] = value


def _recall_of(figures: Figures, size: int) -> float | None:
    quality = figures.quality.get((size, DEFAULT))
    return quality.recall if quality else None


def _by_size(
    name: str, candidates: Sequence[Figures], cell: Callable[[Figures, int], str]
) -> list[Row]:
    sizes = _sizes(candidates)
    return [(f"{name}, {size:,}", [cell(each, size) for each in candidates]) for size in sizes]


def _sizes(candidates: Sequence[Figures]) -> list[int]:
    """Return the sizes in the results; slow candidates have smaller ones."""
    return sorted({size for each in candidates for size, _ in each.quality})


def _loads(figures: Figures) -> str:
    found = [figures.loads.get(script) for script in ("bench", "big")]
    return (
        _NONE if found == [None, None] else ", ".join(_NONE if x is None else f"{x}" for x in found)
    )


def _recall(figures: Figures, size: int) -> str:
    return _modes(_at(figures.quality, size), _plain)


def _quality(part: str) -> Callable[[Figures, int], str]:
    def cell(figures: Figures, size: int) -> str:
        return _modes(_at(figures.quality, size), lambda quality: f"{getattr(quality, part):.3g}")

    return cell


def _speed(figures: Figures, size: int) -> str:
    return _modes(_at(figures.speed, size), _times)


def _at(values: Mapping[tuple[int, str], T], size: int) -> dict[str, T]:
    return {mode: value for (at, mode), value in values.items() if at == size}


def _modes(values: Mapping[str, T], cell: Callable[[T], str]) -> str:
    """Format the default first, and then other modes."""
    cells = [
        cell(value) if mode == DEFAULT else f"{mode} {cell(value)}"
        for mode, value in values.items()
    ]
    return "; ".join(cells) or _NONE


def _plain(quality: Quality) -> str:
    return f"{quality.recall:.3f}"


def _pair(counts: tuple[int, int]) -> str:
    return f"{counts[0]} / {counts[1]}"


def _times(speed: Speed) -> str:
    return f"{speed.p50:.1f} / {speed.p95:.1f}"


def _rate(speed: Speed) -> str:
    return _number(speed.qps)


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.0f}"


def _rates(candidates: Sequence[Figures]) -> list[Row]:
    names = _RATES | {f"fill@{n}": f"fill to {n:,}, a second" for n in _sizes(candidates)}
    return [
        (title, [_number(each.rates.get(name)) for each in candidates])
        for name, title in names.items()
    ]


def _faults(candidates: Sequence[Figures]) -> list[Row]:
    return [
        (f"{title}, {what}", [each.faults.get((tag, what), _NONE) for each in candidates])
        for tag, title in _BAD.items()
        for what in ("add", "query")
    ]


def _named(
    name: str, candidates: Sequence[Figures], values: Callable[[Figures], Mapping[str, str]]
) -> list[Row]:
    keys = dict.fromkeys(key for each in candidates for key in values(each))
    return [
        (f"{name}: {_BAD.get(key, key)}", [values(each).get(key, _NONE) for each in candidates])
        for key in keys
    ]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
