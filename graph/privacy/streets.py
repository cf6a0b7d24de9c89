"""Postal addresses: street and number in the forms of several countries, with postcode and town."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

_UP = r"[A-ZÀ-ÖØ-ÞŁŚŻŹĆĄĘŃŠČŘŽĐŐŰĞİŞÇ]"
_CAP = rf"{_UP}[\w.'’-]*"
_OF = r"(?:de|des|du|del|della|dei|di|da|do|dos|das|la|las|los|le|les|den|der|van|von|und|y|e|the|of|et|aux?|à|en|l['’]|d['’])"
_NAMES = rf"(?:(?:{_OF} ?){{0,3}}(?:{_CAP}|\d{{1,2}}(?=\.? (?:de )?{_CAP}))(?:[ -](?:(?:{_OF} ){{0,2}}{_CAP})){{0,3}})"
_NUMBER = r"\d{1,4}(?:(?:-?[a-zA-Z]| [A-H]| [a-d](?=[,.;]|$))(?![^\W\d_]))?(?:[-/]\d{1,4}[a-z]?)?(?![\w%]|[.,:]\d)"
_ENGLISH_TYPE = (
    r"(?:Street|Str|St|Avenue|Ave|Av|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Terrace|Ter|Way|Close|Crescent|Cres|"
    r"Square|Sq|Highway|Hwy|Parkway|Pkwy|Circle|Cir|Trail|Trl|Mews|Gardens|Gdns|Grove|Hill|Quay|Alley|Row|Walk|Broadway|Loop|Turnpike|Parade|Esplanade|Marg|Nagar)"
)
_ENGLISH = (
    rf"\d(?<![\w.,:$€£#-]\d)\d{{0,4}}(?:[-/]\d{{1,4}})?[A-Za-z]?,? (?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West|Old|Upper|Lower)\.? )?"
    rf"(?:(?:{_CAP}|\d{{1,3}}(?:st|nd|rd|th))(?: (?:of |the )?{_CAP}){{0,3}}? {_ENGLISH_TYPE}\b(?! (?:Journal|View|Food|Art|Fair|Light|Sign|Lamp)s?\b)\.?(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?|Broadway\b)"
    r"(?:,? (?:Apt|Apartment|Unit|Suite|Ste|Flat|Floor|Fl|#)\.? ?#?\w{1,5})?"
)
_COMPOUND = (
    rf"(?:{_UP}[\w'’.-]*(?:[ -]{_UP}[\w'’.-]*){{0,2}}[ -])?{_UP}[\w.'’-]*"
    r"(?:stra(?:ß|ss)e|str\.|gasse|allee|chaussee|platz|weg|damm|ufer|straat|laan|plein|gracht|kade|singel|gatan|vägen|vej|veien|gata|katu|utca)"
)
_SPLIT = rf"(?!(?:In|Im|Auf|Am|An|Vor|Zum|Zu|Vom|Der|Die|Das|Den|Dem|Ein|Eine|Kein|Jeder|Nur)\b)(?:{_CAP}[ -]){{1,3}}(?:Stra(?:ß|ss)e|Str\.|Allee|Platz|Weg|Ufer|Damm|Gasse|Chaussee|Ring)"
_GERMANIC = rf"(?<![\w@.-])(?:{_COMPOUND}|{_SPLIT}|Stra(?:ß|ss)e d(?:es|er) (?:\d{{1,2}}\. )?{_CAP}) {_NUMBER}"
_PREPOSED = rf"(?<![\w@.-])(?:Am|An der|An den|Auf der|Auf dem|Im|In der|In den|Zum|Zur|Unter den|Beim|Hinter der|Via) {_CAP}(?:[ -]{_CAP})? {_NUMBER}|(?<![\w@.-]){_UP}\w+(?:gade|gate|tie|tänav) {_NUMBER}"
_ROMANCE_FIRST = (
    r"\d(?<![\w.,:$€£#-]\d)\d{0,3}(?: ?(?:bis|ter|quater|[A-D])\b)?,? (?:(?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d\.?|[Ii]mpasse|[Cc]hemin|[Aa]llées?|[Qq]uai|"
    r"[Ff]aubourg|[Ss]entier|place|route|cours|square|passage)|(?:Place|Route|Cours|Square|Passage)(?= (?:de|du|des|d['’])\b)) "
    rf"(?!{_ENGLISH_TYPE}\b){_NAMES}"
)
_ROMANCE_LAST = (
    rf"(?<![\w@.-])(?:(?:[Cc]alle|C/|[Aa]vda\.?|[Aa]venida|Av\.|[Pp]aseo|[Pp]laza|Pza\.?|[Rr]onda|[Cc]amino|[Tt]ravesía|[Rr]ua|R\.|[Tt]ravessa|[Pp]raça|[Aa]lameda|[Ee]strada|"
    rf"[Vv]iale|[Pp]iazza(?:le)?|[Cc]orso|[Vv]icolo|[Ll]argo|(?<=[\w:,(] )Via|[Cc]arrer|ul\.|al\.|pl\.|[Uu]lica|[Bb]ulevardul|[Ss]trada) ?{_NAMES}),? (?:n[º°o.]\.? ?|núm\.? ?|nr\.? ?)?{_NUMBER}"
    r"(?:, ?\d{1,2}[º°ª] ?\w{0,2}(?!\w))?"
)
_GRID = r"(?<!\w)(?:Calle|Carrera|Cra\.?|Cl\.?|Kr\.?|Transversal|Diagonal) \d{1,3}[A-Z]?(?: Bis)? ?(?:#|No\.?|N°) ?\d{1,3}[A-Z]? ?- ?\d{1,3}"
_BOX = r"(?<!\w)(?:P\.? ?O\.? Box|Postfach|Apartado(?: de Correos)?|Casilla|Postbus|Boîte postale) \d{1,3}(?: ?\d{2,3}){0,2}(?!\w)"
_ASIAN = (
    r"(?:〒?\d{3}-\d{4} ?)?[\u4e00-\u9fff]{2,3}[都道府県][\u3040-\u30ff\u4e00-\u9fff]{1,10}?[区市町村][\u3040-\u30ff\u4e00-\u9fff]{0,10}\d{1,4}(?:-\d{1,4}){1,3}"
    r"|(?:[\u4e00-\u9fff]{2,8}[省市区县]){0,3}[\u4e00-\u9fff]{1,8}(?:路|街|大道|巷|弄)\d{1,5}号(?:\d{1,4}(?:室|楼|号|单元)){0,3}"
)
_TOWN = rf"{_CAP}(?:[ -](?:{_OF} |am |an der |im |bei |ob der |upon |sur |sul |sub )?{_CAP}){{0,3}}"
_TAIL = re.compile(
    rf"(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor|Piso|Wohnung|App)\.? ?#?\w{{1,5}})?"
    rf"(?:[,\n]? ?\s?(?:{_TOWN},? ?){{0,3}}(?:[,]? ?)(?:"
    rf"(?:[A-Z]{{2}} )?\d{{5}}(?:-\d{{3,4}})?(?!\w)(?: {_TOWN})?|(?:[A-Z]{{1,3}}-)?\d{{4,5}} (?:[A-Z]{{2}} )?{_TOWN}"
    rf"|[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}}(?!\w)|[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)|(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT) \d{{4}}(?!\w)|\d{{3}} ?\d{{2}} {_TOWN}|\d{{2}}-\d{{3}} {_TOWN}"
    rf"|\d{{4}}-\d{{3}}(?!\w)(?: {_TOWN})?|\d{{6}}(?!\w)))"
)
# A form is tried only where one of these beginnings of words occurs; the first begin with a digit and are cheap.
_FORMS: tuple[tuple[Sequence[str], re.Pattern[str]], ...] = (
    ((" ",), re.compile(_ENGLISH)),
    ((" r", " a", " b", " i", " c", " q", " f", " s", " p"), re.compile(_ROMANCE_FIRST)),
    (
        ("str", "gasse", "allee", "chaussee", "platz", "weg", "damm", "ufer", "laan", "plein", "gracht", "kade", "singel", "ring", "gata", "väg",
         "vej", "veien", "katu", "utca"),
        re.compile(_GERMANIC),
    ),
    (
        ("calle", "c/", "avda", "avenida", "av.", "paseo", "plaza", "pza", "ronda", "camino", "travesía", "rua", "r.", "travessa", "praça", "alameda",
         "estrada", "viale", "piazza", "corso", "vicolo", "largo", "via ", "strada", "carrer", "ul.", "al.", "pl.", "ulica", "bulevard"),
        re.compile(_ROMANCE_LAST),
    ),
    (("calle", "carrera", "cra", "cl", "kr", "transversal", "diagonal"), re.compile(_GRID)),
    (("box", "postfach", "apartado", "casilla", "postbus", "boîte"), re.compile(_BOX)),
    (("都", "道", "府", "県", "路", "街", "巷", "弄"), re.compile(_ASIAN)),
)  # fmt: skip
_AMBIGUOUS = re.compile(_PREPOSED)
_LIVES = re.compile(
    r"\b(?:address|adresse|anschrift|direcci[oó]n|indirizzo|adres|endereço|morada|lives?|living|lived|resid(?:es|ing|ence)|moved|wohn(?:t|e|en|haft)|zieht|"
    r"habite|demeurant|domicili\w+|vive|vivo|abita|woont|mora|bor|asuu|mieszka|ikamet|deliver\w*|ship(?:ped|ping)?|send|sent|home|mail|visit|located)\b[^\n]{0,40}\Z",
    re.IGNORECASE,
)
_PART = rf"(?:[A-Z0-9#]|{_UP})[\w.'’/#-]*(?: (?:{_OF} )?(?:[A-Z0-9#]|{_UP})[\w.'’/#-]*){{0,6}}"
_LABELLED = re.compile(
    r"\b(?i:(?:home|postal|street|mailing|shipping|delivery|billing|residential|permanent|current|his|her|my|their)[ _]address(?: is| was)?|"
    r"(?<!ip )(?<!mac )(?<!mail )(?<!web )(?<!memory )(?<!wallet )address(?= ?:)|"
    r"anschrift|direcci[oó]n|indirizzo|endereço|wohnhaft in|lives at|resides at|residing at|ship(?:ped)? to|deliver(?:ed)? to)"
    rf"\s*[:=]?\s*[\"']?(?P<place>{_PART}(?:, ?{_PART}){{1,6}})"
)
_ADDRESS_TEXT = re.compile(r"(?=.*\d)(?=.*[^\W\d_]{3})(?=.*\s)[^@:<>={}]{6,120}")
_STEMS = (
    "address",
    "anschrift",
    "direcci",
    "indirizzo",
    "endereço",
    "wohnhaft",
    "lives at",
    "resid",
    " to ",
)
_KEYS = re.compile(r"(?<![^\W_])(?<!ip )(?<!mac )(?<!email )(?<!mail )(?<!wallet )(?:address(?: ?line)?|street|anschrift|adresse|direcci[oó]n|indirizzo|straße|strasse)(?![^\W_])", re.IGNORECASE)  # fmt: skip


def streets(scanned: ScannedText) -> Iterator[Finding]:
    """Find postal addresses by the form of their streets, and labelled ones."""
    if not scanned.has_digits:
        return
    for stems, form in _FORMS:
        if scanned.says(stems):
            for match in form.finditer(scanned.text):
                yield _extended(scanned.text, match.start(), match.end())
    yield from _ambiguous(scanned)
    yield from _labelled(scanned)


def _ambiguous(scanned: ScannedText) -> Iterator[Finding]:
    """Yield forms that are streets only before a town, beside words such as *lives in*, or under a key."""
    for match in _AMBIGUOUS.finditer(scanned.text):
        found = _extended(scanned.text, match.start(), match.end())
        before = scanned.text[max(0, match.start() - 60) : match.start()]
        if found.end > match.end() or _LIVES.search(before) or _KEYS.search(scanned.context):
            yield found


def _labelled(scanned: ScannedText) -> Iterator[Finding]:
    """Yield text under the key of an address, or after its label."""
    if _KEYS.search(scanned.context) and _ADDRESS_TEXT.fullmatch(scanned.text):
        yield _finding(scanned.text, 0, len(scanned.text))
    if not scanned.says(_STEMS):
        return
    for match in _LABELLED.finditer(scanned.text):
        place = match["place"].rstrip(".,")
        if any(map(str.isdigit, place)) and len(re.findall(r"[^\W\d_]{3,}", place)) > 1:
            yield _finding(scanned.text, match.start("place"), match.start("place") + len(place))


def _extended(text: str, start: int, end: int) -> Finding:
    """Return the address with the postcode and town that follow."""
    tail = _TAIL.match(text, end)
    last = tail.end() if tail else end
    written = text[start:last].rstrip(" ,.")
    return _finding(text, start, start + len(written))


def _finding(text: str, start: int, end: int) -> Finding:
    return Finding("ADDRESS", start, end, " ".join(re.findall(r"\w+", text[start:end].lower())))
