# SPDX-License-Identifier: MIT
"""Runs in ParaView's Python before any script: makes errors visible to Tessera.

ParaView 5.11 prints an exception and says nothing to the simulation; sys.exit() in a script ends the
whole process; a channel that is not there is silently replaced by an empty source. Here an exception
goes to the log, where Tessera reads it; sys.exit(), os._exit(), os.abort(), os.execv() and its kin, and
asking ctypes for the functions behind them, become exceptions; and a script that uses none of the
channels is refused.

What all scripts import is imported here, before the flow runs: its workers would spin beside it.

ParaView collects Python's garbage after each programmable filter: 20 ms for all objects of its own
modules, which stay anyway. What is there after an import is kept out of that.
"""


def _over_ranks():
    """The module `tessera_insitu`: what scripts of several processes need to agree on a picture, as
    ParaView tells each of them of its own part alone."""
    import sys
    import types

    from vtkmodules.vtkCommonCore import vtkDoubleArray
    from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

    controller = vtkMultiProcessController.GetGlobalController()
    alone = controller is None or controller.GetNumberOfProcesses() == 1

    def numbers(values):
        array = vtkDoubleArray()
        for value in values:
            array.InsertNextValue(value)
        return array

    def reduced(values, operation):
        if alone:
            return list(values)
        result = numbers(values)
        controller.AllReduce(numbers(values), result, operation)
        return [result.GetValue(i) for i in range(result.GetNumberOfValues())]

    def largest(value):
        """Of all processes."""
        return reduced([value], vtkCommunicator.MAX_OP)[0]

    def smallest(value):
        return reduced([value], vtkCommunicator.MIN_OP)[0]

    def total(value):
        return reduced([value], vtkCommunicator.SUM_OP)[0]

    def bounds_of(source):
        """Lower and upper along x, y, z, of the data of all processes."""
        own = source.GetDataInformation().GetBounds()
        lower = reduced(own[0::2], vtkCommunicator.MIN_OP)
        upper = reduced(own[1::2], vtkCommunicator.MAX_OP)
        return [end for ends in zip(lower, upper) for end in ends]

    def from_first(values, count):
        """`count` numbers of the first process; the others may have none."""
        if alone:
            return list(values)
        array = numbers(values if controller.GetLocalProcessId() == 0 else [0.0] * count)
        controller.Broadcast(array, 0)
        return [array.GetValue(i) for i in range(count)]

    module = types.ModuleType("tessera_insitu", _over_ranks.__doc__)
    for function in largest, smallest, total, bounds_of, from_first:
        setattr(module, function.__name__, function)
    sys.modules[module.__name__] = module


def _install(channels):
    import functools
    import gc
    import os
    import posix
    import sys
    import traceback

    import paraview.simple
    from paraview.catalyst import detail, v2_internals
    from paraview.modules.vtkPVInSitu import vtkInSituInitializationHelper
    from vtkmodules.vtkCommonCore import vtkLogger

    # It looks this up only if it is first imported by a running script.
    detail.vtkInSituInitializationHelper = vtkInSituInitializationHelper

    asked = []  # names of sources that the script being imported has asked for

    def report(kind, error, trace):
        frames = traceback.extract_tb(trace)
        internal = ("paraview/catalyst", "importlib", "<string>")
        own = [f for f in frames if not any(part in f.filename for part in internal)]
        lines = traceback.format_list(own) + traceback.format_exception_only(kind, error)
        header = "Traceback (most recent call last):\n" if own else ""
        vtkLogger.Log(vtkLogger.VERBOSITY_ERROR, "script", 0, header + "".join(lines))

    def guarded(function):
        @functools.wraps(function)
        def call(*arguments):
            try:
                return function(*arguments)
            except SystemExit as leave:
                raise RuntimeError(f"the script called sys.exit({leave.code!r})") from None
        return call

    process = os.getpid()

    def only_elsewhere(name):
        """Of a process that a script has forked, the function of `os`; here it raises."""
        function = getattr(os, name)

        def call(*arguments):
            if os.getpid() != process:
                function(*arguments)
            raise RuntimeError(f"the script called os.{name}()")
        for module in os, posix:
            setattr(module, name, call)

    # Nothing of this process is left after them, not even its exit status.
    ends = {"_exit", "_Exit", "quick_exit", "execl", "execle", "execlp", "execv", "execve", "execveat",
            "execvp", "execvpe", "fexecve"}

    def audit(event, arguments):
        if event == "os.exec" and os.getpid() == process:
            raise RuntimeError("the script called os.exec*()")
        if event == "ctypes.dlsym" and arguments[1] in ends and os.getpid() == process:
            raise RuntimeError(f"the script asked ctypes for {arguments[1]}()")

    is_input = detail.IsInsituInput

    def watched_is_input(name):
        if name:
            asked.append(detail._transform_registration_name(name))
        return is_input(name)

    import_module = v2_internals.import_and_validate

    def watched_import(name):
        asked.clear()
        module = import_module(name)
        if not any(one in channels for one in asked):
            named = ", ".join(asked) or "none"
            raise RuntimeError(f"the script uses none of the channels {', '.join(channels)}: expected "
                               f"a source with registrationName='{channels[0]}', say "
                               f"(names in it: {named})")
        gc.collect()
        gc.freeze()
        return module

    _over_ranks()
    sys.excepthook = report
    only_elsewhere("_exit")
    only_elsewhere("abort")
    sys.addaudithook(audit)
    detail.IsInsituInput = watched_is_input
    v2_internals.import_and_validate = guarded(watched_import)
    for name in "do_catalyst_initialize", "do_catalyst_execute", "do_catalyst_finalize":
        setattr(v2_internals, name, guarded(getattr(v2_internals, name)))
