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

What the program computes, by the same code, from voxels in the memory of another program. Options are those of the commands, word by
word. There are two headers of standard types:

- <a href="../cpp/tessera_8hpp.html">`tessera.hpp`</a>: permeabilities, sub-volumes, flow with inertia, phases, cases, images;
- <a href="../cpp/coprocessor_8hpp.html">`coprocessor.hpp`</a>: boxes of another program's lattice ([how](coprocessor.md)).

All <a href="../cpp/annotated.html">types</a> and <a href="../cpp/namespacetessera.html">functions</a>.

## A whole program

`cmake --install build/release --prefix PREFIX` brings the library. `CMakeLists.txt`:

```cmake
{cmake}
```

`main.cpp`:

```cpp
{main}
```
"""


def on_files(files, config):
    def text_of(name):
        return (ROOT / name).read_text(encoding="utf-8").rstrip()

    cpp = CPP.replace("{cmake}", text_of("examples/library/CMakeLists.txt")).replace("{main}", text_of("examples/library/main.cpp"))
    for name, text in (("index.md", text_of("README.md")), ("functions-of-python.md", PYTHON), ("functions-of-cpp.md", cpp),
                       ("site.css", text_of("packaging/site/site.css"))):
        files.append(File.generated(config, name, content=text))
    return files


def title_of(page):
    """The first heading of a page, for a reader who sees no files."""
    return re.search(r"^# (.*)$", page.read_text(encoding="utf-8"), re.M).group(1)


def on_page_content(html, **_):
    """Options of commands are not broken behind a hyphen (site.css), and paths in tables only behind a slash."""
    html = re.sub(r"<code>[^<]*</code>", lambda code: code.group(0).replace(r"\|", "|"), html)  # in tables, as GitHub reads them
    html = re.sub(r"<code>(-[^<]{1,24}</code>)", r'<code class="option">\1', html)
    return re.sub(r"(?<=<td><code>)[\w.-]+/[\w./-]+(?=</code>)", lambda path: path.group(0).replace("/", "/<wbr>"), html)


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
            if text == file.name:
                text = title_of(file)
            return f"{picture}[{text}]({os.path.relpath(file, here)}{anchor})"
        if not file.exists():
            if path.endswith(".md") and not at_root:
                return link.group(0)  # a page that is made, or an error that mkdocs will name
            raise FileNotFoundError(f"{page.file.src_uri}: {target}")
        name = f"`{file.relative_to(ROOT)}`"
        return text if text.strip("`").rstrip("/") in name else f"{text} ({name})"

    return LINK.sub(rewritten, markdown)
