"""From samples to AAC."""

import ctypes
from dataclasses import dataclass
from typing import Any, Optional

from . import _library
from ._exclusive import Exclusive, exclusive
from ._library import library
from ._samples import Borrowed, borrowed_samples, channel_count
from .errors import AacornError


@dataclass(frozen=True)
class EncoderFacts:
    """What an encoder does."""

    sample_rate: int
    channels: int
    #: ``lc``, ``he`` or ``he2``, which ``auto`` chose.
    profile: str
    #: Bits per second; None if they vary.
    bitrate: Optional[int]
    #: The highest frequency that is coded, in hertz.
    bandwidth: int
    #: Frames that a unit decodes to.
    frames_per_unit: int
    #: Frames that a player drops at the start.
    priming: int
    #: Frames that a player drops at the end; None before ``finish``.
    remainder: Optional[int] = None


@dataclass(frozen=True)
class Unit:
    """One coded unit, which decoders of bare units take."""

    data: bytes
    #: The first frame it decodes to, in those of the input; negative while priming.
    position: int
    #: The frames it decodes to.
    duration: int


def _choice(table: dict[str, int], value: str, name: str) -> int:
    try:
        return table[value]
    # A list, for example, cannot even be looked up.
    except (KeyError, TypeError):
        raise ValueError(f"{name} is one of {', '.join(table)}, not “{value}”.") from None


class _Sink:
    """What the library has written. It does not know its encoder, which would keep both alive."""

    def __init__(self, is_whole: bool) -> None:
        #: Whether bytes go to their places in a file, and not one after the other.
        self.is_whole = is_whole
        self.failure: Optional[BaseException] = None
        self._ready = bytearray()

    def take(self, context: Any, offset: int, data: Any, count: int) -> int:
        """Takes bytes; called by the library, through which nothing may be thrown."""
        try:
            piece = ctypes.string_at(data, count)
            if self.is_whole:
                end = offset + count
                if len(self._ready) < end:
                    self._ready.extend(bytes(end - len(self._ready)))
                self._ready[offset:end] = piece
            else:
                self._ready += piece
            return 0
        except BaseException as failure:
            self.failure = failure
            return 1

    def empty(self) -> bytes:
        """All that is there, which is then gone."""
        ready = bytes(self._ready)
        self._ready.clear()
        return ready


