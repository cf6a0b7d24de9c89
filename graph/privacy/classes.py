"""Classes of personal data, each with its recogniser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graph.model.memories.privacy import Finding, PiiType
from graph.privacy.addresses import addresses, emails
from graph.privacy.births import births
from graph.privacy.documents import driving_licences, passports, plates
from graph.privacy.handles import handles
from graph.privacy.national import cards, ibans, national_ids
from graph.privacy.phones import phones
from graph.privacy.scanned import ScannedText
from graph.privacy.streets import streets


@dataclass(frozen=True, slots=True)
class PiiClass:
    """A class of personal data; ``find`` is None if the recogniser of another class finds it too."""

    type: PiiType
    known_by: str
    find: Callable[[ScannedText], Iterator[Finding]] | None


# by priority: of two findings of equal length the first class wins
CLASSES = (
    PiiClass("IBAN", "country, length, form and check digits", ibans),
    PiiClass("CARD", "scheme, length, grouping and Luhn's check digit", cards),
    PiiClass(
        "PASSPORT",
        "a word for a passport beside a number of 6 to 10 signs; its machine-readable lines",
        passports,
    ),
    PiiClass(
        "DRIVING_LICENCE",
        "a word for a driving licence beside its number; British ones by their form",
        driving_licences,
    ),
    PiiClass("PLATE", "a word for a plate beside it; well-known forms beside a vehicle", plates),
    PiiClass(
        "NATIONAL_ID",
        "numbers of some 35 countries, by check digits where they have any; bare digits only beside "
        "words such as *tax number*, and never as an order, a ticket or the like",
        national_ids,
    ),
    PiiClass(
        "EMAIL", "form, also of other scripts and spelt `anna [at] example [dot] org`", emails
    ),
    PiiClass(
        "IP",
        "version 4 and 6; not versions of software, netmasks, `127.0.0.1`",
        addresses,
    ),
    PiiClass(
        "PHONE",
        "international numbers by their country's plan; national numbers of `STRATAGRAPH_PII_REGIONS`; "
        "bare digits only beside a word, or under a key, for a phone",
        phones,
    ),
    PiiClass(
        "ADDRESS",
        "a street with its number, as a dozen countries write it, up to postcode and town; text "
        "behind a word for an address",
        streets,
    ),
    PiiClass("BIRTH_DATE", "a whole date beside a word for birth", births),
    PiiClass("NAME", "a name beside a date of birth", None),
    PiiClass(
        "HANDLE",
        "an @name beside social words, a profile's address, what follows `username`",
        handles,
    ),
)
