from __future__ import annotations

import ast
import gc
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from cypher import MIGRATIONS, QUERIES, CypherFileError, Query, load, parse
from tests.statements import STATEMENTS

ROOT = Path(__file__).parents[3]
STATEMENT = re.compile(r"\b(MATCH|MERGE|UNWIND|CREATE|SET|CALL|RETURN|DELETE)\b[ (]")
SCHEMA_COMMANDS = ("CREATE CONSTRAINT", "CREATE INDEX")


def header(**changed: str | None) -> str:
    fields = {"params": "uid STRING", "returns": "uid STRING", "mode": "read"} | changed
    lines = ["// One thing.", "//"]
    lines += [f"// {name}: {value}" for name, value in fields.items() if value is not None]
    return "\n".join(lines) + "\n"


BODY = "MATCH (m:Memory {uid: $uid})\nRETURN m.uid AS uid\n"


def test_a_file_becomes_a_query() -> None:
    query = parse("memory.one", header() + BODY)
    assert query == Query(
        "memory.one", "One thing.", BODY.strip(), frozenset({"uid"}), "read", (), marked=BODY
    )


@pytest.mark.parametrize("missing", ["params", "returns", "mode"])
def test_a_header_without_a_field_is_refused(missing: str) -> None:
    with pytest.raises(CypherFileError, match=r"memory\.one: the header needs"):
        parse("memory.one", header(**{missing: None}) + BODY)


def test_a_file_without_header_is_refused() -> None:
    with pytest.raises(CypherFileError, match="the header needs a summary"):
        parse("memory.one", BODY)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(CypherFileError, match="the header needs a summary"):
        parse("memory.one", "")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(CypherFileError, match="mode is 'append'"):
        parse("memory.one", header(mode="append") + BODY)


def test_a_parameter_that_is_declared_but_not_used_is_refused() -> None:
    with pytest.raises(CypherFileError, match=r"declares \['k', 'uid'\] but uses \['uid'\]"):
        parse("memory.one", header(params="uid STRING, k INTEGER (> 0)") + BODY)


def test_a_parameter_that_is_used_but_not_declared_is_refused() -> None:
    with pytest.raises(CypherFileError, match=r"declares \[\] but uses \['uid'\]"):
        parse("memory.one", header(params="") + BODY)


def test_a_header_without_statement_declares_too_much() -> None:
    with pytest.raises(CypherFileError, match=r"declares \['uid'\] but uses \[\]"):
        parse("memory.one", header())


def test_a_field_goes_on_in_the_next_line_and_ends_at_an_empty_one() -> None:
    source = (
        "// One thing.\n//\n// params:  rows LIST<MAP> {uid STRING, text STRING},\n"
        "//          limit INTEGER (> 0, small)\n// returns: uid STRING\n// mode: write\n//\n"
        "// More words, that belong to no field.\nUNWIND $rows AS row\nRETURN $limit AS uid\n"
    )
    assert parse("memory.two", source).params == {"rows", "limit"}


def test_a_vector_without_slots_is_refused() -> None:
    with pytest.raises(CypherFileError, match="declare `slots: a b`"):
        parse("memory.one", header() + BODY.replace("m.uid AS", "m.embedding_a AS"))


def test_slots_without_a_vector_are_refused() -> None:
    with pytest.raises(CypherFileError, match="write vectors for slot a"):
        parse("memory.one", header(slots="a b") + BODY)


IN_PARTS = """MATCH (m:Memory {uid: $uid})
//+ outer
WHERE m.a = $a
  //+ inner
  AND m.b = $b
  //- inner
//- outer
RETURN m.uid AS uid
"""
PARTS = {"params": "uid STRING, a STRING, b STRING", "parts": "outer (if asked) inner"}


def test_a_statement_without_a_part_lacks_its_lines_and_parameters() -> None:
    query = parse("memory.one", header(**PARTS) + IN_PARTS)
    assert query.parts == ("outer", "inner")
    assert query.without() is query
    assert "//" not in query.text
    assert query.params == {"uid", "a", "b"}
    some = query.without("inner")
    assert some.text == "MATCH (m:Memory {uid: $uid})\nWHERE m.a = $a\nRETURN m.uid AS uid"
    assert (some.params, some.parts) == ({"uid", "a"}, ("outer",))
    least = query.without("outer")
    assert least.text == "MATCH (m:Memory {uid: $uid})\nRETURN m.uid AS uid"
    assert (least.params, least.parts) == ({"uid"}, ())
    assert some.without("outer").text == query.without("inner", "outer").text == least.text


