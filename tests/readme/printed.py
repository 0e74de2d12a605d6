# SPDX-License-Identifier: MIT
"""What a page of the documentation prints, and whether a command prints it: to the digits that stand there.

What is computed may differ by one in its last digit, or by a millionth: other instructions round otherwise. Times, speeds
and shares of workers are the machine's, and are not compared.
"""

import re

# What the machine decides: a number before one of these, and whole lines about workers and ranks.
OF_THE_MACHINE = re.compile(r"[\d.]+(?= (?:s|GB|MFLUPS|B a node)\b)")
OF_WORKERS = re.compile(r"(workers? |rank \d|CPU \d|GPU \d|\d+ processes, |imbalance of )")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
FENCE = re.compile(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', re.M | re.S)


def blocks_of(page):
    """The fenced blocks of a page, without their fences: (language, title, lines)."""
    return [(language, title, text.splitlines()) for language, title, text in FENCE.findall(page)]


def to_compare(lines):
    """Without what the machine decides, and without how far columns stand apart."""
    return [" ".join(OF_THE_MACHINE.sub("#", line).split()) for line in lines if line.strip() and not OF_WORKERS.match(line)]


def last_digit(printed):
    """What one in the last digit of a number is: 1e-7 of 9.8e-06."""
    mantissa, _, exponent = printed.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def is_near(found, printed):
    expected = float(printed)
    return abs(float(found) - expected) <= max(1.001 * last_digit(printed), 1e-6 * abs(expected))


def are_near(found, expected):
    """Whether lines are the same but for the last digits of their numbers."""
    return [NUMBER.sub("0", line) for line in found] == [NUMBER.sub("0", line) for line in expected] and all(
        is_near(*pair) for pair in zip(NUMBER.findall("\n".join(found)), NUMBER.findall("\n".join(expected))))


def prints(found, expected):
    """Whether these lines are printed, of which "..." stands for any lines."""
    found, expected = to_compare(found), to_compare(expected)
    if "..." not in expected:
        return are_near(found, expected)
    gap = expected.index("...")
    begin, end = expected[:gap], expected[gap + 1:]
    return are_near(found[:gap], begin) and any(
        prints(found[place:] if "..." in end else found[place:place + len(end)], end) for place in range(gap, len(found) + 1))
