# SPDX-License-Identifier: MIT
"""Draws the task graph of docs/architecture.md: two steps and one measurement of four tiles in a row.

    python3 docs/images/make_task_graph.py     writes task-graph.dot and, with graphviz, task-graph.svg
"""

import pathlib
import subprocess

TILES = 4
STEPS = 2
HERE = pathlib.Path(__file__).parent

lines = []


def task(name, label):
    lines.append(f'  {name} [label="{label}", shape=box, style="filled,rounded", '
                 f'fillcolor="#cfe0f3", color="#3465a4"];')


def datum(name, label, dead=False):
    look = 'style="filled,dashed", fillcolor="#f2f2f2"' if dead else 'style=filled, fillcolor="#fdf3d0"'
    lines.append(f'  {name} [label="{label}", shape=ellipse, {look}, color="#b08d20"];')


def edge(a, b, mode):
    crossing = "outbox" in a and mode == "R"
    colour = "#c0392b" if crossing else "#555555"
    lines.append(f'  {a} -> {b} [label="{mode}", color="{colour}", fontcolor="{colour}"];')


def populations(tile, step):
    return f"populations_{tile}_{step}"


def outbox(tile, step):
    return f"outbox_{tile}_{step}"


for t in range(TILES):
    task(f"initialise_{t}", f"initialise\\ntile {t}")
    for step in range(STEPS + 1):
        dead = step < STEPS  # invalidated once collide_stream has read it
        datum(populations(t, step), f"populations[{step % 2}]", dead)
        datum(outbox(t, step), f"outbox[{step % 2}]")
    edge(f"initialise_{t}", populations(t, 0), "W")
    edge(f"initialise_{t}", outbox(t, 0), "W")
    for step in range(STEPS):
        name = f"collide_stream_{t}_{step}"
        task(name, f"collide_stream\\ntile {t}, step {step + 1}")
        edge(populations(t, step), name, "RW")
        for neighbour in (t - 1, t + 1):
            if 0 <= neighbour < TILES:
                edge(outbox(neighbour, step), name, "R")
        edge(name, populations(t, step + 1), "W")
        edge(name, outbox(t, step + 1), "W")
    task(f"measure_{t}", f"measure\\ntile {t}")
    edge(populations(t, STEPS), f"measure_{t}", "R")
    datum(f"sums_{t}", "sums[0]")
    edge(f"measure_{t}", f"sums_{t}", "W")
    edge(f"sums_{t}", "collect", "R")
task("collect", "collect\\nblocks in global order")

text = "\n".join([
    "// Written by make_task_graph.py.",
    "digraph task_graph {",
    '  graph [rankdir=TB, nodesep=0.25, ranksep=0.35, fontname="Helvetica"];',
    '  node [fontname="Helvetica", fontsize=11, margin="0.08,0.04"];',
    '  edge [fontname="Helvetica", fontsize=9, arrowsize=0.6];',
    *lines,
    "}", ""])
(HERE / "task-graph.dot").write_text(text)
subprocess.run(["dot", "-Tsvg", HERE / "task-graph.dot", "-o", HERE / "task-graph.svg"], check=True)
