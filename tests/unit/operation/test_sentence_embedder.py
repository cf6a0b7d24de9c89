from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graph.embedding.adapter import ANSWERS, PAIRS, QUESTIONS, Session, adapted_model
from graph.embedding.sentence import DIMENSION, MODEL, QUERY_PROMPT, SentenceEmbedder
from graph.ports.world import Embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

TEXTS = [
    "Lena is allergic to peanuts.",
    "The train from Turin was late.",
    "Ada prefers answers with a worked example.",
    "?!",
    "",
    "x",
    "the invoices of May " * 400,
    "北京的仓库今天关闭了。",
]

_FIRST_STATE = Session.first_state


@pytest.fixture(autouse=True)
def running_each_time(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the model itself: a kept state would show nothing of it."""
    monkeypatch.setattr(Session, "first_state", _FIRST_STATE)


def test_rows_have_length_one_or_are_zero_where_there_is_no_word(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSION)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.allclose(lengths, [1, 1, 1, 0, 0, 1, 1, 1], atol=1e-5)
    assert embedder.dimension == DIMENSION
    assert embedder.embed([]).shape == (0, DIMENSION)
    assert not embedder.embed_question("?!").any()
    assert embedder.embed_question("a cat").shape == (DIMENSION,)


@pytest.mark.parametrize(
    ("question", "text", "cosine"),
    [
        ("Can I serve satay sauce to her?", TEXTS[0], 0.45),
        ("Can I serve satay sauce to her?", TEXTS[1], 0.22),
        ("Was somebody delayed on the railway?", TEXTS[1], 0.65),
        ("How does Ada like answers?", TEXTS[2], 0.66),
    ],
)
def test_known_cosines(embedder: Embedder, question: str, text: str, cosine: float) -> None:
    found = float(embedder.embed([text])[0] @ embedder.embed_question(question))
    assert found == pytest.approx(cosine, abs=0.03)


def test_a_paraphrase_is_nearer_than_what_shares_a_word(embedder: Embedder) -> None:
    question = embedder.embed_question("Which nuts must she avoid?")
    allergy, nuts = embedder.embed([TEXTS[0], "She bought nuts and bolts for the shelf."])
    assert question @ allergy > question @ nuts


def test_a_text_has_the_same_vector_alone_and_in_any_company(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.embed([text])[0], vector)


def test_many_threads_may_embed_at_once(embedder: Embedder) -> None:
    expected = embedder.embed(TEXTS)
    with ThreadPoolExecutor(8) as threads:
        for vectors in threads.map(embedder.embed, [TEXTS] * 8):
            assert np.array_equal(vectors, expected)


def test_what_is_sought_has_the_prompt_of_the_model(embedder: Embedder) -> None:
    prompted = embedder.embed([f"{QUERY_PROMPT}a cat"])[0]
    assert np.array_equal(embedder.embed_query("a cat"), prompted)
    assert not embedder.embed_query("?!").any()


def test_a_question_has_a_vector_of_its_own(embedder: Embedder) -> None:
    prompted = embedder.embed([f"{QUERY_PROMPT}a cat"])[0]
    asked = embedder.embed_question("a cat")
    assert np.linalg.norm(asked) == pytest.approx(1, abs=1e-5)
    assert 0.3 < asked @ prompted < 0.95
    assert np.array_equal(asked, embedder.embed_question("a cat"))


def test_the_adapter_parts_an_answer_from_what_merely_shares_a_name(embedder: Embedder) -> None:
    asked = "Can I serve satay sauce to Lena?"
    answer, other = embedder.embed([TEXTS[0], "Lena rides her bike to work."])
    plain = embedder.embed([QUERY_PROMPT + asked])[0]
    adapted = embedder.embed_question(asked)
    assert adapted @ (answer - other) > plain @ (answer - other) > 0


@pytest.mark.parametrize("adapter", [QUESTIONS, PAIRS, ANSWERS])
def test_an_adapter_changes_every_matrix_a_little(adapter: str) -> None:
    folder = model_folder(Settings())
    assert folder is not None
    plain = np.fromfile(folder / MODEL, np.uint8)
    adapted = np.frombuffer(adapted_model(folder / MODEL, adapter), np.uint8)
    assert adapted.shape == plain.shape
    # Twelve layers have 21 of its 34 MB; the vectors of words and the graph stay as they are.
    assert 0.6 < np.count_nonzero(adapted != plain) / len(plain) < 0.65


def test_what_comes_after_512_tokens_is_not_read(embedder: Embedder) -> None:
    long = "late " * 510
    read, cut = embedder.embed([long, f"{long} peanuts and invoices"])
    assert np.array_equal(read, cut)
    assert not np.array_equal(read, embedder.embed([f"peanuts {long}"])[0])


def test_the_default_embedder_is_this_one(embedder: Embedder) -> None:
    assert isinstance(embedder, SentenceEmbedder)
    assert embedder.name == embedder.source
    assert not embedder.quick  # milliseconds: not on the event loop


def test_the_reader_of_pairs_reads_nothing_of_nothing(embedder: Embedder) -> None:
    assert embedder.reader is not None
    assert embedder.reader.replaced([]).shape == (0, 2)
    assert embedder.reader.met([]).shape == (0,)
    assert embedder.reader.answers("Who?", []).shape == (0,)
    assert embedder.reader.answers_instead("Who?", []).shape == (0,)


def test_a_note_that_answers_is_told_from_one_that_shares_the_words(embedder: Embedder) -> None:
    assert embedder.reader is not None
    asked = "Who mixes the sound at the front?"
    answer, other = embedder.reader.answers(
        asked, ["Marit stands at the front-of-house desk.", "The front door sounds broken."]
    )
    assert answer > other
    long = "Marit stands at the front-of-house desk. " * 40
    assert embedder.reader.answers(asked, [long]) == embedder.reader.answers(asked, [long + "x"])


def test_a_newer_note_takes_over_from_what_it_changes_alone(embedder: Embedder) -> None:
    assert embedder.reader is not None
    sponsor = "Our sponsor is Bannister's Garage."
    stepped_in = "Bannister's have pulled out, Nisha's Pharmacy stepped in with 750."
    bus = "Bannister's lend us their bus on Saturdays."
    taken, kept = embedder.reader.answers_instead(
        "Who sponsors us?", [(sponsor, stepped_in), (sponsor, bus)]
    )
    assert taken > 0 > kept


def test_an_outcome_that_fails_meets_less_than_one_that_succeeds(embedder: Embedder) -> None:
    assert embedder.reader is not None
    good, bad = embedder.reader.met(
        [("All tests pass", "Every check came back green"), ("All tests pass", "Two checks broke")]
    )
    assert good > bad