class _Base(Exclusive):
    """The settings and properties that encoders have in common."""

    _encoder: Optional[int] = None

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int],
        *,
        profile: str,
        bitrate: Optional[int],
        average_bitrate: Optional[int],
        quality: Optional[int],
        effort: str,
        bandwidth: Optional[int],
        signaling: str,
        mpeg2: bool,
    ) -> None:
        super().__init__()
        # Without a number, samples of one dimension could be mono or interleaved.
        self._has_default_channels = channels is None
        self._channels = 2 if channels is None else _library.int32(channels, "channels")
        self._is_over = False
        rates = [
            (_library.RATE_CONSTANT, bitrate, "bitrate"),
            (_library.RATE_AVERAGE, average_bitrate, "average_bitrate"),
            (_library.RATE_VARIABLE, quality, "quality"),
        ]
        chosen = [rate for rate in rates if rate[1] is not None]
        if len(chosen) > 1:
            raise ValueError("bitrate, average_bitrate and quality exclude each other.")
        mode, value, name = chosen[0] if chosen else (_library.RATE_DEFAULT, 0, "")
        settings = _library.EncoderSettings(
            size=ctypes.sizeof(_library.EncoderSettings),
            sample_rate=_library.int32(sample_rate, "sample_rate"),
            channels=self._channels,
            profile=_choice(_library.PROFILES, profile, "profile"),
            rate_mode=mode,
            rate_value=_library.int32(value, name),
            effort=_choice(_library.EFFORTS, effort, "effort"),
            bandwidth=_library.int32(bandwidth or 0, "bandwidth"),
            signaling=_choice(_library.SIGNALINGS, signaling, "signaling"),
            flags=_library.ENCODER_MPEG2 if mpeg2 else 0,
        )
        error = _library.Error()
        self._encoder = library.aacorn_encoder_create(
            ctypes.byref(settings), ctypes.byref(error)
        )
        if not self._encoder:
            raise AacornError(error.sentence.decode(), error.code)

    def _take(self, samples: Any) -> None:
        if self._encoder is None or self._is_over:
            raise ValueError("The encoder is closed, or finished.")
        with borrowed_samples(samples, self._channels, needs_shape=self._has_default_channels) as borrowed:
            self._take_borrowed(borrowed)

    def _take_borrowed(self, borrowed: Borrowed) -> None:
        push = (
            library.aacorn_encoder_push_float
            if borrowed.is_float
            else library.aacorn_encoder_push_int16
        )
        self._check(push(self._encoder, borrowed.address, borrowed.frame_count))

    def _end(self) -> None:
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        self._is_over = True
        self._check(library.aacorn_encoder_finish(self._encoder))

    @exclusive
    def set_bitrate(self, bitrate: int) -> None:
        """Goes on at another bitrate, where there is one."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        self._check(library.aacorn_encoder_set_bitrate(self._encoder, _library.int32(bitrate, "bitrate")))

    def _check(self, result: int) -> None:
        if result < 0:
            sentence = library.aacorn_encoder_error(self._encoder) or library.aacorn_strerror(result)
            raise AacornError(sentence.decode(), result)

    @property
    @exclusive
    def facts(self) -> EncoderFacts:
        """What it does."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        facts = _library.EncoderFacts()
        self._check(library.aacorn_encoder_describe(self._encoder, ctypes.byref(facts)))
        names = {number: name for name, number in _library.PROFILES.items()}
        return EncoderFacts(
            facts.sample_rate,
            facts.channels,
            names[facts.profile],
            facts.bitrate or None,
            facts.bandwidth,
            facts.frames_per_unit,
            facts.priming,
            facts.remainder if facts.remainder >= 0 else None,
        )

    @property
    @exclusive
    def config(self) -> bytes:
        """The AudioSpecificConfig, which decoders of bare units need."""
        if self._encoder is None:
            raise ValueError("The encoder is closed.")
        count = library.aacorn_encoder_config(self._encoder, None, 0)
        space = (ctypes.c_uint8 * count)()
        library.aacorn_encoder_config(self._encoder, space, count)
        return bytes(space)

    def _free(self) -> None:
        encoder, self._encoder = self._encoder, None
        if encoder:
            library.aacorn_encoder_destroy(encoder)


class Encoder(_Base):
    """Encodes samples as they come.

    ``push`` and ``finish`` return the bytes that have become ready. An M4A file is ready as a whole at the
    end, unless ``stream`` is set: then it is written in fragments, which can be sent at once.

    Bare units, with nothing around them, come from a :class:`UnitEncoder`.

    Without ``channels`` there are 2, and samples need the shape (frames, 2).

    One thread at a time may use an encoder. A call raises RuntimeError while another thread is in one.
    Different encoders run side by side.
    """

    _writer: Optional[int] = None

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int] = None,
        *,
        format: str = "m4a",
        profile: str = "lc",
        bitrate: Optional[int] = None,
        average_bitrate: Optional[int] = None,
        quality: Optional[int] = None,
        effort: str = "balanced",
        bandwidth: Optional[int] = None,
        signaling: str = "default",
        mpeg2: bool = False,
        stream: bool = False,
        checksums: bool = False,
        expected_frames: int = 0,
        title: Optional[str] = None,
        artist: Optional[str] = None,
        album: Optional[str] = None,
        date: Optional[str] = None,
        comment: Optional[str] = None,
    ) -> None:
        kind = _choice(_library.FORMATS, format, "format")
        super().__init__(
            sample_rate,
            channels,
            profile=profile,
            bitrate=bitrate,
            average_bitrate=average_bitrate,
            quality=quality,
            effort=effort,
            bandwidth=bandwidth,
            signaling=signaling,
            mpeg2=mpeg2,
        )
        self._sink = _Sink(is_whole=format == "m4a" and not stream)
        flags = 0
        if not self._sink.is_whole:
            flags |= _library.WRITER_STREAM
        if checksums:
            flags |= _library.WRITER_CHECKSUMS
        # Kept, since the library calls it as long as the writer lives.
        self._write = _library.Write(self._sink.take)
        form = _library.WriterSettings(
            size=ctypes.sizeof(_library.WriterSettings),
            format=kind,
            flags=flags,
            expected_frames=_library.int64(expected_frames, "expected_frames"),
            write=self._write,
            title=_library.text(title, "title"),
            artist=_library.text(artist, "artist"),
            album=_library.text(album, "album"),
            date=_library.text(date, "date"),
            comment=_library.text(comment, "comment"),
        )
        error = _library.Error()
        self._writer = library.aacorn_writer_create(
            self._encoder, ctypes.byref(form), ctypes.byref(error)
        )
        if not self._writer:
            self.close()
            raise AacornError(error.sentence.decode(), error.code)

    @exclusive
    def push(self, samples: Any) -> bytes:
        """Takes samples: float32 from -1 to 1, or int16; interleaved, or (frames, channels).

        An array in one piece is not copied. Returns what has become ready.
        """
        self._take(samples)
        return self._collect()

    @exclusive
    def finish(self) -> bytes:
        """Ends the sound; returns what is left: of an M4A file all of it."""
        self._end()
        return self._collect(at_end=True)

    def _collect(self, at_end: bool = False) -> bytes:
        result = library.aacorn_writer_write(self._writer)
        failure, self._sink.failure = self._sink.failure, None
        if failure is not None:
            raise failure
        if result < 0:
            raise AacornError(library.aacorn_writer_error(self._writer).decode(), result)
        return b"" if self._sink.is_whole and not at_end else self._sink.empty()

    def _free(self) -> None:
        writer, self._writer = self._writer, None
        if writer:
            library.aacorn_writer_destroy(writer)
        super()._free()


