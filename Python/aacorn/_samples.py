"""Samples as others hold them, and as we give them."""

import ctypes
from array import array
from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple


class Lent(NamedTuple):
    """Samples in memory that somebody else owns."""

    address: int
    frame_count: int
    is_float: bool


class _Buffer(ctypes.Structure):
    # Py_buffer of the interpreter's interface (PEP 3118).
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_get.restype = ctypes.c_int
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(_Buffer)]
_release.restype = None


@contextmanager
def lent_bytes(data: Any) -> Iterator[tuple[int, int]]:
    """The address and the length of bytes, which stay where they are."""
    buffer = _Buffer()
    # PyBUF_SIMPLE: one piece; whoever has another shape raises BufferError.
    _get(data, ctypes.byref(buffer), 0)
    try:
        yield buffer.buf or 0, buffer.len
    finally:
        _release(ctypes.byref(buffer))


def _in_one_piece(samples: Any) -> memoryview:
    """Samples as float32 or int16 without holes, copied only where they are something else."""
    if isinstance(samples, (list, tuple)):
        samples = array("f", samples)
    try:
        view = memoryview(samples)
    except TypeError:
        raise TypeError(
            "Samples are an array of float32 or int16, such as one of numpy, an array or bytes, not "
            f"{type(samples).__name__}."
        ) from None
    code = view.format.lstrip("@=<") if view.format else "B"
    if code == "B" and isinstance(samples, (bytes, bytearray, memoryview)):
        # Bytes are samples of 16 bits; an array of numbers from 0 to 255 is none.
        if view.nbytes % 2:
            raise ValueError("Bytes are samples of 16 bits, so their number is even.")
        return view.cast("h")
    if code in ("f", "h", "d") and view.nbytes == 0:
        return memoryview(array("f"))
    if code in ("f", "h"):
        if view.c_contiguous:
            return view
        # Planes, or every other sample, as in a slice.
        return memoryview(array(code, view.tobytes())).cast("B").cast(code, list(view.shape or ()))
    if code == "d":
        flat = array("d", view.tobytes())
        return memoryview(array("f", flat)).cast("B").cast("f", list(view.shape or ()))
    raise TypeError(f"Samples are float32, float64 or int16, not of the type “{code}”.")


@contextmanager
def lent_samples(samples: Any, channels: int) -> Iterator[Lent]:
    """Interleaved samples where they are: one dimension, or frames by channels."""
    view = _in_one_piece(samples)
    if view.ndim == 2 and view.shape is not None:
        if view.shape[1] != channels:
            raise ValueError(
                f"There are {view.shape[1]} channels instead of {channels}; the shape is (frames, "
                "channels)."
            )
    elif view.ndim != 1:
        raise ValueError("Samples have one dimension, or two: (frames, channels).")
    if channels < 1:
        raise ValueError(f"There are no sounds of {channels} channels.")
    count = view.nbytes // view.itemsize
    if count % channels:
        raise ValueError(f"{count} samples are no whole number of frames of {channels} channels.")
    with lent_bytes(view) as (address, _):
        yield Lent(address, count // channels, (view.format or "").lstrip("@=<") == "f")


def given(data: bytearray, channels: int) -> Any:
    """Samples for the caller: an array of numpy where that is imported, or else a memoryview.

    Both are of float32, frames by channels.
    """
    frames = len(data) // 4 // channels
    try:
        import numpy
    except ImportError:
        view = memoryview(data)
        return view.cast("f", [frames, channels]) if frames else view.cast("f")
    return numpy.frombuffer(data, dtype=numpy.float32).reshape(frames, channels)
