from graph.scope import Caller
from tests.conftest import Recalls, Remembers


async def test_smoke(remember: Remembers, recall: Recalls, anna: Caller) -> None:
    uid = await remember(anna, "a grey cat named Biscuit")
    answer = await recall(anna, "Which cat is grey?")
    assert answer.results[0].memory.uid == uid
