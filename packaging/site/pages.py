# SPDX-License-Identifier: MIT
"""What mkdocs is told beside mkdocs.yml: pages that are made, and links that lead out of docs/."""

import os
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")

PYTHON = """# Functions of Python

What `import tessera` offers; [examples](python.md).

::: tessera
    options:
      show_root_heading: false
      group_by_category: false
      show_docstring_attributes: true
      members: [permeability, Permeability, AxisResult, rev, SubVolumes, forchheimer, Forchheimer, phases, Phases, info, generate, run, steps, State, CaseResult, CoProcessor, Box]
"""
CPP = """# Functions of C++

Two headers, `tessera.hpp` and `coprocessor.hpp`, found with `find_package(Tessera)`: [an example](python.md). Their
functions and types are described <a href="../cpp/index.html">here</a>.
"""


def on_files(files, config):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, text in (("index.md", readme), ("functions-of-python.md", PYTHON), ("functions-of-cpp.md", CPP)):
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown, page, **_):
    """Files that are in the repository, and not in docs/, become their names."""
    at_root = page.file.src_uri == "index.md"
    folder = ROOT if at_root else (ROOT / "docs" / page.file.src_uri).parent
    here = ROOT / "docs" if at_root else folder

    def rewritten(link):
        picture, text, target = link.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return link.group(0)
        file = (folder / path).resolve()
        anchor = f"#{anchor}" if anchor else ""
        if file == ROOT / "README.md":
            return f"[{text}]({os.path.relpath(ROOT / 'docs' / 'index.md', here)}{anchor})"
        if file.is_relative_to(ROOT / "docs") and file.exists():
            return f"{picture}[{text}]({os.path.relpath(file, here)}{anchor})"
        if not file.exists():
            if path.endswith(".md") and not at_root:
                return link.group(0)  # a page that is made, or an error that mkdocs will name
            raise FileNotFoundError(f"{page.file.src_uri}: {target}")
        name = f"`{file.relative_to(ROOT)}`"
        return text if text.strip("`") in name else f"{text} ({name})"

    return LINK.sub(rewritten, markdown)
