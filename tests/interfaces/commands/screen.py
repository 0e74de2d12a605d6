# SPDX-License-Identifier: MIT
"""A screen that nobody sees, for what draws: one for all tests of a file, without xvfb-run, which
takes a number that a server on its way out may still hold."""

import atexit
import functools
import os
import subprocess


@functools.cache
def on_screen():
    """What stands in front of a command that draws."""
    number, said = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(said), "-screen", "0", "1280x1024x24", "-ac", "-noreset",
                               "-nolisten", "tcp"], pass_fds=[said], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    atexit.register(lambda: (server.terminate(), server.wait()))
    os.close(said)
    with os.fdopen(number, encoding="ascii") as pipe:
        return "env", f"DISPLAY=:{int(pipe.readline())}"
