# SPDX-License-Identifier: MIT
"""What mkdocs is told beside mkdocs.yml: pages that are made, and links that lead out of docs/."""

import os
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
NOT_ON_SITE = (".py", ".dot")  # exclude_docs of mkdocs.yml
# What is set as it is: code, and tags.
AS_IT_IS = re.compile(r"(<pre.*?</pre>|<code.*?</code>|<[^>]*>)", re.S)
UNIT = re.compile(r"(?<=\d) (?=(?:%|s|ms|µs|h|B|kB|MB|GB|mD|GFLUPS|MFLUPS|\d{3})(?![\w/]))")
SYMBOL = re.compile("(?<![A-Za-z0-9_])([^\\W\\d_])_(eq|xx|εj|[a-zε]\N{COMBINING MACRON}?)(?![A-Za-z0-9_])")

PYTHON = """# Functions of Python

This page lists what `import tessera` offers; [Python](python.md) has examples.

::: tessera
    options:
      show_root_heading: false
      group_by_category: false
      show_docstring_attributes: true
      members: [permeability, Permeability, AxisResult, rev, SubVolumes, forchheimer, Forchheimer, phases, Phases, diffusion, Diffusion, info, generate, run, steps, State, CaseResult, CoProcessor, Box]
"""
CPP = """# Functions of C++

The library libtessera computes what the program computes, by the same code, from voxels in the memory of another program. Options are those
of the commands, word by word. There are two headers of standard types:

- <a href="../cpp/tessera_8hpp.html">`tessera.hpp`</a>: permeabilities, sub-volumes, flow with inertia, phases, diffusion, cases, images;
- <a href="../cpp/coprocessor_8hpp.html">`coprocessor.hpp`</a>: boxes of another program's lattice ([how](coprocessor.md)).

All <a href="../cpp/annotated.html">types</a> and <a href="../cpp/namespacetessera.html">functions</a>.

## A whole program

`cmake --install build/release --prefix PREFIX` brings the library. This is the `CMakeLists.txt` of a program that uses it:

```cmake
{cmake}
```

And this is its `main.cpp`:

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


def of_the_text(html):
    """Units and thousands stay on the line of their number, and what is below a symbol is set below it."""
    pieces = AS_IT_IS.split(html)
    pieces[::2] = [SYMBOL.sub(r"\1<sub>\2</sub>", UNIT.sub("\N{NO-BREAK SPACE}", text)) for text in pieces[::2]]
    return "".join(pieces)


def on_page_content(html, page, **_):
    """Options of commands are not broken behind a hyphen (site.css), and paths in tables only behind a slash."""
    if page.file.src_uri == "functions-of-python.md":  # docstrings name pages as files
        html = re.sub(r"docs/([\w-]+)\.md", lambda name: f'<a href="../{name[1]}/">{title_of(ROOT / name[0])}</a>', html)
    html = of_the_text(html)
    html = re.sub(r"<code>[^<]*</code>", lambda code: code.group(0).replace(r"\|", "|"), html)  # in tables, as GitHub reads them
    html = re.sub(r"<code>(-[^<]{1,24}</code>)", r'<code class="option">\1', html)
    return re.sub(r"<td.*?</td>", lambda cell: re.sub(r"(?<=<code>)[\w.-]+/[\w./-]+(?=</code>)",
                                                      lambda path: path.group(0).replace("/", "/<wbr>"), cell.group(0)), html, flags=re.S)


def on_page_markdown(markdown, page, **_):
    """Files that are in the repository, and not in docs/, become their names."""
    at_root = page.file.src_uri == "index.md"
    if at_root:
        page.meta["title"] = "Flow through porous images"
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
        if file.is_relative_to(ROOT / "docs") and file.exists() and file.suffix not in NOT_ON_SITE:
            if text.endswith(file.name):
                text = title_of(file)
            return f"{picture}[{text}]({os.path.relpath(file, here)}{anchor})"
        if not file.exists():
            if path.endswith(".md") and not at_root:
                return link.group(0)  # a page that is made, or an error that mkdocs will name
            raise FileNotFoundError(f"{page.file.src_uri}: {target}")
        name = f"`{file.relative_to(ROOT)}`"
        said = text.strip("`").rstrip("/")
        if said in name and said != text:
            return text
        if text in (file.name, file.stem):
            return name
        before, behind = markdown[:link.start()][-1:], markdown[link.end():][:1]
        return f"{text}: {name}" if (before, behind) == ("(", ")") else f"{text} ({name})"

    return LINK.sub(rewritten, markdown)
