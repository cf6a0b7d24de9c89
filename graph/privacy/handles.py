"""Handles: names of accounts online."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.model.memories.privacy import Finding
from graph.privacy.scanned import ScannedText

_STEMS = ("twitter", "insta", "telegram", "tiktok", "mastodon", "bluesky", "bsky", "threads", "github", "gitlab",
          "discord", "slack", "reddit", "snapchat", "twitch", "youtube", "facebook", "linkedin", "skype", "matrix", "handle", "user",
          "nick", "gamertag", "benutzer", "usuario", "utilisateur", "pseudo", "utente", "gebruiker", "tweet", "follow",
          "t.me/", "x.com/", "dm ", "screen name", "alias", "account", "login", "u/", "@")  # fmt: skip
_PLATFORM = (
    r"(?:twitter|x\.com|instagram|insta|ig|telegram|tiktok|mastodon|bluesky|threads|github|gitlab|discord|slack|reddit|"
    r"snapchat|snap|twitch|youtube|facebook|linkedin|skype|matrix|steam|psn|xbox|gamertag)"
)
_PROFILE = re.compile(
    r"(?:\b(?:twitter\.com|x\.com|instagram\.com|tiktok\.com|threads\.net|bsky\.app/profile|facebook\.com|t\.me|"
    r"linkedin\.com/in|reddit\.com/u(?:ser)?|twitch\.tv|snapchat\.com/add|youtube\.com)/|(?<![\w/])/?u/)"
    r"@?(?P<handle>[A-Za-z0-9_][\w.-]{1,38}[A-Za-z0-9_])(?![\w.]*[@(])",
)
_NO_PROFILE = frozenset(
    ("home", "explore", "search", "about", "login", "share", "sharer", "intent", "watch", "playlist", "channel", "results",
     "hashtag", "settings", "privacy", "legal", "help", "groups", "events", "pages", "reel", "reels", "joinchat", "feed", "status")
)  # fmt: skip
_AT = r"(?<![\w.@/$`\\-])@(?P<handle>[A-Za-z_][\w.-]{1,38}\w)(?![\w(@/]|\.\w|[ \t]*\()"
_SOCIAL_AT = re.compile(_AT)
_SOCIAL_BEFORE = re.compile(
    rf"(?<![\w.]){_PLATFORM}\b[^\n;]{{0,28}}$|\b(?:handle|user ?names?|nick(?:name)?|alias|screen name|account|profile|posts? as|known as|"
    r"benutzername|utilisateur|pseudo|usuario|utente)\b[^\n.;]{0,24}$"
    r"|\b(?:follow(?:s|ed|ing)?|dm(?:s|ed)?|cc|ask(?:ed)?|ping(?:ed)?|thanks(?: to)?|thank|kudos to|tell|told|message[ds]?|mention(?:s|ed|ing)?|"
    r"tagged|tag|hey|hi|hello|hallo|merci|danke|gracias|reply to|replied to|retweet(?:ed)?|assigned to|requested (?:from|by)|reviewed by|reported by|"
    r"posted by|photo by|tweet(?:s|ed)? (?:by|from)|contact|shout-?out to)[\s:,]*(?:@[\w.]+(?:,| and| und| et)\s*)*$",
    re.IGNORECASE,
)
_SOCIAL_AFTER = re.compile(
    rf"[\s,)]*(?:(?:on|auf|sur|en|su|op|at|via|over)\s+{_PLATFORM}\b|\((?:on )?{_PLATFORM}|(?:tweeted|posted|wrote on|replied|commented|dm(?:ed|'d)|said|asked|reported|opened|mentioned)\b)",
    re.IGNORECASE,
)
_NO_HANDLES = frozenset(
    ("here", "channel", "everyone", "all", "team", "property", "dataclass", "staticmethod", "classmethod", "override", "param",
     "return", "returns", "media", "import", "types", "deprecated", "pytest", "app", "router", "admin", "support", "todo")
)  # fmt: skip
_PLACEHOLDERS = frozenset(
    ("admin", "administrator", "root", "test", "user", "username", "guest", "string", "text", "required", "null", "none", "true", "false",
     "default", "system", "neo4j", "postgres", "mysql", "ubuntu", "name")
)  # fmt: skip
_LABELLED = re.compile(
    rf"(?:(?<![\w.-]){_PLATFORM}(?:\s+(?:user ?name|user|handle|id|name|nick|account|profile))?|\b(?:user ?name|user_name|screen ?name|nick ?name|nick|gamertag|handle|login name|"
    r"benutzername|nom d['’]utilisateur|pseudo|nombre de usuario|usuario|nome utente|gebruikersnaam))"
    r"[\"']?(?:\s+(?:is|was|ist|lautet|est|es|è|auf|on))?\s*(?P<sign>[:=]|(?<=is)|(?<=was)|(?<=ist)|(?<=lautet)|(?<=est)|(?<=es)|(?<=è)|(?<=name)|(?<=user)|(?<=handle))\s*(?P<quote>[\"'`]?)"
    r"(?P<handle>@?[A-Za-z0-9_](?:[\w.-]{1,36}[A-Za-z0-9_])(?:#\d{4})?)(?![\w@/(]|\.\w)",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"(?<![\w#/.])[A-Za-z][\w.]{1,31}#\d{4}(?!\w)")
_LOOKS_LIKE_HANDLE = re.compile(r"[\d_]|[a-z][A-Z]|\w\.\w|^@")
_KEYS = re.compile(
    r"(?<![^\W_])(?:user ?name|screen ?name|handle|nick(?:name)?|login|twitter|instagram|telegram|github|tiktok|mastodon|discord|skype|reddit)(?![^\W_])",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\s*(@?[A-Za-z0-9_][\w.-]{1,36}[A-Za-z0-9_](?:#\d{4})?)\s*")


def handles(scanned: ScannedText) -> Iterator[Finding]:
    """Find handles: in URLs of profiles, after an @ beside words of social media, and labelled ones."""
    if not scanned.says(_STEMS):
        return
    text = scanned.text
    if (alone := _ALONE.fullmatch(text)) and _KEYS.search(scanned.context):
        yield _finding(*alone.span(1), alone[1])
    if "/" in text:
        for match in _PROFILE.finditer(text):
            if match["handle"].lower() not in _NO_PROFILE:
                yield _finding(*match.span("handle"), match["handle"])
    if "@" in text:
        yield from _with_at(text)
    yield from _labelled(text)


def _labelled(text: str) -> Iterator[Finding]:
    """Yield words after a label of a user name that look like one or are quoted."""
    for match in _LABELLED.finditer(text):
        handle = match["handle"]
        quoted = match["quote"] and handle.lower() not in _PLACEHOLDERS
        if (quoted or _LOOKS_LIKE_HANDLE.search(handle)) and not handle.isdigit():
            yield _finding(*match.span("handle"), handle)
    if "#" in text and "discord" in text.lower():
        for match in _TAGGED.finditer(text):
            yield _finding(*match.span(), match[0])


def _with_at(text: str) -> Iterator[Finding]:
    for match in _SOCIAL_AT.finditer(text):
        if match["handle"].lower() in _NO_HANDLES:
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        if _SOCIAL_BEFORE.search(before) or _SOCIAL_AFTER.match(text, match.end()):
            yield _finding(*match.span(), match[0])


def _finding(start: int, end: int, written: str) -> Finding:
    return Finding("HANDLE", start, end, written.lstrip("@").lower())
