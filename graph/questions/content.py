"""Content words of a text, their stems, and function words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from graph.kernel.words import CHARACTER, without_accents
from graph.languages.english import english

_ENGLISH = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these
they this to was will with what when who whom whose where which why how did does do done were been being
has have had having would could should can may might shall must i me my mine myself we us our ours
ourselves you your yours yourself he him his himself she her hers herself its itself them theirs
themselves one ones am im ive id ill youre hes shes theyre theres whats whos dont doesnt didnt isnt arent
wasnt wont cant couldnt shouldnt wouldnt so too very just also any some all every each nor than about from
up out over under again before after since until during while happen happens happened anything something nothing
everything anyone someone everyone anybody somebody nobody more most much many few here please tell know get got give say says said let
's don doesn didn isn aren wasn weren won couldn shouldn wouldn hasn haven hadn ain mustn
"""
_OTHERS = """
der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren sein hat haben
hatte ich du er sie es wir ihr mich dich ihn uns euch ihm ihnen mein dein seine ihre unser wer was wann wo
wie warum welche welcher welches wen wem wogegen womit wohin nicht kein keine mit von zu zum zur im am auf
für bei nach aus an als auch noch nur doch denn dass wird werden mir dir meine meinen meinem meiner meines deine deinen deinem deiner
seinen seinem seiner ihren ihrem ihrer unsere unseren unserem unserer niemand jemand jeder jede jedes jeden jedem pro uber unter
vom beim ins alle alles diese dieser dieses diesen kann können soll sollte muss darf
le la les un une des du de et ou mais est sont était être a ont avoir je tu il elle nous vous ils elles me
te se mon ma mes ton ta tes son sa ses notre votre leur qui que quoi quand où comment pourquoi quel quelle
quels quelles ne pas avec pour par dans sur en au aux ce cet cette ces plus
el los las unos unas y o pero es son era ser estar está han yo tú él ella nosotros ellos mi mis tu tus su
sus nuestro quién qué cuándo dónde cómo cuál cuáles cuánto cuánta no con por para en al del lo se le les
il lo gli i uno una e ma è sono era essere ha hanno io lei noi loro mio tuo suo chi che cosa quando dove
come perché quale quali quanto non con per da nel nella dei delle si
os as um uma e ou mas é são ser está tem eu ele ela nós eles meu minha seu sua quem quê onde como porque
qual quais quanto não com por para em no na do da dos das ao se
"""
ENGLISH_WORDS = frozenset(without_accents(word) for word in _ENGLISH.split())
OTHER_WORDS = frozenset(without_accents(word) for word in _OTHERS.split())
FUNCTION_WORDS = ENGLISH_WORDS | OTHER_WORDS
"""English in full, the most frequent ones of German, French, Spanish, Italian and Portuguese; folded."""


LONGEST_TEXT = 1_000  # characters of a text that are read, and kept
_KEPT_TEXTS = 8_192
_KEPT_STEMS = 50_000
_WORD = re.compile(rf"\w{CHARACTER}*(?:['’.]{CHARACTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_STEMMER = snowballstemmer.stemmer("english")


def content_words(text: str) -> tuple[str, ...]:
    """Return the distinct content words of a text in English, folded, in order.

    Examples
    --------
    >>> content_words("Where does Lena's sister live now?")
    ('lena', 'sister', 'live', 'now')
    """
    return _content_words(english(text[:LONGEST_TEXT]))


def written_words(text: str) -> tuple[str, ...]:
    """Return the distinct content words of a text in its own language, folded, in order."""
    return _content_words(text[:LONGEST_TEXT])


def stems(words: Iterable[str]) -> frozenset[str]:
    """Return the English stems of words; those of other languages mostly stay unchanged."""
    return frozenset(map(stem, words))


@lru_cache(_KEPT_STEMS)
def stem(word: str) -> str:
    """Return the English stem of a folded word (Porter, "Snowball", 2001)."""
    return _STEMMER.stemWord(word)


@lru_cache(_KEPT_TEXTS)
def text_stems(text: str, tags: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the stems of the content words of a text and its tags."""
    return stems(content_words(" ".join((text[:LONGEST_TEXT], *tags))))


@lru_cache(_KEPT_TEXTS)
def _content_words(text: str) -> tuple[str, ...]:
    found = (_POSSESSIVE.sub("", match) for match in _WORD.findall(without_accents(text)))
    return tuple(dict.fromkeys(word for word in found if word not in FUNCTION_WORDS))
