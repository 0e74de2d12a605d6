# SPDX-License-Identifier: MIT
"""Phrases that readers stumbled over stay out of the documents and of public headers."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHRASES = {
    r"\bmood\b": "say what depends on what",
    r"\b[Ww]ho speaks\b|\bspeaks of\b": "programs print, describe, select",
    r"\bhangs? together\b": "connected",
    r"\b[Ll]ikewise\b": "name the subject again",
    r"^(- )?Of ": "begin with the subject",
    r"^(- )?Those ": "begin with the subject",
    r"^(- )?The same ": "name the subject again",
    r"\bin circles\b": "endless loop",
    r"\bto be had\b": "available, supported",
    r"\bwhat others want of\b|\bare asked of it\b": "send list, receive list",
}
# Measurements as they were written down.
NOTEBOOK = ROOT / "docs" / "notebook"


def documents():
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    yield from (path for path in sorted((ROOT / "docs").rglob("*.md")) if NOTEBOOK not in path.parents)
    yield from sorted((ROOT / "interfaces" / "cpp").glob("*.hpp"))
    yield from sorted((ROOT / "base" / "ranks").glob("*.hpp"))


class Words(unittest.TestCase):
    def test_documents_are_in_plain_words(self):
        found = [f"{path.relative_to(ROOT)}:{number}: {line.strip()}: better: {instead}"
                 for path in documents()
                 for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                 for phrase, instead in PHRASES.items() if re.search(phrase, line.lstrip("/ "))]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
