#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the judge of a soak tells, of samples that are known."""

import contextlib
import io
import pathlib
import random
import tempfile
import unittest

import judge


def samples(resident, number: int = 180, chance: float = 20.0):
    """A sample a second, with resident memory as told for each share of the run."""
    dice = random.Random(1)
    return [(second, second * 1e6, resident(second / number) + dice.gauss(0, chance), 2e5) for second in range(number)]


def said_of(measured) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
        path = pathlib.Path(folder) / "measured"
        path.write_text("".join(" ".join(str(word) for word in one) + "\n" for one in measured))
        return judge.main(str(path), str(path.with_suffix(".svg"))), said.getvalue()


class JudgeTests(unittest.TestCase):
    def test_what_stays_the_same_is_flat(self) -> None:
        self.assertEqual(said_of(samples(lambda share: 5000))[0], 0)

    def test_what_grows_while_it_warms_up_alone_is_flat(self) -> None:
        self.assertEqual(said_of(samples(lambda share: 5000 + 1000 * min(share, 0.3)))[0], 0)

    def test_what_goes_on_growing_is_not(self) -> None:
        self.assertEqual(said_of(samples(lambda share: 5000 + 400 * share))[0], 1)

    def test_what_grows_in_the_last_third_alone_is_not_flat(self) -> None:
        self.assertEqual(said_of(samples(lambda share: 5000 + 1000 * max(0, share - 0.6)))[0], 1)

    def test_what_goes_up_and_down_is_flat(self) -> None:
        self.assertEqual(said_of(samples(lambda share: 5000, chance=400))[0], 0)

    def test_a_run_that_was_slow_at_first_has_its_thirds_by_messages(self) -> None:
        slow = [(one[0], one[0] ** 3, *one[2:]) for one in samples(lambda share: 5000)]
        warming, middle, last = judge.thirds(slow)
        self.assertGreater(len(warming), len(slow) / 2)
        for third, begins in ((middle, 1 / 3), (last, 2 / 3)):
            self.assertAlmostEqual(third[0][1] / slow[-1][1], begins, delta=0.05)

    def test_a_few_samples_tell_nothing(self) -> None:
        status, said = said_of(samples(lambda share: 5000, number=9))
        self.assertEqual(status, 1)
        self.assertIn("too short to tell", said)


if __name__ == "__main__":
    unittest.main()
