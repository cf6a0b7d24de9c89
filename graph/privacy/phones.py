"""Phone numbers: international, national by region, or labelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import phonenumbers
from phonenumbers import Leniency, NumberParseException, PhoneNumberMatcher

from graph.kernel.errors import ConfigurationError
from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

_CANDIDATE = re.compile(
    r"(?<![\w$€£¥#/@])(?<!\d[.,:])(?<![\w.]-)(?P<plus>\+|00(?=[1-9]))?\(?(?<!\d)\d(?:[ ().\-/]{0,3}\d){6,16}"
    r"(?![\w%]|[.,:/]\d|-\w)",
    re.ASCII,
)
_PHONE_LABEL = re.compile(
    r"(?:\b(?:tele)?(?:phone|fon|phon)s?|\b(?:tel|cell|mobile|mobil|handy|fax|call|calls|calling|"
    r"called|dial|dialled|dialed|ring|rang|text|texted|sms|whatsapp|signal|telegram|hotline|contact|"
    r"reach|reached|t[eé]l[eé]phone|portable|tel[eé]fono|m[oó]vil|celular|telefone|cellulare|"
    r"telefoon|ll[aá]m[ae]\w*|appele[rz]|anrufen|anruf|chiama\w*|ligue|zadzwo\w+|phone_?number|mobile_?number|msisdn))"
    r"(?:\s*(?:no|nr|num|number|nummer|n[uú]mero|#))?\.?"
    r"(?:\s+(?:me|us|him|her|them|mom|dad|is|was|on|at|to|under|unter|the|number|an|by|it|now|ist|es|au|"
    r"al|(?-i:[A-Z][a-z]+))){0,4}[\s:=\-(.'\"]*$|[☎📞📱]\W*$",
    re.IGNORECASE,
)
_OTHER_LABEL = re.compile(r"\b(?:isbn|issn|doi|order|invoice|ticket|case|id|ref|sku|serial|version|build|"
    r"isbn-1[03]|tracking|article|part|model|room|page|line|lines|commit|issue|pr)"
    r"(?:\s*(?:no|nr|number|id))?\s*[.:#]?\s*(?:is\s*)?[:#]?\s*$", re.IGNORECASE)  # fmt: skip
_FIELD = re.compile(
    r"\b(?:tel|telephone|telefon|phone|mobile|fax|msisdn)[\w ]{0,10}\s?[=:]\s?[\"']?$",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"\b(?:ssn|social(?: security)?(?: (?:number|no))?|itin|tax ?id)[\s.:#=]*(?:(?:is|was|of|on file)[\s:]*){0,2}$",
    re.IGNORECASE,
)
_SOCIAL_FORM = re.compile(r"\d{3}-\d\d-\d{4}")
# Area, exchange and line, as North America writes them; with its own gaps, or a bracketed area.
_AMERICAN = re.compile(r"(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d([-.]))[2-9]\d\d(?:\1|[-. ])\d{4}")
_TRUNK = re.compile(r"\(?0[1-9]")
_DECIMAL = re.compile(r"\d+\.\d+|\d{1,3}(?:\.\d{3})+")
_DATE = re.compile(r"(?:19|20)\d\d[-./ ]?(?:0[1-9]|1[0-2])[-./ ]?(?:[0-2]\d|3[01])(?:\D.*)?"
                   r"|(?:[0-2]?\d|3[01])[-./](?:[0-2]?\d|3[01])[-./](?:19|20)?\d\d(?:\D.*)?")  # fmt: skip
_ARITHMETIC_BEFORE = re.compile(r"[=*×÷^<>{\[|+]\s*$|\d\s*[-/]\s*$|[$€£¥]\s*$")
_ARITHMETIC_AFTER = re.compile(r"\s*(?:[=*×÷^%}\]|]|\+\s*\d|[-/]\s*\d|[$€£¥])")
_DIGIT_COUNTS = range(7, 16)
_LEAST_UNLABELLED = 9  # digits of a number without a label


def check_regions(regions: Sequence[str]) -> None:
    """Check that regions are countries with telephone numbers.

    Raises
    ------
    ConfigurationError
        If one is none; its national numbers would be missed without a word.
    """
    if unknown := sorted(set(regions) - phonenumbers.SUPPORTED_REGIONS):
        raise ConfigurationError(
            f"STRATAGRAPH_PII_REGIONS: {', '.join(unknown)} is no country code (the United Kingdom is GB)"
        )


def phones(scanned: ScannedText) -> Iterator[Finding]:
    """Find phone numbers: international, in the form of a region, or labelled as such."""
    text = scanned.text
    for match in scanned.near_digits(_CANDIDATE):
        written = match[0]
        digits = re.sub(r"\D", "", written)
        if len(digits) not in _DIGIT_COUNTS:
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        after = text[match.end() : match.end() + 6]
        in_arithmetic = (
            not match["plus"] and _ARITHMETIC_BEFORE.search(before) and not _FIELD.search(before)
        )
        if in_arithmetic or _ARITHMETIC_AFTER.match(after) or _SOCIAL.search(before):
            continue
        has_label = bool(_PHONE_LABEL.search(before or f"{scanned.context} "))
        if match["plus"]:
            value = _international(written, sure=has_label)
        elif has_label:
            value = _of_region(written, scanned.regions, sure=True) or digits
        elif _is_something_else(before, written):
            continue
        else:
            value = _national(written, scanned.regions)
        if value is not None:
            yield Finding("PHONE", match.start(), match.end(), value)


def _is_something_else(before: str, written: str) -> bool:
    return bool(
        _OTHER_LABEL.search(before)
        or any(form.fullmatch(written) for form in (_DECIMAL, _DATE, _SOCIAL_FORM))
    )


def _international(written: str, *, sure: bool) -> str | None:
    digits = re.sub(r"\D", "", written)
    number = digits[2:] if written.startswith("00") else digits
    try:
        parsed = phonenumbers.parse(f"+{number}")
    except NumberParseException:
        return digits if sure else None
    is_accepted = phonenumbers.is_possible_number if sure else phonenumbers.is_valid_number
    if is_accepted(parsed) or (sure and written.startswith("+")):
        return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    return None


def _national(written: str, regions: Sequence[str]) -> str | None:
    """Return a number in a national form; bare digits and mere gaps are no evidence of one."""
    if _AMERICAN.fullmatch(written):
        return _of_region(written, ("US",), sure=True)
    digits = len(re.findall(r"\d", written))
    if _TRUNK.match(written) and digits >= _LEAST_UNLABELLED and re.search(r"\D", written):
        return _of_region(written, regions, sure=False)
    return None


def _of_region(written: str, regions: Sequence[str], *, sure: bool) -> str | None:
    leniency = Leniency.POSSIBLE if sure else Leniency.STRICT_GROUPING
    for region in regions:
        for match in PhoneNumberMatcher(written, region, leniency):
            if match.raw_string == written:
                return phonenumbers.format_number(match.number, phonenumbers.PhoneNumberFormat.E164)
    return None
