"""Terms as words."""

import unittest

from peers.text.terms import from_word, to_word


class Terms(unittest.TestCase):
    """Round trips."""

    TERMS = ("cat", "42", "café", "東京", "o'neil", "zzx", "zzxray", "zz", "naïve", "ẞ", "a_b")

    def test_every_term_comes_back(self) -> None:
        for term in self.TERMS:
            self.assertEqual(from_word(to_word(term)), term)

    def test_words_are_ascii_letters_and_digits(self) -> None:
        for term in self.TERMS:
            self.assertRegex(to_word(term), r"\A[a-z0-9]+\Z")

    def test_plain_terms_stay(self) -> None:
        for term in ("cat", "42", "zz"):
            self.assertEqual(to_word(term), term)

    def test_no_two_terms_share_a_word(self) -> None:
        terms = set(self.TERMS) | {to_word(term) for term in self.TERMS}
        self.assertEqual(len({to_word(term) for term in terms}), len(terms))

    def test_other_words_stand_for_nothing(self) -> None:
        for word in ("Cat", "café", "", "a b", "zzxff", "zzxxyz", "zzx" + b"cat".hex()):
            with self.assertRaises(ValueError, msg=word):
                from_word(word)
