"""Addresses of people and machines: e-mail, IPv4, IPv6."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from graph.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

# Letters of scripts that put spaces between words; in others an address ends where these end.
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
# Ends of file names, which are no top-level domains.
_FILES = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "webm",
        "bmp",
        "ico",
        "css",
        "scss",
        "html",
        "js",
        "jsx",
        "ts",
        "tsx",
        "json",
        "yaml",
        "yml",
        "toml",
        "txt",
        "csv",
        "pdf",
        "exe",
        "dll",
        "jar",
        "whl",
        "gz",
        "tar",
        "log",
        "lock",
        "vue",
        "cpp",
        "hpp",
    ]
)

_DOTTED = re.compile(r"\d\.\d{1,3}\.\d{1,3}\.\d")
_COLONS = re.compile(r"::|:[0-9a-fA-F]{1,4}:")
_IPV4 = re.compile(r"(?<![\w.])(?P<address>(?:\d{1,3}\.){3}\d{1,3})(?!\w|\.\d)")
_VERSION = re.compile(
    r"(?:\b(?:version|versions|ver\.?|release|build|firmware|driver|section|chapter|clause|step|§)"
    r"[\s:=#]*|\bv\.?\s?|(?<!/)\b\w+/|[<>~^=]=\s?)$",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"\b(?:ip|ipv4|host|server|address|addr|ping|dns|gateway|client|peer|from|login)\b[^\n]{0,24}$",
    re.IGNORECASE,
)
_IPV6 = re.compile(
    r"(?<![\w:.])(?P<address>[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?::?(?:\d{1,3}\.){3}\d{1,3})?)"
    r"(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_REACHABLE = tuple(ipaddress.ip_network(net) for net in ("2000::/3", "fc00::/7", "fe80::/10"))
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")


def emails(text: str) -> Iterator[Finding]:
    """Find e-mail addresses, also those spelt with [at] and [dot]."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            remote = match["local"] == "git" and text[match.end() : match.end() + 1] in {":", "/"}
            if match["top"].lower() not in _FILES and not remote and ".." not in match["local"]:
                yield _found("EMAIL", match.start(), match.end(), match[0].lower())
    if _BRACKETED.search(text):
        for match in _SPELT.finditer(text):
            domain = _DOT.sub(".", match["domain"])
            yield _found("EMAIL", *match.span(), f"{match['local']}@{domain}".lower())


def addresses(text: str, context: str = "") -> Iterator[Finding]:
    """Find IP addresses; not versions, times, masks, nor what every machine calls itself."""
    if "." in text and _DOTTED.search(text):
        yield from _ipv4(text, context)
    if ":" in text and _COLONS.search(text):
        yield from _ipv6(text)


def _ipv4(text: str, context: str) -> Iterator[Finding]:
    for match in _IPV4.finditer(text):
        try:
            address = ipaddress.IPv4Address(match["address"])
        except ValueError:
            continue
        before = text[max(0, match.start() - 32) : match.start()] or f"{context} "
        small = all(len(part) == 1 for part in match["address"].split("."))
        version = _VERSION.search(before) or (small and not _MACHINE.search(before))
        if not (version or _says_nobody(address)):
            yield _found("IP", *match.span(), str(address))


def _ipv6(text: str) -> Iterator[Finding]:
    for match in _IPV6.finditer(text):
        try:
            address = ipaddress.IPv6Address(match["address"])
        except ValueError:
            continue
        reachable = address in _MAPPED or any(address in network for network in _REACHABLE)
        groups = [part for part in match["address"].split(":") if part]
        slice_of_list = len(groups) <= 2 and all(part.isdigit() for part in groups)
        if reachable and not slice_of_list:
            yield _found("IP", *match.span(), str(address))


def _says_nobody(address: ipaddress.IPv4Address) -> bool:
    return (
        address.is_loopback
        or address.is_unspecified
        or address.is_multicast
        or int(address) >> 24 in {0, 255}
    )


def _found(kind: str, start: int, end: int, value: str) -> Finding:
    return Finding("EMAIL" if kind == "EMAIL" else "IP", start, end, value)
