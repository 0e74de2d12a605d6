# SPDX-License-Identifier: MIT
"""Phrases that readers stumbled over stay out of the documents and of public headers, and no comment of a source begins with a
word that needs the line above."""
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
FRAGMENT = re.compile(r"(Of|Those|[Ll]ikewise|[Tt]he same|Such|Whose)\b")
# Measurements as they were written down.
NOTEBOOK = ROOT / "docs" / "notebook"


def documents():
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    yield from (path for path in sorted((ROOT / "docs").rglob("*.md")) if NOTEBOOK not in path.parents)
    yield from sorted((ROOT / "interfaces" / "api").glob("*.hpp"))
    yield from sorted((ROOT / "base" / "ranks").glob("*.hpp"))


def sources():
    for folder in sorted(ROOT.iterdir()):
        if folder.is_dir() and folder.name != "build" and not folder.name.startswith("."):
            yield from (path for path in sorted(folder.rglob("*")) if path.suffix in (".cpp", ".hpp", ".cu", ".cuh"))


def comments(path):
    """The first line of each comment of a source, with its number."""
    goes_on = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        whole = re.match(r"\s*///?\s?(.*)", line)
        behind = re.search(r"\s///?<?\s(.*)", line)
        if whole and not goes_on:
            yield number, whole[1]
        elif behind and not whole:
            yield number, behind[1]
        goes_on = whole is not None


class Words(unittest.TestCase):
    def test_documents_are_in_plain_words(self):
        found = [f"{path.relative_to(ROOT)}:{number}: {line.strip()}: better: {instead}"
                 for path in documents()
                 for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                 for phrase, instead in PHRASES.items() if re.search(phrase, line.lstrip("/ "))]
        self.assertEqual(found, [])

    def test_comments_begin_with_their_subject(self):
        found = [f"{path.relative_to(ROOT)}:{number}: {comment}" for path in sources()
                 for number, comment in comments(path) if FRAGMENT.match(comment)]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
