# SPDX-License-Identifier: MIT
"""Where cases are run and plots are drawn."""

import case_file


class Session:
    def __init__(self, out, quick, size=None, gpus=None, plots=True):
        self.out = out
        self.quick = quick
        self.size = size  # of the cubic cavity, where the full one takes too long
        self.gpus = gpus
        self.plots = plots

    def run(self, case, name):
        """In the folder `name` of the session."""
        return case_file.run(case, self.out / name, self.gpus)

    def plot(self, name, x_label, y_label, curves, points=(), logarithmic=False):
        """NAME.png: computed `curves` and published `points`, each (label, x, y)."""
        if not self.plots:
            return
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        many = len(curves) > 10
        figure, axes = pyplot.subplots(figsize=(8 if many else 6, 4.5), layout="constrained")
        for label, x, y in curves:
            axes.plot(x, y, label=label, linewidth=1, marker="." if logarithmic else None)
        for (label, x, y), marker in zip(points, "osD^vx+*"):
            axes.plot(x, y, marker, label=label, color="black", fillstyle="none", markersize=5)
        if logarithmic:
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(alpha=0.3)
        beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if many else {}
        axes.legend(fontsize="small", **beside)
        figure.savefig(self.out / f"{name}.png", dpi=120)
        pyplot.close(figure)
