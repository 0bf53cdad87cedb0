"""Sound files of AAC."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from .decoder import Sound, decode, parts
from .encoder import encode

AnyPath = Union[str, "os.PathLike[str]"]

_SUFFIXES = {".m4a": "m4a", ".mp4": "m4a", ".m4b": "m4a", ".aac": "adts", ".adts": "adts"}
_SUFFIXES.update({".latm": "latm", ".loas": "latm"})


@dataclass(frozen=True)
class Facts:
    """What a file or a stream holds."""

    #: Where these change, those at the start.
    sample_rate: int
    channels: int
    #: Samples of a channel.
    frames: int
    #: Seconds.
    duration: float
    #: Frames that stand in for what was damaged or missing.
    concealed_frames: int
    byte_count: int
    #: Bits per second of all that is in it.
    bitrate: float


def read(path: AnyPath, **settings: Any) -> Sound:
    """Decodes a file. The settings are those of :class:`aacorn.Decoder`."""
    return decode(Path(path).read_bytes(), **settings)


def write(path: AnyPath, samples: Any, sample_rate: int, **settings: Any) -> None:
    """Encodes sound to a file, whose suffix chooses the format unless ``format`` does.

    The file appears when it is complete and on disk, in place of one that was there. The settings are
    those of :func:`aacorn.encode`.
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
    # Not one of tempfile's, which nobody else could read.
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
    """Decodes a file, or bytes, and tells what was in it."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        data: Any = source
    else:
        data = Path(source).read_bytes()
    sounds = parts(data)
    count = memoryview(data).nbytes
    duration = sum(sound.duration for sound in sounds)
    return Facts(
        sounds[0].sample_rate,
        sounds[0].channels,
        sum(sound.frames for sound in sounds),
        duration,
        sum(sound.concealed_frames for sound in sounds),
        count,
        8 * count / duration if duration > 0 else 0.0,
    )
