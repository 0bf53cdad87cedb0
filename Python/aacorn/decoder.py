"""From AAC to samples."""

import ctypes
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional, Type

from . import _library
from ._library import library
from ._samples import given, lent_bytes
from .errors import AacornError


@dataclass(frozen=True)
class Sound:
    """Decoded sound."""

    #: float32 from -1 to 1, frames by channels: an array of numpy if that is installed.
    samples: Any
    sample_rate: int
    channels: int
    #: Frames that stand in for what was damaged or missing.
    concealed_frames: int = 0

    @property
    def frames(self) -> int:
        """How many samples a channel has."""
        return len(self.samples)

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.frames / self.sample_rate if self.sample_rate else 0.0


class Decoder:
    """Decodes files and streams as they come: ADTS, LATM, ADIF, MP4 and MPEG transport streams.

    With ``config``, an AudioSpecificConfig, each ``push`` takes one bare unit.

    Each object belongs to one thread at a time; different ones run side by side.
    """

    def __init__(
        self,
        config: Optional[bytes] = None,
        *,
        dynamic_range: bool = False,
        untrimmed: bool = False,
        expect_stereo: bool = False,
        track: int = 0,
    ) -> None:
        self._decoder: Optional[int] = None
        flags = 0
        if dynamic_range:
            flags |= _library.DECODER_DYNAMIC_RANGE
        if untrimmed:
            flags |= _library.DECODER_UNTRIMMED
        if expect_stereo:
            flags |= _library.DECODER_EXPECT_STEREO
        settings = _library.DecoderSettings(
            size=ctypes.sizeof(_library.DecoderSettings), flags=flags, track=_library.int32(track, "track")
        )
        error = _library.Error()
        if config is None:
            self._decoder = library.aacorn_decoder_create(
                ctypes.byref(settings), ctypes.byref(error)
            )
        else:
            with lent_bytes(config) as (address, count):
                self._decoder = library.aacorn_decoder_create_raw(
                    ctypes.byref(settings), address, count, ctypes.byref(error)
                )
        if not self._decoder:
            raise AacornError(error.sentence.decode(), error.code)

    def push(self, data: Any) -> list[Sound]:
        """Takes bytes, which are copied; returns the sound that has become ready.

        It is one piece, or several where the sampling rate or the channels change; or none.
        """
        self._feed(data)
        return self._pull()

    def _feed(self, data: Any) -> None:
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        with lent_bytes(data) as (address, count):
            self._check(library.aacorn_decoder_push(self._decoder, address, count))

    def conceal(self) -> list[Sound]:
        """Of bare units: replaces one that is missing."""
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        self._check(library.aacorn_decoder_conceal(self._decoder))
        return self._pull()

    def finish(self) -> list[Sound]:
        """Ends the input; returns the sound that is left."""
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        self._check(library.aacorn_decoder_finish(self._decoder))
        return self._pull()

    def _pull(self) -> list[Sound]:
        sounds: list[Sound] = []
        piece = _library.Sound()
        data = bytearray()
        rate = channels = concealed = 0
        while True:
            result = library.aacorn_decoder_pull(self._decoder, ctypes.byref(piece))
            self._check(result)
            is_over = result == 0
            if data and (is_over or (piece.sample_rate, piece.channels) != (rate, channels)):
                sounds.append(Sound(given(data, channels), rate, channels, concealed))
                data, concealed = bytearray(), 0
            if is_over:
                return sounds
            rate, channels = piece.sample_rate, piece.channels
            data += ctypes.string_at(piece.samples, 4 * piece.frame_count * channels)
            if piece.is_concealed:
                concealed += piece.frame_count

    def _check(self, result: int) -> None:
        if result < 0:
            sentence = library.aacorn_decoder_error(self._decoder) or library.aacorn_strerror(result)
            raise AacornError(sentence.decode(), result)

    def close(self) -> None:
        """Frees its memory; it may be called again."""
        decoder, self._decoder = self._decoder, None
        if decoder:
            library.aacorn_decoder_destroy(decoder)

    def __enter__(self) -> "Decoder":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_decoder", None) is not None:
            self.close()


def decode(data: Any, **settings: Any) -> Sound:
    """Decodes all of a file or a stream, to the exact length if it says that.

    Sound whose sampling rate or channels change is refused; a :class:`Decoder` gives its parts. The
    settings are those of :class:`Decoder`.
    """
    sounds = parts(data, **settings)
    if len(sounds) > 1:
        raise AacornError(
            "The sampling rate or the channels change within it. Decode it with a Decoder, which gives "
            "each part.",
            -13,
        )
    return sounds[0]


def parts(data: Any, **settings: Any) -> list[Sound]:
    """All of a file or a stream, a part for each change of the sampling rate or the channels."""
    with Decoder(**settings) as decoder:
        # All of it before the first look, so that a file with its tables at the end is read as well.
        decoder._feed(data)
        sounds = decoder.finish()
    if not sounds:
        raise AacornError("There is no sound in it.", -12)
    return sounds
