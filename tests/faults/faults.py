# SPDX-License-Identifier: MIT
"""Disturbs running flows at random moments, for as long as told.

However a flow is disturbed, and however often: it ends by itself, says one line at most where it
fails, never claims a result that is not that of the undisturbed flow, and goes on from what it left
to the same results, bit by bit, with no file more. `make faults SECONDS=600`, or

    TESSERA=build/release/bin/tessera python3 -B tests/faults/faults.py --seconds 600 --seed 7
"""

import argparse
import collections
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from flows import BINARY, HANG_S, Case, Permeability
from command import BAD_INPUT, DONE, FAILED, NOT_CONVERGED  # found by flows

ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
          signal.SIGXCPU]
ONE_COMPLAINT = re.compile(r"tessera: [^\n]+\Z")


class Fault(Exception):
    """What must not happen."""


def expect(holds, what):
    if not holds:
        raise Fault(what)


def end_of(run):
    """Status and what was said on stderr."""
    try:
        said = run.communicate(timeout=HANG_S)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        raise Fault("it hangs") from None
    return run.returncode, (said or b"").decode(errors="replace")


def look_at(flow, status, said, allowed):
    """After any end: the status is one that was to be expected, and nothing is claimed wrongly."""
    expect(status in allowed, f"status {status}, expected one of {allowed}: {said}")
    lines = said.splitlines()
    if status in (FAILED, BAD_INPUT):
        expect(lines and ONE_COMPLAINT.match(lines[-1]), f"no complaint in one line: {said!r}")
    if flow.claims_to_be_whole():
        expect(flow.answer() == flow.outcome[2], f"a wrong answer: {flow.answer()}")


def wait_a_while(flow, chance, run):
    """Some moment before the end, at the latest a little behind it."""
    try:
        run.wait(chance.uniform(0, 1.1 * flow.seconds))
    except subprocess.TimeoutExpired:
        pass


def kill(flow, chance):
    run = flow.start()
    wait_a_while(flow, chance, run)
    run.kill()
    status, said = end_of(run)
    look_at(flow, status, said, (-signal.SIGKILL, flow.finished))


def send_signal(flow, chance):
    sent = chance.choice(ENDING)
    run = flow.start()
    wait_a_while(flow, chance, run)
    run.send_signal(sent)
    if chance.random() < 0.5:  # as `timeout` does: to the process and to its group
        time.sleep(0.005)
        run.send_signal(sent)
    status, said = end_of(run)
    # Before it has begun to listen nothing is lost by its end.
    look_at(flow, status, said, (DONE, NOT_CONVERGED, -sent))
    if status == -sent:
        expect(": step " not in said, f"signal {sent} ended it while it flowed")


def fill_the_disk(flow, chance):
    """Files can grow to a limit only, the signal about it as the system has it."""
    limit = int(flow.largest * chance.choice((0, 0.001, 0.1, 0.5, 0.99)))
    run = flow.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    status, said = end_of(run)
    look_at(flow, status, said, (flow.finished, FAILED))


def close_stderr(flow, _):
    run = flow.start(preexec_fn=lambda: os.close(2))
    status, said = end_of(run)
    look_at(flow, status, said, (flow.finished,))


def fill_stderr(flow, _):
    def full():
        os.dup2(os.open("/dev/full", os.O_WRONLY), 2)
    status, said = end_of(flow.start(preexec_fn=full))
    look_at(flow, status, said, (flow.finished,))


def start_twice(flow, chance):
    """Of two runs in one folder one is refused, or they met the folder one behind the other."""
    first = flow.start()
    wait_a_while(flow, chance, first)
    second = flow.start()
    ends = [end_of(first), end_of(second)]
    for status, said in ends:
        look_at(flow, status, said, (flow.finished, BAD_INPUT, FAILED))
    expect(any(status == flow.finished for status, _ in ends), f"neither came through: {ends}")


def damage_checkpoint(flow, chance):
    """What is read is what was written, or refused by the file's name."""
    kill(flow, chance)
    if not flow.checkpoints():
        return
    file = chance.choice(flow.checkpoints())
    content = bytearray(file.read_bytes())
    at = chance.randrange(len(content))
    kind = chance.choice(("bit", "sector", "end"))
    if kind == "bit":
        content[at] ^= 1 << chance.randrange(8)
    elif kind == "sector":
        content[at // 512 * 512:at // 512 * 512 + 512] = bytes(512)
    else:
        del content[at:]
    file.write_bytes(content)
    status, said = end_of(flow.start())
    look_at(flow, status, said, (flow.finished, BAD_INPUT))
    if status == BAD_INPUT:
        expect(file.name in said, f"the file is not named: {said}")
        file.unlink()
    else:
        check_whole(flow)


FAULTS = (kill, send_signal, fill_the_disk, close_stderr, fill_stderr, start_twice,
          damage_checkpoint)


def check_whole(flow):
    names = sorted(file.name for file in flow.out.iterdir())
    expect(names == flow.files, f"other files than those of the undisturbed flow: {names}")
    tables, fields, answer = flow.read_outcome()
    expect(answer == flow.outcome[2], f"another answer: {answer}")
    for name, table in tables.items():
        expect(table == flow.outcome[0][name], f"another {name}")
    for name, field in fields.items():
        expect(field == flow.outcome[1][name], f"another {name}")


def disturb(flow, chance, history):
    """Some faults in a row, then a run that nobody disturbs."""
    for fault in chance.choices(FAULTS, k=chance.randint(1, 3)):
        history.append(f"{flow.name}: {fault.__name__}")
        fault(flow, chance)
    history.append(f"{flow.name}: resumed")
    status, said = end_of(flow.start())
    look_at(flow, status, said, (flow.finished,))
    check_whole(flow)
    flow.begin()


def main():
    parser = argparse.ArgumentParser(description="Disturbs running flows.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--keep-going", action="store_true", help="after what must not happen")
    options = parser.parse_args()
    chance, end = random.Random(options.seed), time.monotonic() + options.seconds
    counts, found = collections.Counter(), 0
    print(f"{BINARY}, seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tessera-faults-") as folder:
        os.chdir(folder)
        flows = [Permeability(), Case()]
        for flow in flows:
            flow.keep_reference()
        while time.monotonic() < end:
            history = []
            flow = flows[counts["sequences"] % 2]
            try:
                disturb(flow, chance, history)
            except Fault as fault:
                found += 1
                print(f"{'; '.join(history)}: {fault}", flush=True)
                print("in the folder:", *sorted(f.name for f in flow.out.glob("*")))
                if not options.keep_going:
                    break
                flow.begin()
            counts["sequences"] += 1
            counts.update(step.split(": ")[1] for step in history)
        os.chdir("/")
    sequences = counts.pop("sequences", 0)
    print(f"{sequences} sequences:", ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
