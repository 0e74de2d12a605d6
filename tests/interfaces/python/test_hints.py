# SPDX-License-Identifier: MIT
"""What type checkers and editors see."""

import inspect
import pathlib
import sys
import typing

import pytest
import tessera


@pytest.mark.skipif(sys.version_info < (3, 10), reason="X | None is not evaluated before 3.10")
def test_all_that_is_public_has_types():
    assert (pathlib.Path(tessera.__path__[0]) / "py.typed").exists()
    public = [getattr(tessera, name) for name in tessera.__all__ if name != "__version__"]
    functions = [one for one in public if inspect.isfunction(one)]
    assert len(functions) == 9
    for one in public:
        if inspect.isclass(one):
            functions += [method for name, method in vars(one).items()
                          if inspect.isfunction(method) and not name.startswith("_")]
    for function in functions:
        hints = typing.get_type_hints(function)
        for name, parameter in inspect.signature(function).parameters.items():
            assert name == "self" or name in hints, (function.__qualname__, parameter)
        assert "return" in hints, function.__qualname__
