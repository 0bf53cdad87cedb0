"""Errors of the library."""

import copyreg
from typing import Any


class AacornError(Exception):
    """An error of the library: its message, and its code, as in aacorn.h."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code

    # The default calls the initializer with `args`, which does not contain the code. A process pool
    # that cannot unpickle an error waits forever. This method calls no initializer, so subclasses
    # may have their own.
    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]
