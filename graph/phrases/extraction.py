"""Names and key phrases of a text: the terms that memories share.

Names are runs of capitalised words that do not stand only where a sentence starts. Key phrases are
found as RAKE does: runs of words between stop words and punctuation, each word scored by its
degree over its frequency. The same text always gives the same terms.

What holds for other languages: letters of every script count as words, and names are found
wherever a script has capitals. Stop words are English, German and what is most frequent in French,
Spanish, Italian and Portuguese. German nouns are capitalised and so count as names. A script that
writes no spaces (Chinese, Japanese, Thai) gives short runs between punctuation, and no more.

References
----------
Rose, Engel, Cramer and Cowley, "Automatic Keyword Extraction from Individual Documents", in Text
Mining: Applications and Theory, 2010.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graph.model.memories.links import Phrase

_ENGLISH = """
a able about above according across actually after afterwards again against ago ah ain all almost
alone along already also although always am among an and another any anybody anymore anyone
anything anyway anywhere appear appears are aren around as aside ask asked asking at away awesome
back be became because become becomes been before behind being believe below beside besides best
better between beyond big bit both brief bring brought but by bye came can cannot cause certain
certainly come comes coming completely congrats cool could couldn course currently day days definitely did
didn different do does doesn doing don done down during each easy either else elsewhere end enjoy
enough especially etc even eventually ever every everybody everyone everything everywhere exactly
excited exciting fact fairly far feel feeling feels felt few find first follow for forward found
from full fun further gave get gets getting give given gives glad go goes going gone gonna good got
gotta great guess ha had hadn haha happen happened happens happy hard has hasn have haven having he
heard hello help helped helps hence her here hers herself hey hi him himself his hmm hope hopefully
how however huge i if im important in indeed inside instead interesting into is isn it its itself
just keep kept kind kinda knew know known knows lately later least less let lets like liked likely
likes little ll long look looked looking looks lot lots love loved lovely made mainly make makes
making many may maybe me mean means meant meanwhile might mine more most mostly much must my myself
name named near nearly need needed needs neither never nevertheless new next nice no nobody none
nope nor not nothing now nowhere of off often oh ok okay old on once one ones only onto or other
others otherwise ought our ours ourselves out outside over own part particular particularly past
people perhaps place please plus possible possibly pretty probably put quick quickly quite rather
re real really recent recently right sad said same saw say saying says second see seeing seem seemed
seems seen several shall she should shouldn show since small so some somebody somehow someone
something sometime sometimes somewhere soon sorry sort start started still stuff such super
supposed sure take taken takes taking talk talked talking tell tend than thank thanks that thats
the their theirs them themselves then there therefore these they thing things think thinking third
this those though thought three through throughout thus till time times to today together told
tomorrow tonight too took totally toward towards tried try trying turn turned two u ugh under
unless unlike until up upon us use used uses using usually ve very via wanna want wanted wants was
wasn way ways we week weeks well went were weren what whatever when whenever where wherever whether
which while who whoever whole whom whose why will with within without won wonder wonderful wondering
work worked would wouldn wow ya yay yeah year years yep yes yesterday yet you your yours yourself
yourselves yup amazing last late early min max sounds sound hear hearing wait waiting tough appreciate check decided decide agree
monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december am pm mr mrs ms dr http https www com
"""
_GERMAN = """
aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist da damit
dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
dort du durch ein eine einem einen einer eines er es etwas euch euer fur ganz gar gegen gibt habe haben
hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre im immer in ist ja jede jeder jetzt kann kein keine
konnte mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein
seine sich sie sind so soll sondern uber um und uns unser unter viel vom von vor war waren warum was
weil wenn wer werde werden wie wieder will wir wird wo zu zum zur zwar zwischen
"""
_ROMANCE = """
ai al alla alle alors ao aos au aux avec avoir bien c'est car ce ceci cela ces cet cette che chi come
como con cosa cuando cui da dal dalla dans das de del della delle depuis des di do donc donde dos du e
el elle elles em en encore entre era es essa esse est esta este et etait ete etre eu fait faire foi gli
ha hai han hanno has hay he ho il ils io isso isto je la las le lei les leur lo lors los lui ma mais
mas me mes mi mia mio moi mon muito muy na nao ne nei nel nella nem no noi nos notre nous nuestra
nuestro o os ou para parce pas pela pelo per perche piu plus por porque pour pourquoi quand quando que
quel quelle quem qui quien quoi sa sans se sem senza ser ses si sia sin sobre son sono sont su sua sul
sulla sur te tes todo todos toi ton tout toute tous tu tua tuo um uma un una uno unos vi vos votre vous
voy y ya yo
"""

STOP_WORDS: frozenset[str] = frozenset(f"{_ENGLISH} {_GERMAN} {_ROMANCE}".split())


MAX_PHRASES = 8
MAX_CHARACTERS = 80
READ_CHARACTERS = 20_000

_LONGEST_RUN = 3
_LONGEST_NAME = 5
_SHORTEST_WORD = 3
_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?…。！？\n]")
_POSSESSIVE = re.compile(r"['’]s?$")
_ACCENTS = re.compile("[\u0300-\u036f]")
_LINKING = frozenset({"of", "de", "da", "del", "della", "van", "von", "der", "du", "la", "le"})


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, its folded form, and its position: at the start of a sentence, or joined to the word before."""

    text: str
    folded: str
    starts_sentence: bool
    joined: bool

    @property
    def stops(self) -> bool:
        return self.folded in STOP_WORDS or self.folded.partition("'")[0] in STOP_WORDS

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def certain(self) -> bool:
        """Return whether its capitals are not due to its position: NASA, iPhone, McDonald."""
        return len(self.text) > 1 and any(char.isupper() for char in self.text[1:])


