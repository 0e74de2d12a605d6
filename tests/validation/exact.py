# SPDX-License-Identifier: MIT
"""Exact solutions of flows in ducts and channels."""

import numpy


def duct_flow_rate(a, b):
    """Of a rectangle a x b, for pressure gradient and viscosity 1: White, Viscous Fluid Flow
    (2006), eq. 3-48."""
    a, b = min(a, b), max(a, b)
    n = numpy.arange(1, 200, 2)
    series = (numpy.tanh(n * numpy.pi * b / (2 * a)) / n**5).sum()
    return a * b * a**2 / 12 * (1 - 192 / numpy.pi**5 * a / b * series)


def womersley(y, t, width, viscosity, omega, force):
    """Speed at the distances y from the middle of a channel, driven by force cos(omega t)."""
    root = numpy.sqrt(1j * omega / viscosity)
    profile = 1 - numpy.cosh(root * y) / numpy.cosh(root * width / 2)
    return (force / (1j * omega) * profile * numpy.exp(1j * omega * t)).real
