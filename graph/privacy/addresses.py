"""E-mail and IP addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

# letters of scripts with spaces between words; text of other scripts ends an address
_LETTER = r"A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f"
_WORD = rf"{_LETTER}0-9_"
_EMAIL = re.compile(
    rf"(?<![{_WORD}.!#$%&'*+/?^`{{|}}~-])"
    rf"(?P<local>\"[^\"\n]{{1,64}}\"|[{_WORD}+'-][{_WORD}.!#$%&'*+/?^`{{|}}~-]{{0,63}})"
    rf"@(?P<domain>(?:[{_LETTER}0-9](?:[{_WORD}-]{{0,61}}[{_LETTER}0-9])?\.)+"
    rf"(?P<top>xn--[a-z0-9-]{{2,59}}|[{_LETTER}]{{2,24}}))"
    rf"(?![{_WORD}(@]|\.[{_WORD}])",
    re.IGNORECASE,
)
_SPELT = re.compile(
    r"(?<![\w.])(?P<local>[\w.+-]{1,64})\s*[\[({<]\s*at\s*[\])}>]\s*"
    r"(?P<domain>[\w-]+(?:\s*(?:\.|[\[({<]\s*dot\s*[\])}>])\s*[\w-]+)*"
    r"\s*(?:\.|[\[({<]\s*dot\s*[\])}>])\s*[^\W\d_]{2,24})(?!\w)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[({<]\s*[aA][tT]\s*[\])}>]")
_DOT = re.compile(r"\s*(?:\.|[\[({<]\s*dot\s*[\])}>])\s*", re.IGNORECASE)
# suffixes of file names, which are no top-level domains
_FILES_WORDS = """png jpg jpeg gif svg webp webm bmp ico css scss html js jsx ts tsx json yaml yml toml txt csv pdf exe dll jar
    whl gz tar log lock vue cpp hpp"""
_FILE_SUFFIXES = frozenset(_FILES_WORDS.split())

_DOTTED = re.compile(r"\d\.\d{1,3}\.\d{1,3}\.\d")
_COLONS = re.compile(r"::|:[0-9a-fA-F]{1,4}:")
_IPV4 = re.compile(r"(?<![\w.])(?P<address>(?:\d{1,3}\.){3}\d{1,3})(?!\w|\.\d)")
_VERSION = re.compile(
    r"\b(?:versions?|ver|releases?|released|builds?|firmware|drivers?|sections?|chapters?|clauses?|steps?|rev(?:ision)?|patch(?:es|ed)?|"
    r"updat(?:e|ed|es|ing)|(?:up|down)grad(?:e|ed|es|ing)|pinned|install(?:s|ed|ing)?|bump(?:s|ed)?|kernel|packages?|library|sdk|plugin|"
    r"rolled back|versión|versão|versione|windows|chrome|firefox|edge|android|java|jdk|app|\w+os)\b|§",
    re.IGNORECASE,
)
_VERSION_NEXT = re.compile(r"(?:\bv\.?\s?|(?<!/)\b\w+/|(?<![\w:])[<>~^=]=\s?|\w==)$", re.IGNORECASE)
_VERSION_AFTER = re.compile(
    r"[\s,)]*(?:(?:and|or|to|und|bis|is|was|ist|has|with|of|the|as|a|our|my|its|now|already|new|newest|latest|current|last|next|first)\s+){0,3}(?:versions?|releases?|released|builds?|"
    r"changelog|hotfix|firmware|drivers?|patch|out\b|stable|beta|alpha|rc\d|lts|kernel|broke|fixe[sd]|ships?|shipped|introduced|installed|"
    r"package)",
    re.IGNORECASE,
)
_IP_LABEL = re.compile(
    r"\b(?:ips?|ipv4|ip-adress\w*|ip_\w+|\w+_ip|hosts?|servers?|address(?:es)?|addr|ping(?:ed|s)?|dns|gateway|clients?|peers?|login|logged in|"
    r"signed in|ssh|scp|connect(?:s|ed|ion|ing)?|subnet|proxy|router|node|inet|requests?|blocked|banned|denied|traffic|visitor|sessions?|"
    r"resolve[sd]?|forwarded|origin|attack\w*|scan\w*|whitelist\w*|allow(?:ed|list)|firewall|bind|listen(?:s|ing)?|curl|nmap|traceroute|"
    r"remote|hits?)\b|://|\b(?:root|admin|ubuntu|user|pi|ec2-user)@",
    re.IGNORECASE,
)
_IP_LABEL_AFTER = re.compile(
    r":\d{2,5}\b|/(?:[12]?\d|3[0-2])\b(?!\.)|[\s,)\]'\"]*(?:- - \[|(?:(?:is|was|has been|did|does|cannot|can't|could not)\s+)?(?:\w+ly )?"
    r"(?:blocked|banned|unreachable|timed out|answer\w*|respond\w*|refus\w*|logged|tried|attempt\w*|connect\w*|request\w*|reachable|"
    r"resolves?|as (?:its|the|our) (?:ip|host|gateway)|(?:on )?port\b))",
    re.IGNORECASE,
)
_LIKELY_PART = 100  # versions seldom have two parts as high as this
_IPV6 = re.compile(
    r"(?<![\w:.])(?P<address>[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?::?(?:\d{1,3}\.){3}\d{1,3})?)"
    r"(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_UNICAST = tuple(ipaddress.ip_network(net) for net in ("2000::/3", "fc00::/7", "fe80::/10"))
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")


def emails(scanned: ScannedText) -> Iterator[Finding]:
    """Find e-mail addresses, also those spelt with [at] and [dot]."""
    text = scanned.text
    if "@" in text:
        for match in _EMAIL.finditer(text):
            remote = match["local"] == "git" and text[match.end() : match.end() + 1] in {":", "/"}
            if (
                match["top"].lower() not in _FILE_SUFFIXES
                and not remote
                and ".." not in match["local"]
            ):
                yield _finding("EMAIL", match.start(), match.end(), match[0].lower())
    if _BRACKETED.search(text):
        for match in _SPELT.finditer(text):
            domain = _DOT.sub(".", match["domain"])
            yield _finding("EMAIL", *match.span(), f"{match['local']}@{domain}".lower())


def addresses(scanned: ScannedText) -> Iterator[Finding]:
    """Find IP addresses; not versions, times, netmasks or loopback addresses."""
    if "." in scanned.text and _DOTTED.search(scanned.text):
        yield from _ipv4(scanned.text, scanned.context)
    if ":" in scanned.text and _COLONS.search(scanned.text):
        yield from _ipv6(scanned.text)


def _ipv4(text: str, context: str) -> Iterator[Finding]:
    for match in _IPV4.finditer(text):
        try:
            address = ipaddress.IPv4Address(match["address"])
        except ValueError:
            continue
        if not _is_unspecific(address) and _is_ip(text, match, address, context):
            yield _finding("IP", *match.span(), str(address))


def _is_ip(text: str, match: re.Match[str], address: ipaddress.IPv4Address, context: str) -> bool:
    """Return whether four numbers are an address and no version: by labels, else by their size."""
    before = (
        re.split(r"[;\n]", text[max(0, match.start() - 40) : match.start()])[-1] or f"{context} "
    )
    version, machine = _last_end(_VERSION, before), _last_end(_IP_LABEL, before)
    if _VERSION_NEXT.search(before) or version > machine:
        return False
    if machine > 0 or before.lower().endswith("from ") or _IP_LABEL_AFTER.match(text, match.end()):
        return True
    if _VERSION_AFTER.match(text, match.end()):
        return False
    return address.is_private or sum(part >= _LIKELY_PART for part in address.packed) > 1


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    """Return the end of the last match; 0 without a match."""
    return max((match.end() for match in pattern.finditer(text)), default=0)


def _ipv6(text: str) -> Iterator[Finding]:
    for match in _IPV6.finditer(text):
        try:
            address = ipaddress.IPv6Address(match["address"])
        except ValueError:
            continue
        reachable = address in _MAPPED or any(address in network for network in _UNICAST)
        groups = [part for part in match["address"].split(":") if part]
        slice_of_list = len(groups) <= 2 and all(part.isdigit() for part in groups)
        if reachable and not slice_of_list:
            yield _finding("IP", *match.span(), str(address))


def _is_unspecific(address: ipaddress.IPv4Address) -> bool:
    return (
        address.is_loopback
        or address.is_unspecified
        or address.is_multicast
        or int(address) >> 24 in {0, 255}
    )


def _finding(kind: str, start: int, end: int, value: str) -> Finding:
    return Finding("EMAIL" if kind == "EMAIL" else "IP", start, end, value)
