import numpy as np

from bot.demo.draws import Draws


def test_the_stream_is_the_same_everywhere_and_for_ever() -> None:
    assert Draws(7, 1).below(1_000, 5).tolist() == [770, 111, 189, 159, 431]


def test_other_seed_words_give_another_stream() -> None:
    assert Draws(7, 1).below(1_000, 5).tolist() != Draws(7, 2).below(1_000, 5).tolist()


def test_weighted_positions_come_as_often_as_their_weights_say() -> None:
    counts = np.bincount(Draws(7).weighted((1, 0, 3), 40_000), minlength=3)
    assert counts[1] == 0
    assert 9_500 < counts[0] < 10_500


def test_each_row_uses_its_own_weights() -> None:
    table = np.array(((1, 0, 0), (0, 0, 1), (1, 1, 0)), dtype=np.int64)
    rows = np.repeat(np.arange(3, dtype=np.int64), 1_000)
    drawn = Draws(7).weighted_by_row(table, rows)
    assert set(drawn[:1_000].tolist()) == {0}
    assert set(drawn[1_000:2_000].tolist()) == {2}
    assert set(drawn[2_000:].tolist()) == {0, 1}


def test_shuffling_keeps_every_number_once() -> None:
    assert sorted(Draws(7).shuffled(100).tolist()) == list(range(100))
