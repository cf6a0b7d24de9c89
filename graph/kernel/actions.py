"""Names of a step's action: the tool it calls, the sums it does, or its verb."""

from __future__ import annotations

import re

_SIGNS = {
    "+": "add",
    "-": "subtract",
    "−": "subtract",
    "*": "multiply",
    "×": "multiply",
    "/": "divide",
    "÷": "divide",
}
_NUMBER = r"[$€£]?(?:\d[\d,]*\.?\d*|\.\d+)%?"
_SUM = re.compile(
    rf"[(\s-]*{_NUMBER}(?:[\s()]*[-+*/×÷−][\s()-]*{_NUMBER})+[)\s]*(?:=.*)?", re.DOTALL
)
_SIGN = re.compile(r"(?<=[\d.%)])\s*([-+*/×÷−])")
_CALL = re.compile(r"\s*([^\W\d][\w.]{0,63})\s*[(\[{:]")
_WORD = re.compile(r"[^\W\d][\w-]{0,63}")


def action_names(action: str) -> tuple[str, ...]:
    """Return the names of what an action does, in order; empty where it says nothing.

    Examples
    --------
    >>> action_names("(16-3)*2=26")
    ('subtract', 'multiply')
    >>> action_names('search("ducks")'), action_names("Look up the price")
    (('search',), ('look',))
    """
    if _SUM.fullmatch(action.strip()):
        # the operators before the result: *16-3=13* subtracts once
        return tuple(_SIGNS[sign] for sign in _SIGN.findall(action.partition("=")[0]))
    # the name of a call has priority over a verb: *search("look up")* searches
    named = _CALL.match(action) or _WORD.search(action)
    return (named[named.re.groups].lower(),) if named else ()
