"""National identity numbers, bank accounts and payment cards, by form and check digits.

A form that is unlikely by chance is enough; bare digits need a label beside them, as one in ten order numbers has a
valid check digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.ee import ik
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.hr import oib
from stdnum.ie import pps
from stdnum.il import idnr as teudat
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.jp import in_ as my_number
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.pt import cc
from stdnum.pt import nif as pt_nif
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.th import pin
from stdnum.tr import tckimlik
from stdnum.us import itin, ssn
from stdnum.za import idnr as za_id

from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

_CONTEXT_CHARACTERS = 48  # before a number, in which a label is looked for
_USUAL_DIGITS = 7  # digits that nearly all forms have at least
_DIGIT = re.compile(r"\d")
THING_LABEL = re.compile(
    r"\b(?:orders?|invoices?|bestellung|bestellnummer|auftrag|auftragsnummer|rechnung|rechnungsnummer|commande|facture|pedido|factura|ordine|"
    r"fattura|bestelling|encomenda|tickets?|cases?|tracking|parcel|shipment|consignment|paket|colis|booking|reservation|reference|ref|"
    r"transaction|batch|serial|sku|isbn|ean|gtin|upc|doi|part|article|item|product|lot|job|version|build|commit|issue|quote|receipt|voucher|meter)"
    r"(?:[\s_-]*(?:ids?|no|nr|num|numbers?|nummer|n[º°o]|número|numéro|numero|code|#))?\s*[.:#=]*\s*(?:(?:is|was|ist|lautet|es|est|è)\s+)?[\"'#]?$",
    re.IGNORECASE,
)
"""Labels right before a number of a thing, such as an order."""


@dataclass(frozen=True, slots=True)
class Form:
    """Form of one kind of number; ``words`` are labels that it needs, if any."""

    pattern: re.Pattern[str]
    is_valid: Callable[[str], bool]
    words: re.Pattern[str] | None = None
    least_digits: int = _USUAL_DIGITS


def _form(
    pattern: str,
    is_valid: Callable[[str], bool],
    words: str | None = None,
    least_digits: int = _USUAL_DIGITS,
) -> Form:
    bounded = re.compile(
        rf"(?<![\w.])(?<!\w[-/])(?:{pattern})(?!\w|[-/]\w|\.\d)", re.IGNORECASE | re.ASCII
    )
    near = re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE) if words else None
    return Form(bounded, is_valid, near, least_digits)


def _always(_written: str) -> bool:
    return True


def _is_person(written: str) -> bool:
    return pan.is_valid(written) and written[3].upper() == "P"


def _is_insured(written: str) -> bool:
    """Check a German health insurance number: its letter counts as two digits, every other digit twice."""
    letter = ord(written[0].upper()) - ord("A") + 1
    digits = f"{letter:02}{written[1:]}"
    return luhn.checksum(digits) == 0


def _is_identity_card(written: str) -> bool:
    """Check the number of a German identity card: the last sign, where there are ten, by weights of 7, 3 and 1."""
    values = [int(sign, 36) for sign in written]
    total = sum(value * (7, 3, 1)[place % 3] for place, value in enumerate(values[:9]))
    return any(sign.isdigit() for sign in written) and values[9:] in ([], [total % 10])


_FORMS = (
    _form(r"\d{3}-\d{2}-\d{4}", lambda number: ssn.is_valid(number) or itin.is_valid(number)),
    _form(r"\d{3}([ -]?)\d{2}\1\d{4}", _always, r"ssn|social security(?: number| no)?|social"),
    _form(r"\d{3} ?\d{2} ?\d{4}", ssn.is_valid, r"tax ?id|itin"),
    _form(
        r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]",
        _always,
        least_digits=6,
    ),
    _form(r"\d{3}[ -]?\d{3}[ -]?\d{4}", nhs.is_valid, r"nhs(?: number| no)?"),
    _form(r"\d{2} \d{3} \d{3} \d{3}", idnr.is_valid),
    _form(
        r"\d{11}",
        idnr.is_valid,
        r"steuer-?id|idnr|steuer(?:liche )?identifikationsnummer|steuernummer|tax ?id|tin",
    ),
    _form(
        r"[1-478] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d",
        nir.is_valid,
    ),
    _form(
        r"\d\d ?[0-3]\d[01]\d\d\d ?[A-Z] ?\d{3}",
        _always,
        r"sozialversicherungsnummer|sozialversicherungsnr\.?|sv-?nummer|rentenversicherungsnummer|versicherungsnummer",
    ),
    _form(r"[A-Z]\d{9}", _is_insured, r"kvnr|(?:kranken)?versicherten-?(?:nummer|nr\.?)"),
    _form(
        r"[CFGHJ-NPRTV-Z\d]{9}\d?",
        _is_identity_card,
        r"personalausweis(?:-?nummer|-?nr\.?)?|ausweis-?(?:nummer|nr\.?)",
        least_digits=5,
    ),
    _form(r"\d{8}[ -]?[A-HJ-NP-TV-Z]", dni.is_valid),
    _form(r"[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]", nie.is_valid),
    _form(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", codicefiscale.is_valid),
    _form(r"\d{9}", bsn.is_valid, r"bsn|burgerservicenummer|sofi-?nummer"),
    _form(r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", nn.is_valid),
    _form(
        r"\d{11}", nn.is_valid, r"rijksregister(?:nummer)?|national number|niss|num[eé]ro national"
    ),
    _form(r"(?:\d\d)?\d{6}[-+]\d{4}", personnummer.is_valid),
    _form(r"(?:\d\d)?\d{10}", personnummer.is_valid, r"personnummer|samordningsnummer"),
    _form(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", hetu.is_valid),
    _form(r"\d{6}-?\d{4}", cpr.is_valid, r"cpr(?:-nummer|-nr)?|personnummer"),
    _form(r"\d{6} ?\d{5}", fodselsnummer.is_valid),
    _form(r"\d{11}", pesel.is_valid, r"pesel"),
    _form(r"\d{8} ?\d ?[A-Z]{2}\d", cc.is_valid),
    _form(r"\d{3} ?\d{3} ?\d{3}", pt_nif.is_valid, r"nif|contribuinte"),
    _form(r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d", ahv.is_valid),
    _form(r"\d{7}[A-W][A-IW]?", pps.is_valid),
    _form(r"\d{6}/\d{4}", rc.is_valid),
    _form(r"\d{13}", cnp.is_valid, r"cnp|cod numeric personal"),
    _form(r"\d{11}", oib.is_valid, r"oib"),
    _form(r"\d{11}", ik.is_valid, r"isikukood|asmens kodas"),
    _form(r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    _form(r"\d{11}", cpf.is_valid, r"cpf"),
    _form(r"\d{1,2}\.\d{3}\.\d{3}-[\dK]", rut.is_valid),
    _form(r"\d{7,8}-[\dK]", rut.is_valid, r"rut|run"),
    _form(r"(?:20|23|24|27)-\d{8}-\d", cuit.is_valid),
    _form(
        r"[A-Z]{4}\d{6}[HM](?:AS|BC|BS|CC|CH|CL|CM|CS|DF|DG|GR|GT|HG|JC|MC|MN|MS|NE|NL|NT|OC|PL|QR|QT"
        r"|SL|SP|SR|TC|TL|TS|VZ|YN|ZS)[A-Z]{3}[A-Z\d]\d",
        curp.is_valid,
    ),
    _form(r"[2-9]\d{3}([ -]?)\d{4}\1\d{4}", aadhaar.is_valid, r"a+dh?aa?r|uidai|uid|आधार"),
    _form(r"[A-Z]{5}\d{4}[A-Z]", _is_person, least_digits=4),
    _form(r"[1-9]\d{5}(?:19|20)\d{9}[\dX]", ric.is_valid),
    _form(r"\d{6}-[1-8]\d{6}", rrn.is_valid),
    _form(r"\d{4}[ -]?\d{4}[ -]?\d{4}", my_number.is_valid, r"my number|マイナンバー|個人番号"),
    _form(r"\d-\d{4}-\d{5}-\d\d-\d", pin.is_valid),
    _form(
        r"\d{13}",
        za_id.is_valid,
        r"(?:sa|south african|rsa)(?: id)?|(?<!order )id (?:number|no)|identity (?:number|document)",
    ),
    _form(
        r"[1-9]\d{10}",
        tckimlik.is_valid,
        r"tc|tckn|t\.c\.|kimlik(?: no| numaras[ıi])?|tc kimlik no",
    ),
    _form(r"\d{9}", teudat.is_valid, r"teudat zehut|israeli id(?: number)?|ת\.?ז\.?"),
    _form(r"\d{3}([ -])\d{3}\1\d{3}", sin.is_valid, r"sin|social insurance(?: number| no)?|nas"),
    _form(r"\d{9}", sin.is_valid, r"sin|social insurance(?: number| no)?|nas"),
    _form(r"\d{3} ?\d{3} ?\d{2,3}", tfn.is_valid, r"tfn|tax file(?: number| no)?"),
)


def national_ids(scanned: ScannedText) -> Iterator[Finding]:
    """Find identity numbers of some thirty countries."""
    for start, end in scanned.dense:
        yield from _ids_between(scanned.text, start, end, scanned.context)


def _ids_between(text: str, start: int, end: int, context: str) -> Iterator[Finding]:
    digits = len(_DIGIT.findall(text, start, end))
    for form in _FORMS:
        if form.least_digits > digits:
            continue
        for match in form.pattern.finditer(text, start, end):
            before = text[max(0, match.start() - _CONTEXT_CHARACTERS) : match.start()]
            has_label = form.words is None or form.words.search(f"{context} {before}")
            if has_label and form.is_valid(match[0]) and not THING_LABEL.search(before):
                value = re.sub(r"[^0-9A-Z]", "", match[0].upper())
                yield Finding("NATIONAL_ID", match.start(), match.end(), value)


_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_GAP = re.compile(r"[ -]")
_CARD = re.compile(r"(?<!\w)(?<![\d][.,])(?<!\w-)\d(?:[ -]?\d){12,18}(?!\w|-\w|[.,]\d)", re.ASCII)
# prefixes of the card schemes in use, with the lengths of their numbers
_SCHEMES = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|62\d{14,17}|(?:50|5[6-8])\d{14,17}"
)
_GROUPS = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d+")


def ibans(scanned: ScannedText) -> Iterator[Finding]:
    """Find IBANs with valid country, length and check digits."""
    for start, end in scanned.dense:
        while match := _IBAN.search(scanned.text, start, end):
            # following words, or a second one, may look like a part of it: the longest valid one wins
            ends = [*(gap.start() for gap in _GAP.finditer(match[0])), len(match[0])]
            values = [(last, _GAP.sub("", match[0][:last]).upper()) for last in reversed(ends)]
            last, value = next((found for found in values if iban.is_valid(found[1])), (1, ""))
            start = match.start() + last
            if value:
                yield Finding("IBAN", match.start(), start, value)


def cards(scanned: ScannedText) -> Iterator[Finding]:
    """Find numbers of payment cards: by scheme, length, grouping and check digit."""
    for match in scanned.near_digits(_CARD):
        value = re.sub(r"\D", "", match[0])
        if _SCHEMES.fullmatch(value) and _GROUPS.fullmatch(match[0]) and luhn.is_valid(value):
            yield Finding("CARD", *match.span(), value)
