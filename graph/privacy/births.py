"""Dates of birth, and the names beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

_STEMS = ("birth", "born", "dob", "d.o.b", "bday", "b-day", "gebor", "geburt", "geb.", "naiss", "né le", "née le", "naci", "nato il", "nata il",
          "nascit", "nasci", "geboor", "urodz", "född", "født", "syntyn", "doğum", "рожд", "родил", "出生", "生年月日", "生まれ", "생년월일", "(*", "( *")  # fmt: skip
_SAYS_DATE = (
    r"(?:date of birth|birth[ _-]?dates?|birth[ _-]?days?|d\.?o\.?b\b\.?|b-?day|geburts(?:datum|tag)|geb\.(?: am)?|(?:date|née?)(?: de naissance)|"
    r"fecha de nacimiento|data di nascita|geboortedatum|data de nascimento|data urodzenia|födelsedatum|fødselsdato|"
    r"syntymäaika|doğum tarihi|дата рождения|出生(?:日期|年月)?|生年月日|생년월일)"
)
_SAYS_BORN = (
    r"(?:born|geboren|née? le|naci[oó]|nacid[oa]|nat[oa] il|nascid[oa]|urodzon[yaą]|urodził[a]?|född|født|syntynyt|родил(?:ся|ась)|"
    r"生まれ|(?<=[(\s])\*(?=\s?\d))"
)
_YEAR = r"(?:19|20)\d\d"
_DATE = (
    rf"(?:{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}(?:[-/]|\. ?)\d{{1,2}}(?:[-/]|\. ?)(?:{_YEAR}|\d\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.|º|°)?[ -](?:of |de |d['’])?[^\W\d_]{{3,12}}\.?,?[ -](?:de |del )?{_YEAR}"
    rf"|[^\W\d_]{{3,10}}\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}|{_YEAR}年\d{{1,2}}月\d{{1,2}}日|\d{{8}})(?![\w-]|[./]\d)"
)
_BORN = re.compile(
    rf"(?<![^\W_])(?:(?P<sure>{_SAYS_DATE})|(?P<born>{_SAYS_BORN}))(?P<gap>[^\d\n;]{{0,28}}?)(?<![\w.])(?P<date>{_DATE})",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?<![\w.-])(?P<date>{_DATE})[\s,(]{{0,3}}(?:(?:is|was|ist|est|es)\s+(?:\w+['’]?s?\s+){{1,3}})?(?:{_SAYS_DATE}|geboren|生まれ)",
    re.IGNORECASE,
)
_KEYS = re.compile(rf"(?<![^\W_])(?:{_SAYS_DATE}|born|geboren)", re.IGNORECASE)
_UPPER = r"[A-ZÀ-ÖØ-ÞĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽĐŐŰĞİŞÇА-ЯЁΑ-Ω]"
_WORD = rf"{_UPPER}(?:[^\W\d_]|['’-](?=[^\W\d_]))*\.?"
_PARTICLE = (
    r"(?:von|van|der|den|de|del|della|di|da|dos|das|la|le|bin|ibn|al|el|zu|zur|af|ten|ter|y|e)"
)
_NAME = rf"{_WORD}(?:,? (?:{_PARTICLE} ){{0,2}}{_WORD}){{0,3}}"
_JOIN = (
    r"[\s,;(:\-–|/]*(?:(?:I|ich|je|yo|io|eu|he|she|er|sie|was|is|were|wurde|ist|est|è|es|fue|foi|wird|on|the|with|and|has|have|had|whose|who|her|his|their|its|a|mit|"
    r"der|die|am|und|jest|qui|que|che|il|le|la|su|sa|son|dessen|deren|patient|aged|DOB)\b[\s,(:\-–|]*){0,4}"
)
_BEFORE_IT = re.compile(rf"(?<![\w@.])(?P<name>{_NAME})(?P<join>(?i:['’]s)?{_JOIN})\Z")
_APART = re.compile(r"[,(:;]|['’]s")
_FOLLOWS = re.compile(
    rf"[\s,;:)\]\-–|/]*(?:(?i:full name|name|for|of|patient|is)[\s:=]+){{0,2}}(?P<name>{_NAME})"
)
_LABELLED = re.compile(
    rf"\b(?i:full[ _]name|name|patient|client|customer|applicant|employee|nombre|nom|nome|naam|kunde|kundin|patientin|herr|frau)\b\s*[:=]?\s*[\"']?(?P<name>{_NAME})"
)
# capitalised words that are no part of a name: titles, roles, first words of a sentence
_TITLES = frozenset(
    ("mr", "pt", "mrs", "ms", "miss", "dr", "prof", "sir", "mx", "herr", "frau", "hr", "fr", "monsieur", "madame", "mme", "m", "señor", "señora", "sr",
     "sra", "don", "doña", "signor", "signora", "sig", "patient", "patientin", "name", "client", "customer", "user", "employee", "applicant",
     "member", "passenger", "student", "tenant", "the", "our", "my", "her", "his", "their", "this", "that", "when", "and", "for", "with", "if",
     "kunde", "kundin", "nutzer", "nutzerin", "der", "die", "das", "mein", "meine", "el", "la", "le", "il", "please", "note", "contact", "update",
     "add", "check", "verify", "register", "find", "dear", "subject", "born", "date", "birth", "dob", "birthday", "geburtsdatum", "geboren",
     "he", "she", "it", "i", "we", "they", "you", "on", "in", "at", "as", "also", "is", "was", "nombre", "nom", "nome", "full", "mother", "father",
     "son", "daughter", "wife", "husband", "child", "baby", "er", "sie", "ich", "elle", "ella", "lui", "lei", "io", "yo", "je", "ele", "ela", "eu",
     "record", "entry", "row", "customer's", "fecha", "data")
)  # fmt: skip
_PERSON = re.compile(
    r"\b(?:i|he|she|they|who|we|you|patient\w*|client|customer|user|wife|husband|son|daughter|child|baby|girl|boy|man|woman|mother|father|brother|"
    r"sister|person|applicant|employee|member|student|tenant|passenger|er|sie|ich|mann|frau|kind|sohn|tochter|mutter|vater|kund\w+|elle|il|je|"
    r"ella|él|yo|hij|zij|lei|lui|ela|ele|ona|он|она|hon|han|hun)\b",
    re.IGNORECASE,
)

# *Born on 12.05.1988 in Graz*: a sentence that begins so is about a person
_BEGINS = re.compile(r"(?:^|[.!?;\n•])[\s-]*$")


def births(scanned: ScannedText) -> Iterator[Finding]:
    """Find labelled dates of birth, and the names that they belong to."""
    if not scanned.has_digits or not scanned.says(_STEMS):
        return
    text = scanned.text
    if _KEYS.search(scanned.context) and (alone := re.fullmatch(rf"\s*({_DATE})\s*", text)):
        yield _date(*alone.span(1), alone[1])
    for match in _BORN.finditer(text):
        name = _name(text, match.start(), match.end())
        before = text[max(0, match.start() - 40) : match.start()]
        if match["sure"] or name or _PERSON.search(before) or _BEGINS.search(before):
            yield _date(*match.span("date"), match["date"])
            if name:
                yield name
    for match in _AFTER.finditer(text):
        yield _date(*match.span("date"), match["date"])
        if name := _name(text, match.start(), match.end()):
            yield name


def _name(text: str, start: int, end: int) -> Finding | None:
    """Return the name of a date of birth: right before, right after, or labelled nearby."""
    first = max(0, start - 90)
    before = text[first:start]
    if found := _BEFORE_IT.search(before):
        return _person(
            found["name"], first + found.start("name"), alone=bool(_APART.search(found["join"]))
        )
    for found in list(_LABELLED.finditer(before))[-1:]:
        if named := _person(found["name"], first + found.start("name"), alone=False):
            return named
    if found := _FOLLOWS.match(text, end):
        return _person(found["name"], found.start("name"), alone=False)
    return None


def _person(written: str, start: int, *, alone: bool) -> Finding | None:
    """Return a name without titles; a single word only if ``alone``."""
    words = list(re.finditer(r"\S+", written))
    while words and words[0][0].rstrip(".,").lower() in _TITLES:
        words.pop(0)
    if not words or len(words) < (1 if alone else 2):
        return None
    first, last = words[0].start(), words[-1].end()
    name = re.sub(r"['’]s$", "", written[first:last].rstrip(".,"))
    return Finding("NAME", start + first, start + first + len(name), " ".join(name.lower().split()))


def _date(start: int, end: int, written: str) -> Finding:
    return Finding("BIRTH_DATE", start, end, " ".join(written.lower().split()))
