"""What questions in words are read as: a table, and what is never lost of one."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import InvalidInputError
from graph.kernel.values import BEGINNING, END
from graph.model.episodes.attempts import LISTS, NAMED, Bound, EpisodeFilters, Names
from graph.model.episodes.questions import EpisodeQuestion, Vocabulary
from graph.model.recall.candidates import Window
from graph.questions.checks import check_question
from graph.questions.grammar import Reading, read_question
from graph.questions.objects import SCHEMA, object_of, question_of

NOW = datetime(2025, 11, 22, 2, 30, tzinfo=UTC)  # a Saturday
KNOWN = Vocabulary(
    domains=("algebra", "geometry", "word-problems", "Number Theory", "Géométrie"),
    models=("gpt-4o", "claude-3", "llama 3"),
    agents=("solver-1", "anna"),
    actions=("search", "calculator", "multiply", "add"),
    tags=("warmup",),
)


def read(text: str, now: datetime = NOW) -> Reading:
    return read_question(text, KNOWN, now)


def said(reading: Reading) -> dict[str, Any]:
    """Return what a question says beside what every question says."""
    filters, widest = reading.question.filters, EpisodeFilters()
    told: dict[str, Any] = {
        field.name: getattr(filters, field.name)
        for field in fields(EpisodeFilters)
        if field.name not in NAMED and getattr(filters, field.name) != getattr(widest, field.name)
    }
    for name in NAMED:
        names: Names = getattr(filters, name)
        told |= {name: names.any[0] if len(names.any) == 1 else names.any} if names.any else {}
        told |= {f"{name}_not": names.none} if names.none else {}
    usual = EpisodeQuestion()
    told |= {
        field.name: getattr(reading.question, field.name)
        for field in fields(EpisodeQuestion)
        if field.name not in ("filters", "time_zone")
        and getattr(reading.question, field.name) != getattr(usual, field.name)
    }
    return told | ({"unread": reading.unread} if reading.unread else {})


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def span(start: str | None, end: str | None) -> Window:
    return Window(day(start) if start else BEGINNING, day(end) if end else END)


WRONG, RIGHT, UNJUDGED = (False,), (True,), (None,)
LAST_WEEK = span("2025-11-10", "2025-11-17")

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    # a bound of milliseconds is a whole one, unless it is short
    ("attempts that took over 5 hours", {"latency_ms": Bound(18_000_001, None)}),
    ("faster than 250 ms", {"latency_ms": Bound(None, 249)}),
    ("under 2.5 ms", {"latency_ms": Bound(None, 2.499999)}),
    # a singular superlative asks for one, with or without an article
    ("the cheapest attempt", {"order": "fewest_tokens", "limit": 1}),
    ("the slowest one", {"order": "slowest", "limit": 1}),
    ("cheapest successful estimate",
     {"verdicts": RIGHT, "similar_to": "estimate", "order": "fewest_tokens", "limit": 1}),
    ("show me the cheapest successful estimates",
     {"verdicts": RIGHT, "similar_to": "estimates", "order": "fewest_tokens"}),
    ("latest algebra", {"domain": "algebra", "order": "newest"}),
    ("anna's last pipeline",
     {"agent_id": "anna", "order": "newest", "limit": 1, "unread": ("pipeline",)}),
    ("the last time a follow spot failed",
     {"verdicts": WRONG, "similar_to": "follow spot", "order": "newest", "limit": 1}),
    ("the last name field", {"similar_to": "last name field"}),
    ("errors in the last step", {"verdicts": WRONG, "unread": ("last", "step")}),
    # what is got right is a topic
    ("how often do we get estimates right?",
     {"measure": "success_rate", "similar_to": "estimates"}),
    ("how often do we get warmups right?", {"measure": "success_rate", "tags_all": ("warmup",)}),
    ("who fixed the partition?", {"verdicts": RIGHT, "similar_to": "partition"}),
    ("did any translation turn out well?", {"verdicts": RIGHT, "similar_to": "translation"}),
    ("which runs did we search?", {"actions_all": ("search",)}),
    ("which runs did we search yesterday?",
     {"actions_all": ("search",), "occurred": span("2025-11-21", "2025-11-22")}),
    ("did we search the attic?", {"similar_to": "search the attic"}),
    # a tag in the position of who made the attempts
    ("which jobs did Warmup do?", {"tags_all": ("warmup",)}),
    ("what did warmup get wrong?", {"verdicts": WRONG, "tags_all": ("warmup",)}),
    ("attempts by warmup that failed", {"verdicts": WRONG, "tags_all": ("warmup",)}),
    ("anything from warmup in October?",
     {"tags_all": ("warmup",), "occurred": span("2025-10-01", "2025-11-01")}),
    ("warmup's slowest run", {"tags_all": ("warmup",), "order": "slowest", "limit": 1}),
    ("not by warmup", {"tags_none": ("warmup",)}),
    ("warmup failures", {"verdicts": WRONG, "tags_all": ("warmup",)}),
    ("jobs for Warmup", {"tags_all": ("warmup",)}),
    ("do warmup drills fail?", {"verdicts": WRONG, "similar_to": "warmup drills"}),
    ("geometry attempts by anyone but anna", {"domain": "geometry", "agent_id_not": ("anna",)}),
    # what people type who have not read the grammar
    # a word that is left over empties no answer: it is one of the attempts' nouns, or told
    ("which geometry repairs went wrong?", {"domain": "geometry", "verdicts": WRONG}),
    ("how long does a geometry job take?", {"domain": "geometry", "measure": "mean_latency"}),
    ("geometry request timeouts", {"domain": "geometry", "similar_to": "request timeouts"}),
    ("failures where I was sure of myself",
     {"verdicts": WRONG, "confidence": Bound(0.8), "own": True}),
    ("what did anna fail at confidently?",
     {"verdicts": WRONG, "agent_id": "anna", "confidence": Bound(0.8)}),
    ("how confidently does gpt-4o fail?",
     {"verdicts": WRONG, "model": "gpt-4o", "measure": "mean_confidence"}),
    ("geometry attempts that failed quickly",
     {"domain": "geometry", "verdicts": WRONG, "unread": ("quickly",)}),
    ("failures about quickly", {"verdicts": WRONG, "similar_to": "quickly"}),
    ("failures in assembly", {"verdicts": WRONG, "similar_to": "assembly"}),
    ("what did haiku get wrong?", {"verdicts": WRONG, "unread": ("haiku",)}),
    ("what did she get wrong?", {"verdicts": WRONG, "unread": ("she",)}),
    ("how do joins fail?", {"verdicts": WRONG, "similar_to": "joins"}),
    # a superlative with a singular noun asks for one
    ("which geometry job was the slowest?", {"domain": "geometry", "order": "slowest", "limit": 1}),
    ("which algebra was the slowest?", {"domain": "algebra", "order": "slowest", "limit": 1}),
    ("the most expensive translation by anna",
     {"agent_id": "anna", "order": "most_tokens", "limit": 1, "unread": ("translation",)}),
    ("the quickest fix that worked", {"verdicts": RIGHT, "order": "fastest", "limit": 1}),
    ("the slowest gpt-4o", {"model": "gpt-4o", "order": "slowest"}),
    ("the attempts with the most tokens spent", {"order": "most_tokens"}),
    # how it ended, away from the end of the question; asked for, it does not filter
    ("how many times did I get geometry right in October?",
     {"domain": "geometry", "verdicts": RIGHT, "measure": "attempts", "own": True,
      "occurred": span("2025-10-01", "2025-11-01")}),
    ("everything about skipping gears that worked",
     {"similar_to": "skipping gears", "verdicts": RIGHT}),
    ("everything about shops that worked with dyes", {"similar_to": "shops that worked with dyes"}),
    ("which ones did anna not get right in October?",
     {"agent_id": "anna", "verdicts": WRONG, "occurred": span("2025-10-01", "2025-11-01")}),
    ("was the derailleur job right?", {"similar_to": "derailleur job"}),
    ("did all the geometry attempts succeed?", {"domain": "geometry"}),
    ("was anna's last attempt correct?", {"agent_id": "anna", "order": "newest", "limit": 1}),
    ("were my geometry attempts right in October?",
     {"domain": "geometry", "own": True, "occurred": span("2025-10-01", "2025-11-01")}),
    ("did any geometry attempt fail?", {"domain": "geometry", "verdicts": WRONG}),
    # what is said of all attempts at a problem
    ("unsolved problems", {"verdicts": WRONG, "unread": ("unsolved",)}),
    ("what have I never solved?", {"verdicts": WRONG, "own": True, "unread": ("never solved",)}),
    ("what has nobody ever solved?", {"verdicts": WRONG, "unread": ("nobody ever solved",)}),
    ("attempts that were never solved", {"verdicts": WRONG}),
    # whatever ends well or badly behind *nothing* is turned, and a verdict on somebody left out is told
    ("nothing turned out well", {"verdicts": WRONG}),
    ("nothing anna did was a success", {"verdicts": WRONG, "agent_id": "anna"}),
    ("nothing was solved", {"verdicts": WRONG}),
    ("no algebra run was successful", {"verdicts": WRONG, "domain": "algebra"}),
    ("not a single algebra run was solved", {"verdicts": WRONG, "domain": "algebra"}),
    ("none of anna's runs paid off", {"verdicts": WRONG, "agent_id": "anna"}),
    ("nothing about failed transfers", {"unread": ("nothing about failed transfers",)}),
    ("few runs succeeded", {"verdicts": RIGHT, "unread": ("few",)}),
    ("neither anna nor solver-1 solved it",
     {"unread": ("neither anna nor solver-1 solved",)}),
    ("failures by neither anna nor solver-1",
     {"verdicts": WRONG, "agent_id_not": ("anna", "solver-1")}),
    ("don't show me geometry", {"domain_not": ("geometry",)}),
    ("I don't want failures", {"verdicts": (True, None)}),
    ("I don't care about failures", {"unread": ("don't care about failures",)}),
    ("don't show failures by anna", {"unread": ("don't show failures by anna",)}),
    ("everything except failed algebra", {"unread": ("except failed algebra",)}),
    # what no filter leaves out is told, however it is said
    ("everything but October", {"unread": ("everything but October",)}),
    ("skip the reruns: geometry", {"domain": "geometry", "unread": ("skip the reruns",)}),
    ("failures with skip connections", {"verdicts": WRONG, "similar_to": "skip connections"}),
    ("warmup but not geometry", {"tags_all": ("warmup",), "domain_not": ("geometry",)}),
    ("without warmup and without search", {"tags_none": ("warmup",), "actions_none": ("search",)}),
    ("runs using only search", {"actions_all": ("search",), "unread": ("only",)}),
    ("half of the runs failed", {"verdicts": WRONG, "unread": ("half",)}),
    ("geometry without a grade", {"domain": "geometry", "verdicts": UNJUDGED}),
    ("the week before last", {"occurred": span("2025-11-03", "2025-11-10")}),
    ("until the end of the month", {"occurred": span(None, "2025-12-01")}),
    ("since the beginning of the year", {"occurred": span("2025-01-01", None)}),
    # groups at the beginning are listed; what is said of all their attempts, or of how many, is told
    ("models that failed on geometry",
     {"by": "model", "measure": "attempts", "verdicts": WRONG, "domain": "geometry"}),
    ("show me the agents that solved zebras",
     {"by": "agent", "measure": "attempts", "verdicts": RIGHT, "similar_to": "zebras"}),
    ("agents with fewer than 10 attempts",
     {"by": "agent", "measure": "attempts", "unread": ("fewer than 10",)}),
    ("days with more than 20 failures",
     {"by": "day", "measure": "attempts", "verdicts": WRONG, "unread": ("more than 20",)}),
    ("weeks with no failures", {"by": "week", "measure": "attempts", "unread": ("with no failures",)}),
    ("domains where nothing worked",
     {"by": "domain", "measure": "attempts", "verdicts": WRONG, "unread": ("nothing",)}),
    ("success by model without errors", {"by": "model", "measure": "success_rate"}),
    ("failures this month that nobody has judged",
     {"verdicts": (False, None), "occurred": span("2025-11-01", "2025-12-01")}),
    ("tools that lead to errors",
     {"by": "action", "measure": "attempts", "verdicts": WRONG, "unread": ("lead",)}),
    # a time after a verb that only says that an attempt was made
    ("geometry runs finished by 5 May", {"domain": "geometry", "occurred": span(None, "2025-05-06")}),
    ("geometry runs approved by 5 May", {"domain": "geometry", "unread": ("approved by 5 May",)}),
    # how sure, without a verb
    ("sure of itself but wrong", {"verdicts": WRONG, "confidence": Bound(0.8)}),
    ("less sure of itself", {"unread": ("less", "sure")}),
    ("least sure answer", {"order": "least_confident", "limit": 1}),
    # two names that are compared from afar
    ("how often does gpt-4o succeed compared with claude-3?",
     {"model": ("gpt-4o", "claude-3"), "by": "model", "measure": "success_rate"}),
    ("is gpt-4o faster than claude-3?",
     {"model": ("gpt-4o", "claude-3"), "by": "model", "measure": "mean_latency"}),
    ("the most recent failure of anna",
     {"verdicts": WRONG, "agent_id": "anna", "order": "newest", "limit": 1}),
    ("the three slowest", {"order": "slowest", "limit": 3}),
    ("algebra runs where nothing went wrong", {"domain": "algebra", "verdicts": RIGHT}),
    ("attempts that didn't fail", {"verdicts": RIGHT}),
    ("which ones haven't been judged yet?", {"verdicts": (None,)}),
    ("where did anna give up", {"agent_id": "anna", "verdicts": WRONG}),
    ("how did we solve the deadlock on orders", {"verdicts": RIGHT, "similar_to": "deadlock on orders"}),
    ("which model is slowest", {"by": "model", "measure": "mean_latency"}),
    ("who's faster in geometry, which agent",
     {"domain": "geometry", "by": "agent", "measure": "mean_latency"}),
    ("either search or calculator was used", {"actions_any": ("search", "calculator")}),
    ("warmup ones", {"tags_all": ("warmup",)}),
    ("geometry cases approved by legal", {"domain": "geometry", "unread": ("approved by legal",)}),
    ("runs that took twice as long as usual", {"unread": ("twice as long as usual",)}),
    ("slow dashboard query", {"similar_to": "slow dashboard query"}),
    ("deadlock after a deploy", {"similar_to": "deadlock after a deploy"}),
    ("starter not rising", {"similar_to": "starter not rising"}),
    ("under half a minute", {"latency_ms": Bound(None, 29_999)}),
    ("over half a second", {"latency_ms": Bound(501, None)}),
    ("within three quarters of a minute", {"latency_ms": Bound(None, 45_000)}),
    ("between half a minute and a minute", {"latency_ms": Bound(30_000, 60_000)}),
    ("took between 2 minutes and 3 hours", {"latency_ms": Bound(120_000, 10_800_000)}),
    ("over half an hour", {"latency_ms": Bound(1_800_001, None)}),
    ("between 500 ms and 2 s", {"latency_ms": Bound(500, 2000)}),
    ("around 1.1 seconds", {"latency_ms": Bound(990, 1210)}),
    ("2k tokens or less", {"tokens_used": Bound(None, 2000)}),
    ("before noon yesterday",
     {"occurred": Window(datetime(2025, 11, 21, tzinfo=UTC), datetime(2025, 11, 21, 12, tzinfo=UTC))}),
    ("yesterday after 3pm",
     {"occurred": Window(datetime(2025, 11, 21, 15, tzinfo=UTC), datetime(2025, 11, 22, tzinfo=UTC))}),
    # nouns for an attempt, and verbs for having made it, are not searched
    ("wrong answers that were given with more than 70 percent confidence",
     {"verdicts": WRONG, "confidence": Bound(0.700001, None)}),
    ("which approaches do not work for the camera?", {"verdicts": WRONG, "similar_to": "camera"}),
    ("what methods failed for the camera", {"verdicts": WRONG, "similar_to": "camera"}),
    ("the slowest approach", {"order": "slowest", "limit": 1}),
    ("wrong answers submitted by anna", {"verdicts": WRONG, "agent_id": "anna"}),
    ("failures that were recorded last week", {"verdicts": WRONG, "occurred": LAST_WEEK}),
    ("attempts about created tables", {"similar_to": "created tables"}),
    ("attempts where the engine started", {"similar_to": "engine started"}),
    ("problems that failed first and were solved later",
     {"verdicts": (False, True), "unread": ("first", "later")}),
    ("first aid failures", {"similar_to": "first aid", "verdicts": WRONG}),
    # *the* before a day changes nothing
    ("attempts before the 5th of November", {"occurred": span(None, "2025-11-05")}),
    ("attempts since the 5th of November", {"occurred": span("2025-11-05", None)}),
    ("attempts after the 5th of November", {"occurred": span("2025-11-06", None)}),
    ("attempts until the 5th of November", {"occurred": span(None, "2025-11-06")}),
    ("attempts from the 20th of October on", {"occurred": span("2025-10-20", None)}),
    ("failures on the 3rd of May", {"verdicts": WRONG, "occurred": span("2025-05-03", "2025-05-04")}),
    ("between the 3rd and the 9th of May", {"occurred": span("2025-05-03", "2025-05-10")}),
    ("from the 3rd of May to the 9th of June", {"occurred": span("2025-05-03", "2025-06-10")}),
    ("before May the 4th, 2024", {"occurred": span(None, "2024-05-04")}),
    ("since the 20th of October 10:00",
     {"occurred": Window(datetime(2025, 10, 20, 10, tzinfo=UTC), END)}),
    # a date whose side was named and not read does not filter alone
    ("failures before about 5 November", {"verdicts": WRONG, "unread": ("before", "5 November")}),
    ("failures since at least 5 November", {"verdicts": WRONG, "unread": ("since", "least", "5 November")}),
    ("failures till around 5 November", {"verdicts": WRONG, "unread": ("till", "around", "5 November")}),
    ("failures since the 20th", {"verdicts": WRONG, "unread": ("since", "20th")}),
    ("failures since the fifth of November", {"verdicts": WRONG, "unread": ("since", "fifth", "of November")}),
    ("failures by 5 November", {"verdicts": WRONG, "occurred": span(None, "2025-11-06")}),
    ("failures by the end of October", {"verdicts": WRONG, "occurred": span(None, "2025-11-01")}),
    ("failures before the end of October", {"verdicts": WRONG, "occurred": span(None, "2025-11-01")}),
    ("failures before early October", {"verdicts": WRONG, "occurred": span(None, "2025-10-01")}),
    ("what failed before in October?",
     {"verdicts": WRONG, "occurred": span("2025-10-01", "2025-11-01"), "unread": ("before",)}),
    ("deadlock after a deploy yesterday",
     {"similar_to": "deadlock after a deploy", "occurred": span("2025-11-21", "2025-11-22")}),
    ("older than 30 days", {"occurred": Window(BEGINNING, datetime(2025, 10, 23, 2, 30, tzinfo=UTC))}),
    ("over the last weekend",
     {"occurred": Window(datetime(2025, 11, 15, tzinfo=UTC), datetime(2025, 11, 17, tzinfo=UTC))}),
    ("meine falschen Antworten im Oktober", {"unread": ("meine falschen Antworten im Oktober",)}),
    # the seed's own, and those of the issue
    ("Show me failed attempts on algebra problems from last week",
     {"verdicts": WRONG, "domain": "algebra", "occurred": LAST_WEEK}),
    ("What's my success rate on geometry problems?",
     {"domain": "geometry", "measure": "success_rate", "own": True}),
    ("my success rate on geometry by model",
     {"domain": "geometry", "measure": "success_rate", "by": "model", "own": True}),
    ("successful attempts about trains with fewer than 500 tokens since 2025-10-01",
     {"verdicts": RIGHT, "similar_to": "trains", "tokens_used": Bound(None, 499),
      "occurred": span("2025-10-01", None)}),
    ("slowest 5 attempts by gpt-4o", {"model": "gpt-4o", "order": "slowest", "limit": 5}),
    ("how many attempts used search yesterday",
     {"measure": "attempts", "actions_all": ("search",), "occurred": span("2025-11-21", "2025-11-22")}),
    # verdicts
    ("incorrect answers", {"verdicts": WRONG}),
    ("attempts that were not solved", {"verdicts": WRONG}),
    ("attempts that didn't work", {"verdicts": WRONG}),
    ("unsuccessful tries", {"verdicts": WRONG}),
    ("correct attempts", {"verdicts": RIGHT}),
    ("attempts that worked", {"verdicts": RIGHT}),
    ("which attempts about trains failed?", {"verdicts": WRONG, "similar_to": "trains"}),
    ("did any attempt about trains fail?", {"verdicts": WRONG, "similar_to": "trains"}),
    ("which attempts about trains worked?", {"verdicts": RIGHT, "similar_to": "trains"}),
    ("which attempts are about failed builds?", {"similar_to": "failed builds"}),
    ("what worked for flaky tests", {"verdicts": RIGHT, "similar_to": "flaky tests"}),
    ("What has worked for timeouts in algebra?",
     {"verdicts": RIGHT, "similar_to": "timeouts", "domain": "algebra"}),
    ("what fixed the memory leak", {"verdicts": RIGHT, "similar_to": "memory leak"}),
    ("which strategy worked for leaks",
     {"verdicts": RIGHT, "similar_to": "leaks", "measure": "attempts", "by": "strategy"}),
    ("what hasn't worked for leaks", {"verdicts": WRONG, "similar_to": "leaks"}),
    ("nothing worked for leaks", {"verdicts": WRONG, "similar_to": "leaks"}),
    ("attempts without errors", {"verdicts": RIGHT}),
    ("attempts about leaks without any mistakes", {"verdicts": RIGHT, "similar_to": "leaks"}),
    ("attempts about people who worked for 8 hours",
     {"similar_to": "people who worked for 8 hours"}),
    ("attempts without a verdict", {"verdicts": UNJUDGED}),
    ("unjudged attempts", {"verdicts": UNJUDGED}),
    ("judged attempts", {"verdicts": (True, False)}),
    ("failed and unjudged attempts", {"verdicts": (False, None)}),
    ("attempts nobody graded", {"verdicts": UNJUDGED}),
    ("attempts that nobody has checked", {"verdicts": UNJUDGED}),
    ("problems nobody ever solved", {"verdicts": WRONG, "unread": ("nobody ever solved",)}),
    ("which problems were never solved?",
     {"measure": "failure_rate", "by": "problem", "unread": ("never solved",)}),
    ("which tasks are still unsolved in algebra",
     {"measure": "failure_rate", "by": "problem", "domain": "algebra", "unread": ("unsolved",)}),
    ("which problems never failed?",
     {"measure": "success_rate", "by": "problem", "unread": ("never failed",)}),
    ("which attempts were never solved", {"verdicts": WRONG}),
    ("attempts that hardly worked", {"unread": ("hardly worked",)}),
    # names
    ("attempts by anna", {"agent_id": "anna"}),
    ("agent anna's failures", {"verdicts": WRONG, "agent_id": "anna"}),
    ("attempts on word problems", {"domain": "word-problems"}),
    ("attempts in number theory with llama 3", {"domain": "Number Theory", "model": "llama 3"}),
    ("ALGEBRA attempts by GPT-4O", {"domain": "algebra", "model": "gpt-4o"}),
    ("geometrie", {"domain": "Géométrie"}),
    ("domain: chess", {"domain": "chess"}),
    ('model "my own model" failures', {"model": "my own model", "verdicts": WRONG}),
    ("failures in session s-1", {"session_id": "s-1", "verdicts": WRONG}),
    ("problem gsm-17", {"problem_id": "gsm-17"}),
    ("attempts at problem gsm-17 by claude-3", {"problem_id": "gsm-17", "model": "claude-3"}),
    ("gpt-4o against claude-3 on algebra",
     {"domain": "algebra", "model": ("gpt-4o", "claude-3"), "measure": "success_rate", "by": "model"}),
    ("which model does better at algebra?",
     {"domain": "algebra", "measure": "success_rate", "by": "model"}),
    ("success rate by model on algebra",
     {"domain": "algebra", "measure": "success_rate", "by": "model"}),
    ("everything except geometry", {"domain_not": ("geometry",)}),
    # numbers
    ("I wasn't sure", {"confidence": Bound(None, 0.499999), "own": True}),
    ("wrong answers that we were sure about", {"verdicts": WRONG, "confidence": Bound(0.8, None)}),
    ("confidence under 50 percent", {"confidence": Bound(None, 0.499999)}),
    ("confidence below a half", {"confidence": Bound(None, 0.499999)}),
    ("under one half confidence", {"confidence": Bound(None, 0.499999)}),
    ("confidence above three quarters", {"confidence": Bound(0.750001, None)}),
    ("at least two thirds confidence", {"confidence": Bound(2 / 3, None)}),
    ("confidence between 1/4 and a half", {"confidence": Bound(0.25, 0.5)}),
    ("50 to 60 % confidence", {"confidence": Bound(0.5, 0.6)}),
    ("confidence between 40% and 60%", {"confidence": Bound(0.4, 0.6)}),
    ("attempts about a half marathon", {"similar_to": "half marathon"}),
    ("under 50 percent", {"unread": ("under", "50", "percent")}),
    ("tokens and cost", {"measure": "total_tokens"}),
    ("costs by model", {"measure": "total_tokens", "by": "model"}),
    ("slow and failed", {"verdicts": WRONG, "order": "slowest"}),
    ("newest first, max 2", {"order": "newest", "limit": 2}),
    ("longest traces", {"order": "most_steps"}),
    # why: where right and wrong attempts part
    ("why did algebra attempts fail", {"domain": "algebra", "divergence": True}),
    ("at which step does anna go wrong?", {"agent_id": "anna", "divergence": True}),
    ("which step makes algebra fail?", {"domain": "algebra", "divergence": True}),
    ("why do attempts at joins fail?", {"similar_to": "joins", "divergence": True}),
    ("why did the wrong ones go wrong on geometry?", {"domain": "geometry", "divergence": True}),
    ("why do attempts about failed logins fail?", {"similar_to": "failed logins", "divergence": True}),
    ("what causes failures on geometry since monday",
     {"domain": "geometry", "occurred": span("2025-11-17", None), "divergence": True}),
    ("reasons for my failures, top 3", {"own": True, "limit": 3, "divergence": True}),
    ("what do right attempts do that wrong ones don't", {"divergence": True}),
    ("what do right attempts do that wrong ones don't in algebra",
     {"domain": "algebra", "divergence": True}),
    ("how do correct and incorrect attempts at aphids differ",
     {"similar_to": "aphids", "divergence": True}),
    ("what separates right from wrong attempts at watering tomatoes",
     {"similar_to": "watering tomatoes", "divergence": True}),
    ("at which step do failed and successful attempts on algebra part ways?",
     {"domain": "algebra", "divergence": True}),
    ("which tool separates good from bad attempts in algebra",
     {"domain": "algebra", "divergence": True}),
    ("what makes attempts at sourdough succeed", {"similar_to": "sourdough", "divergence": True}),
    ("why are failed attempts so slow", {"verdicts": WRONG, "unread": ("why", "slow")}),
    ("why was the calculator used", {"actions_all": ("calculator",), "unread": ("why",)}),
    ("why is the error rate of anna so high",
     {"agent_id": "anna", "measure": "failure_rate", "unread": ("why", "high")}),
    ("how long do right answers take compared with wrong ones?",
     {"measure": "mean_latency", "verdicts": (True, False), "unread": ("compared with",)}),
    ("root cause of a memory leak", {"similar_to": "root cause of a memory leak"}),
    ("difference between two loops", {"similar_to": "difference between two loops"}),
    # what people wrote who had not read the grammar
    ("steps per attempt by strategy", {"measure": "mean_steps", "by": "strategy"}),
    ("tokens per run", {"measure": "mean_tokens"}),
    ("algebra attempts that passed on the first try",
     {"domain": "algebra", "verdicts": RIGHT, "unread": ("on the first try",)}),
    ("what do failed attempts have in common", {"verdicts": WRONG, "unread": ("have in common",)}),
    ("pods evicted by the scheduler", {"similar_to": "pods", "unread": ("evicted by the scheduler",)}),
    ("attempts solved by anna", {"verdicts": RIGHT, "agent_id": "anna"}),
    ("total tokens burned by anna in October",
     {"measure": "total_tokens", "agent_id": "anna", "occurred": span("2025-10-01", "2025-11-01")}),
    ("tickets assigned to anna", {"similar_to": "tickets", "unread": ("assigned to anna",)}),
    ("attempts not yet solved by anyone", {"verdicts": WRONG}),
    ("compare gpt-4o with claude-3 on algebra",
     {"domain": "algebra", "model": ("gpt-4o", "claude-3"), "measure": "success_rate", "by": "model"}),
    ("attempts using either search or calculator", {"actions_any": ("search", "calculator")}),
    ("attempts using both search and calculator", {"actions_all": ("search", "calculator")}),
    ("how often does search lead to a wrong answer?",
     {"measure": "failure_rate", "actions_all": ("search",)}),
    ("attempts that nobody has reviewed", {"verdicts": UNJUDGED}),
    ("attempts tagged hard but still unscored", {"tags_all": ("hard",), "verdicts": UNJUDGED}),
    ("which algebra attempts broke yesterday",
     {"verdicts": WRONG, "domain": "algebra", "occurred": span("2025-11-21", "2025-11-22")}),
    ("the pod crashed", {"similar_to": "pod crashed"}),
    ("unresolved algebra attempts", {"verdicts": WRONG, "domain": "algebra"}),
    ("wins with confidence under 40%",
     {"verdicts": RIGHT, "confidence": Bound(None, 0.399999)}),
    ("did anything work on algebra?", {"verdicts": RIGHT, "domain": "algebra"}),
    ("has anybody cracked a geometry problem", {"verdicts": RIGHT, "domain": "geometry"}),
    ("right answers but confidence was low",
     {"verdicts": RIGHT, "confidence": Bound(None, 0.499999)}),
    ("two hundred tokens or fewer", {"tokens_used": Bound(None, 200)}),
    ("attempts that took more than a minute and a half",
     {"latency_ms": Bound(90_001, None)}),
    ("at most two and a half seconds", {"latency_ms": Bound(None, 2500)}),
    ("median latency by model",
     {"measure": "attempts", "by": "model", "unread": ("median latency",)}),
    ("tokens by agent, highest first", {"measure": "total_tokens", "by": "agent"}),
    ("tokens by agent, lowest first",
     {"measure": "total_tokens", "by": "agent", "unread": ("lowest first",)}),
    ("ten random algebra attempts", {"domain": "algebra", "limit": 10, "unread": ("random",)}),
    ("random forest overfits", {"similar_to": "random forest overfits"}),
    ("since early November", {"occurred": span("2025-11-01", None)}),
    ("since the start of November", {"occurred": span("2025-11-01", None)}),
    ("before late October", {"occurred": span(None, "2025-10-21")}),
    ("from the morning of 20 November",
     {"occurred": Window(datetime(2025, 11, 20, tzinfo=UTC), datetime(2025, 11, 20, 12, tzinfo=UTC))}),
    ("this morning's attempts",
     {"occurred": Window(datetime(2025, 11, 22, tzinfo=UTC), datetime(2025, 11, 22, 12, tzinfo=UTC))}),
    ("on 2025-11-18 between 14:00 and 16:30",
     {"occurred": Window(datetime(2025, 11, 18, 14, tzinfo=UTC), datetime(2025, 11, 18, 16, 30, tzinfo=UTC))}),
    ("gescheiterte Versuche", {"unread": ("gescheiterte Versuche",)}),
    # what is measured, how good it was, and what somebody does are no topics alone
    ("geometry failures with their cost",
     {"domain": "geometry", "verdicts": WRONG, "unread": ("cost",)}),
    ("the confidence of anna", {"agent_id": "anna", "unread": ("confidence",)}),
    ("failures about temperature", {"verdicts": WRONG, "similar_to": "temperature"}),
    ('failures on "latency"', {"verdicts": WRONG, "similar_to": "latency"}),
    ("good geometry runs", {"domain": "geometry", "unread": ("good",)}),
    ("good sourdough failures", {"verdicts": WRONG, "similar_to": "good sourdough"}),
    ("which concepts does anna struggle with?",
     {"agent_id": "anna", "by": "concept", "measure": "attempts", "unread": ("struggle",)}),
    ("can gpt-4o translate poems?", {"model": "gpt-4o", "similar_to": "translate poems"}),
    ("geometry runs that turned out fine", {"domain": "geometry", "verdicts": RIGHT}),
    ("which geometry runs ended badly?", {"domain": "geometry", "verdicts": WRONG}),
    ("runs that never turned out well", {"unread": ("never turned out well",)}),
    ("runs that did not turn out fine", {"unread": ("not turn out fine",)}),
    ("sessions in which something broke", {"verdicts": WRONG}),
    ("my own failures", {"verdicts": WRONG, "own": True}),
    ("außer algebra", {"unread": ("außer algebra",)}),
    ("failed attempts ohne search", {"verdicts": WRONG, "unread": ("ohne search",)}),
    ("failures sauf anna. only since Monday",
     {"verdicts": WRONG, "occurred": span("2025-11-17", None), "unread": ("sauf anna",)}),
    ("tous sauf anna", {"unread": ("tous sauf anna",)}),
    ("höchstens 500 tokens", {"unread": ("höchstens 500 tokens",)}),
    ("was lief schief?", {"unread": ("was lief schief?",)}),
    ("langsamste zuerst", {"unread": ("langsamste zuerst",)}),
    ("algebra bis Freitag", {"unread": ("algebra bis Freitag",)}),
    ("alle falschen Antworten in algebra seit Montag",
     {"unread": ("alle falschen Antworten in algebra seit Montag",)}),
    ("Durchschnittliche Dauer je Agent", {"unread": ("Durchschnittliche Dauer je Agent",)}),
    ("first half of november", {"occurred": span("2025-11-01", "2025-11-16")}),
    ("between 12 and 14 November", {"occurred": span("2025-11-12", "2025-11-15")}),
    ("Zeig mir alle gescheiterten Versuche", {"unread": ("Zeig mir alle gescheiterten Versuche",)}),
    ("attempts with at least 5 steps", {"step_count": Bound(5, None)}),
    ("3-step attempts", {"step_count": Bound(3, 3)}),
    ("attempts with no more than 3 steps", {"step_count": Bound(None, 3)}),
    ("attempts between 100 and 200 tokens", {"tokens_used": Bound(100, 200)}),
    ("tokens <= 1,000", {"tokens_used": Bound(None, 1000)}),
    ("tokens_used >= 1.5k", {"tokens_used": Bound(1500, None)}),
    ("about 500 tokens", {"tokens_used": Bound(450, 550)}),
    ("attempts that took more than 3 seconds",
     {"latency_ms": Bound(3001, None)}),
    ("latency at most 2s", {"latency_ms": Bound(None, 2000)}),
    ("at most 500 ms", {"latency_ms": Bound(None, 500)}),
    ("attempts at temperature 0.7", {"temperature": Bound(0.7, 0.7)}),
    ("with at least 80% confidence", {"confidence": Bound(0.8, None)}),
    ("confidence below 0.5", {"confidence": Bound(None, 0.499999)}),
    ("failed attempts with a confidence of at least 90%",
     {"verdicts": WRONG, "confidence": Bound(0.9, None)}),
    ("wrong answers with high confidence", {"verdicts": WRONG, "confidence": Bound(0.8, None)}),
    # times
    ("attempts today", {"occurred": span("2025-11-22", "2025-11-23")}),
    ("attempts this week", {"occurred": span("2025-11-17", "2025-11-24")}),
    ("attempts from the past week", {"occurred": Window(day("2025-11-15T02:30"), NOW)}),
    ("attempts in the last 3 days", {"occurred": Window(day("2025-11-19T02:30"), NOW)}),
    ("attempts in the last hour", {"occurred": Window(day("2025-11-22T01:30"), NOW)}),
    ("last month", {"occurred": span("2025-10-01", "2025-11-01")}),
    ("in October", {"occurred": span("2025-10-01", "2025-11-01")}),
    ("in December", {"occurred": span("2024-12-01", "2025-01-01")}),
    ("in May 2024", {"occurred": span("2024-05-01", "2024-06-01")}),
    ("in 2024", {"occurred": span("2024-01-01", "2025-01-01")}),
    ("in Q3", {"occurred": span("2025-07-01", "2025-10-01")}),
    ("on March 3", {"occurred": span("2025-03-03", "2025-03-04")}),
    ("on 3 December", {"occurred": span("2024-12-03", "2024-12-04")}),
    ("on Tuesday", {"occurred": span("2025-11-18", "2025-11-19")}),
    ("since monday", {"occurred": span("2025-11-17", None)}),
    ("two days ago", {"occurred": span("2025-11-20", "2025-11-21")}),
    ("before yesterday", {"occurred": span(None, "2025-11-21")}),
    ("until yesterday", {"occurred": span(None, "2025-11-22")}),
    ("after 2025-11-01", {"occurred": span("2025-11-02", None)}),
    ("from 2025-10-01 to 2025-10-15", {"occurred": span("2025-10-01", "2025-10-16")}),
    ("between October and yesterday", {"occurred": span("2025-10-01", "2025-11-22")}),
    ("since 2025-11-01T08:30:00+02:00",
     {"occurred": Window(datetime.fromisoformat("2025-11-01T06:30:00+00:00"), END)}),
    ("since 2025-10-01 until 2025-10-10", {"occurred": span("2025-10-01", "2025-10-11")}),
    ("up to and including 3 October", {"occurred": span(None, "2025-10-04")}),
    ("before and including yesterday", {"occurred": span(None, "2025-11-22")}),
    ("after 3 October inclusive", {"occurred": span("2025-10-03", None)}),
    ("between 12 and 14 November inclusive", {"occurred": span("2025-11-12", "2025-11-15")}),
    ("between October and March", {"occurred": span("2024-10-01", "2025-04-01")}),
    ("before the 5th of November", {"occurred": span(None, "2025-11-05")}),
    ("since the 20th of October", {"occurred": span("2025-10-20", None)}),
    ("on May the 4th", {"occurred": span("2025-05-04", "2025-05-05")}),
    ("in the past fortnight", {"occurred": span("2025-11-08T02:30", "2025-11-22T02:30")}),
    ("in the last ten days of October", {"occurred": span("2025-10-22", "2025-11-01")}),
    ("the first two weeks of last month", {"occurred": span("2025-10-01", "2025-10-15")}),
    ("the last day of September", {"occurred": span("2025-09-30", "2025-10-01")}),
    ("in the last 99999999999 days of October",
     {"occurred": span("2025-10-01", "2025-11-01"), "unread": ("in the last 99999999999 days",)}),
    ("on the weekend of 3 October", {"occurred": span("2025-10-04", "2025-10-06")}),
    ("from the last weekend of May", {"occurred": span("2025-05-31", "2025-06-02")}),
    ("on the first weekend of March", {"occurred": span("2025-03-01", "2025-03-03")}),
    ("in the week of 3 October", {"occurred": span("2025-09-29", "2025-10-06")}),
    ("in the month of October", {"occurred": span("2025-10-01", "2025-11-01")}),
    # a time that cannot hold together with another one is told
    ("since noon until 5pm",
     {"occurred": Window(day("2025-11-22T12:00"), day("2025-11-22T17:00"))}),
    ("today, after 3pm", {"occurred": Window(day("2025-11-22T15:00"), day("2025-11-23"))}),
    ("yesterday, before noon",
     {"occurred": span("2025-11-21", "2025-11-22"), "unread": ("before noon",)}),
    ("before noon in October",
     {"occurred": span("2025-10-01", "2025-11-01"), "unread": ("before noon",)}),
    ("this week after 3pm",
     {"occurred": span("2025-11-17", "2025-11-24"), "unread": ("after 3pm",)}),
    ("in May and October", {"occurred": span("2025-05-01", "2025-06-01"), "unread": ("October",)}),
    ("since yesterday in August", {"occurred": span("2025-11-21", None), "unread": ("in August",)}),
    ("at 2025-10-01T10:00", {"unread": ("at 2025-10-01T10:00",)}),
    # actions and tags
    ("attempts that used search and the calculator",
     {"actions_all": ("search", "calculator")}),
    ("attempts using search or multiplication", {"actions_any": ("search", "multiply")}),
    ("attempts that searched but did not multiply",
     {"actions_all": ("search",), "actions_none": ("multiply",)}),
    ("attempts which were multiplied or added", {"actions_any": ("multiply", "add")}),
    ("attempts in which gpt-4o searched", {"model": "gpt-4o", "actions_all": ("search",)}),
    ("which agents searched?",
     {"measure": "attempts", "by": "agent", "actions_all": ("search",)}),
    ("attempts without searching", {"actions_none": ("search",)}),
    ("attempts that never added", {"actions_none": ("add",)}),
    ("attempts with searching since monday",
     {"actions_all": ("search",), "occurred": span("2025-11-17", None)}),
    ("attempts with added sugar", {"similar_to": "added sugar"}),
    ("searched houses", {"similar_to": "searched houses"}),
    ("with the calculator tool", {"actions_all": ("calculator",)}),
    ("attempts tagged warmup or hard", {"tags_any": ("warmup", "hard")}),
    ('tagged "exam prep" and #hard', {"tags_all": ("exam prep", "hard")}),
    ("#warmup failures", {"tags_all": ("warmup",), "verdicts": WRONG}),
    # orders and limits
    ("5 most recent wrong answers", {"verdicts": WRONG, "order": "newest", "limit": 5}),
    ("the last ten failures", {"verdicts": WRONG, "order": "newest", "limit": 10}),
    ("first 5 attempts on algebra", {"domain": "algebra", "order": "oldest", "limit": 5}),
    ("cheapest correct attempts", {"verdicts": RIGHT, "order": "fewest_tokens"}),
    ("most expensive attempts", {"order": "most_tokens"}),
    ("least confident attempts", {"order": "least_confident"}),
    ("attempts sorted by latency ascending", {"order": "fastest"}),
    ("attempts by date", {"order": "newest"}),
    # what is measured
    ("how often did gpt-4o fail on algebra",
     {"domain": "algebra", "model": "gpt-4o", "measure": "failure_rate"}),
    ("how often was I right this month",
     {"measure": "success_rate", "own": True, "occurred": span("2025-11-01", "2025-12-01")}),
    ("which model is best at algebra?",
     {"domain": "algebra", "measure": "success_rate", "by": "model"}),
    ("Which domains do we do worst in?", {"measure": "failure_rate", "by": "domain"}),
    ("top 3 strategies by success rate", {"measure": "success_rate", "by": "strategy", "limit": 3}),
    ("success rate over time", {"measure": "success_rate", "by": "month"}),
    ("failure rate by day since 2 weeks ago",
     {"measure": "failure_rate", "by": "day", "occurred": span("2025-11-08", None)}),
    ("average tokens per domain", {"measure": "mean_tokens", "by": "domain"}),
    ("how many different problems were attempted?",
     {"measure": "attempts", "by": "problem", "unread": ("how many different problems",)}),
    ("number of distinct models in algebra",
     {"measure": "attempts", "by": "model", "domain": "algebra",
      "unread": ("number of distinct models",)}),
    ("how many problems were there?",
     {"measure": "attempts", "by": "problem", "unread": ("how many problems",)}),
    ("how many tasks per agent",
     {"measure": "attempts", "by": "agent", "unread": ("how many tasks",)}),
    ("how likely is an algebra attempt to work?", {"measure": "success_rate", "domain": "algebra"}),
    ("how likely is it that gpt-4o fails", {"measure": "failure_rate", "model": "gpt-4o"}),
    ("what are the odds that anna solves it", {"measure": "success_rate", "agent_id": "anna"}),
    ("probability of failure in geometry", {"measure": "failure_rate", "domain": "geometry"}),
    ("failed probability attempts", {"verdicts": WRONG, "similar_to": "probability"}),
    ("which month had the most attempts?",
     {"measure": "attempts", "by": "month", "unread": ("the most",)}),
    ("which day was slowest?", {"measure": "mean_latency", "by": "day", "unread": ("slowest",)}),
    ("which week was the busiest?", {"measure": "attempts", "by": "week", "unread": ("busiest",)}),
    ("which model had the fewest attempts",
     {"measure": "attempts", "by": "model", "unread": ("fewest",)}),
    ("which model had the most attempts?", {"measure": "attempts", "by": "model"}),
    ("which problem was hardest?", {"measure": "failure_rate", "by": "problem"}),
    ("which agent solved the hardest problems?",
     {"measure": "attempts", "by": "agent", "verdicts": RIGHT, "similar_to": "hardest"}),
    ("how many tokens did I use", {"measure": "total_tokens", "own": True}),
    ("how long do attempts by gpt-4o take on average", {"model": "gpt-4o", "measure": "mean_latency"}),
    ("count failures per concept", {"verdicts": WRONG, "measure": "attempts", "by": "concept"}),
    ("failures by action", {"verdicts": WRONG, "measure": "attempts", "by": "action"}),
    # what is sought
    ("attempts on chess", {"similar_to": "chess"}),
    ("attempts about right triangles", {"similar_to": "right triangles"}),
    ("attempts about trains from Chicago to Boston last week",
     {"similar_to": "trains from Chicago to Boston", "occurred": LAST_WEEK}),
    ("attempts about trains that failed", {"similar_to": "trains", "verdicts": WRONG}),
    ('failed attempts about "speed = distance / time"',
     {"similar_to": "speed = distance / time", "verdicts": WRONG}),
    ("attempts involving 17 sheep", {"similar_to": "17 sheep"}),
    ("top 5 attempts like buying apples", {"similar_to": "buying apples", "limit": 5}),
    ("attempts with similarity above 0.5 to pigeons",
     {"similar_to": "pigeons", "min_similarity": 0.500001}),
    ("errors about division by zero", {"verdicts": WRONG, "similar_to": "division by zero"}),
    ("success rate on percentages", {"measure": "success_rate", "similar_to": "percentages"}),
    # what is not understood is told
    ("attempts not in algebra", {"domain_not": ("algebra",)}),
    ("failures except geometry", {"verdicts": WRONG, "domain_not": ("geometry",)}),
    ("attempts using neither search nor calculator",
     {"actions_none": ("search", "calculator")}),
    ("attempts by gpt-9", {"unread": ("by gpt-9",)}),
    ("algebra or geometry failures",
     {"verdicts": WRONG, "domain": ("algebra", "geometry")}),
    # alternatives and what is left out
    ("algebra attempts or geometry attempts by gpt-4o or by llama 3",
     {"domain": ("algebra", "geometry"), "model": ("gpt-4o", "llama 3")}),
    ("domain: algebra or geometry", {"domain": ("algebra", "geometry")}),
    ("session s-1 or s-2", {"session_id": ("s-1", "s-2")}),
    ("sessions other than s-77", {"session_id_not": ("s-77",)}),
    ("all domains but algebra or geometry", {"domain_not": ("algebra", "geometry")}),
    ("non-algebra attempts", {"domain_not": ("algebra",)}),
    ("any model but gpt-4o", {"model_not": ("gpt-4o",)}),
    ("failures, apart from anna's", {"verdicts": WRONG, "agent_id_not": ("anna",)}),
    ("algebra without the warmup ones", {"domain": "algebra", "tags_none": ("warmup",)}),
    ("used multiply but not search", {"actions_all": ("multiply",), "actions_none": ("search",)}),
    ("everything except the failed ones", {"verdicts": (True, None)}),
    ("no algebra attempt failed", {"verdicts": RIGHT, "domain": "algebra"}),
    ("not a single algebra attempt worked", {"verdicts": WRONG, "domain": "algebra"}),
    ("in may and june", {"occurred": span("2025-05-01", "2025-07-01")}),
    ("today or yesterday", {"occurred": span("2025-11-21", "2025-11-23")}),
    ("algebra attempts that have nothing to do with warmups",
     {"domain": "algebra", "tags_none": ("warmup",)}),
    ("attempts unrelated to geometry", {"domain_not": ("geometry",)}),
    ("attempts that don't mention warmups in algebra",
     {"domain": "algebra", "tags_none": ("warmup",)}),
    ("failures that aren't about warmup", {"verdicts": WRONG, "tags_none": ("warmup",)}),
    # what would be inverted, or hold too much, is told
    ("attempts that have nothing to do with bridges", {"unread": ("nothing to do with bridges",)}),
    ("attempts not about failed logins", {"unread": ("not about failed logins",)}),
    ("attempts not about algebra books by anna",
     {"agent_id": "anna", "unread": ("not about algebra books",)}),
    ("attempts without fresh lemon juice", {"unread": ("without fresh lemon juice",)}),
    ("attempts without lemon and sugar but with search",
     {"actions_all": ("search",), "unread": ("without lemon and sugar",)}),
    ("failed attempts without search on a shelf",
     {"verdicts": WRONG, "actions_none": ("search",), "unread": ("on a shelf",)}),
    ("attempts without search about trains",
     {"actions_none": ("search",), "similar_to": "trains"}),
    ("attempts without search in algebra", {"actions_none": ("search",), "domain": "algebra"}),
    ("not only algebra", {"unread": ("not only algebra",)}),
    ("not every algebra attempt failed", {"domain": "algebra", "unread": ("not every",)}),
    ("nobody but anna", {"unread": ("nobody but anna",)}),
    ("failures except algebra by anna",
     {"verdicts": WRONG, "agent_id": "anna", "unread": ("except algebra",)}),
    ("algebra or by anna", {"domain": "algebra", "unread": ("or by anna",)}),
    ("algebra or chess", {"domain": "algebra", "unread": ("or chess",)}),
    ("under 5 s or over 30 s",
     {"latency_ms": Bound(None, 4999), "unread": ("or over 30 s",)}),
    ("why not algebra", {"unread": ("why", "not algebra")}),
    ("success rate of the last 20 attempts",
     {"measure": "success_rate", "unread": ("last 20 attempts",)}),
    ("nothing from gpt-4o please, algebra only", {"domain": "algebra", "model_not": ("gpt-4o",)}),
    ("nothing by anna worked", {"agent_id": "anna", "verdicts": WRONG}),
    ("which agent needs the most steps?", {"measure": "mean_steps", "by": "agent"}),
    ("who uses the fewest tokens?", {"measure": "mean_tokens", "by": "agent"}),
    ("who rarely fails?",
     {"verdicts": WRONG, "measure": "attempts", "by": "agent", "unread": ("rarely",)}),
    ("fastest model on algebra", {"domain": "algebra", "measure": "mean_latency", "by": "model"}),
    ("slowest problem", {"order": "slowest", "limit": 1}),
    ("how reliable is gpt-4o?", {"model": "gpt-4o", "measure": "success_rate"}),
    ("failures by model by day",
     {"verdicts": WRONG, "measure": "attempts", "by": "model", "unread": ("by day",)}),
]  # fmt: skip


BUS = Vocabulary(tags=("can", "flaky"))
TAGS_BESIDE_GRAMMAR: list[tuple[str, dict[str, Any]]] = [
    ("everything about CAN that did not work out", {"verdicts": WRONG, "tags_all": ("can",)}),
    ("everything about flaky that failed", {"verdicts": WRONG, "tags_all": ("flaky",)}),
    ("CAN failures", {"verdicts": WRONG, "tags_all": ("can",)}),
    ("failures on can", {"verdicts": WRONG, "tags_all": ("can",)}),
    ("failed can attempts", {"verdicts": WRONG, "tags_all": ("can",)}),
    ("can we see failed attempts?", {"verdicts": WRONG}),
    ("can attempts fail?", {"verdicts": WRONG}),
    ("CAN WE SEE FAILED ATTEMPTS?", {"verdicts": WRONG}),
    ("attempts on flaky builds", {"similar_to": "flaky builds"}),
]


@pytest.mark.parametrize(("text", "told"), TAGS_BESIDE_GRAMMAR)
def test_a_tag_that_is_a_word_of_grammar_is_read_where_a_name_stands(
    text: str, told: dict[str, Any]
) -> None:
    assert said(read_question(text, BUS, NOW)) == told


@pytest.mark.parametrize(("text", "expected"), QUESTIONS, ids=[text for text, _ in QUESTIONS])
def test_a_question_is_read_as(text: str, expected: dict[str, Any]) -> None:
    assert said(read(text)) == expected


STEPS = Vocabulary(
    domains=("kubernetes", "brewing"),
    models=("mistral-small", "granite-8b"),
    agents=("ops",),
    actions=("describe", "patch"),
    tags=(),
)
MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
NEWEST: dict[str, Any] = {"order": "newest", "limit": 1}
FAILED: dict[str, Any] = {"verdicts": (False,)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("show me the last attempt that failed", FAILED | NEWEST),
        ("last failed attempt", FAILED | NEWEST),
        ("my last failure", FAILED | NEWEST | {"own": True}),
        ("last run", NEWEST),
        ("the previous attempt", NEWEST),
        (
            "which tools lead to failure?",
            FAILED | {"by": "action", "measure": "attempts", "unread": ("lead",)},
        ),
        (
            "total number of tokens wasted on failures",
            FAILED | {"measure": "total_tokens", "unread": ("wasted",)},
        ),
        (
            "which model wastes the most tokens?",
            {"by": "model", "measure": "mean_tokens", "unread": ("wastes",)},
        ),
        (
            "give me 3 examples of wrong answers in brewing",
            FAILED | {"domain": "brewing", "limit": 3, "unread": ("examples",)},
        ),
        ("the second most expensive attempt", {"order": "most_tokens", "unread": ("second",)}),
        (
            "compare the two models on kubernetes",
            {"domain": "kubernetes", "by": "model", "measure": "attempts", "unread": ("two",)},
        ),
        ("attempts on weekends", {"unread": ("on weekends",)}),
        (
            "attempts since 20 November 10:00",
            {"occurred": Window(datetime(2026, 11, 20, 10, tzinfo=UTC), END)},
        ),
        (
            "attempts until 20 November at 10:00",
            {"occurred": Window(BEGINNING, datetime(2026, 11, 20, 10, tzinfo=UTC))},
        ),
        (
            "failures of the year 2031",
            FAILED
            | {
                "occurred": Window(
                    datetime(2031, 1, 1, tzinfo=UTC), datetime(2032, 1, 1, tzinfo=UTC)
                )
            },
        ),
        ("only the ones that needed patch", {"actions_all": ("patch",)}),
        (
            "unless it failed, show kubernetes attempts",
            {"domain": "kubernetes", "unread": ("unless it failed",)},
        ),
        (
            "which problems were tried only once?",
            {"by": "problem", "measure": "attempts", "unread": ("only once",)},
        ),
        (
            "models that never failed",
            {"by": "model", "measure": "attempts", "unread": ("never failed",)},
        ),
        ("models never ready", {"unread": ("never ready",)}),
        ("never failed models", {"unread": ("never failed",)}),
        ("median number of tokens", {"unread": ("median number of tokens",)}),
        ("attempts on 31 February", {"unread": ("on 31 February",)}),
        ("attempts on deadlocks that failed", FAILED | {"similar_to": "deadlocks"}),
        ("brewing attempts with foam", {"domain": "brewing", "similar_to": "foam"}),
        ("failed deadlock attempts", FAILED | {"similar_to": "deadlock"}),
        ("deadlocks", {"similar_to": "deadlocks"}),
    ],
)
def test_a_topic_is_what_is_introduced_as_one(text: str, expected: dict[str, Any]) -> None:
    assert said(read_question(text, STEPS, MONDAY)) == expected


def test_the_table_is_long_enough() -> None:
    assert len(dict(QUESTIONS)) == len(QUESTIONS) >= 100


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("confidence above 7", "confidence_min"),
        ("attempts with 80 confidence", "confidence_min"),
        ("between 200 and 100 tokens", "tokens_used_max"),
        ("more than 500 tokens with less than 100 tokens", "tokens_used_max"),
        ("since 2025-10-01 until 2025-09-01", "occurred_to"),
        ("since October until September", "occurred_to"),
        ("top 100000 attempts", "limit"),
        ("0 attempts", "limit"),
        ("temperature over 5000", "temperature_min"),
        ("most similar attempts", "order"),
    ],
)
def test_what_is_out_of_range_is_an_error_that_names_the_field(text: str, field: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{field}: ") as refused:
        check_question(read(text).question, 200)
    assert refused.value.field == field


def test_days_begin_in_the_zone_of_the_present() -> None:
    berlin = NOW.astimezone(ZoneInfo("Europe/Berlin"))
    yesterday = read("yesterday", berlin).question
    assert yesterday.filters.occurred.start == datetime(2025, 11, 20, 23, tzinfo=UTC)
    assert yesterday.time_zone == "Europe/Berlin"
    honolulu = NOW.astimezone(ZoneInfo("Pacific/Honolulu"))
    assert read("today", honolulu).question.filters.occurred.start.day == 21


def test_without_names_a_domain_is_sought() -> None:
    reading = read_question("failures on algebra", Vocabulary(), NOW)
    assert said(reading) == {"verdicts": WRONG, "similar_to": "algebra"}


WORDS = st.sampled_from(
    [
        *re.split(r"\s+", " ".join(text for text, _ in QUESTIONS)),
        "not",
        "über",
        "5",
        "%",
        '"',
        "走る",
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=120))
@example("last 99999999999999999999 days")
@example("9999-99-99 2025-02-30 0000 ago a few of years ago")
@example("since " * 50)
@example("recent failure rate")
@example("newest solved rate by 3 models")
@settings(max_examples=400)
def test_any_text_is_read_and_its_words_are_somewhere(text: str) -> None:
    reading = read(text)
    assert isinstance(reading.question, EpisodeQuestion)
    again = question_of(
        {k: v for k, v in object_of(reading.question).items() if k != "time_zone"},
        reading.question.time_zone,
    )
    assert object_of(again) == object_of(reading.question)


@pytest.mark.parametrize("word", ["hypotenuse", "Pythagoras", "zebra-crossing", "Σ", "éclair"])
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
@settings(max_examples=60)
def test_a_word_that_nobody_knows_is_never_dropped(
    word: str, before: list[str], after: list[str]
) -> None:
    reading = read(" ".join([*before, word, *after]))
    filters = reading.question.filters
    lists = [getattr(filters, name) for name in LISTS]
    named = [getattr(filters, name) for name in NAMED]
    names = chain.from_iterable(lists)
    others = chain.from_iterable((*one.any, *one.none) for one in named)
    kept = (reading.question.similar_to, *reading.unread, *names, *others)
    assert any(word in part for part in kept if part)


FAULTY: list[tuple[dict[str, Any], str | None]] = [
    ({"filters": {"correct": [1]}}, "correct"),
    ({"filters": {"correct": [{}]}}, "correct"),
    ({"filters": {"correct": True}}, "correct"),
    ({"filters": []}, None),
    ({"filters": "x"}, "filters"),
    ({"filters": {"domain": 1}}, "domain"),
    ({"filters": {"scopes": ["other/agent/x"]}}, "scopes"),
    ({"scopes": ["other/agent/x"]}, "scopes"),
    ({"cypher": "MATCH (n) DETACH DELETE n"}, "cypher"),
    ({"filters": {"tokens_used_min": "5"}}, "tokens_used_min"),
    ({"filters": {"tokens_used_min": True}}, "tokens_used_min"),
    ({"filters": {"tokens_used_min": float("nan")}}, "tokens_used_min"),
    ({"filters": {"tokens_used_min": -1}}, "tokens_used_min"),
    ({"filters": {"confidence_max": 80}}, "confidence_max"),
    ({"filters": {"occurred_from": "yesterday"}}, "occurred_from"),
    ({"filters": {"occurred_from": "0001-01-01"}}, "occurred_from"),
    ({"filters": {"occurred_from": 5}}, "occurred_from"),
    ({"filters": {"tags_any": "x"}}, "tags_any"),
    ({"filters": {"tags_any": [1]}}, "tags_any"),
    ({"filters": {"actions_any": [""]}}, "actions_any"),
    ({"filters": {"model": "a\x00b"}}, "model"),
    ({"filters": {"tags_all": [str(n) for n in range(65)]}}, "tags_all"),
    ({"order": "sideways"}, "order"),
    ({"order": "newest", "measure": "attempts"}, "order"),
    ({"order": "most_similar"}, "order"),
    ({"limit": 0}, "limit"),
    ({"limit": 2.5}, "limit"),
    ({"limit": 10**9}, "limit"),
    ({"limit": 5, "measure": "attempts"}, "limit"),
    ({"measure": "mood"}, "measure"),
    ({"by": "mood"}, "by"),
    ({"own": "yes"}, "own"),
    ({"similar_to": "a\x00"}, "similar_to"),
    ({"similar_to": "  "}, "similar_to"),
    ({"similar_to": "x" * 100_001}, "similar_to"),
    ({"min_similarity": 0.5}, "min_similarity"),
    ({"min_similarity": 2, "similar_to": "x"}, "min_similarity"),
]


@pytest.mark.parametrize(("wrong", "field"), FAULTY)
def test_an_object_that_cannot_be_asked_is_refused(
    wrong: dict[str, Any], field: str | None
) -> None:
    if field is None:
        check_question(question_of(wrong, "UTC"), 200)
        return
    with pytest.raises(InvalidInputError) as refused:
        check_question(question_of(wrong, "UTC"), 200)
    assert refused.value.field == field


@pytest.mark.parametrize("zone", ["Mars/Base", "", "../etc", "x" * 300, "UTC\x00"])
def test_a_time_zone_that_is_not_there_is_refused(zone: str) -> None:
    with pytest.raises(InvalidInputError, match="time_zone"):
        check_question(EpisodeQuestion(time_zone=zone), 200)


def test_the_schema_names_every_field_that_is_read() -> None:
    top = set(SCHEMA["properties"])
    assert top == {field.name for field in fields(EpisodeQuestion)} - {"time_zone"}
    inner: set[str] = set(SCHEMA["properties"]["filters"]["properties"])
    for name in inner:
        question_of({"filters": {name: None}}, "UTC")
    assert {"correct", "tokens_used_max", "actions_all", "problem_id", "occurred_to"} <= inner


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("geometry zebras that failed", ("zebras",)),
        ("which zebras failed", ("zebras",)),
        ("failures in zebras", ()),
        ("failures about zebras", ()),
        ('geometry "zebras" that failed', ()),
        ("geometry wild zebras that failed", ()),
        ("zebras", ()),
    ],
)
def test_a_single_word_beside_others_is_told_as_left_over(text: str, left: tuple[str, ...]) -> None:
    assert read(text).left == left
