# SPDX-License-Identifier: MIT
"""A cluster of hosts with GPUs, as SimGrid and StarPU want it described."""

import pathlib

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd">
<platform version="4">
"""
HOST = "simulated"
CORES = 2  # in the description only: no core computes
MEMORY_NODES = 16  # of StarPU's build


def links_of(gpus, machine):
    """Source, target, bytes/s and seconds of each link inside a host."""
    bus, peer = machine["bus"], machine["peer"]
    for gpu in range(gpus):
        for a, b in ("RAM", f"CUDA{gpu}"), (f"CUDA{gpu}", "RAM"):
            yield a, b, 1e9 * bus["GB/s"], 1e-6 * bus["us"]
    for a in range(gpus):
        for b in range(gpus):
            if a != b:
                yield f"CUDA{a}", f"CUDA{b}", 1e9 * peer["GB/s"], 1e-6 * peer["us"]


def host_zone(name, prefix, gpus, machine):
    """The inside of a host: main memory and GPUs, each pair with a link of its own."""
    lines = [f' <AS id="{name}" routing="Full">', f'  <host id="{prefix}MAIN" speed="1f"/>', f'  <host id="{prefix}RAM" speed="1f"/>']
    lines += [f'  <host id="{prefix}CPU{core}" speed="2000000000f"/>' for core in range(CORES)]
    for gpu in range(gpus):
        lines.append(
            f'  <host id="{prefix}CUDA{gpu}" speed="2000000000f"><prop id="memsize" value="140000000000"/>'
            '<prop id="memcpy_peer" value="1"/></host>'
        )
    links = list(links_of(gpus, machine))
    lines += [f'  <link id="{prefix}{a}-{b}" bandwidth="{speed}Bps" latency="{delay}s"/>' for a, b, speed, delay in links]
    lines += [
        f'  <route src="{prefix}{a}" dst="{prefix}{b}" symmetrical="NO"><link_ctn id="{prefix}{a}-{b}"/></route>'
        for a, b, _, _ in links
    ]
    return "\n".join(lines + [" </AS>"])


def write_cluster(path, ranks, gpus, machine):
    """One zone with the ranks' MPI hosts, each with links of its own both ways, and one for the inside of each rank."""
    network = machine["network"]
    zones = [
        f' <cluster id="network" prefix="rank" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="{1e9 * network["GB/s"]}Bps"'
        f' lat="{1e-6 * network["us"] / 2}s"/>'
    ]
    zones += [host_zone(f"StarPU-MPI{rank}", f"StarPU-MPI{rank}-", gpus, machine) for rank in range(ranks)]
    text = HEAD + '<AS id="root" routing="None">\n' + "\n".join(zones) + "\n</AS>\n</platform>\n"
    pathlib.Path(path).write_text(text)


def write_bus(home, gpus, machine):
    """What StarPU would have measured of a host's buses, where it looks for it."""
    folder = pathlib.Path(home) / ".starpu/sampling/bus"
    folder.mkdir(parents=True, exist_ok=True)
    bus, peer = machine["bus"], machine["peer"]

    def table(value):
        rows = ("\t".join(value(a, b) for b in range(MEMORY_NODES)) for a in range(MEMORY_NODES))
        return "# to\n" + "\n".join(rows) + "\n"

    def entry(key, unit):
        def value(a, b):
            if a > gpus or b > gpus:
                return "nan"
            return "0.0" if a == b else f"{unit * (bus if 0 in (a, b) else peer)[key]:e}"

        return value

    files = {
        "bandwidth": table(entry("GB/s", 1e3)),
        "latency": table(entry("us", 1)),
        "config": f"# Current configuration\n{CORES} # Number of CPUs\n{gpus} # Number of CUDA devices\n"
        "0 # Number of OpenCL devices\n0 # Number of MIC devices\n",
        "affinity": "# GPU\n" + "".join("\t".join(map(str, [gpu, *range(CORES)])) + "\n" for gpu in range(gpus)),
        "platform.v4.xml": HEAD + host_zone("AS0", "", gpus, machine) + "\n</platform>\n",
    }
    for suffix, text in files.items():
        (folder / f"{HOST}.{suffix}").write_text(text)
