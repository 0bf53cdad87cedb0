"""The C library, as declared in aacorn.h. Calls release the interpreter's lock."""

import ctypes
import numbers
import operator
import os
from pathlib import Path
from typing import Any, Optional

API_VERSION = 1

PROFILES = {"auto": 0, "lc": 1, "he": 2, "he2": 3}
RATE_DEFAULT, RATE_CONSTANT, RATE_AVERAGE, RATE_VARIABLE = range(4)
EFFORTS = {"balanced": 2, "fast": 1, "best": 3}
SIGNALINGS = {"default": 0, "implicit": 1, "hierarchical": 2, "compatible": 3}
FORMATS = {"m4a": 1, "adts": 2, "latm": 3}
ENCODER_MPEG2 = 1
WRITER_STREAM, WRITER_CHECKSUMS = 1, 2
DECODER_DYNAMIC_RANGE, DECODER_UNTRIMMED, DECODER_EXPECT_STEREO = 1, 2, 4


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("sentence", ctypes.c_char * 252)]


class EncoderSettings(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("sample_rate", ctypes.c_int32),
        ("channels", ctypes.c_int32),
        ("profile", ctypes.c_int32),
        ("rate_mode", ctypes.c_int32),
        ("rate_value", ctypes.c_int32),
        ("effort", ctypes.c_int32),
        ("bandwidth", ctypes.c_int32),
        ("signaling", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class EncoderFacts(ctypes.Structure):
    _fields_ = [
        ("sample_rate", ctypes.c_int32),
        ("channels", ctypes.c_int32),
        ("profile", ctypes.c_int32),
        ("bitrate", ctypes.c_int32),
        ("bandwidth", ctypes.c_int32),
        ("frames_per_unit", ctypes.c_int32),
        ("priming", ctypes.c_int32),
        ("remainder", ctypes.c_int32),
    ]


class Unit(ctypes.Structure):
    _fields_ = [
        ("bytes", ctypes.POINTER(ctypes.c_uint8)),
        ("byte_count", ctypes.c_size_t),
        ("position", ctypes.c_int64),
        ("duration", ctypes.c_int64),
    ]


Write = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t
)


class WriterSettings(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("format", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
        ("expected_frames", ctypes.c_int64),
        ("write", Write),
        ("context", ctypes.c_void_p),
        ("title", ctypes.c_char_p),
        ("artist", ctypes.c_char_p),
        ("album", ctypes.c_char_p),
        ("date", ctypes.c_char_p),
        ("comment", ctypes.c_char_p),
    ]


class DecoderSettings(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("flags", ctypes.c_uint32),
        ("track", ctypes.c_int32),
    ]


class Sound(ctypes.Structure):
    _fields_ = [
        ("samples", ctypes.POINTER(ctypes.c_float)),
        ("frame_count", ctypes.c_size_t),
        ("sample_rate", ctypes.c_int32),
        ("channels", ctypes.c_int32),
        ("position", ctypes.c_int64),
        ("is_concealed", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


_POINTER = ctypes.c_void_p
_DECLARATIONS = {
    "aacorn_version": (ctypes.c_char_p, []),
    "aacorn_api_version": (ctypes.c_int, []),
    "aacorn_strerror": (ctypes.c_char_p, [ctypes.c_int]),
    "aacorn_encoder_create": (
        _POINTER,
        [ctypes.POINTER(EncoderSettings), ctypes.POINTER(Error)],
    ),
    "aacorn_encoder_destroy": (None, [_POINTER]),
    "aacorn_encoder_push_float": (ctypes.c_int, [_POINTER, _POINTER, ctypes.c_size_t]),
    "aacorn_encoder_push_int16": (ctypes.c_int, [_POINTER, _POINTER, ctypes.c_size_t]),
    "aacorn_encoder_set_bitrate": (ctypes.c_int, [_POINTER, ctypes.c_int32]),
    "aacorn_encoder_finish": (ctypes.c_int, [_POINTER]),
    "aacorn_encoder_pull": (ctypes.c_int, [_POINTER, ctypes.POINTER(Unit)]),
    "aacorn_encoder_config": (ctypes.c_size_t, [_POINTER, _POINTER, ctypes.c_size_t]),
    "aacorn_encoder_describe": (ctypes.c_int, [_POINTER, ctypes.POINTER(EncoderFacts)]),
    "aacorn_encoder_error": (ctypes.c_char_p, [_POINTER]),
    "aacorn_writer_create": (
        _POINTER,
        [_POINTER, ctypes.POINTER(WriterSettings), ctypes.POINTER(Error)],
    ),
    "aacorn_writer_destroy": (None, [_POINTER]),
    "aacorn_writer_write": (ctypes.c_int, [_POINTER]),
    "aacorn_writer_error": (ctypes.c_char_p, [_POINTER]),
    "aacorn_decoder_create": (
        _POINTER,
        [ctypes.POINTER(DecoderSettings), ctypes.POINTER(Error)],
    ),
    "aacorn_decoder_create_raw": (
        _POINTER,
        [ctypes.POINTER(DecoderSettings), _POINTER, ctypes.c_size_t, ctypes.POINTER(Error)],
    ),
    "aacorn_decoder_destroy": (None, [_POINTER]),
    "aacorn_decoder_push": (ctypes.c_int, [_POINTER, _POINTER, ctypes.c_size_t]),
    "aacorn_decoder_conceal": (ctypes.c_int, [_POINTER]),
    "aacorn_decoder_finish": (ctypes.c_int, [_POINTER]),
    "aacorn_decoder_pull": (ctypes.c_int, [_POINTER, ctypes.POINTER(Sound)]),
    "aacorn_decoder_error": (ctypes.c_char_p, [_POINTER]),
}


def _load() -> ctypes.CDLL:
    # The library in the package, or another one for development.
    path = os.environ.get("AACORN_LIBRARY") or str(Path(__file__).with_name("libaacorn.so"))
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"The library of aacorn cannot be loaded: {error}. If the file is there, this wheel is for "
            "another system or machine; its name says for which, and for which version of glibc."
        ) from error
    for name, (result, parameters) in _DECLARATIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
    if library.aacorn_api_version() < API_VERSION:
        raise ImportError(f"The library {path} is older than this package.")
    return library


library = _load()


def int32(value: Any, name: str) -> int:
    """Converts a setting to a number of 32 bits for the library, which ctypes would truncate.

    Floating-point numbers without a fraction are accepted.
    """
    return _integer(value, name, 31)


def positive(value: Any, name: str) -> int:
    """Converts a setting that must be 1 or more: the library replaces 0 with a default."""
    number = int32(value, name)
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, not {value}.")
    return number


def int64(value: Any, name: str) -> int:
    """Converts a setting to a number of 64 bits in the same way."""
    return _integer(value, name, 63)


def _integer(value: Any, name: str, bits: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        if not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be a whole number, not {value!r}.") from None
        if not float(value).is_integer():
            raise ValueError(f"{name} must be a whole number, not {value}.") from None
        number = int(value)
    if not -(2**bits) <= number < 2**bits:
        raise ValueError(f"{name} cannot be {value}.")
    return number


def text(value: Optional[str], name: str) -> Optional[bytes]:
    """Encodes a text for the library, where a zero byte ends a text."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}.")
    if value is not None and "\0" in value:
        raise ValueError(f"{name} holds a zero character.")
    return None if value is None else value.encode()


def version() -> str:
    """Returns the release of the library, such as "0.1.0"."""
    text: bytes = library.aacorn_version()
    return text.decode()
