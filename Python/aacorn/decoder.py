"""Decoders of AAC."""

import ctypes
from dataclasses import dataclass
from typing import Any, Iterator, Optional

from . import _library
from ._exclusive import Exclusive, exclusive
from ._library import library
from ._samples import borrowed_bytes, given
from .errors import AacornError


@dataclass(frozen=True)
class Sound:
    """Decoded audio."""

    #: float32 from -1 to 1, (frames, channels): a numpy array if numpy is installed.
    samples: Any
    sample_rate: int
    channels: int
    #: The number of frames that replace damaged or missing units.
    concealed_frames: int = 0

    @property
    def frames(self) -> int:
        """The number of samples of each channel."""
        return len(self.samples)

    @property
    def duration(self) -> float:
        """The duration in seconds."""
        return self.frames / self.sample_rate if self.sample_rate else 0.0


class Decoder(Exclusive):
    """Decodes files and streams incrementally: ADTS, LATM, ADIF, MP4 and MPEG transport streams.

    With ``config``, an AudioSpecificConfig, each ``push`` decodes one bare unit.

    ``max_frames`` limits the decoded frames in total, and so the memory that an untrusted input can
    fill: a few kilobytes of AAC can contain minutes of silence. An error reports more frames.

    Only one thread at a time may use a decoder. A call raises RuntimeError during a call of another
    thread. Different decoders run in parallel.
    """

    _decoder: Optional[int] = None
    _frames = 0

    def __init__(
        self,
        config: Optional[bytes] = None,
        *,
        dynamic_range: bool = False,
        untrimmed: bool = False,
        expect_stereo: bool = False,
        track: int = 0,
        max_frames: Optional[int] = None,
    ) -> None:
        super().__init__()
        self._max_frames = None if max_frames is None else _library.int64(max_frames, "max_frames")
        if self._max_frames is not None and self._max_frames < 1:
            raise ValueError(f"max_frames must be 1 or more, not {max_frames}.")
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
            with borrowed_bytes(config) as (address, count):
                self._decoder = library.aacorn_decoder_create_raw(
                    ctypes.byref(settings), address, count, ctypes.byref(error)
                )
        if not self._decoder:
            raise AacornError(error.sentence.decode(), error.code)

    @exclusive
    def push(self, data: Any) -> list[Sound]:
        """Copies and decodes bytes; returns the decoded audio.

        The list has one part, several if the sampling rate or the channels change, or none.
        """
        self._feed(data)
        return self._pull()

    def _feed(self, data: Any) -> None:
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        with borrowed_bytes(data) as (address, count):
            self._check(library.aacorn_decoder_push(self._decoder, address, count))

    @exclusive
    def conceal(self) -> list[Sound]:
        """Conceals a missing unit. Only for bare units."""
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        self._check(library.aacorn_decoder_conceal(self._decoder))
        return self._pull()

    @exclusive
    def finish(self) -> list[Sound]:
        """Ends the input; returns the remaining audio."""
        self._end()
        return self._pull()

    def _end(self) -> None:
        if self._decoder is None:
            raise ValueError("The decoder is closed.")
        self._check(library.aacorn_decoder_finish(self._decoder))

    def _pull(self) -> list[Sound]:
        sounds: list[Sound] = []
        data = bytearray()
        rate = channels = concealed = 0
        for piece in self._pieces():
            if data and (piece.sample_rate, piece.channels) != (rate, channels):
                sounds.append(Sound(given(data, channels), rate, channels, concealed))
                data, concealed = bytearray(), 0
            rate, channels = piece.sample_rate, piece.channels
            data += ctypes.string_at(piece.samples, 4 * piece.frame_count * channels)
            if piece.is_concealed:
                concealed += piece.frame_count
        if data:
            sounds.append(Sound(given(data, channels), rate, channels, concealed))
        return sounds

    def _pieces(self) -> Iterator[_library.Sound]:
        """Yields the available audio in the memory of the library, each piece until the next one."""
        piece = _library.Sound()
        while True:
            result = library.aacorn_decoder_pull(self._decoder, ctypes.byref(piece))
            self._check(result)
            if result == 0:
                return
            self._frames += piece.frame_count
            if self._max_frames is not None and self._frames > self._max_frames:
                raise AacornError(
                    f"The audio has more than {self._max_frames} frames, the limit set by max_frames.", -4
                )
            yield piece

    def _check(self, result: int) -> None:
        if result < 0:
            sentence = library.aacorn_decoder_error(self._decoder) or library.aacorn_strerror(result)
            raise AacornError(sentence.decode(), result)

    def _free(self) -> None:
        decoder, self._decoder = self._decoder, None
        if decoder:
            library.aacorn_decoder_destroy(decoder)


def decode(data: Any, **settings: Any) -> Sound:
    """Decodes a complete file or stream, to the exact length if the input states it.

    Raises an error if the sampling rate or the channels change; use a :class:`Decoder` for such
    input. Accepts the settings of :class:`Decoder`, such as ``max_frames`` for untrusted data.
    """
    with whole(data, **settings) as decoder:
        sounds = decoder.finish()
    if not sounds:
        raise without_sound()
    if len(sounds) > 1:
        raise AacornError(
            "The sampling rate or the channels change within it. Decode it with a Decoder, which gives "
            "each part.",
            -13,
        )
    return sounds[0]


def whole(data: Any, **settings: Any) -> Decoder:
    """Returns a decoder with all bytes of a file or a stream, so that the tables may be at its end."""
    decoder = Decoder(**settings)
    decoder._feed(data)
    return decoder


def without_sound() -> AacornError:
    """Returns the error for an input without audio."""
    return AacornError("There is no sound in it.", -12)
