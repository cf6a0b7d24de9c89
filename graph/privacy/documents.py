"""Labelled numbers of passports, driving licences and vehicles.

There is no check digit across countries, so the label is the evidence; the form of a number only decides where it begins
and ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph.model.memories.privacy import Finding, PiiType
from graph.privacy.scanned import ScannedText

_MAX_GAP = 36  # characters between a label and its number
_GAP_BEFORE = re.compile(
    r"[\s,:()\-]*(?:(?:is|was|are|as|on|in|of|ist|war|est|es|era|è|é|the|a|an|his|her|their|my|our|your|"
    r"mein|meine|sein|seine|ihr|ihre|der|die|das|le|la|son|sa|ma|mon|mi|su|el|il|het|zijn|haar|mijn|o|"
    r"number|no|new|old|uk|us|eu|german|french|british|indian)\b[\s,:()\-]*){0,5}",
    re.IGNORECASE,
)
_SENTENCE_BREAK = re.compile(r"[;!?\n]|\.\s+[A-Z]")
_OTHER_LABEL = re.compile(
    r"\b(?:phone|tel|telefon|mobile|fax|ssn|social|order|invoice|ticket|booking|reference|account|konto|iban|credit card|flight|room|"
    r"page|version|zip|postcode)\b",
    re.IGNORECASE,
)
_OTHER_TOPIC = re.compile(
    r"\b(?:fee|costs?|price|photos?|expires?|expiry|expiration|valid|until|issued|gültig|ablauf\w*|caduca|vence|expire|délivré|scade|"
    r"rilasciat\w*|verloopt|renew\w*|dob|born|geboren|driver|chapter|line|step)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?:19|20)\d\d(?:0\d|1[0-2])(?:[0-2]\d|3[01])|(?:[0-2]\d|3[01])(?:0\d|1[0-2])(?:19|20)\d\d"
)
_GROUPED = r"(?<![\w-])[A-Z0-9]{1,18}(?:[ -](?=[A-Z]*\d)[A-Z0-9]{1,13}){0,5}(?![\w-]|[.,/:]\d)"


@dataclass(frozen=True, slots=True)
class Document:
    """Labels of one kind of document, and the form of its numbers."""

    type: PiiType
    stems: Sequence[str]
    words: re.Pattern[str]
    value: re.Pattern[str]
    accepts: Callable[[str], bool]


def _accepts(least: int, most: int, digits: int, letters: int = 0) -> Callable[[str], bool]:
    """Return a check of the number of letters and digits."""

    def accepts(written: str) -> bool:
        signs = [sign for sign in written if sign.isalnum()]
        numbers = sum(sign.isdigit() for sign in signs)
        return least <= len(signs) <= most and numbers >= digits and len(signs) - numbers >= letters

    return accepts


_PASSPORT = Document(
    "PASSPORT",
    ("passport", "reisepass", "pass-nr", "passnummer", "passeport", "pasaporte", "passaport", "paspoort", "paszport",
     "pasaport", "паспорт", "护照", "旅券", "パスポート", "여권"),
    re.compile(
        r"\b(?:passport|reisepass|pass(?=-?nr|nummer)|passeport|pasaporte?|passaport[eo]|paspoort|paszport\w*|"
        r"паспорт\w*)|护照|旅券|パスポート|여권",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<![\w-])(?:[A-Za-z]{1,3}-?\d{5,9}[A-Za-z]?|(?=[A-Z]*\d)[A-Z0-9]{6,10}|[A-Z]{1,3} \d{6,8}|\d\d [A-Z]{2} \d{5}"
        r"|\d\d ?\d\d \d{6}|\d{3} \d{3} \d{3}|(?=[A-Z0-9 ]*\d)[A-Z0-9]{4} [A-Z0-9]{4} [A-Z0-9])(?![\w-]|[.,/:]\d)"
    ),
    _accepts(6, 10, 3),
)  # fmt: skip
_LICENCE = Document(
    "DRIVING_LICENCE",
    ("licen", "führerschein", "fuehrerschein", "permis", "conducir", "conduc", "patente", "rijbewijs", "condução",
     "habilita", "prawo jazdy", "prawa jazdy", "körkort", "førerkort", "kørekort", "ajokort", "dl#", "dl #", "dl n", "dl:", "dln", "cnh"),
    re.compile(
        r"\b(?:driv(?:er|ing)(?:['’]?s)?[ _-]?licen[cs]e|licen[cs]e to drive|f(?:ü|ue)hrerschein(?:nummer|nr)?|permis(?: de conduire)?|"
        r"(?:licencia|permiso|carn[eé]t?|licença|carteira)(?: de)? (?:conducir|conducci[oó]n|motorista|conduç[aã]o|habilitaç[aã]o)|"
        r"licencia de manejo|patente(?: di guida)?|rijbewijs(?:nummer)?|carta de condução|praw[oa] jazdy|körkort(?:snummer)?|"
        r"førerkort|kørekort|ajokort\w*|DLN?(?=\s?(?:#|no\b|num|:))|CNH)(?![^\W_])",
        re.IGNORECASE,
    ),
    re.compile(_GROUPED),
    _accepts(6, 18, 4),
)  # fmt: skip
_STRONG_PLATE = (
    r"[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}\d\d ?[A-Z]{3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{2} ?\d{3} ?[A-Z]{2}"
    r"|\d{4}[ -]?[BCDFGHJKLMNPRSTVWXYZ]{3}|[A-Z]{1,2}-\d{3}-[A-Z]{1,2}|\d{1,2}-[A-Z]{2,3}-\d{1,2}|[A-Z]{2}-\d\d-[A-Z]{2}"
    r"|[A-Z]{3}-?\d[A-Z]\d\d|[A-Z]{3}-\d{3,4}|[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}|\d[A-Z]{3}\d{3}"
)
_PLATE = Document(
    "PLATE",
    ("plate", "registration", "kennzeichen", "nummernschild", "immatricul", "matr", "placa", "targa", "kenteken",
     "nummerplaat", "rejestrac", "registreringsn", "rekisteri", "plaka", "vrm", "车牌"),
    re.compile(
        r"\b(?:(?:licen[cs]e|number|registration|vehicle|car|reg)[ _-]?plates?(?:[ _]number)?|plates?(?=[ _](?:number|no|reads?|is|was|says)\b|[:#])|"
        r"(?:vehicle|car|van|truck)(?: registration| reg)|registration(?: number| mark| no)?|vrm|"
        r"(?:kfz-?|auto)?kennzeichen|nummernschild|(?:plaque d['’])?immatricul\w+|matr[ií]cula\w*|placas?|targat?a?|kenteken|nummerplaat|"
        r"(?:numer\w* )?rejestrac\w+|registrerings(?:nummer|skylt)|rekisterinumero|plaka\w*)(?![^\W_])|车牌号?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![\w-])(?:{_STRONG_PLATE}|[A-ZÄÖÜ]{{1,3}} [A-Z]{{1,2}} \d{{1,4}}|[A-Z]{{2,3}} ?\d{{3,6}}|[A-Z]{{1,2}}[ -]\d{{2,5}} ?[A-Z]{{1,3}}|\d{{3}} ?[A-Z]{{3}}"
        r"|[A-Z]{2} \d\d \d{3}|[A-Z]{2,3} (?=[A-Z]*\d)[A-Z0-9]{4,5}|\d{2} [A-Z]{1,3} \d{2,4}|[\u4e00-\u9fff][A-Z]·?[A-Z0-9]{5,6}|(?=\d*[A-Z])(?=[A-Z]*\d)[A-Z0-9]{5,8})"
        r"(?![\w-]|[.,/:]\d)"
    ),
    _accepts(4, 10, 1, 1),
)  # fmt: skip
_VEHICLE = Document(
    "PLATE",
    ("car", "van ", "plate", "truck", "vehicle", "lorry", "driv", "park", "auto", "wagen", "pkw", "lkw", "fahr", "voiture",
     "véhicule", "camion", "coche", "vehículo", "carro", "macchina", "moto", "golf", "taxi"),
    re.compile(
        r"\b(?:plates?|car|van|truck|vehicle|lorry|suv|sedan|taxi|motorbike|motorcycle|scooter|drives|drove|parked|auto|wagen|pkw|lkw|"
        r"fahrzeug|geparkt|voiture|véhicule|camionnette|camion|moto|coche|vehículo|carro|macchina)(?![^\W_])",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![\w-])(?:{_STRONG_PLATE})(?![\w-]|[.,/:]\d)"),
    _accepts(5, 10, 2, 2),
)  # fmt: skip
_BRITISH_LICENCE = re.compile(
    r"(?<!\w)[A-Z9]{5} ?\d[0156]\d(?:0[1-9]|[12]\d|3[01])\d ?[A-Z9]{2}[A-Z0-9] ?[A-Z0-9]{2}(?!\w)"
)
_MACHINE_READABLE = re.compile(
    r"(?<![\w<])(?:P[A-Z<][A-Z<]{3}[A-Z<]{39}|[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d)(?![\w<])"
)


def passports(scanned: ScannedText) -> Iterator[Finding]:
    """Find labelled passport numbers, and machine-readable lines."""
    if "<<" in scanned.text:
        for match in _MACHINE_READABLE.finditer(scanned.text):
            yield _finding("PASSPORT", *match.span(), match[0])
    yield from _labelled(scanned, _PASSPORT)


def driving_licences(scanned: ScannedText) -> Iterator[Finding]:
    """Find labelled driving licence numbers, and British ones by their form."""
    if scanned.dense:
        for match in _BRITISH_LICENCE.finditer(scanned.text):
            yield _finding("DRIVING_LICENCE", *match.span(), match[0])
    yield from _labelled(scanned, _LICENCE)


def plates(scanned: ScannedText) -> Iterator[Finding]:
    """Find labelled number plates, and those of well-known forms beside a word for a vehicle."""
    yield from _labelled(scanned, _PLATE)
    yield from _labelled(scanned, _VEHICLE)


def _labelled(scanned: ScannedText, document: Document) -> Iterator[Finding]:
    if not scanned.has_digits or not scanned.says(document.stems):
        return
    if document.words.search(scanned.context):
        written = scanned.text.strip()
        start = scanned.text.index(written)
        if document.value.fullmatch(written.upper()) and document.accepts(written):
            yield _finding(document.type, start, start + len(written), written)
    for word in document.words.finditer(scanned.text):
        match = _number_after(scanned.text, word, document) or _number_before(
            scanned.text, word, document
        )
        if match is not None:
            yield _finding(document.type, *match.span(), match[0])


def _number_after(text: str, word: re.Match[str], document: Document) -> re.Match[str] | None:
    """Return the number after a label, unless another label is between them."""
    for match in document.value.finditer(text, word.end(), word.end() + 2 * _MAX_GAP):
        gap = text[word.end() : match.start()]
        if len(gap) > _MAX_GAP or _SENTENCE_BREAK.search(gap):
            return None
        if document.accepts(match[0]):
            bare = match[0].replace(" ", "").isdigit()
            doubtful = bare and (_OTHER_TOPIC.search(gap) or _DAY.fullmatch(match[0]))
            return None if doubtful or _OTHER_LABEL.search(gap) else match
    return None


def _number_before(text: str, word: re.Match[str], document: Document) -> re.Match[str] | None:
    """Return the number right before a label."""
    first = max(0, word.start() - 2 * _MAX_GAP)
    matches = [
        match
        for match in document.value.finditer(text, first, word.start())
        if document.accepts(match[0]) and _GAP_BEFORE.fullmatch(text, match.end(), word.start())
    ]
    return matches[-1] if matches else None


def _finding(kind: PiiType, start: int, end: int, written: str) -> Finding:
    return Finding(kind, start, end, re.sub(r"[^\w<]", "", written).upper())
