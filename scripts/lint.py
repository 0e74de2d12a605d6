#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over our sources as BUILD compiles them: lint.py CLANG_TIDY BUILD [--since COMMIT | SOURCE...]

With a commit: those that what has changed since then can reach by includes; all, if that cannot be known.

Nearly all of its time goes into headers, so sources of one folder that are compiled alike are read
as one, a few at a time, for which clang-tidy goes through them as if each were by itself. Names in
anonymous namespaces may clash then, for which sources that define the same come apart; and a finding
may still be of that: whatever a batch finds is asked again of the sources it was found in, each
alone, and of the rest as a smaller batch. Only what a source alone says is an error.

  JOBS  how many at a time (default: one a core)
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 8  # sources
# Names that a source defines for itself: what stands at the beginning of a line is in no function.
DEFINED = re.compile(r"^(?=\w)(?!namespace|using namespace|TEST|INSTANTIATE|TESSERA)[\w:<>,&*\[\] ]*?(?<!::)\b(\w+)"
                     r"(?: : [\w:<>, ]+)?(?:\[\w*\])*(?: =|\(| ?\{|;)", re.MULTILINE)
# With these changed, each source may say something else.
WHAT_LINTS = {".clang-tidy", "scripts/lint.py"}
# Flags are for GCC, whose warnings and parameters clang does not all know.
GCC = ["-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"]
# The analyzer follows calls as far as this lets it.
SHALLOW = ["-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"]


def compiled_as_one(source: pathlib.Path) -> list[pathlib.Path]:
    """What CMake has put together in one unit; a source that it compiles by itself."""
    if source.parent.name != "Unity":
        return [source]
    return [pathlib.Path(name) for name in re.findall(r'^#include "(.*)"', source.read_text(), re.MULTILINE)]


def is_ours(source: pathlib.Path) -> bool:
    return source.suffix == ".cpp" and source.is_relative_to(ROOT) and not source.is_relative_to(ROOT / "build")


def git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def reached_since(commit: str) -> set[str] | None:
    """Sources that are changed, or include what is; None where each may be."""
    try:
        changed = {*git("diff", "--name-only", commit), *git("ls-files", "--others", "--exclude-standard")}
    except subprocess.CalledProcessError:  # a clone without it
        return None
    if changed & WHAT_LINTS:
        return None
    includes = {name: set(re.findall(r'^#include "(.*)"', (ROOT / name).read_text(), re.MULTILINE))
                for name in git("ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.cpp")
                if (ROOT / name).exists()}
    reached, more = set(), changed
    while more:
        reached |= more
        more = {name for name, included in includes.items() if included & more} - reached
    return {str(ROOT / name) for name in reached}


def own_sources(build: pathlib.Path) -> dict[tuple, list[str]]:
    """By folder and flags: what git would know as ours, not what the build has made."""
    alike = collections.defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        sources = [source for source in compiled_as_one(pathlib.Path(entry["file"])) if is_ours(source)]
        if not sources:
            continue
        flags = shlex.split(entry["command"])[1:]
        output = flags.index("-o")
        flags = [flag for flag in flags[:output] + flags[output + 2:] if flag not in ("-c", entry["file"])]
        if "-include" in flags:  # the headers that GCC has parsed once, which a source is to name by itself
            parsed = flags.index("-include")
            del flags[parsed:parsed + 2]
        for source in sources:
            alike[source.parent, entry["directory"], *flags].append(str(source))
    return alike


def batches(sources: list[str]) -> list[list[str]]:
    """Of about equal size, without two that define the same."""
    found: list[tuple[list[str], set[str]]] = [([], set()) for _ in range(-(-len(sources) // BATCH))]
    for source in sorted(sources):
        names = set(DEFINED.findall(pathlib.Path(source).read_text()))
        batch = next((b for b in sorted(found, key=lambda b: len(b[0])) if not b[1] & names), None)
        if batch is None:
            found.append(batch := ([], set()))
        batch[0].append(source)
        batch[1].update(names)
    return [batch for batch, _ in found]


class Linter:
    def __init__(self, clang_tidy: str, scratch: str):
        # It runs in the folders that sources are compiled in.
        self.clang_tidy, self.scratch = str(pathlib.Path(clang_tidy).absolute()), pathlib.Path(scratch)

    def findings(self, sources: list[str], directory: str, flags: list[str]) -> str:
        """What clang-tidy says of these sources: nothing, if they are clean."""
        if len(sources) == 1:
            return self.said(sources[0], [], directory, flags)
        with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=self.scratch) as together:
            together.writelines(f'#include "{source}"\n' for source in sources)
            together.flush()
            # A name of one source is no shadow of another's; GCC has looked for those in a source.
            said = self.said(together.name, ["--checks=-bugprone-suspicious-include"], directory, [*flags, "-Wno-shadow"])
        if not said:
            return ""
        suspects = [source for source in sources if source + ":" in said] or sources
        rest = [source for source in sources if source not in suspects]
        parts = [[source] for source in suspects] + ([rest] if rest else [])
        return "".join(self.findings(part, directory, flags) for part in parts)

    def said(self, source: str, options: list[str], directory: str, flags: list[str]) -> str:
        command = [self.clang_tidy, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", *options, source, "--", *flags, *GCC, *SHALLOW]
        answer = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            return ""
        return answer.stdout or answer.stderr or f"{source}: clang-tidy ended with {answer.returncode}\n"


def main() -> int:
    clang_tidy, build, *chosen = sys.argv[1:]
    if chosen and chosen[0] == "--since":
        wanted_sources = reached_since(chosen[1])
        print("lint: all sources" if wanted_sources is None else
              f"lint: the {sum(source.endswith('.cpp') for source in wanted_sources)} sources that changes since {chosen[1]} reach",
              flush=True)
    else:
        wanted_sources = {str(pathlib.Path(source).resolve()) for source in chosen} or None
    work = []
    for (_, directory, *flags), sources in own_sources(pathlib.Path(build)).items():
        wanted = [source for source in sources if wanted_sources is None or source in wanted_sources]
        work += [(batch, directory, flags) for batch in batches(wanted)] if wanted else []
    work.sort(key=lambda job: -len(job[0]))
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    clean = True
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        linter = Linter(clang_tidy, scratch)
        for said in pool.map(lambda job: linter.findings(*job), work):
            if said:
                clean = False
                print(said, end="", flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