def test_a_part_that_a_statement_does_not_have_cannot_be_left_out() -> None:
    query = parse("memory.one", header(**PARTS) + IN_PARTS)
    with pytest.raises(CypherFileError, match=r"memory\.one: has no parts \['more'\]"):
        query.without("inner", "more")


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({**PARTS, "parts": None}, IN_PARTS),
        ({**PARTS, "parts": "outer"}, IN_PARTS),
        ({**PARTS, "parts": "outer inner more"}, IN_PARTS),
        (PARTS, IN_PARTS.replace("//- inner\n", "")),
        (PARTS, IN_PARTS.replace("//+ inner\n", "")),
    ],
)
def test_a_part_that_is_not_declared_opened_and_closed_is_refused(
    fields: dict[str, str | None], body: str
) -> None:
    with pytest.raises(CypherFileError, match="declare each part"):
        parse("memory.one", header(**fields) + body)


IN_CHOICES = """//= newest oldest
MATCH (m:Memory {uid: $uid})
//= any
//| MATCH (m:Memory)
//=
  //= newest
  WITH m ORDER BY m.at DESC
  //= oldest
//|   WITH m ORDER BY m.at
//|   //+ first
//|   LIMIT $k
//|   //- first
  //=
RETURN m.uid AS uid
"""
CHOICES = {
    "params": "uid STRING, k INTEGER",
    "parts": "first",
    "choices": "newest (first) oldest any",
}


def test_a_file_with_choices_is_its_first_and_gives_each() -> None:
    query = parse("memory.one", header(**CHOICES) + IN_CHOICES)
    newest = query.choose("newest")
    assert (
        newest.text
        == query.text
        == ("MATCH (m:Memory {uid: $uid})\n  WITH m ORDER BY m.at DESC\nRETURN m.uid AS uid")
    )
    assert (newest.name, newest.params, newest.parts) == ("memory.one.newest", {"uid"}, ())
    oldest = query.choose("oldest")
    assert oldest.text == (
        "MATCH (m:Memory {uid: $uid})\n  WITH m ORDER BY m.at\n  LIMIT $k\nRETURN m.uid AS uid"
    )
    assert (oldest.params, oldest.parts) == ({"uid", "k"}, ("first",))
    assert "LIMIT" not in oldest.without("first").text
    assert query.choose("any").text == "MATCH (m:Memory)\nRETURN m.uid AS uid"
    assert [*query.choices] == ["newest", "oldest", "any"]


def test_a_choice_has_slots_if_it_reads_vectors() -> None:
    body = "MATCH (m:Memory {uid: $uid})\n//= text\nRETURN m.text\n//= vector\n//| RETURN m.embedding_a\n//="
    query = parse("memory.one", header(slots="a b", choices="text vector") + body)
    assert query.slots == query.choose("text").slots == ()
    assert query.choose("vector").for_slot("b").endswith("m.embedding_b")


def test_a_choice_that_a_statement_does_not_have_cannot_be_chosen() -> None:
    query = parse("memory.one", header(**CHOICES) + IN_CHOICES)
    with pytest.raises(
        CypherFileError, match=r"memory\.one: has no choice 'other', only \['newest'"
    ):
        query.choose("other")
    with pytest.raises(CypherFileError, match="has no choice 'newest'"):
        query.choose("newest").choose("newest")


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({**CHOICES, "choices": None}, IN_CHOICES),
        ({**CHOICES, "choices": "newest oldest"}, IN_CHOICES),
        ({**CHOICES, "choices": "newest oldest any more"}, IN_CHOICES),
        ({**CHOICES, "choices": "oldest newest any"}, IN_CHOICES),
        (CHOICES, IN_CHOICES.replace("  //=\n", "")),
        (CHOICES, IN_CHOICES.replace("//| MATCH", "MATCH")),
        (CHOICES, IN_CHOICES.replace("RETURN", "//| RETURN")),
    ],
)
def test_a_choice_that_is_not_declared_closed_and_commented_is_refused(
    fields: dict[str, str | None], body: str
) -> None:
    with pytest.raises(CypherFileError, match="declare each choice"):
        parse("memory.one", header(**fields) + body)


