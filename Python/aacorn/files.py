"""Reading, writing and inspecting AAC files."""

import os
import secrets
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from .decoder import Sound, decode, whole, without_sound
from .encoder import encode

AnyPath = Union[str, "os.PathLike[str]"]

_SUFFIXES = {".m4a": "m4a", ".mp4": "m4a", ".m4b": "m4a", ".aac": "adts", ".adts": "adts"}
_SUFFIXES.update({".latm": "latm", ".loas": "latm"})


@dataclass(frozen=True)
class Facts:
    """The properties of a file or a stream."""

    #: The rate and the channels at the start; both may change later.
    sample_rate: int
    channels: int
    #: Samples of each channel.
    frames: int
    #: The duration in seconds.
    duration: float
    #: The number of frames that replace damaged or missing units.
    concealed_frames: int
    byte_count: int
    #: Bits per second of the whole file, including its headers.
    bitrate: float


def read(path: AnyPath, **settings: Any) -> Sound:
    """Decodes a file. Accepts the settings of :class:`aacorn.Decoder`, such as ``max_frames``."""
    return decode(Path(path).read_bytes(), **settings)


def write(path: AnyPath, samples: Any, sample_rate: int, **settings: Any) -> None:
    """Encodes samples to a file. ``format`` or else the suffix selects the format.

    The file appears when it is complete and on disk, and replaces an existing file. Accepts the
    settings of :func:`aacorn.encode`.
    """
    target = Path(path)
    if "format" not in settings:
        try:
            settings["format"] = _SUFFIXES[target.suffix.lower()]
        except KeyError:
            raise ValueError(
                f"The suffix of “{target}” is not .m4a, .aac or .latm; give a format."
            ) from None
    data = encode(samples, sample_rate, **settings)
    # Not a file of `tempfile`, which only its owner may read.
    name = target.with_name(f".aacorn-{secrets.token_hex(8)}")
    file = open(name, "xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def inspect(source: Union[AnyPath, bytes, bytearray, memoryview]) -> Facts:
    """Decodes a file, or bytes, and returns the properties."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        data: Any = source
    else:
        data = Path(source).read_bytes()
    rate = channels = concealed = 0
    frames: Counter[int] = Counter()
    with whole(data) as decoder:
        decoder._end()
        # Counts the samples without storing them.
        for piece in decoder._pieces():
            if not frames:
                rate, channels = piece.sample_rate, piece.channels
            frames[piece.sample_rate] += piece.frame_count
            if piece.is_concealed:
                concealed += piece.frame_count
    if not frames:
        raise without_sound()
    count = memoryview(data).nbytes
    duration = sum(number / each for each, number in frames.items())
    return Facts(
        rate,
        channels,
        sum(frames.values()),
        duration,
        concealed,
        count,
        8 * count / duration if duration > 0 else 0.0,
    )