class UnitEncoder(_Base):
    """Encodes samples to bare units, for containers and protocols of one's own.

    Their decoders need ``config``, the delay in ``facts.priming``, and for the exact length
    ``facts.remainder``.

    Without ``channels`` there are 2, and samples need the shape (frames, 2).

    One thread at a time may use an encoder. A call raises RuntimeError while another thread is in one.
    Different encoders run side by side.
    """

    def __init__(
        self,
        sample_rate: int,
        channels: Optional[int] = None,
        *,
        profile: str = "lc",
        bitrate: Optional[int] = None,
        average_bitrate: Optional[int] = None,
        quality: Optional[int] = None,
        effort: str = "balanced",
        bandwidth: Optional[int] = None,
        signaling: str = "default",
        mpeg2: bool = False,
    ) -> None:
        super().__init__(
            sample_rate,
            channels,
            profile=profile,
            bitrate=bitrate,
            average_bitrate=average_bitrate,
            quality=quality,
            effort=effort,
            bandwidth=bandwidth,
            signaling=signaling,
            mpeg2=mpeg2,
        )

    @exclusive
    def push(self, samples: Any) -> list[Unit]:
        """Takes samples as an :class:`Encoder` does; returns the units that have become ready."""
        self._take(samples)
        return self._pull()

    @exclusive
    def finish(self) -> list[Unit]:
        """Ends the sound; returns the units that are left."""
        self._end()
        return self._pull()

    def _pull(self) -> list[Unit]:
        units: list[Unit] = []
        unit = _library.Unit()
        while True:
            result = library.aacorn_encoder_pull(self._encoder, ctypes.byref(unit))
            self._check(result)
            if result == 0:
                return units
            data = ctypes.string_at(unit.bytes, unit.byte_count)
            units.append(Unit(data, unit.position, unit.duration))


def encode(samples: Any, sample_rate: int, *, channels: Optional[int] = None, **settings: Any) -> bytes:
    """Encodes sound to an M4A file in memory, or to what ``format`` says.

    The channels are those of the samples' second dimension, or one. The settings are those of
    :class:`Encoder`.
    """
    if channels is None:
        channels = channel_count(samples)
    channels = _library.int32(channels, "channels")
    with borrowed_samples(samples, channels) as borrowed:
        # Whose length is known has its tables in front, and plays while it loads.
        settings.setdefault("expected_frames", borrowed.frame_count)
        with Encoder(sample_rate, channels, **settings) as encoder:
            encoder._take_borrowed(borrowed)
            return encoder._collect() + encoder.finish()
