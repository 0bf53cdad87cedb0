"""Objects that only one thread at a time may use."""

import functools
import threading
from types import TracebackType
from typing import Any, Callable, NoReturn, Optional, Type, TypeVar, cast

_Call = TypeVar("_Call", bound=Callable[..., Any])
_Self = TypeVar("_Self", bound="Exclusive")


class Exclusive:
    """An object with memory of the library, which does not lock.

    Calls release the interpreter's lock, so two threads could be inside the library at the same time. Methods
    marked with :func:`exclusive` raise an error instead.
    """

    def __init__(self) -> None:
        self._in_use = threading.Lock()

    def _free(self) -> None:
        """Frees the memory unless it was freed before."""
        raise NotImplementedError

    def close(self) -> None:
        """Frees the memory. Further calls do nothing."""
        with _claim(self):
            self._free()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # A call holds a reference, so no call is in progress.
        self._free()

    # A copy would free the same memory a second time.
    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"A {type(self).__name__} cannot be copied or pickled. Create one in each process.")


class _claim:
    """Claims an object for one call."""

    def __init__(self, owner: Exclusive) -> None:
        self._owner = owner

    def __enter__(self) -> None:
        if not self._owner._in_use.acquire(blocking=False):
            name = type(self._owner).__name__
            raise RuntimeError(
                f"Another thread is using this {name}. Use one {name} per thread, or guard it with a lock."
            )

    def __exit__(self, *exception: object) -> None:
        self._owner._in_use.release()


def exclusive(call: _Call) -> _Call:
    """Marks a method that raises RuntimeError while another call on the same object is in progress."""

    @functools.wraps(call)
    def guarded(self: Exclusive, *arguments: Any, **settings: Any) -> Any:
        with _claim(self):
            return call(self, *arguments, **settings)

    return cast(_Call, guarded)