def key_phrases(text: str, limit: int = MAX_PHRASES) -> tuple[Phrase, ...]:
    """Return up to ``limit`` terms of a text, names first, then phrases by their score."""
    words = list(_words(text[:READ_CHARACTERS]))
    names = list(_names(words))
    inside = {place for run in names for place in run}
    terms: dict[str, str] = {}
    for run in [*names, *_by_score(words, list(_runs(words, inside)))]:
        display = " ".join(_bare(words[place].text) for place in run)
        name = " ".join(normal_form(words[place].text) for place in run)
        if _is_term(name, display) and name not in terms:
            terms[name] = display
    return tuple(Phrase(name, display) for name, display in islice(terms.items(), limit))


def normal_form(word: str) -> str:
    """Fold case and accents, and drop an English plural or genitive."""
    folded = _fold(_bare(word))
    # *cookies* and *cookie* both become *cooky*
    for ending in ("ies", "ie"):
        if len(folded) > 4 and folded.endswith(ending):
            return folded.removesuffix(ending) + "y"
    # *glass*, *bus* and *basis* are no plurals
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith(("ss", "us", "is")):
        return folded[:-1]
    return folded


def _words(text: str) -> Iterator[_Word]:
    end, starts = 0, True
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        # behind a quotation mark or a colon a capital only begins a sentence
        starts = starts or bool(_SENTENCE_END.search(between)) or '"' in between or ": " in between
        yield _Word(match[0], _fold(match[0]), starts, not between.strip())
        end, starts = match.end(), False


def _names(words: Sequence[_Word]) -> Iterator[tuple[int, ...]]:
    """Yield runs of capitalised words, by frequency, then in the order of the text."""
    capitals = sum(word.capital for word in words)
    if capitals * 3 > len(words) * 2 and len(words) > 3:
        return  # a title or shouting: capitals show no names
    runs = [run for run in _capital_runs(words) if _is_name(words, run)]
    # a word with a capital inside a sentence is a name at the start of one, too
    inside = {
        words[place].folded for run in runs for place in run if not words[run[0]].starts_sentence
    }
    known = [
        run
        for run in runs
        if len(run) != 1
        or not words[run[0]].starts_sentence
        or words[run[0]].certain
        or words[run[0]].folded in inside
    ]
    counts = Counter(tuple(words[place].folded for place in run) for run in known)
    yield from sorted(
        known, key=lambda run: (-counts[tuple(words[place].folded for place in run)], run)
    )


def _capital_runs(words: Sequence[_Word]) -> Iterator[tuple[int, ...]]:
    run: list[int] = []
    for place, word in enumerate(words):
        goes_on = bool(run) and word.joined and not word.starts_sentence
        if goes_on and word.folded in _LINKING and _capital_follows(words, place):
            run.append(place)
            continue
        named = (word.capital or word.certain) and not word.stops
        if run and not (named and goes_on):
            yield tuple(run)
            run = []
        if named:
            run.append(place)
    if run:
        yield tuple(run)


def _capital_follows(words: Sequence[_Word], place: int) -> bool:
    after = words[place + 1 : place + 2]
    return bool(after) and after[0].joined and after[0].capital and not after[0].stops


def _is_name(words: Sequence[_Word], run: tuple[int, ...]) -> bool:
    return len(run) <= _LONGEST_NAME and any(len(words[place].folded) > 1 for place in run)


def _runs(words: Sequence[_Word], names: set[int]) -> Iterator[tuple[int, ...]]:
    """Cut the text into runs of words between stop words, punctuation and names."""
    run: list[int] = []
    for place, word in enumerate(words):
        if run and (not word.joined or word.stops or place in names):
            # the last three: the noun is at the end
            yield tuple(run[-_LONGEST_RUN:])
            run = []
        if not word.stops and place not in names:
            run.append(place)
    if run:
        yield tuple(run[-_LONGEST_RUN:])


def _by_score(words: Sequence[_Word], runs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Order runs by the sum of their words' degree over frequency."""
    degree, frequency = Counter[str](), Counter[str]()
    for run in runs:
        for place in run:
            degree[words[place].folded] += len(run)
            frequency[words[place].folded] += 1

    def score(run: Iterable[int]) -> float:
        folded = (words[place].folded for place in run)
        return sum(degree[word] / frequency[word] for word in folded)

    return sorted(runs, key=lambda run: (-score(run), run))


def _is_term(name: str, display: str) -> bool:
    letters = sum(char.isalpha() for char in name)
    # a Chinese or Japanese character counts as a word
    wide = any(ord(char) > 0x2E7F for char in name)
    enough = letters >= (_SHORTEST_WORD if not wide and not display.isupper() else 2)
    return enough and len(name) <= MAX_CHARACTERS and len(display) <= MAX_CHARACTERS


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word)


def _fold(word: str) -> str:
    """Drop case and accents, but not the marks of Japanese syllables, which distinguish words."""
    if word.isascii():
        return word.casefold()
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))