def test_a_vector_written_for_slot_b_is_refused() -> None:
    both = BODY + "// m.embedding_a, m.embedding_b"
    with pytest.raises(CypherFileError, match="write vectors for slot a"):
        parse("memory.one", header(slots="a b") + both)


def test_slot_b_is_derived_from_slot_a() -> None:
    query = QUERIES["recall.recall_candidates"]
    assert query.for_slot("a") == query.text
    other = query.for_slot("b")
    assert "embedding_a" not in other
    assert "VECTOR INDEX memory_embedding_b" in other
    assert other.count("embedding_b") == query.text.count("embedding_a")


def test_a_statement_without_vectors_has_no_slot() -> None:
    with pytest.raises(CypherFileError, match=r"memory\.one: has no slot 'b'"):
        parse("memory.one", header() + BODY).for_slot("b")


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_tree_is_read_by_path_and_other_files_are_left(tmp_path: Path) -> None:
    write(
        tmp_path,
        memory__one_dot_cypher=header() + BODY,
        memory__notes_dot_txt="",
        schema__0002_more_dot_cypher="// Why.\n//= up\nCREATE A;\nCREATE B;\n"
        "//= down\n//| DROP B;\n//| DROP A\n//=\n",
        schema__0001_start_dot_cypher="//= up\nCREATE S;\n//= down\n//| DROP S;\n//=",
    )
    queries, migrations = load(tmp_path)
    assert list(queries) == ["memory.one"]
    assert [(step.number, step.name) for step in migrations] == [(1, "start"), (2, "more")]
    assert migrations[1].up == ("CREATE A", "CREATE B")
    assert migrations[1].down == ("DROP B", "DROP A")


@pytest.mark.parametrize(
    "source",
    ["//= up\nRETURN 1;\n//=\n", "//= down\n//| RETURN 1;\n//=\n", "RETURN 1;\n", "// Why.\n"],
)
def test_a_migration_without_its_other_half_is_refused(tmp_path: Path, source: str) -> None:
    write(tmp_path, schema__0001_start_dot_cypher=source)
    with pytest.raises(CypherFileError, match="schema/0001_start: needs"):
        load(tmp_path)


def test_a_migration_without_number_is_refused(tmp_path: Path) -> None:
    write(
        tmp_path,
        schema__start_dot_cypher="//= up\nRETURN 1;\n//= down\n//| RETURN 2;\n//=\n",
    )
    with pytest.raises(CypherFileError, match="schema/start: needs"):
        load(tmp_path)


def test_migrations_count_up_from_one_without_gap() -> None:
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


@cache
def sources() -> list[tuple[Path, ast.Module]]:
    gc.collect()  # what it would tell of in the middle of a parse makes CPython 3.11 fail
    paths = [*(ROOT / "graph").rglob("*.py"), *(ROOT / "service").rglob("*.py")]
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def used_names() -> set[str]:
    """Every name in ``QUERIES["…"]``; a name that is not a literal fails."""
    names: set[str] = set()
    for path, tree in sources():
        for node in ast.walk(tree):
            match node:
                case ast.Subscript(value=ast.Name(id="QUERIES"), slice=key):
                    assert isinstance(key, ast.Constant), f"{path}:{node.lineno} computes a name"
                    names.add(str(key.value))
                case _:
                    pass
    return names


def test_every_name_that_is_used_exists_and_every_file_is_used() -> None:
    """But those for people, in Neo4j Browser: tests/store/operation/test_analytics.py runs each."""
    for_people = {name for name in QUERIES if name.startswith("analytics.")}
    assert len(for_people) >= 20
    assert used_names() == set(QUERIES) - for_people


