from __future__ import annotations

import hashlib

import pytest

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import SCOPE_KINDS, Caller, ScopeKind, check_tenant, hashed_key, named_scope


def test_a_caller_reads_its_own_its_channels_its_users_and_the_shared_scope() -> None:
    caller = Caller("acme", "anna", ("general", "dev"), ("uma",))
    assert caller.readable == (
        "acme/agent/anna",
        "acme/channel/dev",
        "acme/channel/general",
        "acme/shared",
        "acme/user/uma",
    )


def test_a_caller_without_agent_reads_no_agent() -> None:
    assert Caller("acme", user_ids=("uma",)).readable == ("acme/shared", "acme/user/uma")


def test_an_id_that_stands_twice_is_read_once() -> None:
    assert Caller("acme", channel_ids=("c", "c")).readable == ("acme/channel/c", "acme/shared")


@pytest.mark.parametrize(
    ("caller", "home"),
    [
        (Caller("t", "a", ("c",), ("u",)), "t/agent/a"),
        (Caller("t", None, ("c",), ("v", "u")), "t/user/u"),
        (Caller("t", None, ("d", "c")), "t/channel/c"),
    ],
)
def test_tasks_belong_to_the_agent_else_a_user_else_a_channel(caller: Caller, home: str) -> None:
    assert caller.home == home


@pytest.mark.parametrize(
    ("kind", "scope"),
    [
        (None, "t/agent/a"),
        ("agent", "t/agent/a"),
        ("channel", "t/channel/c"),
        ("user", "t/user/u"),
        ("shared", "t/shared"),
    ],
)
def test_a_caller_writes_where_it_asks_and_to_its_agent_by_itself(
    kind: ScopeKind | None, scope: str
) -> None:
    assert Caller("t", "a", ("c",), ("u",)).writable(kind) == scope


def test_without_agent_it_writes_to_its_user_and_then_its_channel() -> None:
    assert Caller("t", None, ("c",), ("u",)).writable() == "t/user/u"
    assert Caller("t", None, ("c",)).writable() == "t/channel/c"


@pytest.mark.parametrize(
    ("caller", "kind", "field"),
    [
        (Caller("t", None, ("c",)), "agent", "agent_id"),
        (Caller("t", "a"), "channel", "channel_ids"),
        (Caller("t", "a", ("c", "d")), "channel", "channel_ids"),
        (Caller("t", "a"), "user", "user_ids"),
        (Caller("t", None, (), ("u", "v")), None, "user_ids"),
    ],
)
def test_none_or_several_ids_of_a_kind_name_no_scope_to_write_to(
    caller: Caller, kind: ScopeKind | None, field: str
) -> None:
    with pytest.raises(InvalidInputError, match="exactly one") as refused:
        caller.writable(kind)
    assert refused.value.field == field


def test_a_caller_that_names_nobody_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="name an agent_id") as refused:
        Caller("t")
    assert refused.value.field == "agent_id"


@pytest.mark.parametrize(
    "name", ["", " ", "\t", "a\nb", "a\x00", "\u202e", "\ud800", "x" * 257, "\u2028"]
)
def test_an_id_that_is_empty_long_or_unprintable_is_refused(name: str) -> None:
    for fields in ({"agent_id": name}, {"channel_ids": (name,)}, {"user_ids": ("u", name)}):
        with pytest.raises(InvalidInputError, match="printable") as refused:
            Caller("t", **fields)  # pyright: ignore[reportArgumentType] -- one of three kinds
        assert refused.value.field == next(iter(fields))
        assert name not in str(refused.value) or not name.strip()


@pytest.mark.parametrize("name", ["x" * 256, "a/b", "näme", "名前", "* OR ~", "a b", "shared"])
def test_any_printable_id_is_taken(name: str) -> None:
    assert Caller("t", name).home == f"t/agent/{name}"


def test_more_than_a_hundred_channels_or_users_are_refused() -> None:
    names = tuple(map(str, range(100)))
    assert len(Caller("t", None, names).readable) == 101
    with pytest.raises(InvalidInputError, match="at most 100") as refused:
        Caller("t", None, (*names, "x"))
    assert refused.value.field == "channel_ids"
    with pytest.raises(InvalidInputError, match="at most 100"):
        Caller("t", "a", (), (*names, "x"))


@pytest.mark.parametrize("tenant", ["", "A", "a/b", "-a", "a b", "ä", "x" * 64, "a\n"])
def test_a_tenant_that_could_break_a_scope_is_refused(tenant: str) -> None:
    with pytest.raises(InvalidInputError, match="a tenant's name") as refused:
        Caller(tenant, "a")
    assert refused.value.field == "tenant"


def test_a_plain_tenant_is_taken() -> None:
    check_tenant("0-acme_1")
    check_tenant("x" * 63)


def test_ids_of_different_kinds_never_make_one_scope() -> None:
    made = {Caller("t", "x", ("x",), ("x",)).writable(kind) for kind in SCOPE_KINDS}
    assert len(made) == len(SCOPE_KINDS)
    assert Caller("t", "channel/x").home != Caller("t", None, ("x",)).home
    assert Caller("t", "x/y").home != Caller("t", "x").home


def test_a_scope_that_is_shown_is_named_inside_its_tenant() -> None:
    assert named_scope("acme", "shared") == "acme/shared"
    assert named_scope("acme", "agent/x/y") == Caller("acme", "x/y").home


@pytest.mark.parametrize("shown", ["", "shared/x", "tenant/x", "other/agent/x", "agent/", "agent"])
def test_what_names_no_scope_is_refused(shown: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        named_scope("acme", shown)
    assert refused.value.field == "scope"


def test_a_hashed_key_is_nineteen_digits_of_the_sha_256() -> None:
    digest = int(hashlib.sha256(b"local/agent/run").hexdigest(), 16)
    assert hashed_key("local/agent/run") == f"{digest % 10**19:019d}"
    assert hashed_key("local/agent/running") != hashed_key("local/agent/run")
    assert all(len(hashed_key(str(i))) == 19 for i in range(500))
