"""Conversion of samples from the caller and for the caller."""

import ctypes
from array import array
from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple


class Borrowed(NamedTuple):
    """Samples in memory that the caller owns."""

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
def borrowed_bytes(data: Any) -> Iterator[tuple[int, int]]:
    """Lends the address and the length of bytes without a copy."""
    buffer = _Buffer()
    # PyBUF_SIMPLE: contiguous; objects with another layout raise BufferError.
    _get(data, ctypes.byref(buffer), 0)
    try:
        yield buffer.buf or 0, buffer.len
    finally:
        _release(ctypes.byref(buffer))


def _in_one_piece(samples: Any) -> memoryview:
    """Returns samples as contiguous float32 or int16, and copies only samples of another kind."""
    if isinstance(samples, (list, tuple)):
        try:
            samples = array("f", samples)
        except TypeError:
            raise TypeError(
                "A list of samples must hold numbers only. Use an array of numpy for the shape (frames, channels)."
            ) from None
    try:
        view = memoryview(samples)
    except TypeError:
        raise TypeError(
            "Samples are an array of float32 or int16, such as one of numpy, an array or bytes, not "
            f"{type(samples).__name__}."
        ) from None
    code = view.format.lstrip("@=<") if view.format else "B"
    if code == "B" and isinstance(samples, (bytes, bytearray, memoryview)):
        # Bytes are samples of 16 bits; an array of unsigned 8-bit numbers is rejected.
        if view.nbytes % 2:
            raise ValueError("Bytes are samples of 16 bits, so their number is even.")
        return view.cast("h")
    if code in ("f", "h", "d") and view.nbytes == 0:
        return memoryview(array("f"))
    if code in ("f", "h"):
        if view.c_contiguous:
            return view
        # Not contiguous, such as planes or a slice with a step.
        return memoryview(array(code, view.tobytes())).cast("B").cast(code, list(view.shape or ()))
    if code == "d":
        flat = array("d", view.tobytes())
        return memoryview(array("f", flat)).cast("B").cast("f", list(view.shape or ()))
    raise TypeError(f"Samples are float32, float64 or int16, not of the type “{code}”.")


def _wrong_shape(shape: tuple[int, ...], expected: str) -> ValueError:
    return ValueError(
        f"The samples have the shape {shape}; it must be {expected}. Transpose an array that has its channels "
        "first, for example with samples.T."
    )


def channel_count(samples: Any) -> int:
    """Returns the number of channels: the second number of the shape (frames, channels), or 1."""
    shape = tuple(getattr(samples, "shape", None) or ())
    if len(shape) != 2:
        return 1
    # AAC has at most 8 channels; a greater number means that the channels are first.
    if shape[1] > 8:
        raise _wrong_shape(shape, "(frames, channels)")
    return int(shape[1])


@contextmanager
def borrowed_samples(samples: Any, channels: int, needs_shape: bool = False) -> Iterator[Borrowed]:
    """Borrows interleaved samples without a copy: one dimension, or (frames, channels).

    With `needs_shape`, one dimension is rejected, since the caller has not given the number of channels.
    """
    view = _in_one_piece(samples)
    if view.ndim == 2 and view.shape is not None:
        if view.shape[1] != channels:
            raise _wrong_shape(view.shape, f"(frames, channels) with {channels} channels")
    elif view.ndim != 1:
        raise ValueError(
            f"The samples have {view.ndim} dimensions. They must have one, or two: (frames, channels)."
        )
    elif needs_shape and view.nbytes:
        raise ValueError(
            "Samples of one dimension can be mono or interleaved. Create the encoder with channels=1 for mono, "
            "or with channels=2 for interleaved stereo."
        )
    if channels < 1:
        raise ValueError(f"There are no sounds of {channels} channels.")
    count = view.nbytes // view.itemsize
    if count % channels:
        raise ValueError(f"{count} samples are not a whole number of frames of {channels} channels.")
    with borrowed_bytes(view) as (address, _):
        yield Borrowed(address, count // channels, (view.format or "").lstrip("@=<") == "f")


def given(data: bytearray, channels: int) -> Any:
    """Returns samples for the caller: a numpy array if numpy is installed, or else a memoryview.

    Both have the type float32 and the shape (frames, channels).
    """
    frames = len(data) // 4 // channels
    try:
        import numpy
    except ImportError:
        view = memoryview(data)
        return view.cast("f", [frames, channels]) if frames else view.cast("f")
    return numpy.frombuffer(data, dtype=numpy.float32).reshape(frames, channels)