def test_every_choice_is_named_where_its_file_is_used() -> None:
    used: dict[str, set[str]] = {}
    for _, tree in sources():
        words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        said = {word for word in words if isinstance(word, str)}
        for name in said & set(QUERIES):
            used.setdefault(name, set()).update(said)
    unused = [
        each.name
        for name, query in QUERIES.items()
        for choice, each in query.choices.items()
        if choice not in used[name]
    ]
    assert unused == []


def test_no_statement_stands_in_python_but_those_that_come_before_the_schema() -> None:
    found: list[str] = []
    for path, tree in sources():
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) in docstrings or not STATEMENT.search(node.value):
                    continue
                found.append(f"{path.relative_to(ROOT)}: {node.value[:40]}")
    assert all(line.partition(": ")[2].startswith(SCHEMA_COMMANDS) for line in found), found
    assert {line.partition(":")[0] for line in found} == {"graph/store/operation/migrate.py"}


def test_no_statement_is_formatted() -> None:
    """Only the loader touches a statement's text, and only to name the other slot."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.BinOp | ast.JoinedStr):
                inside = ast.dump(node)
                assert "QUERIES" not in inside, f"{path}:{node.lineno}"
                assert "attr='text'" not in inside or "query" not in inside, path
    loader = (ROOT / "cypher" / "__init__.py").read_text(encoding="utf-8")
    assert loader.count(".text.") == 1


def test_each_line_of_a_value_is_a_parameter_and_never_a_placeholder() -> None:
    for query in STATEMENTS.values():
        assert not re.search(r"%s|%\(|\{\}|\$\{", query.text), query.name


def every_variant() -> list[Query]:
    """Every statement as it is written, and without each choice of its parts."""
    return [
        query.without(*parts)
        for query in STATEMENTS.values()
        for count in range(len(query.parts) + 1)
        for parts in combinations(query.parts, count)
    ]


def test_every_variant_of_a_recall_filters_by_what_always_holds() -> None:
    variants = [q for q in every_variant() if q.name == "recall.recall_candidates"]
    assert len(variants) == 128
    for query in variants:
        inside = re.findall(r"SEARCH \w+ IN \((.*?)\) SCORE AS", query.text, re.DOTALL)
        assert len(inside) == ("vectors" in query.parts)
        behind = re.findall(r"\n  WHERE\n(.*?)RETURN collect\(m\)", query.text, re.DOTALL)
        assert len(behind) == ("walk" in query.parts)
        by_age = re.findall(r"WHERE m\.scope = scope\b(.*?)RETURN m\n", query.text, re.DOTALL)
        assert len(by_age) == ("memorable" in query.parts)
        for condition in (
            "m.state IN $states",
            "m.valid_from <= $valid_at AND m.valid_to > $ends_after",
            "m.expires_at > $unexpired_at",
        ):
            assert all(condition in conditions for conditions in [*inside, *behind, *by_age])
        hops = query.text.count("MATCH (seed)-[r:") + query.text.count("MATCH (t)<-")
        assert len(re.findall(r"(?:near|far|o)\.scope IN \$scopes", query.text)) == hops


def test_nothing_filters_behind_a_vector_search() -> None:
    """A condition outside ``SEARCH … WHERE`` filters after the search: it starves the answer."""
    arms = [
        arm
        for query in every_variant()
        for arm in re.findall(r"SCORE AS.*?\bRETURN\b", query.text, re.DOTALL)
    ]
    searches = sum(query.text.count("SEARCH ") for query in every_variant())
    assert len(arms) == searches >= 1
    assert not [arm for arm in arms if "WHERE" in arm or "LIMIT" in arm]


def test_every_vector_search_filters_by_scope_inside_the_index() -> None:
    for query in every_variant():
        for inside in re.findall(r"SEARCH \w+ IN \((.*?)\) SCORE AS", query.text, re.DOTALL):
            given = re.search(r"WHERE m\.scope IN \$\w*scopes", inside)
            own = "WHERE m.scope = scope" in inside and "p.scope AS scope" in query.text
            assert given or own, query.name


def test_every_full_text_search_checks_the_scope_once_more_behind_it() -> None:
    for query in every_variant():
        for behind in re.findall(r"fulltext\.queryNodes\(.*?\bRETURN\b", query.text, re.DOTALL):
            assert "WHERE m.scope IN $scopes" in behind, query.name
