"""Words that join others and name nothing: they end a phrase, and start no name.

English in full, of five other European languages what is most frequent; folded, without accents.
"""

from __future__ import annotations

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
